// Template kernels: type, value, pack and template-template parameters, specialisations, kernels as arguments.
#include "../check.h"

template <class T>
struct Traits {
  static constexpr int id = 0;
};
template <>
struct Traits<float> {
  static constexpr int id = 1;
};
template <class T>
struct Traits<T *> {
  static constexpr int id = 10 + Traits<T>::id;
};

template <class... Ts>
__device__ int sumIds() {
  return (Traits<Ts>::id + ... + 0);
}
template <class First, class... Rest>
__device__ auto sum(First first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return first;
  else
    return first + sum(rest...);
}

template <class T, int N, bool Reverse = false>
__global__ void fill(T *out) {
  const int i = threadIdx.x;
  if (i < N) out[Reverse ? N - 1 - i : i] = static_cast<T>(i) * N;
}
template <>
__global__ void fill<float, 3, false>(float *out) {
  out[threadIdx.x] = -1;
}

template <template <class> class Box, class T>
__global__ void boxed(Box<T> box, T *out) {
  *out = box.get();
}
template <class T>
struct Twice {
  T value;
  __host__ __device__ T get() const { return value + value; }
};

template <class... Args>
__global__ void pack(double *out, Args... args) {
  out[0] = sum(args...);
  out[1] = sizeof...(args);
  out[2] = sumIds<Args...>();
}

template <class Function, class... Args>
__global__ void apply(Function f, Args... args) {
  f(args...);
}
struct Store {
  int *out;
  __device__ void operator()(int a, float b, char c) const { *out = a + static_cast<int>(b) + c; }
};

template <void (*Kernel)(int *)>
static void launchTwice(int *argument) {
  Kernel<<<1, 1>>>(argument);
  Kernel<<<1, 1>>>(argument);
}
__global__ void increment(int *value) { ++*value; }

template <unsigned N>
__device__ unsigned fibonacci() {
  if constexpr (N < 2)
    return N;
  else
    return fibonacci<N - 1>() + fibonacci<N - 2>();
}
template <unsigned... Ns>
__global__ void sequence(unsigned *out) {
  unsigned i = 0;
  ((out[i++] = fibonacci<Ns>()), ...);
}

int main() {
  check::DeviceArray<float> floats(8, 0.0f);
  check::DeviceArray<int> ints(8, 0);
  check::DeviceArray<double> doubles(3, 0.0);
  fill<int, 5><<<1, 8>>>(ints.get());
  LAUNCH_OK();
  for (int i = 0; i < 5; ++i) CHECK_EQ(ints.download()[i], i * 5);
  fill<int, 7, true><<<1, 8>>>(ints.get());
  LAUNCH_OK();
  for (int i = 0; i < 7; ++i) CHECK_EQ(ints.download()[i], (6 - i) * 7);
  fill<float, 3><<<1, 3>>>(floats.get());
  LAUNCH_OK();
  CHECK_EQ(floats.download()[2], -1.0f);
  boxed<<<1, 1>>>(Twice<float>{2.5f}, floats.get());
  LAUNCH_OK();
  CHECK_EQ(floats.download()[0], 5.0f);
  pack<<<1, 1>>>(doubles.get(), 1, 2.5f, 3ll, 0.25);
  LAUNCH_OK();
  CHECK_EQ(doubles.download()[0], 6.75);
  CHECK_EQ(doubles.download()[1], 4.0);
  CHECK_EQ(doubles.download()[2], 1.0);
  apply<<<1, 1>>>(Store{ints.get()}, 40, 1.5f, '\1');
  LAUNCH_OK();
  CHECK_EQ(ints.download()[0], 42);
  launchTwice<increment>(ints.get());
  LAUNCH_OK();
  CHECK_EQ(ints.download()[0], 44);
  check::DeviceArray<unsigned> numbers(4, 0u);
  sequence<1, 5, 10, 12><<<1, 1>>>(numbers.get());
  LAUNCH_OK();
  const std::vector<unsigned> f = numbers.download();
  CHECK(f[0] == 1 && f[1] == 5 && f[2] == 55 && f[3] == 144);
  return check::finish();
}
