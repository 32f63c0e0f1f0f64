// Products of whole matrices by mma.sync.m8n8k4, as a library for Volta makes them: tiles go through shared memory,
// their groups of eight halves permuted against bank conflicts, and each quad pair of a warp multiplies 8x8 of the
// 16x16 that the warp has. For all four layouts, with sums of floats and of halves; every sum is exact.
#include <cuda_fp16.h>

#include "../check.h"

constexpr int edge = 32,
              depth = 32;  // of the tile that a block of four warps loads: rows or columns, and their products
constexpr int groups = edge * depth / 8;

// Operand is A, or B with its columns for rows. Elements that follow each other lie along k, or along the rows.
template <bool alongK>
struct Operand {
  // place() is where group `group` of line `line` of the tile lies in shared memory: lines are rows, or else steps of
  // k.
  static __device__ int place(int line, int group) { return line * 4 + (group ^ (alongK ? line / 2 % 4 : line % 4)); }

  // load() fetches the tile that begins at `row` and `k` of a matrix of `rows` by `length`.
  static __device__ void load(uint4 *tile, const __half *matrix, int rows, int length, int row, int k) {
    for (int i = threadIdx.x; i < groups; i += blockDim.x) {
      const int line = i / 4, group = i % 4;
      const __half *from = alongK ? matrix + (row + line) * length + k + group * 8  //
                                  : matrix + (k + line) * rows + row + group * 8;
      tile[place(line, group)] = *reinterpret_cast<const uint4 *>(from);
    }
  }

  // fragment() is what the calling lane holds of the eight rows from `row` on, at the four steps from `k` on.
  static __device__ uint2 fragment(const uint4 *tile, int row, int k) {
    const int member = threadIdx.x % 4, upper = threadIdx.x % 32 / 16 * 4;
    const int line = alongK ? row + member + upper : k + member, first = alongK ? k : row + upper;
    const uint4 *group = tile + place(line, first / 8);
    return reinterpret_cast<const uint2 *>(group)[first % 8 / 4];
  }
};

#define MMA_32(layouts)                                                                                \
  asm("mma.sync.aligned.m8n8k4." layouts                                                               \
      ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};"     \
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]) \
      : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y))
#define MMA_16(layouts)                                                                                     \
  asm("mma.sync.aligned.m8n8k4." layouts ".f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3};" \
      : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])                                                      \
      : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y))
#define BY_LAYOUT(MMA)                            \
  do {                                            \
    if constexpr (rowA && rowB) MMA("row.row");   \
    if constexpr (rowA && !rowB) MMA("row.col");  \
    if constexpr (!rowA && rowB) MMA("col.row");  \
    if constexpr (!rowA && !rowB) MMA("col.col"); \
  } while (0)

// Sums are those of a quad pair in a lane's registers; at() tells the row and the column of the i-th.
struct Floats {
  float c[8] = {};
  template <bool rowA, bool rowB>
  __device__ void add(uint2 a, uint2 b) {
    BY_LAYOUT(MMA_32);
  }
  __device__ float value(int i) const { return c[i]; }
  static __device__ int2 at(int i) {
    const int lane = threadIdx.x % 32;
    return {(lane & 1) + (i & 2) + lane / 16 * 4, (i & 4) + (lane & 2) + (i & 1)};
  }
};
struct Halves {
  unsigned c[4] = {};
  template <bool rowA, bool rowB>
  __device__ void add(uint2 a, uint2 b) {
    BY_LAYOUT(MMA_16);
  }
  __device__ float value(int i) const {
    return __half2float(__ushort_as_half((unsigned short)(c[i / 2] >> i % 2 * 16)));
  }
  static __device__ int2 at(int i) { return {(int)(threadIdx.x % 4 + threadIdx.x % 32 / 16 * 4), i}; }
};

template <class Sums, bool rowA, bool rowB>
__global__ void multiply(float *d, const __half *a, const __half *b, int m, int n, int k) {
  __shared__ uint4 tileA[groups], tileB[groups];
  const int warp = threadIdx.x / 32, quad = threadIdx.x / 4 % 4;
  const int row = warp / 2 * 16 + quad / 2 * 8, column = warp % 2 * 16 + quad % 2 * 8;
  Sums sums;
  for (int step = 0; step < k; step += depth) {
    Operand<rowA>::load(tileA, a, m, k, blockIdx.y * edge, step);
    Operand<!rowB>::load(tileB, b, n, k, blockIdx.x * edge, step);
    __syncthreads();
    for (int i = 0; i < depth; i += 4)
      sums.template add<rowA, rowB>(Operand<rowA>::fragment(tileA, row, i), Operand<!rowB>::fragment(tileB, column, i));
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i) {
    const int2 at = Sums::at(i);
    d[(blockIdx.y * edge + row + at.x) * n + blockIdx.x * edge + column + at.y] = sums.value(i);
  }
}

template <class Sums, bool rowA, bool rowB>
static void test() {
  constexpr int m = 64, n = 96, k = 64;
  std::vector<int> valuesA(m * k), valuesB(k * n);
  for (int i = 0; i < m * k; ++i) valuesA[i] = i * 7 % 11 % 5 - 2;
  for (int i = 0; i < k * n; ++i) valuesB[i] = i * 5 % 13 % 5 - 2;
  std::vector<__half> a(m * k), b(k * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < k; ++j) a[rowA ? i * k + j : j * m + i] = __float2half(float(valuesA[i * k + j]));
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n; ++j) b[rowB ? i * n + j : j * k + i] = __float2half(float(valuesB[i * n + j]));
  check::DeviceArray<__half> deviceA(a), deviceB(b);
  check::DeviceArray<float> out(m * n);
  multiply<Sums, rowA, rowB><<<dim3(n / edge, m / edge), 128>>>(out.get(), deviceA.get(), deviceB.get(), m, n, k);
  LAUNCH_OK();
  const std::vector<float> d = out.download();
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < k; ++l) sum += valuesA[i * k + l] * valuesB[l * n + j];
      CHECK_EQ(d[i * n + j], float(sum));
    }
}

template <class Sums>
static void testLayouts() {
  test<Sums, true, true>();
  test<Sums, true, false>();
  test<Sums, false, true>();
  test<Sums, false, false>();
}

int main() {
  testLayouts<Floats>();
  testLayouts<Halves>();
  return check::finish();
}
