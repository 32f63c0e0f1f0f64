// A long kernel keeps more values alive than a processor has registers, the more so when several threads run together:
// room for what it spills is not the user's to provide.
#include <cmath>
#include <utility>

#include "../check.h"

constexpr int terms = 250, threads = 128;

__host__ __device__ float exponent(int i, float x, float y) { return 0.01f * i + 0.002f * i * x - 0.003f * i * y; }

template <int... I>
__device__ void allTerms(float *out, int thread, float x, float y, std::integer_sequence<int, I...>) {
  ((out[I * threads + thread] = expf(exponent(I, x, y))), ...);
}

__global__ void rates(const float *in, float *out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[thread];
  allTerms(out, thread, x, 1.0f / (x + 1.0f), std::make_integer_sequence<int, terms>());
}

int main() {
  std::vector<float> input(threads);
  for (int i = 0; i < threads; ++i) input[i] = 0.01f * i;
  check::DeviceArray<float> in(input), out(terms * threads);
  rates<<<2, threads / 2>>>(in.get(), out.get());
  LAUNCH_OK();

  const std::vector<float> result = out.download();
  for (int thread = 0; thread < threads; ++thread)
    for (int i = 0; i < terms; ++i) {
      const float expected = std::exp(exponent(i, input[thread], 1.0f / (input[thread] + 1.0f)));
      CHECK(std::fabs(result[i * threads + thread] / expected - 1) < 1e-5f);
    }
  return check::finish();
}
