// Threads go through a loop in a loop, each as often as it likes, in the turns of another loop around: some are in a
// later turn of that one when they come to the inner loop, and what it hands from turn to turn is theirs. So it is
// where they go past an inner loop.
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

// In each turn, half of the threads leave out a loop that the others go through: they are in the next turn before
// those.
__global__ void sums(unsigned *every, unsigned *some, unsigned turns, unsigned rows) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, pitch = gridDim.x * blockDim.x;
  for (unsigned turn = 0; turn < turns; ++turn) {
    unsigned row = 0;
    do {
      every[row * pitch + i] += turn;
    } while (++row < rows);
    row = 0;
    if ((i ^ turn) & 1) do {
        some[row * pitch + i] += turn * row + 1;
      } while (++row < rows);
  }
}

constexpr unsigned blocks = 3, threads = 77, turns = 5;

void checkWalks() {
  std::vector<unsigned> numbers(1024), counts(blocks * threads);
  for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = i * 2654435761u;
  for (unsigned i = 0; i < counts.size(); ++i) counts[i] = i * i / 3;
  check::DeviceArray<unsigned> in(numbers), wanted(counts), out(blocks * threads, 0u);
  walks<<<blocks, threads>>>(in.get(), wanted.get(), out.get(), turns);
  LAUNCH_OK();
  const std::vector<unsigned> result = out.download();
  for (unsigned i = 0; i < blocks * threads; ++i)
    CHECK_EQ(result[i], walk(numbers.data(), i, counts[i], i / threads * 64, i % threads, turns));
}

void checkSums() {
  constexpr unsigned rows = 4, all = blocks * threads;
  check::DeviceArray<unsigned> every(rows * all, 0u), some(rows * all, 0u);
  sums<<<blocks, threads>>>(every.get(), some.get(), turns, rows);
  LAUNCH_OK();
  const std::vector<unsigned> first = every.download(), second = some.download();
  for (unsigned i = 0; i < rows * all; ++i) {
    unsigned expected = 0;
    for (unsigned turn = (i % all + 1) % 2; turn < turns; turn += 2) expected += turn * (i / all) + 1;
    CHECK_EQ(first[i], turns * (turns - 1) / 2);
    CHECK_EQ(second[i], expected);
  }
}

int main() {
  checkWalks();
  checkSums();
  return check::finish();
}
