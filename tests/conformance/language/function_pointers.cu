// Device function pointers: tables in device and constant memory, member pointers, pointers fetched by the host,
// pointers that are compared, different ones in one warp, and kernels called through pointers on the host.
#include "../check.h"

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
template <int N>
__device__ int shift(int a, int) {
  return a << N;
}

__device__ Operation table[4] = {add, subtract, multiply, shift<3>};
__constant__ Operation chosen = subtract;
__device__ Operation single = multiply;

__global__ void byTable(int *out) { out[threadIdx.x] = table[threadIdx.x % 4](threadIdx.x, 7); }
__global__ void byArgument(int *out, Operation operation) {
  out[threadIdx.x] = operation(threadIdx.x, 5) + chosen(10, 4);
}
__global__ void bySwitch(int *out, int which) {
  Operation operation = which == 0 ? add : which == 1 ? subtract : multiply;
  out[threadIdx.x] = operation(threadIdx.x, 3);
}

struct Counter {
  int value;
  __device__ int up(int by) { return value += by; }
  __device__ int down(int by) { return value -= by; }
};
__global__ void byMember(int *out) {
  Counter counter{100};
  int (Counter::*step)(int) = threadIdx.x % 2 ? &Counter::up : &Counter::down;
  int Counter::*field = &Counter::value;
  (counter.*step)(threadIdx.x);
  out[threadIdx.x] = counter.*field;
}

// A function has one address, wherever code gets it from.
__global__ void compared(int *out, Operation operation) {
  const int t = threadIdx.x;
  out[t] = (operation == multiply) + 2 * (table[t % 4] == add) + 4 * (single == operation) + 8 * (chosen == subtract) +
           16 * (table[t % 4] == chosen) + 32 * (operation == add);
}

// Only these have the type. The second changes what the first reads, and calls itself.
using Step = long (*)(long, long *);
__device__ long look(long value, long *place) { return value + *place; }
__device__ long change(long value, long *place) {
  *place += value;
  return value % 3 == 0 ? *place : change(value - 1, place);
}
__device__ Step steps[] = {look, change, nullptr};

__global__ void steppedApart(int *out, long *places, int round) {
  const int t = threadIdx.x;
  const Step step = steps[(t + round) % 3];
  out[t] = step ? static_cast<int>(step(t, places + t)) : -1;
}
__global__ void steppedTogether(int *out, long *places, int which) {
  out[threadIdx.x] = static_cast<int>(steps[which](threadIdx.x, places + threadIdx.x));
}

static long lookedOrChanged(int which, long value, long &place) {
  if (which == 0) return value + place;
  for (;; --value) {
    place += value;
    if (value % 3 == 0) return place;
  }
}

static void checkSteps(check::DeviceArray<int> &out) {
  check::DeviceArray<long> places(50);
  std::vector<long> expected(50, 1000);
  places.upload(expected);
  for (int round = 0; round < 3; ++round) {
    steppedApart<<<1, 50>>>(out.get(), places.get(), round);
    LAUNCH_OK();
    for (int i = 0; i < 50; ++i) {
      const int which = (i + round) % 3;
      CHECK_EQ(out.download()[i], which == 2 ? -1 : lookedOrChanged(which, i, expected[i]));
    }
  }
  for (int which = 0; which < 2; ++which) {
    steppedTogether<<<1, 50>>>(out.get(), places.get(), which);
    LAUNCH_OK();
    for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], lookedOrChanged(which, i, expected[i]));
  }
  for (int i = 0; i < 50; ++i) CHECK_EQ(places.download()[i], expected[i]);
}

static int reference(int which, int a, int b) {
  return which == 0 ? a + b : which == 1 ? a - b : which == 2 ? a * b : a << 3;
}

int main() {
  check::DeviceArray<int> out(50);
  byTable<<<1, 50>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], reference(i % 4, i, 7));

  Operation operation = nullptr;
  CUDA_OK(cudaMemcpyFromSymbol(&operation, single, sizeof operation));
  CHECK(operation != nullptr);
  byArgument<<<1, 50>>>(out.get(), operation);
  LAUNCH_OK();
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], i * 5 + 6);
  for (int which = 0; which < 3; ++which) {
    bySwitch<<<1, 50>>>(out.get(), which);
    LAUNCH_OK();
    for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], reference(which, i, 3));
  }
  byMember<<<1, 50>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], i % 2 ? 100 + i : 100 - i);

  compared<<<1, 50>>>(out.get(), operation);
  LAUNCH_OK();
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], 1 + 4 + 8 + 2 * (i % 4 == 0) + 16 * (i % 4 == 1));
  checkSteps(out);

  void (*kernels[])(int *) = {byTable, byMember};
  for (auto kernel : kernels) {
    kernel<<<1, 50>>>(out.get());
    LAUNCH_OK();
  }
  CHECK_EQ(out.download()[49], 149);
  return check::finish();
}
