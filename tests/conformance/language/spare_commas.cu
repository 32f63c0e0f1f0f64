// A comma behind the last argument of a template, where a pack comes: as generated code has it.
#include "../check.h"

template <class T, int... sizes>
struct Extents {
  static constexpr int count = sizeof...(sizes);
};
template <class... Types>
struct List {
  static constexpr int count = sizeof...(Types);
};
struct Pair {
  __host__ __device__ int operator,(int x) const { return 2 * x; }
};
template <int (Pair::*member)(int) const>
struct Caller {
  __host__ __device__ int operator()(int x) const { return (Pair().*member)(x); }
};
template <class Index>
__global__ void count(int *out, Extents<Index, >, List<int, Extents<Index, >> *) {
  out[0] = Extents<Index, >::count;
  out[1] = List<int, float, >::count;
  out[2] = List<Extents<int, 3, 4, >, Index, >::count + Extents<int, 3, 4, >::count;
  out[3] = Caller<&Pair::operator, >()(21);
}

int main() {
  check::DeviceArray<int> out(4);
  count<long><<<1, 1>>>(out.get(), {}, nullptr);
  LAUNCH_OK();
  const std::vector<int> values = out.download();
  const int expected[] = {0, 2, 4, 42};
  for (int i = 0; i < 4; ++i) CHECK_EQ(values[i], expected[i]);
  return check::finish();
}
