// Shifts by the width of the operand and more: C++ leaves them undefined, a GPU shifts everything out (PTX shl, shr).
#include "../check.h"

struct Results {
  unsigned left, right;
  int arithmetic;
  unsigned long long left64, right64;
  long long arithmetic64;
  unsigned rotated;
};

__global__ void shift(const unsigned *amounts, Results *results) {
  const unsigned n = amounts[threadIdx.x];
  Results &r = results[threadIdx.x];
  r.left = 0x80000001u << n;
  r.right = 0x80000001u >> n;
  r.arithmetic = -5 >> n;
  r.left64 = 0x8000000000000001ull << n;
  r.right64 = 0x8000000000000001ull >> n;
  r.arithmetic64 = -5ll >> n;
  const unsigned m = n & 31;
  r.rotated = (0x80000001u << m) | (0x80000001u >> (32 - m));
}

int main() {
  const unsigned amounts[] = {0, 1, 31, 32, 33, 63, 64, 65, 200};
  constexpr int count = sizeof amounts / sizeof *amounts;
  unsigned *given;
  Results *results;
  CUDA_OK(cudaMallocManaged(&given, sizeof amounts));
  CUDA_OK(cudaMallocManaged(&results, count * sizeof *results));
  for (int i = 0; i < count; ++i) given[i] = amounts[i];
  shift<<<1, count>>>(given, results);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) {
    const unsigned n = amounts[i], m = n & 31;
    CHECK_EQ(results[i].left, n < 32 ? 0x80000001u << m : 0u);
    CHECK_EQ(results[i].right, n < 32 ? 0x80000001u >> m : 0u);
    CHECK_EQ(results[i].arithmetic, n < 32 ? -5 >> m : -1);
    CHECK_EQ(results[i].left64, n < 64 ? 0x8000000000000001ull << (n & 63) : 0ull);
    CHECK_EQ(results[i].right64, n < 64 ? 0x8000000000000001ull >> (n & 63) : 0ull);
    CHECK_EQ(results[i].arithmetic64, n < 64 ? -5ll >> (n & 63) : -1ll);
    CHECK_EQ(results[i].rotated, m ? (0x80000001u << m) | (0x80000001u >> (32 - m)) : 0x80000001u);
  }
  return check::finish();
}
