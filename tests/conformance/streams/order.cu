// Work of one stream runs in order; several streams may interleave but each keeps its own order.
#include "../check.h"

// Slow on purpose, so that a runtime which did not wait would show it.
__global__ void step(unsigned *state, unsigned value, int spins) {
  const long long start = clock64();
  while (clock64() - start < spins) {
  }
  *state = *state * 31 + value;
}

int main() {
  const int streams = 5, steps = 40;
  cudaStream_t stream[streams];
  check::DeviceArray<unsigned> states(streams, 1u);
  for (cudaStream_t &s : stream) CUDA_OK(cudaStreamCreate(&s));
  for (int i = 0; i < steps; ++i)
    for (int s = 0; s < streams; ++s) step<<<1, 1, 0, stream[s]>>>(states.get() + s, i * (s + 1), (i * 37 % 5) * 2000);
  CUDA_OK(cudaGetLastError());
  for (cudaStream_t s : stream) CUDA_OK(cudaStreamSynchronize(s));
  const std::vector<unsigned> result = states.download();
  for (int s = 0; s < streams; ++s) {
    unsigned expected = 1;
    for (int i = 0; i < steps; ++i) expected = expected * 31 + i * (s + 1);
    CHECK_EQ(result[s], expected);
  }

  // A stream may be destroyed while its work is pending; the work still completes.
  for (int s = 0; s < streams; ++s) {
    step<<<1, 1, 0, stream[s]>>>(states.get() + s, 5, 100000);
    CUDA_OK(cudaStreamDestroy(stream[s]));
  }
  CUDA_OK(cudaDeviceSynchronize());
  const std::vector<unsigned> after = states.download();
  for (int s = 0; s < streams; ++s) CHECK_EQ(after[s], result[s] * 31 + 5);
  return check::finish();
}
