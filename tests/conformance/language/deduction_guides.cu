// Class template arguments deduced in device code, by constructors and by guides, which nobody annotates.
#include "../check.h"

template <class T>
struct Box {
  T value;
  __host__ __device__ Box(T given) : value(given) {}
};
template <class T>
struct Ends {
  T first, last;
  template <class Iterator>
  __host__ __device__ Ends(Iterator begin, Iterator end) : first(*begin), last(*(end - 1)) {}
};
template <class Iterator>
Ends(Iterator, Iterator) -> Ends<int>;

template <class T>
struct Point {
  T x, y;
};
template <class T>
Point(T, T) -> Point<T>;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

struct Text {
  const char *characters;
};
template <class T>
struct Wrapped {
  T value;
};
Wrapped(const char *) -> Wrapped<Text>;

struct Outer {
  template <class T>
  struct Inner {
    T value;
  };
  template <class T>
  Inner(T *) -> Inner<T *>;
};

__host__ __device__ void fill(int *out) {
  int numbers[] = {4, 5, 6};
  out[0] = Box(3).value;
  const Ends ends(numbers, numbers + 3);
  out[1] = ends.first * 10 + ends.last;
  const Point point{7, 8};
  out[2] = point.x * 10 + point.y;
  const Overloaded either{[](int x) { return x + 1; }, [](double x) { return x * 2; }};
  out[3] = either(3);
  out[4] = static_cast<int>(either(2.5));
  const Wrapped wrapped{"abc"};
  out[5] = wrapped.value.characters[1];
  const Outer::Inner inner{numbers};
  out[6] = inner.value[2];
}

__global__ void fillOnDevice(int *out) { fill(out); }

int main() {
  constexpr int count = 7;
  int *out = nullptr, expected[count] = {};
  CUDA_OK(cudaMallocManaged(&out, count * sizeof(int)));
  fillOnDevice<<<1, 1>>>(out);
  CUDA_OK(cudaDeviceSynchronize());
  fill(expected);
  CHECK_EQ(expected[1], 46);
  CHECK_EQ(expected[4], 5);
  for (int i = 0; i < count; ++i) CHECK_EQ(out[i], expected[i]);
  CUDA_OK(cudaFree(out));
  return check::finish();
}
