// The ways in which programs write a launch.
#include <utility>

#include "../check.h"

__global__ void add(int *sum, int n) { atomicAdd(sum, n); }

template <class T, int n>
__global__ void addConstant(T *sum) {
  atomicAdd(sum, n);
}

template <template <class> class Wrapper, class T>
__global__ void addSize(T *sum) {
  atomicAdd(sum, static_cast<int>(sizeof(Wrapper<T>)));
}
template <class T>
struct Wrapped {
  T value;
};

// Found by the namespace of an argument.
namespace shapes {
struct Square {
  int side;
};
__global__ void area(Square square, int *sum) { atomicAdd(sum, square.side * square.side); }
namespace round {
struct Circle {
  int radius;
};
template <class T>
__global__ void perimeter(Circle *, T *sum, int radius) {
  atomicAdd(sum, 6 * radius);
}
}  // namespace round
}  // namespace shapes

template <class Shape>
void launchArea(Shape shape, int *sum) {
  area<<<1, 1>>>(shape, sum);
}

// Kernels that are friends of a class template.
template <class T>
class Counter;
template <class T>
__global__ void countTwice(Counter<T> *counter);
template <class T>
class Counter {
  T count_ = 0;
  friend __global__ void countTwice<T>(Counter<T> *counter);

 public:
  T count() {
    countTwice<T><<<1, 1>>>(this);
    CUDA_OK(cudaDeviceSynchronize());
    return count_;
  }
};
template <class T>
__global__ void countTwice(Counter<T> *counter) {
  counter->count_ += 2;
}

template <void (*kernel)(int *, int)>
void launchArgument(int *sum) {
  kernel<<<1, 1>>>(sum, 1);
}
template <class... Parameters, class... Arguments>
void launchAny(void (*kernel)(Parameters...), dim3 grid, Arguments &&...arguments) {
  kernel<<<grid, 1>>>(std::forward<Arguments>(arguments)...);
}

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define ONCE <<<1, 1>>>

int written(int *sum) {
  const int two = 2;
  struct {
    void (*kernel)(int *, int);
  } holder = {add};
  void (*kernels[])(int *, int) = {add, &add};
  cudaStream_t stream = nullptr;
  // clang-format off
  add <<< 1, 1 >>> (sum, 1);
  add<<<dim3(1), dim3{1, 1}, 0, stream>>>(sum, 1);
  add<<<two > 1 ? 1 : 2, two >> 1>>>(sum, 1);
  add<<<(2, 1), 1>>>(sum, 1);
  addConstant<int, (two > 1)><<<1, 1>>>(sum);
  addSize<Wrapped, int><<<1, 1>>>(sum);
  addSize<Wrapped><<<1, 1>>>(sum);
  LAUNCH(add, 1, 1, sum, 1);
  LAUNCH((addConstant<int, 1>), 1, 1, sum);
  add ONCE(sum, 1);
  // clang-format on
  two ? add<<<1, 1>>>(sum, 1) : add<<<1, 1>>>(sum, 100);
  [&] { add<<<1, 1>>>(sum, 1); }();
  (*add)<<<1, 1>>>(sum, 1), (&add)<<<1, 1>>>(sum, 1);
  kernels[1]<<<1, 1>>>(sum, 1);
  (two ? kernels[0] : nullptr)<<<1, 1>>>(sum, 1);
  holder.kernel<<<1, 1>>>(sum, 1);
  launchArgument<add>(sum);
  launchAny(add, 2, sum, 1);
  launchAny(addConstant<int, 1>, 1, sum);
  return 27;
}

int foundByNamespace(int *sum) {
  shapes::round::Circle *circle = nullptr;
  launchArea(shapes::Square{3}, sum);
  area<<<1, 1>>>(shapes::Square{2}, sum);
  perimeter<<<1, 1>>>(circle, sum, 5);
  return 9 + 4 + 30;
}

int main() {
  int *sum;
  CUDA_OK(cudaMallocManaged(&sum, sizeof(int)));
  *sum = 0;
  const int expected = written(sum) + foundByNamespace(sum);
  LAUNCH_OK();
  CHECK_EQ(*sum, expected);
  CUDA_OK(cudaFree(sum));

  Counter<int> *counter;
  CUDA_OK(cudaMallocManaged(&counter, sizeof(*counter)));
  new (counter) Counter<int>;
  CHECK_EQ(counter->count(), 2);
  CUDA_OK(cudaFree(counter));
  return check::finish();
}
