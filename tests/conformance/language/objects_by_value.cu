// Parameters of classes with copy constructors and destructors of their own: the callee works on the caller's object,
// which knows its address and is destroyed once, as the callee left it [C++ expr.call]. What is trivially copyable is
// copied.
#include <utility>

#include "../check.h"

__device__ int live, wrongAddresses;

// Tracked notices when it is copied bit by bit.
struct Tracked {
  int value;
  Tracked *self;
  __device__ explicit Tracked(int v) : value(v), self(this) { atomicAdd(&live, 1); }
  __device__ Tracked(const Tracked &other) : value(other.value + 100), self(this) { atomicAdd(&live, 1); }
  __device__ Tracked(Tracked &&other) : value(other.value), self(this) {
    other.value = -1;
    atomicAdd(&live, 1);
  }
  __device__ ~Tracked() {
    if (self != this) atomicAdd(&wrongAddresses, 1);
    atomicSub(&live, 1);
  }
};

// Owner frees what it owns: twice, if two objects own it.
template <class T>
struct Owner {
  T *owned;
  __device__ explicit Owner(T *object) : owned(object) {}
  __device__ Owner(Owner &&other) : owned(other.owned) { other.owned = nullptr; }
  __device__ ~Owner() {
    if (owned) *owned += 1000;
  }
};

struct Plain {
  int words[20];
};

__device__ __noinline__ Tracked pass(Tracked t) { return std::move(t); }
__device__ __noinline__ Owner<int> pass(Owner<int> owner, int) { return std::move(owner); }
__device__ __noinline__ int change(Tracked t, Plain p) {
  t.value += 5;
  p.words[19] += 7;
  return t.self == &t ? t.value + p.words[19] : -1;
}

struct Stage {
  __device__ virtual int run(Tracked t, Plain p) = 0;
};
struct Second {
  __device__ virtual int runToo(int more, Tracked t) = 0;
};
struct Both : Stage, Second {
  int sum = 0;
  __device__ int run(Tracked t, Plain p) override { return sum += change(std::move(t), p); }
  __device__ int runToo(int more, Tracked t) override { return t.self == &t ? sum += t.value + more : -1; }
};

__device__ int (*volatile byPointer)(Tracked, Plain);
__device__ int (Stage::*volatile byMember)(Tracked, Plain);

// Inherited constructors and lambdas without captures hand their parameters on.
struct Base {
  int value;
  __device__ Base(Tracked t, int more) : value(t.self == &t ? t.value + more : -1) {}
};
struct Derived : Base {
  using Base::Base;
};

__global__ void calls(int *out) {
  Plain plain = {};
  plain.words[19] = 10;
  out[0] = pass(Tracked(1)).value;
  Tracked named(2);
  out[1] = pass(named).value;
  out[2] = named.value;
  out[3] = change(Tracked(3), plain) + plain.words[19];
  byPointer = change;
  out[4] = byPointer(named, plain);
  Both both;
  Stage &stage = both;
  Second &second = both;
  out[5] = stage.run(Tracked(4), plain);
  out[6] = second.runToo(6, Tracked(5));
  out[7] = second.runToo(6, named);
  out[8] = plain.words[19];
  out[9] = Derived(Tracked(7), 3).value;
  int (*volatile lambda)(Tracked) = [](Tracked t) { return t.self == &t ? t.value : -1; };
  out[10] = lambda(Tracked(8));
}

__global__ void owners(int *freed) {
  int *mine = freed + threadIdx.x;
  Owner<int> first(mine);
  Owner<int> second = pass(std::move(first), 0);
  __syncthreads();
  if (second.owned == mine) *mine += 1;
}

int main() {
  check::DeviceArray<int> out(11);
  calls<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const int expected[] = {1, 102, 2, 35, 124, 26, 37, 145, 10, 10, 8};
  const std::vector<int> values = out.download();
  for (int i = 0; i < 11; ++i) CHECK_EQ(values[i], expected[i]);
  int left = -1, wrong = -1;
  CUDA_OK(cudaMemcpyFromSymbol(&left, live, sizeof left));
  CUDA_OK(cudaMemcpyFromSymbol(&wrong, wrongAddresses, sizeof wrong));
  CHECK_EQ(left, 0);
  CHECK_EQ(wrong, 0);
  check::DeviceArray<int> freed(64, 0);
  owners<<<1, 64>>>(freed.get());
  LAUNCH_OK();
  for (int count : freed.download()) CHECK_EQ(count, 1001);
  return check::finish();
}
