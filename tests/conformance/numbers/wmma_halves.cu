// nvcuda::wmma multiplies every half as the number that it is: subnormal ones, infinity and NaN as well.
#include <cuda_fp16.h>
#include <mma.h>

#include <cmath>

#include "../check.h"

using namespace nvcuda;

constexpr int size = 16, matrices = 65536 / size;

// A is ones. Column i of B has its number in the first row, and zeros, so that each row of D is the numbers.
__global__ void readHalves(float *d) {
  __shared__ __align__(32) __half a[size * size], b[size * size];
  for (int i = threadIdx.x; i < size * size; i += 32) {
    a[i] = __ushort_as_half(0x3c00);
    b[i] = __ushort_as_half(i < size ? blockIdx.x * size + i : 0);
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, size, size, size, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, size, size, size, __half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, size, size, size, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  wmma::load_matrix_sync(fa, a, size);
  wmma::load_matrix_sync(fb, b, size);
  wmma::mma_sync(sums, fa, fb, sums);
  wmma::store_matrix_sync(d + blockIdx.x * size * size, sums, size, wmma::mem_row_major);
}

int main() {
  float *d;
  CUDA_OK(cudaMallocManaged(&d, matrices * size * size * sizeof(float)));
  readHalves<<<matrices, 32>>>(d);
  CUDA_OK(cudaDeviceSynchronize());
  for (int bits = 0; bits < 65536; ++bits) {
    const float expected = __half2float(__ushort_as_half(static_cast<unsigned short>(bits)));
    for (int row = 0; row < size; ++row) {
      const float found = d[(bits / size * size + row) * size + bits % size];
      CHECK(std::isnan(expected) ? std::isnan(found) : found == expected);
    }
  }
  CUDA_OK(cudaFree(d));
  return check::finish();
}
