// Kernels launched by kernels: arguments, templates, order in streams, and when the parent ends.
// options: -rdc=true -lcudadevrt
#include "../check.h"

__global__ void store(int *out, int value) { out[threadIdx.x] = value + threadIdx.x; }
__global__ void add(int *out, int value) { out[threadIdx.x] += value; }
__global__ void twice(int *out) { out[threadIdx.x] *= 2; }

struct Big {
  char name[40];
  double values[3];
};
__global__ void takeMany(bool flag, char letter, double number, Big big, const int *in, int *out) {
  out[0] = flag ? letter : 0;
  out[1] = static_cast<int>(number + big.values[2]);
  out[2] = in[1] + big.name[39];
}

__global__ void launchOne(int *out) { store<<<1, 32>>>(out, 100); }

__global__ void launchMany(int *in, int *out) {
  Big big = {};
  big.name[39] = 9;
  big.values[2] = 0.5;
  const int number = 7;
  takeMany<<<dim3(1, 1), dim3(1), 16>>>(threadIdx.x == 0, 'x', number + 0.5, big, in, out);
}

// Launches of one thread into the same stream run one after the other.
__global__ void inOrder(int *out) {
  store<<<1, 8>>>(out, 1);
  twice<<<1, 8>>>(out);
  add<<<1, 8>>>(out, 5);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  store<<<1, 8, 0, stream>>>(out + 8, 10);
  twice<<<1, 8, 0, stream>>>(out + 8);
  cudaStreamDestroy(stream);
}

template <class T, int factor>
__global__ void __launch_bounds__(128, 1) scale(T *out, int depth) {
  if (threadIdx.x == 0) out[depth] = static_cast<T>(depth) * factor;
  if (depth > 0 && threadIdx.x == 0) scale<T, factor><<<2, 32>>>(out, depth - 1);
}

namespace {
__global__ void hidden(int *out) { atomicAdd(out, 1); }
}  // namespace
static __global__ void local(int *out) {
  if (*out < 5) hidden<<<3, 5>>>(out);
}

__device__ void launchFrom(void (*kernel)(int *, int), int *out) { kernel<<<1, 4>>>(out, 30); }
__global__ void byPointer(int *out) {
  if (threadIdx.x == 0) launchFrom(store, out);
}

__global__ void fireAndTail(int *out) {
  // The tail starts when the grid and all its other work have ended.
  if (blockIdx.x == 0) add<<<1, 1, 0, cudaStreamTailLaunch>>>(out + 64, 1000);
  store<<<1, 1, 0, cudaStreamFireAndForget>>>(out + blockIdx.x, 1);
  if (blockIdx.x == 0) twice<<<1, 65, 0, cudaStreamTailLaunch>>>(out);
}

void check1(const std::vector<int> &got, const std::vector<int> &wanted, int line) {
  for (size_t i = 0; i < wanted.size(); ++i) check::equal(got[i], wanted[i], "value", __FILE__, line);
}

void simpleLaunches() {
  check::DeviceArray<int> out(64, -1), in(std::vector<int>{3, 4});
  launchOne<<<1, 1>>>(out.get());
  twice<<<1, 32>>>(out.get());  // sees the child's results: the parent ends after its children
  LAUNCH_OK();
  CHECK_EQ(out.download()[31], 262);
  launchMany<<<1, 1>>>(in.get(), out.get());
  LAUNCH_OK();
  check1(out.download(), {'x', 8, 13}, __LINE__);
  inOrder<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> got = out.download();
  for (int i = 0; i < 8; ++i) {
    CHECK_EQ(got[i], (1 + i) * 2 + 5);
    CHECK_EQ(got[8 + i], (10 + i) * 2);
  }
}

void nestedLaunches() {
  check::DeviceArray<double> out(24, -1.0);
  scale<double, 3><<<1, 32>>>(out.get(), 3);
  LAUNCH_OK();
  for (int i = 0; i < 4; ++i) CHECK_EQ(out.download()[i], 3.0 * i);
  CHECK_EQ(out.download()[4], -1.0);

  check::DeviceArray<int> count(8, 0);
  local<<<1, 1>>>(count.get());
  LAUNCH_OK();
  CHECK_EQ(count.download()[0], 15);
  hidden<<<1, 2>>>(count.get());
  byPointer<<<1, 32>>>(count.get() + 2);
  LAUNCH_OK();
  check1(count.download(), {17, 0, 30, 31, 32, 33}, __LINE__);
}

void specialStreams() {
  check::DeviceArray<int> out(65, 0);
  fireAndTail<<<64, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_EQ(got[i], 2);
  CHECK_EQ(got[64], 2000);
}

int main() {
  simpleLaunches();
  nestedLaunches();
  specialStreams();
  return check::finish();
}
