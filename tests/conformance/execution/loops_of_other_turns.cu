// Threads go through a loop in a loop, each as often as it likes, in the turns of another loop around: some are in a
// later turn of that one when they come to the inner loop, and what it hands from turn to turn is theirs.
#include "../check.h"

__device__ __host__ unsigned walk(const unsigned *in, unsigned start, unsigned wanted, unsigned first, unsigned thread,
                                  unsigned turns) {
  unsigned value = start;
  for (unsigned turn = 0, weight = 1; turn < turns; ++turn, weight = weight * 7 + 1) {
    unsigned left = (wanted + turn) & 3;
    do {
      value = value * 5 + weight + turn;
      for (unsigned step = 0; step < 32; ++step) value = value * 3 + in[(first + step + thread) & 1023];
    } while (left-- != 0);
  }
  return value;
}

__global__ void walks(const unsigned *in, const unsigned *wanted, unsigned *out, unsigned turns) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = walk(in, i, wanted[i], blockIdx.x * 64, threadIdx.x, turns);
}

int main() {
  constexpr unsigned blocks = 3, threads = 77, turns = 5;
  std::vector<unsigned> numbers(1024), counts(blocks * threads);
  for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = i * 2654435761u;
  for (unsigned i = 0; i < counts.size(); ++i) counts[i] = i * i / 3;
  check::DeviceArray<unsigned> in(numbers), wanted(counts), out(blocks * threads, 0u);
  walks<<<blocks, threads>>>(in.get(), wanted.get(), out.get(), turns);
  LAUNCH_OK();
  const std::vector<unsigned> result = out.download();
  for (unsigned i = 0; i < blocks * threads; ++i)
    CHECK_EQ(result[i], walk(numbers.data(), i, counts[i], i / threads * 64, i % threads, turns));
  return check::finish();
}
