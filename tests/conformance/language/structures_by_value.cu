// Structures of several sizes passed and returned by value through virtual functions and function pointers.
#include "../check.h"

template <int n>
struct Words {
  int word[n];
};
struct alignas(16) Aligned {
  double x, y;
};

template <class T>
struct Stage {
  __device__ virtual T take(int before, T value, int after) = 0;
};
template <int n>
struct Adder : Stage<Words<n>> {
  int sum = 0;
  __device__ Words<n> take(int before, Words<n> value, int after) override {
    for (int &word : value.word) {
      sum += word;
      word += before;
    }
    sum += after;
    return value;
  }
};

template <int n>
__device__ __noinline__ int firstAndLast(Words<n> a, Words<n> b, int more) {
  return a.word[0] * 1000 + b.word[n - 1] + more;
}
__device__ Aligned (*volatile turn)(Aligned, float);
__device__ __noinline__ Aligned turned(Aligned a, float by) { return {a.y * by, a.x}; }
template <int n>
__device__ int (*volatile pick)(Words<n>, Words<n>, int);

template <int n>
__device__ int passed(int i) {
  __shared__ Stage<Words<n>> *stages[32];
  Adder<n> adder;
  stages[i] = &adder;
  Words<n> value;
  for (int w = 0; w < n; ++w) value.word[w] = i + w;
  const Words<n> result = stages[i]->take(7, value, 5);
  int wrong = adder.sum != n * i + n * (n - 1) / 2 + 5;
  for (int w = 0; w < n; ++w) wrong += result.word[w] != i + w + 7 || value.word[w] != i + w;
  pick<n> = firstAndLast<n>;
  return wrong + (pick<n>(value, result, 3) != i * 1000 + result.word[n - 1] + 3);
}

__global__ void pass(int *wrong) {
  const int i = threadIdx.x;
  wrong[i] = passed<1>(i) + passed<2>(i) + passed<3>(i) + passed<4>(i) + passed<5>(i) + passed<10>(i) + passed<33>(i);
  turn = turned;
  const Aligned result = turn(Aligned{1.0 + i, 2.0}, 3.0f);
  wrong[i] += result.x != 6.0 || result.y != 1.0 + i;
}

int main() {
  check::DeviceArray<int> wrong(32);
  pass<<<1, 32>>>(wrong.get());
  LAUNCH_OK();
  for (int i = 0; i < 32; ++i) CHECK_EQ(wrong.download()[i], 0);
  return check::finish();
}
