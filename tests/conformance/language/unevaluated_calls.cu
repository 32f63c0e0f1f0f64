// Calls that are not evaluated name functions of either side.
#include <memory>
#include <type_traits>
#include <utility>

#include "../check.h"

struct Half {
  __device__ float operator()(int x) const { return 0.5f * x; }
};
struct Counted {
  int value;
  __device__ int size() const { return value; }
};
__device__ Counted operator+(Counted a, Counted b) { return {a.value + b.value}; }

float hostOnly(int);
template <class T>
T hostTemplate(T);
__device__ double deviceOnly(int x) { return x; }

// The host asks for what only the device can call.
template <class F>
__global__ void apply(F f, std::invoke_result_t<F, int> *result) {
  *result = f(7);
}
template <class F, class = typename std::enable_if<std::is_invocable<F, int>::value>::type>
constexpr bool takesInt(F *) {
  return true;
}
constexpr bool takesInt(...) { return false; }
template <class T>
struct HasSize {
  template <class U>
  static char test(decltype(std::declval<U>().size()) *);
  template <class U>
  static long test(...);
  static constexpr bool value = sizeof(test<T>(nullptr)) == 1;
};
template <class F>
auto run(F f) -> decltype(f(3)) {
  using Result = decltype(f(3));
  Result *result;
  CUDA_OK(cudaMallocManaged(&result, sizeof(Result)));
  apply<<<1, 1>>>(f, result);
  LAUNCH_OK();
  const decltype(deviceOnly(1)) twice = 2 * *result;
  CUDA_OK(cudaFree(result));
  return twice / 2;
}

// And the device for what only the host can.
template <class T>
__device__ auto asHost(T x) -> decltype(hostOnly(x)) {
  return x + 1;
}
template <class T, class R = decltype(hostTemplate(std::declval<T>()))>
__device__ R asTemplate(T x) {
  return x + 2;
}

__global__ void measure(float *result) {
  decltype(hostOnly(1)) sum = 0.5f;
  decltype(std::make_unique<int>(3)) *none = nullptr;
  result[0] = sum + asHost(1) + asTemplate(2) + sizeof(hostOnly(1)) + noexcept(hostTemplate(1)) + (none == nullptr);
}

static_assert(takesInt(static_cast<Half *>(nullptr)) && !takesInt(static_cast<Counted *>(nullptr)), "");
static_assert(HasSize<Counted>::value && !HasSize<Half>::value, "");
static_assert(std::is_same<decltype(std::declval<Counted>() + std::declval<Counted>()), Counted>::value, "");

int main() {
  static_assert(std::is_same<decltype(run(Half())), float>::value, "");
  CHECK_EQ(run(Half()), 3.5f);
  check::DeviceArray<float> result(1, 0.0f);
  measure<<<1, 1>>>(result.get());
  LAUNCH_OK();
  CHECK_EQ(result.download()[0], 0.5f + 2 + 4 + 4 + 0 + 1);
  return check::finish();
}
