// Annotations that differ between the passes, by __CUDA_ARCH__: each pass looks at the calls of its own side only.
#include "../check.h"

#ifdef __CUDA_ARCH__
#define DEVICE_ONLY __device__
#define BOTH __host__ __device__
#define TABLE __constant__
#else
#define DEVICE_ONLY
#define BOTH
#define TABLE
#endif

TABLE static const int table[] = {10, 20, 30};

DEVICE_ONLY inline int plusOne(int a) { return a + 1; }
template <class T>
DEVICE_ONLY T threeTimes(T a) {
  return a * 3;
}

struct Value {
  int x;
  DEVICE_ONLY Value(int a) : x(a) {}
  DEVICE_ONLY int twice() const { return 2 * x; }
  DEVICE_ONLY Value operator+(const Value &other) const { return Value(x + other.x); }
};

BOTH inline int ofTable(int i) { return table[i] + plusOne(i); }

struct Action {
  BOTH int operator()(int a) const { return plusOne(a) + ofTable(1); }
};

__device__ int helper(int a) { return ofTable(a) + Value(a).twice(); }

template <class F>
__device__ auto applied(F f, int a) {
  return f(a) + helper(0);
}

namespace shapes {

__global__ void plain(int *result) {
  const Value value(plusOne(*result));
  *result = threeTimes((value + Value(1)).twice());
}

template <class F>
__global__ void generic(int *result, F f) {
  const Value value(plusOne(*result));
  *result = applied(f, threeTimes(value.twice()));
}

}  // namespace shapes

template <class F>
int onHost(F f) {
  return f(threeTimes(Value(plusOne(1)).twice()));
}

int main() {
  check::DeviceArray<int> result(std::vector<int>{1});
  shapes::plain<<<1, 1>>>(result.get());
  CHECK_EQ(result.download()[0], 18);
  result.upload({1});
  shapes::generic<<<1, 1>>>(result.get(), Action());
  CHECK_EQ(result.download()[0], 13 + 22 + 11);
  CHECK_EQ(onHost(Action()), 13 + 22);
  CHECK_EQ(ofTable(2), 33);
  return check::finish();
}
