// Shared arrays whose type and size depend on template parameters: each instance has its own.
#include "../check.h"

template <class T, int N>
struct Buffer {
  T values[N];
};

template <class T, int Rows, int Columns>
__global__ void stage(T *out) {
  __shared__ T tile[Rows][Columns];
  __shared__ Buffer<T, Rows> sums;
  const int i = threadIdx.x;
  for (int k = i; k < Rows * Columns; k += blockDim.x) tile[k / Columns][k % Columns] = static_cast<T>(k);
  __syncthreads();
  if (i < Rows) {
    T sum = 0;
    for (int c = 0; c < Columns; ++c) sum += tile[i][c];
    sums.values[i] = sum;
  }
  __syncthreads();
  if (i < Rows) out[i] = sums.values[Rows - 1 - i];
}

template <int N>
__device__ int rotate(int value) {
  __shared__ int ring[N];
  ring[threadIdx.x % N] = value;
  __syncthreads();
  const int result = ring[(threadIdx.x + 1) % N];
  __syncthreads();
  return result;
}

__global__ void severalInstances(int *out) {
  out[threadIdx.x] = rotate<64>(threadIdx.x) * 1000 + rotate<32>(threadIdx.x % 32);
}

template <class T, int Rows, int Columns>
static void test() {
  check::DeviceArray<T> out(Rows);
  stage<T, Rows, Columns><<<3, 48>>>(out.get());
  LAUNCH_OK();
  const std::vector<T> host = out.download();
  for (int i = 0; i < Rows; ++i) {
    const int row = Rows - 1 - i;
    T expected = 0;
    for (int c = 0; c < Columns; ++c) expected += static_cast<T>(row * Columns + c);
    CHECK_EQ(host[i], expected);
  }
}

int main() {
  test<int, 4, 4>();
  test<int, 48, 3>();
  test<double, 5, 33>();
  test<unsigned char, 7, 2>();
  test<float, 31, 65>();
  check::DeviceArray<int> out(64);
  severalInstances<<<1, 64>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 64; ++i) CHECK_EQ(out.download()[i], (i + 1) % 64 * 1000 + (i + 1) % 32);
  return check::finish();
}
