// What kernels may call of the runtime: errors, memory, streams, events, copies.
// options: -rdc=true -lcudadevrt
#include "../check.h"

__global__ void nothing() {}
__global__ void store(int *out, int value) { out[threadIdx.x] = value; }
__global__ void copyTo(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x] + 1; }

__global__ void errors(int *out) {
  out[0] = cudaGetLastError();
  nothing<<<1, 2048>>>();
  out[1] = cudaPeekAtLastError();
  out[2] = cudaGetLastError();
  out[3] = cudaGetLastError();
  nothing<<<0, 1>>>();
  out[4] = cudaGetLastError() != cudaSuccess;
  nothing<<<1, 1>>>();
  out[5] = cudaGetLastError();
}

__global__ void memory(int *out) {
  int *block = nullptr;
  out[0] = cudaMalloc(&block, 16 * sizeof(int));
  for (int i = 0; i < 16; ++i) block[i] = i;
  out[1] = block[15];
  out[2] = cudaFree(block);
  int device = -1, count = 0;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  out[3] = device;
  out[4] = count > 0;
}

__global__ void copies(int *out, int *scratch) {
  cudaMemsetAsync(out, 0, 64 * sizeof(int), 0);
  store<<<1, 16>>>(scratch, 5);
  cudaMemcpyAsync(out, scratch, 16 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  copyTo<<<1, 16>>>(out + 32, out);
}

// The wait orders the second stream behind the first one's work at the record.
__global__ void events(int *out) {
  cudaStream_t first, second;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  store<<<1, 32, 0, first>>>(out, 40);
  cudaEventRecord(event, first);
  cudaStreamWaitEvent(second, event, 0);
  copyTo<<<1, 32, 0, second>>>(out + 32, out);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

int main() {
  check::DeviceArray<int> out(64, -1), scratch(64, -1);
  errors<<<1, 1>>>(out.get());
  LAUNCH_OK();
  std::vector<int> got = out.download();
  CHECK_EQ(got[0], int(cudaSuccess));
  CHECK(got[1] != int(cudaSuccess));
  CHECK_EQ(got[2], got[1]);
  CHECK_EQ(got[3], int(cudaSuccess));
  CHECK_EQ(got[4], 1);
  CHECK_EQ(got[5], int(cudaSuccess));

  memory<<<1, 1>>>(out.get());
  LAUNCH_OK();
  got = out.download();
  CHECK_EQ(got[0], 0);
  CHECK_EQ(got[1], 15);
  CHECK_EQ(got[2], 0);
  CHECK_EQ(got[3], 0);
  CHECK_EQ(got[4], 1);

  copies<<<1, 1>>>(out.get(), scratch.get());
  LAUNCH_OK();
  got = out.download();
  for (int i = 0; i < 16; ++i) {
    CHECK_EQ(got[i], 5);
    CHECK_EQ(got[16 + i], 0);
    CHECK_EQ(got[32 + i], 6);
  }
  events<<<1, 1>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 32; ++i) CHECK_EQ(out.download()[32 + i], 41);
  return check::finish();
}
