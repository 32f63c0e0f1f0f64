// What the runtime refuses in kernels, and with which error; what a kernel without parameters is launched with.
// options: -rdc=true -lcudadevrt
#include "../check.h"

__global__ void nothing() {}
__global__ void __launch_bounds__(64) bounded() {}
__device__ int counter;
__device__ int words[64];

__device__ bool lastIs(cudaError_t error) {
  return cudaPeekAtLastError() == error && cudaGetLastError() == error && cudaGetLastError() == cudaSuccess;
}

// What a call returns becomes the thread's last error.
__device__ bool refused(cudaError_t returned, cudaError_t expected) { return returned == expected && lastIs(expected); }

__global__ void configurations(bool *ok) {
  nothing<<<1, 1025>>>();
  ok[0] = lastIs(cudaErrorInvalidConfiguration);
  nothing<<<0, 1>>>();
  ok[1] = lastIs(cudaErrorInvalidConfiguration);
  nothing<<<dim3(1, 1, 65536), 1>>>();
  ok[2] = lastIs(cudaErrorInvalidConfiguration);
  nothing<<<1, dim3(1, 1, 65)>>>();
  ok[3] = lastIs(cudaErrorInvalidConfiguration);
  nothing<<<1, 1, 1 << 20>>>();
  ok[4] = lastIs(cudaErrorInvalidConfiguration);
  bounded<<<1, 65>>>();
  ok[5] = lastIs(cudaErrorInvalidConfiguration);
  bounded<<<1, 64>>>();
  ok[6] = lastIs(cudaSuccess);
}

// Only copies within the device; rows do not overlap.
__global__ void copies(bool *ok) {
  constexpr size_t bytes = 16;
  ok[0] = cudaMemcpyAsync(words, words + 16, bytes, cudaMemcpyDeviceToDevice, 0) == cudaSuccess;
  ok[1] = cudaMemcpyAsync(words, words + 16, bytes, cudaMemcpyDefault, 0) == cudaSuccess;
  int at = 2;
  for (cudaMemcpyKind kind : {cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost})
    ok[at++] = refused(cudaMemcpyAsync(words, words + 16, bytes, kind, 0), cudaErrorInvalidMemcpyDirection);
  ok[5] = refused(cudaMemcpy2DAsync(words, 8, words + 16, 32, bytes, 2, cudaMemcpyDeviceToDevice, 0),
                  cudaErrorInvalidPitchValue);
  ok[6] = refused(cudaMemset2DAsync(words, 8, 0, bytes, 2, 0), cudaErrorInvalidValue);
}

__global__ void objects(bool *ok) {
  cudaStream_t stream;
  cudaEvent_t event;
  ok[0] = refused(cudaEventCreateWithFlags(&event, cudaEventDefault), cudaErrorInvalidValue);
  ok[1] = cudaEventCreateWithFlags(&event, cudaEventDisableTiming | cudaEventBlockingSync) == cudaSuccess;
  ok[2] = refused(cudaEventRecord(event, cudaStreamTailLaunch), cudaErrorInvalidValue);
  ok[3] = refused(cudaEventRecord(event, cudaStreamFireAndForget), cudaErrorInvalidValue);
  ok[4] = refused(cudaEventRecord(nullptr, 0), cudaErrorInvalidValue);
  ok[5] = refused(cudaStreamWaitEvent(0, nullptr, 0), cudaErrorInvalidValue);
  ok[6] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault) == cudaSuccess;
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
  void *memory;
  ok[7] = refused(cudaMalloc(&memory, 0), cudaErrorInvalidValue);
}

// A kernel without parameters needs no buffer.
__global__ void increment() { atomicAdd(&counter, 1); }
__host__ __device__ void *addressOfIncrement() { return reinterpret_cast<void *>(increment); }
__global__ void withoutBuffer(bool *ok) {
  ok[0] = cudaLaunchDevice(addressOfIncrement(), nullptr, dim3(2), dim3(3), 0, 0) == cudaSuccess;
}

static void demand(void (*kernel)(bool *), int answers) {
  check::DeviceArray<char> ok(16, 0);
  kernel<<<1, 1>>>(reinterpret_cast<bool *>(ok.get()));
  LAUNCH_OK();
  const std::vector<char> got = ok.download();
  for (int i = 0; i < answers; ++i) {
    if (!got[i]) printf("answer %d\n", i);
    CHECK(got[i]);
  }
}

int main() {
  demand(configurations, 7);
  demand(copies, 7);
  demand(objects, 8);
  demand(withoutBuffer, 1);
  int counted = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&counted, counter, sizeof counted));
  CHECK_EQ(counted, 6);
  return check::finish();
}
