// A division of numbers that all threads share, behind a condition that the first of neighbouring threads does not
// pass.
#include "../check.h"

__global__ void look(const unsigned *in, const unsigned *odd, unsigned *out) {
  const unsigned l = threadIdx.x + 8 * (threadIdx.y + threadIdx.z * 2);
  const unsigned t = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * 64 + l;
  if ((odd[t & 255] & 1) != 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 5; ++i) sum += in[(unsigned)(33 / (int)((blockDim.x & 255u) + 1u)) & 255];
    out[t * 2] = sum;
  } else {
    out[t * 2] = in[(t * 7 + 3) & 255] >> 3;
  }
}

int main() {
  std::vector<unsigned> numbers(256), odds(256);
  for (unsigned i = 0; i < 256; ++i) {
    numbers[i] = (i + 1) * 2654435761u;
    odds[i] = i % 8 != 0 && i * i % 7 < 4;
  }
  check::DeviceArray<unsigned> in(numbers), odd(odds), out(512, 0u);
  look<<<dim3(2, 2, 1), dim3(8, 2, 4)>>>(in.get(), odd.get(), out.get());
  LAUNCH_OK();
  const std::vector<unsigned> result = out.download();
  for (unsigned t = 0; t < 256; ++t)
    CHECK_EQ(result[2 * t], odds[t] ? 5 * numbers[33 / 9] : numbers[(t * 7 + 3) & 255] >> 3);
  return check::finish();
}
