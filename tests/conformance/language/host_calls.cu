// Functions for both sides that call host functions: nvcc warns, and device code that goes another way is fine.
#include <string>
#include <utility>
#include <vector>

#include "../check.h"

static int hostCalls;
void count() { ++hostCalls; }
int twice(int x) { return 2 * x; }

__host__ __device__ int onHostOnly(int x) { return twice(x); }
__host__ __device__ int checked(int x) {
  if (x < 0) count();
  return x + 1;
}
template <class T>
__host__ __device__ T checkedAs(T x) {
  if (x < 0) count();
  return x + 2;
}

struct Names {
  int length;
  __host__ __device__ explicit Names(int length) : length(length) {
    if (length > 100) names = new std::vector<std::string>(length);
  }
  __host__ __device__ ~Names() { drop(); }
  __host__ __device__ int size() const;
  void drop() {
    delete names;
    names = nullptr;
    count();
  }
  std::vector<std::string> *names = nullptr;
};
__host__ __device__ int Names::size() const { return names ? static_cast<int>(names->size()) : length; }

template <class Function>
__host__ __device__ int apply(Function function, int x) {
  return x < 0 ? function(x) : x;
}
int onHost() {
  return apply([](int x) { return twice(x); }, -4);
}

// The loop calls several host functions at one place.
__host__ __device__ int sumOnHost(int n) {
  std::vector<int> values(n, 3);
  int sum = 0;
  for (int value : values) sum += value;
  return sum;
}

void complain(const std::string &) { ++hostCalls; }

template <class T>
struct Checked {
  T values[2];
  __host__ __device__ T &operator[](int i) {
    if (i > 1) complain("no element");
    return values[i & 1];
  }
};

// Explicit instantiations, with and without their annotations.
template <class T>
__host__ __device__ T doubled(T x) {
  if (x < 0) count();
  return x + x;
}
template int doubled<int>(int);
template __host__ __device__ float doubled(float);
template <>
double doubled(double x) {
  return x + 1;
}
template <class T>
__device__ T squared(T x) {
  return x * x;
}
template __device__ int squared(int);

template <class T>
struct Collected {
  std::vector<T> *values = nullptr;
  T sum = 0;
  __host__ __device__ void add(T x);
  __host__ __device__ virtual T total() const {
    if (sum < 0) count();
    return sum;
  }
};
template <class T>
__host__ __device__ void Collected<T>::add(T x) {
  sum += x;
  if (values) values->push_back(x);
}
template struct Collected<int>;
template void Collected<float>::add(float);

// Lambdas of a host function that capture by reference, in a call that no device code reaches.
template <class T>
T digitsOf(T x) {
  T digits = 0;
  auto one = [&](T) { ++digits; };
  auto all = [&](T value) {
    for (; value; value /= 10) one(value);
  };
  all(x);
  return digits;
}
template <class T>
__host__ __device__ T lengthOf(T x) {
#ifdef __CUDA_ARCH__
  if (false) return digitsOf(x);
  return -x;
#else
  return digitsOf(x);
#endif
}

// What only the host can copy, swapped in a function for both sides.
struct Counted {
  int value;
  explicit Counted(int value) : value(value) {}
  Counted(const Counted &other) : value(other.value) { ++hostCalls; }
  Counted &operator=(const Counted &other) {
    value = other.value;
    return *this;
  }
};
template <class T>
struct Pair {
  T first, second;
  __host__ __device__ void turn() {
    using std::swap;
    swap(first, second);
  }
  __host__ __device__ int difference() {
    turn();
    return first.value - second.value;
  }
};
template struct Pair<Counted>;
struct Plain {
  int value;
};

__global__ void kernel(int *result) {
  result[0] = checked(threadIdx.x + 1);
  result[1] = checkedAs(2.0f);
  result[2] = checkedAs(3);
  result[3] = threadIdx.x < 100 ? 5 : sumOnHost(4);
  Checked<int> elements{{6, 7}};
  result[4] = elements[threadIdx.x + 1];
  Collected<int> collected;
  collected.add(result[4]);
  result[5] = doubled(collected.total()) + squared(3);
  result[6] = lengthOf(1234);
  // What swap() does in device code is undefined on a GPU, where only the host has it.
  result[7] = result[4] == 7 ? 7 : Pair<Plain>{{3}, {10}}.difference();
}

int main() {
  int *result;
  CUDA_OK(cudaMallocManaged(&result, 8 * sizeof(int)));
  kernel<<<1, 1>>>(result);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(result[0], 2);
  CHECK_EQ(result[1], 4);
  CHECK_EQ(result[2], 5);
  CHECK_EQ(result[3], 5);
  CHECK_EQ(result[4], 7);
  CHECK_EQ(result[5], 23);
  CHECK_EQ(result[6], -1234);
  CHECK_EQ(lengthOf(1234), 4);
  CHECK_EQ(result[7], 7);
  CHECK_EQ(hostCalls, 0);
  CHECK_EQ(sumOnHost(4), 12);
  CHECK_EQ(onHostOnly(4), 8);
  CHECK_EQ((Pair<Plain>{{3}, {10}}.difference()), 7);
  CHECK_EQ(onHost(), -8);
  std::vector<float> values;
  Collected<float> floats;
  floats.values = &values;
  floats.add(2.0f);
  CHECK_EQ(values[0] + floats.total() + doubled(1.0) + doubled(1.5f), 9);
  CHECK_EQ(checked(-1) + checkedAs(-1), 1);
  CHECK_EQ(hostCalls, 2);
  {
    CHECK_EQ(Names(101).size(), 101);
  }
  CHECK_EQ(hostCalls, 3);
  Pair<Counted> pair{Counted(3), Counted(10)};
  CHECK_EQ(pair.difference(), 7);
  CHECK_EQ(hostCalls, 4);
  CUDA_OK(cudaFree(result));
  return check::finish();
}
