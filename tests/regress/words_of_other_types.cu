// Arrays that are written as one type and read as another of the same size, as template libraries do to load several
// words at once, kept the values of before: nvcc takes pointers of different types for pointers that may meet.
#include "../conformance/check.h"

template <class T>
struct Word {
  T bits;
};

template <class T>
__device__ T fetch(const T *from) {
  return *from;
}

template <int count>
__device__ void fetchAll(const long *in, long (&items)[count]) {
  using Bits = Word<unsigned long long>;
  Bits words[count];
  const Bits *from = reinterpret_cast<const Bits *>(in) + threadIdx.x * count;
#pragma unroll
  for (int i = 0; i < count; ++i) words[i] = fetch(from + i);
#pragma unroll
  for (int i = 0; i < count; ++i) items[i] = reinterpret_cast<long *>(words)[i];
}

__global__ void add(const long *in, long *out) {
  long items[7];
  fetchAll(in, items);
  for (int i = 0; i < 7; ++i) out[threadIdx.x * 7 + i] = items[i] + 1;
}

__global__ void overwrite(int *number, float *same, int *out) {
  *number = 1;
  *same = 2.0f;
  *out = *number;
}

int main() {
  std::vector<long> values(32 * 7);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<long>(i * i);
  check::DeviceArray<long> in(values), out(values.size(), 0L);
  add<<<1, 32>>>(in.get(), out.get());
  LAUNCH_OK();
  const std::vector<long> sums = out.download();
  for (size_t i = 0; i < values.size(); ++i) CHECK_EQ(sums[i], values[i] + 1);
  check::DeviceArray<int> number(1, 0), read(1, 0);
  overwrite<<<1, 1>>>(number.get(), reinterpret_cast<float *>(number.get()), read.get());
  LAUNCH_OK();
  CHECK_EQ(read.download()[0], 0x40000000);
  return check::finish();
}
