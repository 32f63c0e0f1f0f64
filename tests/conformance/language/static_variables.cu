// Static variables of device functions: one for all threads, zero or a constant at first; their class may have a
// constructor that does nothing.
#include "../check.h"

struct Empty {
  int x;
  __device__ Empty() {}
};
struct EmptyBoth {
  unsigned total;
  __host__ __device__ EmptyBoth() {}
  __host__ __device__ ~EmptyBoth() {}
};
struct WithMember {
  Empty first;
  int second;
};
struct EmptyDestructor {
  int x;
  __device__ ~EmptyDestructor() {}
};
struct Initialised {
  int x = 40;
};
struct Constant {
  int x;
  __host__ __device__ constexpr explicit Constant(int value) : x(value) {}
};

__device__ int counted() {
  static Empty counter;
  return atomicAdd(&counter.x, 1);
}
__device__ int element(int i) {
  static Empty counters[3];
  return atomicAdd(&counters[i % 3].x, 1);
}
__host__ __device__ unsigned total(unsigned by) {
  static EmptyBoth sum;
  sum.total += by;
  return sum.total;
}
__device__ int nested() {
  static WithMember member;
  static EmptyDestructor third;
  return atomicAdd(&member.first.x, 1) + atomicAdd(&member.second, 1) + atomicAdd(&third.x, 1);
}
__device__ int constants() {
  static Initialised initialised;
  static Constant constant(2);
  static int plain = 100;
  return atomicAdd(&initialised.x, 1) + atomicAdd(&constant.x, 1) + atomicAdd(&plain, 1);
}
template <int N>
__device__ int ofTemplate() {
  static Empty counter;
  return atomicAdd(&counter.x, N);
}

__global__ void run(int *out, unsigned *last) {
  const int i = threadIdx.x;
  atomicAdd(&out[0], counted());
  atomicMax(&out[1], element(i));
  atomicAdd(&out[2], nested());
  atomicAdd(&out[3], constants());
  atomicMax(&out[4], ofTemplate<1>());
  atomicMax(&out[5], ofTemplate<2>());
  if (i == 0) {
    total(5);
    *last = total(6);
  }
}

int main() {
  constexpr int threads = 60, sum = threads * (threads - 1) / 2;
  check::DeviceArray<int> out(6, 0);
  check::DeviceArray<unsigned> last(1, 0);
  run<<<1, threads>>>(out.get(), last.get());
  LAUNCH_OK();
  const std::vector<int> found = out.download();
  CHECK_EQ(found[0], sum);
  CHECK_EQ(found[1], threads / 3 - 1);
  CHECK_EQ(found[2], 3 * sum);
  CHECK_EQ(found[3], 3 * sum + 142 * threads);
  CHECK_EQ(found[4], threads - 1);
  CHECK_EQ(found[5], 2 * (threads - 1));
  CHECK_EQ(last.download()[0], 11);
  total(20);
  CHECK_EQ(total(1), 21);  // the host has one of its own
  return check::finish();
}
