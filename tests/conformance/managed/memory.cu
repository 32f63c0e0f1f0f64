// cudaMallocManaged: one pointer for both sides, structures with pointers, advice and prefetch, copies of any kind.
#include <unistd.h>

#include "../check.h"

struct Node {
  int value;
  Node *next;
};

__global__ void doubleList(Node *list) {
  for (Node *n = list; n != nullptr; n = n->next) n->value *= 2;
}
__global__ void addIndex(int *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += i;
}

static void wrongAdvice() {
  int *memory;
  CUDA_OK(cudaMallocManaged(&memory, 4096));
  const auto advise = [&](cudaMemoryAdvise advice, cudaMemLocationType type, int id) {
    const cudaError_t error = cudaMemAdvise(memory, 4096, advice, {type, id});
    (void)cudaGetLastError();
    return error;
  };
  CHECK_EQ(advise(cudaMemAdviseSetPreferredLocation, cudaMemLocationTypeDevice, 9), cudaErrorInvalidValue);
  CHECK_EQ(advise(cudaMemAdviseSetAccessedBy, cudaMemLocationTypeDevice, 9), cudaErrorInvalidValue);
  CHECK_EQ(advise(cudaMemAdviseSetReadMostly, cudaMemLocationTypeDevice, 9), cudaSuccess);
  CHECK_EQ(advise(cudaMemAdviseSetReadMostly, cudaMemLocationTypeInvalid, 0), cudaErrorInvalidValue);
  CHECK_EQ(advise(cudaMemAdviseSetAccessedBy, cudaMemLocationTypeHostNuma, 0), cudaErrorInvalidValue);
  CHECK_EQ(advise(cudaMemAdviseSetPreferredLocation, cudaMemLocationTypeHost, 0), cudaSuccess);
  int place = 7;
  CUDA_OK(cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributePreferredLocationId, memory, 4096));
  CHECK_EQ(place, cudaCpuDeviceId);
  CHECK_EQ(advise(cudaMemAdviseSetReadMostly, static_cast<cudaMemLocationType>(9), 0), cudaErrorInvalidValue);

  // Devices are listed before the host.
  CHECK_EQ(advise(cudaMemAdviseSetAccessedBy, cudaMemLocationTypeHost, 0), cudaSuccess);
  CHECK_EQ(advise(cudaMemAdviseSetAccessedBy, cudaMemLocationTypeDevice, 0), cudaSuccess);
  int users[3] = {9, 9, 9};
  CUDA_OK(cudaMemRangeGetAttribute(users, sizeof users, cudaMemRangeAttributeAccessedBy, memory, 4096));
  CHECK_EQ(users[0], 0);
  CHECK_EQ(users[1], cudaCpuDeviceId);
  CHECK_EQ(users[2], cudaInvalidDeviceId);
  CUDA_OK(cudaFree(memory));
}

// The last prefetch is the last one asked for, which need not have begun.
static void lastPrefetch() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  char *memory;
  CUDA_OK(cudaMallocManaged(&memory, 4096));
  volatile int *go;
  CUDA_OK(cudaMallocHost(const_cast<int **>(&go), sizeof *go));
  *go = 0;
  const auto wait = [](void *flag) {
    while (!*static_cast<volatile int *>(flag)) usleep(1000);
  };
  CUDA_OK(cudaLaunchHostFunc(stream, wait, const_cast<int *>(go)));
  CUDA_OK(cudaMemPrefetchAsync(memory, 4096, {cudaMemLocationTypeDevice, 0}, 0, stream));
  int place = 7;
  CUDA_OK(cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation, memory, 4096));
  CHECK_EQ(place, 0);
  *go = 1;
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaFreeHost(const_cast<int *>(go)));
  CUDA_OK(cudaFree(memory));
  CUDA_OK(cudaStreamDestroy(stream));
}

// A range begins with the page of the host's that its first byte is in, and has as many pages as its size needs.
static void prefetchedPages() {
  char *memory;
  CUDA_OK(cudaMallocManaged(&memory, 16 * 4096));
  const auto placeAt = [&](size_t offset) {
    int place = 7;
    CUDA_OK(
        cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation, memory + offset, 1));
    return place;
  };
  CUDA_OK(cudaMemPrefetchAsync(memory + 5000, 100, {cudaMemLocationTypeDevice, 0}, 0, nullptr));
  CHECK_EQ(placeAt(4095), cudaInvalidDeviceId);
  CHECK_EQ(placeAt(4096), 0);
  CHECK_EQ(placeAt(8191), 0);
  CHECK_EQ(placeAt(8192), cudaInvalidDeviceId);
  CUDA_OK(cudaMemPrefetchAsync(memory + 4000, 5000, {cudaMemLocationTypeHost, 0}, 0, nullptr));
  CHECK_EQ(placeAt(0), cudaCpuDeviceId);
  CHECK_EQ(placeAt(8191), cudaCpuDeviceId);
  CHECK_EQ(placeAt(8192), cudaInvalidDeviceId);
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaFree(memory));
}

// What is attached to a stream is a whole allocation.
static void attachment() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  char *memory;
  CUDA_OK(cudaMallocManaged(&memory, 4096));
  CUDA_OK(cudaStreamAttachMemAsync(stream, memory, 0, cudaMemAttachHost));
  CHECK_EQ(cudaStreamAttachMemAsync(stream, memory + 1, 0, cudaMemAttachHost), cudaErrorInvalidValue);
  CHECK_EQ(cudaStreamAttachMemAsync(stream, memory, 2, cudaMemAttachHost), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaFree(memory));
  CUDA_OK(cudaStreamDestroy(stream));
}

int main() {
  lastPrefetch();
  prefetchedPages();
  attachment();
  const int n = 10001;
  int *values = nullptr;
  CUDA_OK(cudaMallocManaged(&values, n * sizeof(int)));
  for (int round = 1; round <= 3; ++round) {
    for (int i = 0; i < n; ++i) values[i] = round;
    addIndex<<<(n + 255) / 256, 256>>>(values, n);
    LAUNCH_OK();
    for (int i = 0; i < n; ++i) CHECK_EQ(values[i], round + i);
  }
  std::vector<int> host(n, 7);
  CUDA_OK(cudaMemcpy(values, host.data(), n * sizeof(int), cudaMemcpyDefault));
  addIndex<<<(n + 255) / 256, 256>>>(values, n);
  CUDA_OK(cudaMemcpy(host.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK_EQ(host[n - 1], 7 + n - 1);
  CUDA_OK(cudaMemset(values, 0, n * sizeof(int)));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(values[5], 0);
  CUDA_OK(cudaFree(values));

  Node *nodes = nullptr;
  CUDA_OK(cudaMallocManaged(&nodes, 10 * sizeof(Node), cudaMemAttachGlobal));
  for (int i = 0; i < 10; ++i) nodes[i] = {i, i < 9 ? &nodes[i + 1] : nullptr};
  doubleList<<<1, 1>>>(nodes);
  LAUNCH_OK();
  for (int i = 0; i < 10; ++i) CHECK_EQ(nodes[i].value, 2 * i);
  CUDA_OK(cudaFree(nodes));
  CHECK_EQ(cudaMallocManaged(&nodes, 16, 0x77), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  wrongAdvice();
  return check::finish();
}
