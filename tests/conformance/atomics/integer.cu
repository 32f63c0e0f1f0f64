// Every integer atomic on every type CUDA has it for, in global and shared memory; results do not depend on order.
#include "../check.h"

#include <climits>

template <class T>
struct Cells {
  T add, sub, exchange, min, max, bitAnd, bitOr, bitXor, inc, dec, cas;
};

template <class T>
__host__ __device__ Cells<T> initial() {
  Cells<T> c{};
  c.add = 5;
  c.sub = 1000000;
  c.min = static_cast<T>(1) << 30;
  c.max = static_cast<T>(-5) < 0 ? static_cast<T>(-50) : static_cast<T>(1);
  c.bitAnd = static_cast<T>(-1);
  c.bitOr = 0;
  c.bitXor = 0x55;
  return c;
}

// atomicSub exists for 32-bit types only, atomicInc and atomicDec for unsigned only.
template <class T>
__device__ void subtract(T *cell, T by) {
  atomicAdd(cell, static_cast<T>(0) - by);
}
template <>
__device__ void subtract(int *cell, int by) {
  atomicSub(cell, by);
}
template <>
__device__ void subtract(unsigned *cell, unsigned by) {
  atomicSub(cell, by);
}
template <class T>
__device__ void wrap(T *, T *) {}
template <>
__device__ void wrap(unsigned *inc, unsigned *dec) {
  atomicInc(inc, 99);
  atomicDec(dec, 99);
}
// atomicAdd for long long goes through its unsigned form.
template <class T>
__device__ void add(T *cell, T by) {
  atomicAdd(cell, by);
}
template <>
__device__ void add(long long *cell, long long by) {
  atomicAdd(reinterpret_cast<unsigned long long *>(cell), static_cast<unsigned long long>(by));
}
template <>
__device__ void subtract(long long *cell, long long by) {
  add(cell, -by);
}
template <class T>
__device__ void exchange(T *cell, T value) {
  atomicExch(cell, value);
}
template <>
__device__ void exchange(long long *cell, long long value) {
  atomicExch(reinterpret_cast<unsigned long long *>(cell), static_cast<unsigned long long>(value));
}
template <class T>
__device__ bool compareAndSwap(T *cell, T from, T to) {
  return atomicCAS(cell, from, to) == from;
}
template <>
__device__ bool compareAndSwap(long long *cell, long long from, long long to) {
  return atomicCAS(reinterpret_cast<unsigned long long *>(cell), static_cast<unsigned long long>(from),
                   static_cast<unsigned long long>(to)) == static_cast<unsigned long long>(from);
}

template <class T>
__device__ void applyAll(Cells<T> *c, int i) {
  add(&c->add, static_cast<T>(i));
  subtract(&c->sub, static_cast<T>(i));
  exchange(&c->exchange, static_cast<T>(7));
  atomicMin(&c->min, static_cast<T>(i * 3 + 11));
  atomicMax(&c->max, static_cast<T>(i * 3 + 11));
  atomicAnd(&c->bitAnd, ~(static_cast<T>(1) << (i % 13)));
  atomicOr(&c->bitOr, static_cast<T>(1) << (i % 29));
  atomicXor(&c->bitXor, static_cast<T>(i));
  wrap(&c->inc, &c->dec);
  for (T seen = c->cas; !compareAndSwap(&c->cas, seen, static_cast<T>(seen + 2));) seen = *(volatile T *)&c->cas;
}

template <class T>
__global__ void inGlobal(Cells<T> *cells) {
  applyAll(cells, blockIdx.x * blockDim.x + threadIdx.x);
}

template <class T>
__global__ void inShared(Cells<T> *cells) {
  __shared__ Cells<T> mine;
  if (threadIdx.x == 0) mine = *cells;
  __syncthreads();
  applyAll(&mine, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *cells = mine;
}

template <class T>
static void judge(const Cells<T> &c, int n) {
  Cells<T> e = initial<T>();
  for (int i = 0; i < n; ++i) {
    e.add += i;
    e.sub -= i;
    e.bitAnd &= ~(static_cast<T>(1) << (i % 13));
    e.bitOr |= static_cast<T>(1) << (i % 29);
    e.bitXor ^= i;
    e.cas += 2;
  }
  CHECK_EQ(c.add, e.add);
  CHECK_EQ(c.sub, e.sub);
  CHECK_EQ(c.exchange, 7);
  CHECK_EQ(c.min, 11);
  CHECK_EQ(c.max, (n - 1) * 3 + 11);
  CHECK_EQ(c.bitAnd, e.bitAnd);
  CHECK_EQ(c.bitOr, e.bitOr);
  CHECK_EQ(c.bitXor, e.bitXor);
  CHECK_EQ(c.cas, e.cas);
  if (std::is_same_v<T, unsigned>) {
    CHECK_EQ(c.inc, n % 100);
    CHECK_EQ(c.dec, (100 - n % 100) % 100);
  }
}

template <class T>
static void test() {
  check::DeviceArray<Cells<T>> cells(1, initial<T>());
  inGlobal<<<7, 45>>>(cells.get());
  LAUNCH_OK();
  judge(cells.download()[0], 7 * 45);
  cells.upload({initial<T>()});
  inShared<<<1, 231>>>(cells.get());
  LAUNCH_OK();
  judge(cells.download()[0], 231);
}

int main() {
  test<int>();
  test<unsigned>();
  test<unsigned long long>();
  test<long long>();
  return check::finish();
}
