// A wavefront through tiles: each thread has a row and goes through it one step behind the row above, so that the index
// is within the tile for some threads only, and tiles begin at multiples of their width.
#include "../check.h"

#include <algorithm>

constexpr int tile = 32;

template <class T>
__global__ void wave(const T *across, const T *down, T *out, int firstTile) {
  __shared__ T s[tile + 1][tile + 1];
  const int t = threadIdx.x, x = (firstTile + blockIdx.x) * tile;
  s[0][t + 1] = 0;
  s[t + 1][0] = down[t];
  if (t == 0) s[0][0] = 0;
  __syncthreads();
  for (int step = 0; step < 2 * tile - 1; ++step) {
    const int i = step - t;
    if (i >= 0 && i < tile) {
      const T score = s[t][i] + across[x + i];
      s[t + 1][i + 1] = score > s[t + 1][i] - 2 ? score : s[t + 1][i] - 2;
    }
    __syncthreads();
  }
  for (int i = 0; i < tile; ++i) out[(blockIdx.x * tile + t) * tile + i] = s[t + 1][i + 1];
}

template <class T>
void checkWaves(int firstTile, int tiles) {
  std::vector<T> across((firstTile + tiles) * tile), down(tile);
  for (size_t i = 0; i < across.size(); ++i) across[i] = T(i * 7 % 5);
  for (int i = 0; i < tile; ++i) down[i] = T(i * 3 % 11);
  check::DeviceArray<T> a(across), d(down), out(tiles * tile * tile);
  wave<<<tiles, tile>>>(a.get(), d.get(), out.get(), firstTile);
  LAUNCH_OK();
  const std::vector<T> result = out.download();
  for (int block = 0; block < tiles; ++block) {
    T expected[tile + 1][tile + 1] = {};
    for (int y = 0; y < tile; ++y) expected[y + 1][0] = down[y];
    for (int y = 0; y < tile; ++y)
      for (int x = 0; x < tile; ++x) {
        const T score = expected[y][x] + across[(firstTile + block) * tile + x];
        expected[y + 1][x + 1] = std::max<T>(score, expected[y + 1][x] - 2);
        CHECK_EQ(result[(block * tile + y) * tile + x], expected[y + 1][x + 1]);
      }
  }
}

int main() {
  checkWaves<int>(0, 1);
  checkWaves<int>(1, 3);
  checkWaves<float>(0, 4);
  checkWaves<long long>(2, 2);
  return check::finish();
}
