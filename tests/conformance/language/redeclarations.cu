// Functions that are __host__ __device__ where they are declared and something else where they are defined, or the
// other way around: nvcc takes what one of them says.
#include "../check.h"

int hostFirst(int);
__host__ __device__ int hostFirst(int a) { return a + 1; }

__host__ __device__ int bothFirst(int);
int bothFirst(int a) { return a + 2; }

__device__ int deviceFirst(int);
__host__ __device__ int deviceFirst(int a) { return a + 3; }

__host__ __device__ int deviceLater(int);
__device__ int deviceLater(int a) { return a + 4; }

// The definition of what was declared a device function may do what only they can.
__device__ unsigned deviceOnly(unsigned);
unsigned deviceOnly(unsigned a) { return __popc(a) + threadIdx.x; }

// Overloads stay apart.
int overloaded(int);
__host__ __device__ double overloaded(double a) { return a / 2; }
__host__ __device__ int overloaded(int a) { return a * 2; }

namespace inner {
static inline int scaled(int, int = 10);
}
__host__ __device__ static inline int inner::scaled(int a, int by) { return a * by; }

struct Counter {
  int value;
  __host__ __device__ explicit Counter(int start);
  __host__ __device__ ~Counter();
  int next();
  __host__ __device__ int twice() const;
  __device__ int lane() const;
  static int least(int a, int b);
  __host__ __device__ Counter &operator+=(int by);
  operator int() const;
};
Counter::Counter(int start) : value(start) {}
Counter::~Counter() {}
__host__ __device__ int Counter::next() { return ++value; }
int Counter::twice() const { return 2 * value; }
int Counter::lane() const { return value + threadIdx.x; }
__host__ __device__ int Counter::least(int a, int b) { return a < b ? a : b; }
Counter &Counter::operator+=(int by) {
  value += by;
  return *this;
}
__host__ __device__ Counter::operator int() const { return value; }

template <class T>
struct Box {
  T value;
  T get() const;
  __host__ __device__ void set(T to);
};
template <class T>
__host__ __device__ T Box<T>::get() const {
  return value;
}
template <class T>
void Box<T>::set(T to) {
  value = to;
}

template <class T>
__host__ __device__ T larger(T, T);
template <class T>
T larger(T a, T b) {
  return a < b ? b : a;
}

__host__ __device__ static void fill(int *out) {
  out[0] = hostFirst(1);
  out[1] = bothFirst(1);
  out[2] = deviceFirst(1);
  out[3] = deviceLater(1);
  out[4] = overloaded(21);
  out[5] = static_cast<int>(overloaded(3.0) * 2);
  out[6] = inner::scaled(7);
  Counter counter(5);
  counter += 2;
  out[7] = counter.next();
  out[8] = counter.twice();
  out[9] = Counter::least(counter, 3);
  Box<int> box{4};
  box.set(box.get() + 1);
  out[10] = box.get();
  out[11] = larger(2.5, 1.5) == 2.5;
}

constexpr int results = 12;

// Used before the annotation comes.
static unsigned annotatedLater(unsigned);
struct Lane {
  unsigned first;
  unsigned next() const;
};

__global__ void useEarly(int *out) {
  int inFunction(int);
  const Lane lane{annotatedLater(7)};
  *out = static_cast<int>(lane.next()) + inFunction(10);
}

__device__ unsigned annotatedLater(unsigned a) { return __popc(a) + threadIdx.x; }
__device__ unsigned Lane::next() const { return first + blockDim.x; }
__device__ int inFunction(int a) { return a * 10; }

__global__ void run(int *out) {
  fill(out);
  out[results] = static_cast<int>(deviceOnly(7));
  out[results + 1] = Counter(3).lane();
}

int main() {
  const int expected[] = {2, 3, 4, 5, 42, 3, 70, 8, 16, 3, 5, 1};
  int onHost[results] = {};
  fill(onHost);
  check::DeviceArray<int> out(results + 2, -1);
  run<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> onDevice = out.download();
  for (int i = 0; i < results; ++i) {
    CHECK_EQ(onHost[i], expected[i]);
    CHECK_EQ(onDevice[i], expected[i]);
  }
  useEarly<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 3 + 1 + 100);
  CHECK_EQ(onDevice[results], 3);
  CHECK_EQ(onDevice[results + 1], 3);
  return check::finish();
}
