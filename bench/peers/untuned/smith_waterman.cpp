// Local alignment: strips of 16 rows, a row a lane, each one column behind the one above; tiles along antidiagonals.
#include "smith_waterman.h"

#include <algorithm>

#include "../harness/native.h"

typedef int Ints __attribute__((vector_size(64)));

constexpr int n = SmithWaterman::n, lanes = 16, tile = 512, tiles = n / tile;

// shifted() moves each lane's value to the next one and puts `first` into the first.
static Ints shifted(Ints values, int first) {
#ifdef __clang__
  Ints moved = __builtin_shufflevector(values, values, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
#else
  Ints moved = __builtin_shuffle(values, Ints{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
#endif
  moved[0] = first;
  return moved;
}

static Ints larger(Ints a, Ints b) { return a > b ? a : b; }

// The strip's rows from y on, the tile's columns from x on. row[x - 1] is at `corner`; column gets the last scores.
static void alignStrip(const SmithWaterman &input, int *row, int *column, int corner, int x, int y) {
  Ints letters, left, diagonal, columns;
  for (int lane = 0; lane < lanes; ++lane) {
    letters[lane] = input.down[size_t(y + lane)];
    left[lane] = column[y + lane];
    diagonal[lane] = lane == 0 ? corner : column[y + lane - 1];
    columns[lane] = -lane;
  }
  Ints here = left, passing = {};
  for (int step = 0; step < tile + lanes - 1; ++step, columns += 1) {
    const bool inside = step < tile;
    passing = shifted(passing, inside ? input.across[size_t(x + step)] : 0);
    // Lanes that have not begun keep what is left of the tile.
    const Ints up = shifted(here, inside ? row[x + step] : 0);
    const Ints same = letters == passing;
    Ints score = diagonal + ((same & SmithWaterman::match) | (~same & SmithWaterman::mismatch));
    score = larger(score, larger(up, here) + SmithWaterman::gap);
    score = larger(score, Ints{});
    const Ints active = (columns >= 0) & (columns < tile);
    diagonal = active ? up : diagonal;
    here = active ? score : here;
    if (step >= lanes - 1) row[x + step - lanes + 1] = here[lanes - 1];
  }
  for (int lane = 0; lane < lanes; ++lane) column[y + lane] = here[lane];
}

static void alignTile(const SmithWaterman &input, int *row, int *column, int *corners, int bx, int by) {
  const int x = bx * tile;
  int corner = corners[by * (tiles + 1) + bx];
  for (int y = by * tile; y < (by + 1) * tile; y += lanes) {
    const int next = column[y + lanes - 1];
    alignStrip(input, row, column, corner, x, y);
    corner = next;
  }
  corners[(by + 1) * (tiles + 1) + bx + 1] = row[x + tile - 1];
}

BENCH_CASE(smithWaterman) {
  const SmithWaterman input;
  std::vector<int> row(n), column(n), corners((tiles + 1) * (tiles + 1));
  run.time([&] {
    for (std::vector<int> *each : {&row, &column, &corners}) std::fill(each->begin(), each->end(), 0);
#pragma omp parallel
    for (int diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
#pragma omp for schedule(dynamic)
      for (int bx = std::max(0, diagonal - tiles + 1); bx <= std::min(diagonal, tiles - 1); ++bx)
        alignTile(input, row.data(), column.data(), corners.data(), bx, diagonal - bx);
    }
  });
  run.result(row);
}
