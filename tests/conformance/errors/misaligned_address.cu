// An access at an address that is no multiple of its size ends the kernel with cudaErrorMisalignedAddress: constant
// offsets, computed ones, and pointers that came misaligned from the host; wide accesses need more than their parts.
#include "../check.h"
#include "../child.h"

struct alignas(16) Record {
  float a, b, c, d;
};

__device__ int number[4];

__global__ void besideVariable() { *reinterpret_cast<int *>(reinterpret_cast<char *>(&number) + 1) = 42; }
__global__ void store(int *where) { *where = 42; }
__global__ void addToEach(double *values) { values[threadIdx.x] += 1; }
__global__ void storeAtByte(char *bytes, int byte) { *reinterpret_cast<int *>(bytes + byte) = 42; }
__global__ void storeShort(char *bytes, int byte) { *reinterpret_cast<short *>(bytes + byte) = 42; }
__global__ void addAtByte(char *bytes, int byte) { atomicAdd(reinterpret_cast<int *>(bytes + byte), 1); }
__global__ void loadVector(float *values) {
  const float4 v = *reinterpret_cast<float4 *>(values + 1);
  values[0] = v.x + v.y + v.z + v.w;
}
__global__ void copyVectors(float4 *values) { values[threadIdx.x + 32] = values[threadIdx.x]; }
__global__ void someMembers(Record *record) {
  record->a = 1;
  record->d = 3;
}
__global__ void inShared(int *out, int byte) {
  __shared__ char bytes[64];
  bytes[threadIdx.x] = static_cast<char>(threadIdx.x);
  bytes[threadIdx.x + 32] = 0;
  __syncthreads();
  if (threadIdx.x == 0) *out = *reinterpret_cast<int *>(bytes + byte);
}
// No thread comes to the access, or only one far into the loop.
__global__ void storeIf(int *where, int count) {
  for (int i = 0; i < count; ++i)
    if (i % 7 == 6) where[i] = i;
}
__global__ void sum(const int *values, int *result, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += values[i];
  *result = total;
}

template <class Launch>
void expect(const char *what, cudaError_t expected, Launch launch) {
  const check::ChildResult result = check::runInChild([&] {
    check::DeviceArray<char> bytes(4096, 0);
    launch(bytes.get());
    CHECK_EQ(cudaGetLastError(), cudaSuccess);
    CHECK_EQ(cudaDeviceSynchronize(), expected);
    CHECK_EQ(cudaGetLastError(), expected);
    // The error stays.
    void *more = nullptr;
    CHECK_EQ(cudaMalloc(&more, 16), expected);
    return check::failures;
  });
  if (result.exitCode != 0) printf("%s: exit code %d\n%s", what, result.exitCode, result.output.c_str());
  CHECK_EQ(result.exitCode, 0);
}

int main() {
  const cudaError_t wrong = cudaErrorMisalignedAddress;
  expect("variable", wrong, [](char *) { besideVariable<<<1, 1>>>(); });
  expect("pointer", wrong, [](char *p) { store<<<2, 3>>>(reinterpret_cast<int *>(p + 1)); });
  expect("doubles", wrong, [](char *p) { addToEach<<<1, 4>>>(reinterpret_cast<double *>(p + 4)); });
  expect("byte", wrong, [](char *p) { storeAtByte<<<1, 1>>>(p, 3); });
  expect("even byte", wrong, [](char *p) { storeAtByte<<<1, 1>>>(p, 6); });
  expect("fourth byte", cudaSuccess, [](char *p) { storeAtByte<<<1, 1>>>(p, 4); });
  expect("short", wrong, [](char *p) { storeShort<<<1, 1>>>(p, 1); });
  expect("second byte", cudaSuccess, [](char *p) { storeShort<<<1, 1>>>(p, 2); });
  expect("atomic", wrong, [](char *p) { addAtByte<<<1, 32>>>(p, 2); });
  expect("vector", wrong, [](char *p) { loadVector<<<1, 1>>>(reinterpret_cast<float *>(p)); });
  expect("vector in its place", cudaSuccess, [](char *p) { loadVector<<<1, 1>>>(reinterpret_cast<float *>(p + 12)); });
  expect("vectors", wrong, [](char *p) { copyVectors<<<1, 4>>>(reinterpret_cast<float4 *>(p + 8)); });
  expect("members", cudaSuccess, [](char *p) { someMembers<<<1, 1>>>(reinterpret_cast<Record *>(p + 4)); });
  expect("shared", wrong, [](char *p) { inShared<<<1, 32>>>(reinterpret_cast<int *>(p), 5); });
  expect("shared in its place", cudaSuccess, [](char *p) { inShared<<<1, 32>>>(reinterpret_cast<int *>(p), 8); });
  expect("never", cudaSuccess, [](char *p) { storeIf<<<4, 64>>>(reinterpret_cast<int *>(p + 1), 6); });
  expect("late", wrong, [](char *p) { storeIf<<<4, 64>>>(reinterpret_cast<int *>(p + 1), 7); });
  expect("loop", wrong, [](char *p) { sum<<<1, 1>>>(reinterpret_cast<int *>(p + 2), reinterpret_cast<int *>(p), 10); });
  expect("empty loop", cudaSuccess,
         [](char *p) { sum<<<1, 1>>>(reinterpret_cast<int *>(p + 2), reinterpret_cast<int *>(p), 0); });
  return check::finish();
}
