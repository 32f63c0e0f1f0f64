// CUB in kernels: an algorithm that launches its kernels from device code.
// options: -rdc=true -lcudadevrt
// needs: cub/device/device_reduce.cuh
#include "../check.h"

#include <cub/device/device_reduce.cuh>
#include <numeric>

constexpr int n = 5003;

struct Sum {
  size_t bytes;
  int sizeError, error;
};

// A null pointer asks for the size of the temporary storage, which nothing is launched for.
__global__ void sum(const int *in, int *out, void *storage, size_t bytes, Sum *result) {
  result->bytes = 0;
  result->sizeError = cub::DeviceReduce::Sum(nullptr, result->bytes, in, out, n);
  if (result->bytes > bytes) return;
  result->error = cub::DeviceReduce::Sum(storage, result->bytes, in, out, n);
}

__global__ void addOne(int *out) { *out += 1; }

int main() {
  std::vector<int> input(n);
  unsigned state = 9;
  for (int &x : input) x = static_cast<int>((state = state * 1664525u + 1013904223u) >> 20) - 2000;
  constexpr size_t bytes = 1 << 20;
  check::DeviceArray<int> in(input), out(1, 0);
  check::DeviceArray<char> storage(bytes);
  check::DeviceArray<Sum> result(1, Sum{0, -1, -1});
  sum<<<1, 1>>>(in.get(), out.get(), storage.get(), bytes, result.get());
  addOne<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const Sum got = result.download()[0];
  CHECK_EQ(got.sizeError, int(cudaSuccess));
  CHECK_EQ(got.error, int(cudaSuccess));
  CHECK(got.bytes > 0);
  CHECK_EQ(out.download()[0], std::accumulate(input.begin(), input.end(), 1));
  return check::finish();
}
