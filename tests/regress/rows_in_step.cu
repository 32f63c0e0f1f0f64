// forms: block
// unoptimised: no
// Lanes that read what others write go in step (lanes_in_step.cu) in blocks of several rows, and whatever the type is.
#include <cstdio>

template <class T>
__global__ void addNeighbours(const T *in, T *out) {
  __shared__ T s[512];
  const int width = blockDim.x, x = threadIdx.x, row = threadIdx.y + threadIdx.z * blockDim.y;
  const int i = (blockIdx.x * blockDim.y * blockDim.z + row) * width + x;
  T *own = s + row * width;
  own[x] = in[i];
  __syncthreads();
  if (x % 32 != 0) own[x] = own[x] + own[x - 1];
  __syncthreads();
  out[i] = own[x];
}

template <class T>
int failuresWith(dim3 block) {
  const int all = 2 * block.x * block.y * block.z;
  T *in, *out;
  for (T **array : {&in, &out}) cudaMallocManaged(array, all * sizeof(T));
  for (int i = 0; i < all; ++i) in[i] = T(i % 50);
  addNeighbours<<<2, block>>>(in, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int failures = 0;
  for (int i = 0; i < all; ++i) failures += out[i] != (i % block.x % 32 != 0 ? T(in[i] + in[i - 1]) : in[i]);
  if (failures != 0) std::printf("%u x %u x %u, %zu bytes: %d wrong\n", block.x, block.y, block.z, sizeof(T), failures);
  return failures;
}

int main() {
  int failures = 0;
  for (dim3 block : {dim3(64, 4), dim3(32, 8), dim3(16, 16), dim3(8, 8, 4), dim3(33, 3), dim3(100, 2), dim3(9, 5)})
    failures += failuresWith<int>(block) + failuresWith<double>(block) + failuresWith<char>(block) +
                failuresWith<short>(block) + failuresWith<float>(block) + failuresWith<long long>(block);
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
