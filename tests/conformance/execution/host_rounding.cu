// Kernels round to nearest whatever the host's thread has asked for, and leave that as it is.
#include <cfenv>

#include "../check.h"

__global__ void thirds(float *out, const float *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] / 3.0f;
}

int main() {
  constexpr int n = 256;
  float *in, *out;
  CUDA_OK(cudaMallocManaged(&in, n * sizeof(float)));
  CUDA_OK(cudaMallocManaged(&out, n * sizeof(float)));
  float expected[n];
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i + 1);
    expected[i] = in[i] / 3.0f;
  }
  CHECK_EQ(std::fesetround(FE_UPWARD), 0);
  int wrong = 0;
  for (int round = 0; round < 200; ++round) {
    thirds<<<n / 32, 32>>>(out, in);
    CUDA_OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) wrong += out[i] != expected[i];
    CHECK_EQ(std::fegetround(), FE_UPWARD);
  }
  CHECK_EQ(std::fesetround(FE_TONEAREST), 0);
  CHECK_EQ(wrong, 0);
  return check::finish();
}
