// Functions that are not inlined, virtual ones and calls by address, from threads that have taken different ways: each
// callee sees the thread that calls it [CUDA 5.4.9, 5.4.10].
#include "../check.h"

constexpr int most = 600;

__noinline__ __device__ int placeOf(int offset) {
  return (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x + offset;
}

__noinline__ __device__ int laneOf(int v) {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return static_cast<int>(lane) + v;
}

__device__ int twice(int v) { return 2 * v + static_cast<int>(threadIdx.x); }
__device__ int thrice(int v) { return 3 * v - static_cast<int>(threadIdx.y); }
__device__ int (*const functions[2])(int) = {twice, thrice};

struct Shape {
  int size;
  __device__ explicit Shape(int s) : size(s) {}
  __device__ virtual int area() const { return size; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  using Shape::Shape;
  __device__ int area() const override { return size * size + static_cast<int>(threadIdx.x); }
};
struct Ring : Shape {
  using Shape::Shape;
  __device__ int area() const override { return size < 3 ? 1 : 2 + Ring(size - 2).area(); }
};

__global__ void calls(const int *in, int *out, int threads) {
  const int t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (t >= threads) return;
  int result = in[t];
  if (in[t] & 1) result += placeOf(in[t] & 7);
  for (int i = 0; i < (in[t] & 3); ++i) result = functions[(in[t] >> i) & 1](result & 0xffff);
  if (in[t] % 5 == 2) {
    Square square(in[t] & 15);
    Ring ring(in[t] & 15);
    const Shape *shape = in[t] & 4 ? static_cast<Shape *>(&square) : &ring;
    result += shape->area();
  } else if (in[t] % 5 == 3) {
    result += laneOf(result & 1);
  }
  out[t] = result;
}

static int expected(int v, int t, dim3 block) {
  const int linear = t % static_cast<int>(block.x * block.y);
  const int x = linear % static_cast<int>(block.x), y = linear / static_cast<int>(block.x);
  int result = v;
  if (v & 1) result += t + (v & 7);
  for (int i = 0; i < (v & 3); ++i) {
    const int low = result & 0xffff;
    result = (v >> i) & 1 ? 3 * low - y : 2 * low + x;
  }
  if (v % 5 == 2) {
    const int size = v & 15;
    result += v & 4 ? size * size + x : size < 3 ? 1 : 1 + (size - 1) / 2 * 2;
  } else if (v % 5 == 3) {
    result += linear % 32 + (result & 1);
  }
  return result;
}

int main() {
  std::vector<int> values;
  for (int i = 0; i < most; ++i) values.push_back((i * 7919 + 104729) % 10007);
  check::DeviceArray<int> in(values);
  for (dim3 block : {dim3(1), dim3(33), dim3(64), dim3(16, 16), dim3(8, 3), dim3(40, 5)}) {
    const int size = static_cast<int>(block.x * block.y), blocks = most / size;
    const int threads = blocks * size - size / 3;
    check::DeviceArray<int> out(most, -1);
    calls<<<blocks, block>>>(in.get(), out.get(), threads);
    LAUNCH_OK();
    const std::vector<int> results = out.download();
    for (int t = 0; t < most; ++t) CHECK_EQ(results[t], t < threads ? expected(values[t], t, block) : -1);
  }
  return check::finish();
}
