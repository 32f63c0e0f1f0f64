// Kernels that fast math changes: ./fast_math NAME bad|good. The good ones compute nothing that it knows.
#include <cstdio>
#include <cstring>

__global__ void product(float *out, bool bad) { out[threadIdx.x] = threadIdx.x * 1e-25f * (bad ? 1e-17f : 2.0f); }
__global__ void quotient(float *out, bool bad) { out[threadIdx.x] = threadIdx.x * 1e-35f / (bad ? 1e6f : 0.5f); }
__global__ void difference(float *out, bool bad) {
  const float x = bad ? 1.2e-38f + threadIdx.x * 1e-40f : threadIdx.x;
  out[threadIdx.x] = x - (bad ? 1.18e-38f : 0.0f);
}
__global__ void fused(float *out, bool bad) {
  const float x = 1 + threadIdx.x * (bad ? 1.1920929e-7f : 1.0f);
  out[threadIdx.x] = x * x - 1;
}

int main(int argc, char **argv) {
  if (argc < 3) return std::puts("NAME bad|good"), 2;
  const bool bad = !std::strcmp(argv[2], "bad");
  float *out;
  cudaMalloc(&out, 128 * sizeof(float));  // HERE: product quotient difference fused
  if (!std::strcmp(argv[1], "product")) product<<<1, 128>>>(out, bad);
  if (!std::strcmp(argv[1], "quotient")) quotient<<<1, 128>>>(out, bad);
  if (!std::strcmp(argv[1], "difference")) difference<<<1, 128>>>(out, bad);
  if (!std::strcmp(argv[1], "fused")) fused<<<1, 128>>>(out, bad);
  return cudaDeviceSynchronize();
}
