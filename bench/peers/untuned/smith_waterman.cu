// Local alignment by Smith and Waterman: blocks along an antidiagonal of tiles, threads along one of a tile.
#include "smith_waterman.h"

#include "../harness/cuda.h"

constexpr int tile = 64;

// `row` has the scores above each column, `column` those left of each row, `corners` those at the tiles' corners.
__global__ void alignTiles(const unsigned char *across, const unsigned char *down, int *row, int *column, int *corners,
                           int tiles, int diagonal, int firstColumn) {
  __shared__ int s[tile + 1][tile + 1];
  int bx = firstColumn + blockIdx.x, by = diagonal - bx, t = threadIdx.x;
  int x = bx * tile, y = by * tile;
  s[0][t + 1] = row[x + t];
  s[t + 1][0] = column[y + t];
  if (t == 0) s[0][0] = corners[by * (tiles + 1) + bx];
  unsigned char letter = down[y + t];
  __syncthreads();
  for (int step = 0; step < 2 * tile - 1; ++step) {
    int i = step - t;
    if (i >= 0 && i < tile) {
      int score = s[t][i] + (letter == across[x + i] ? SmithWaterman::match : SmithWaterman::mismatch);
      score = max(score, max(s[t][i + 1], s[t + 1][i]) + SmithWaterman::gap);
      s[t + 1][i + 1] = max(score, 0);
    }
    __syncthreads();
  }
  row[x + t] = s[tile][t + 1];
  column[y + t] = s[t + 1][tile];
  if (t == 0) corners[(by + 1) * (tiles + 1) + bx + 1] = s[tile][tile];
}

BENCH_CASE(smithWaterman) {
  const SmithWaterman input;
  const int n = SmithWaterman::n, tiles = n / tile;
  bench::Buffer<unsigned char> across(input.across), down(input.down);
  bench::Buffer<int> row(n), column(n), corners((tiles + 1) * (tiles + 1));
  run.time([&] {
    row.clear();
    column.clear();
    corners.clear();
    for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
      int first = max(0, diagonal - tiles + 1), last = min(diagonal, tiles - 1);
      alignTiles<<<last - first + 1, tile>>>(across, down, row, column, corners, tiles, diagonal, first);
    }
    bench::finish();
  });
  run.result(row.host());
}
