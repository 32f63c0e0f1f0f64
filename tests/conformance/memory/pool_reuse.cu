// Which freed memory of a pool an allocation may get: its own stream's at once; another's by the pool's policies or
// once the host has waited for the free.
#include "../check.h"

static cudaStream_t a, b, c;
static cudaEvent_t event, second;
static cudaMemPool_t pool;
static int *flag;

constexpr size_t megabyte = 1 << 20;

__global__ void waitForFlag(volatile int *flag) {
  while (*flag == 0) __nanosleep(1000);
}

struct Policies {
  int followEvents, opportunistic, internal;
};

static void makePool(const Policies &policies, size_t most = 0) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = most;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  int value = policies.followEvents;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &value));
  value = policies.opportunistic;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &value));
  value = policies.internal;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &value));
  unsigned long long threshold = ~0ull;
  CUDA_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
}

static unsigned long long get(cudaMemPoolAttr attribute) {
  unsigned long long value = 0;
  CUDA_OK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

static void *allocate(cudaStream_t stream, size_t bytes = megabyte) {
  void *memory = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(&memory, bytes, pool, stream));
  return memory;
}

// begin() leaves stream `a` with memory whose free waits for the flag; end() lets it go and empties the pool.
static void *begin(const Policies &policies, size_t bytes = megabyte, size_t most = 0) {
  makePool(policies, most);
  *flag = 0;
  void *memory = allocate(a, bytes);
  CHECK_EQ(get(cudaMemPoolAttrUsedMemCurrent), bytes);
  waitForFlag<<<1, 1, 0, a>>>(flag);
  CUDA_OK(cudaFreeAsync(memory, a));
  CHECK_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0);
  CHECK(get(cudaMemPoolAttrReservedMemCurrent) >= bytes);
  return memory;
}
static void end(void *memory, cudaStream_t stream) {
  *flag = 1;
  if (memory != nullptr) CUDA_OK(cudaFreeAsync(memory, stream));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(get(cudaMemPoolAttrUsedMemCurrent), 0);
  CUDA_OK(cudaMemPoolTrimTo(pool, 0));
  CHECK_EQ(get(cudaMemPoolAttrReservedMemCurrent), 0);
  CUDA_OK(cudaMemPoolDestroy(pool));
}

static void finish(cudaStream_t stream) {
  cudaError_t status = cudaErrorNotReady;
  while ((status = cudaStreamQuery(stream)) == cudaErrorNotReady) {
  }
  CHECK_EQ(status, cudaSuccess);
}

static void testPending(const Policies &policies) {
  void *first = begin(policies), *again = allocate(a);
  CHECK(again == first);
  CHECK_EQ(get(cudaMemPoolAttrUsedMemCurrent), megabyte);
  end(again, a);

  first = begin(policies);
  void *other = allocate(b);
  CHECK(other != first);
  end(other, b);
}

static void testEvents(const Policies &policies) {
  void *first = begin(policies);
  CUDA_OK(cudaEventRecord(event, a));
  CUDA_OK(cudaStreamWaitEvent(b, event));
  void *behind = allocate(b);
  CHECK_EQ(behind == first, policies.followEvents);
  end(behind, b);

  first = begin(policies);
  CUDA_OK(cudaEventRecord(event, a));
  CUDA_OK(cudaStreamWaitEvent(c, event));
  CUDA_OK(cudaEventRecord(second, c));
  CUDA_OK(cudaStreamWaitEvent(b, second));
  behind = allocate(b);
  CHECK_EQ(behind == first, policies.followEvents);
  end(behind, b);
}

static void testFinished(const Policies &policies) {
  void *first = begin(policies);
  *flag = 1;
  finish(a);
  void *other = allocate(b);
  CHECK_EQ(other == first, policies.opportunistic);
  end(other, b);

  first = begin(policies);
  *flag = 1;
  finish(a);
  CUDA_OK(cudaStreamSynchronize(b));  // says nothing of `a`
  other = allocate(b);
  CHECK_EQ(other == first, policies.opportunistic);
  end(other, b);
}

static void testSynchronized(const Policies &policies) {
  void *first = begin(policies);
  *flag = 1;
  CUDA_OK(cudaStreamSynchronize(a));
  void *other = allocate(b);
  CHECK(other == first);
  end(other, b);

  first = begin(policies);
  *flag = 1;
  CUDA_OK(cudaEventRecord(event, a));
  CUDA_OK(cudaEventSynchronize(event));
  other = allocate(b);
  CHECK(other == first);
  end(other, b);
}

// There is no other memory: the allocating stream is made to wait, or there is none.
static void testNoOther(const Policies &policies) {
  void *first = begin(policies, 20 * megabyte, 32 * megabyte), *other = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&other, 20 * megabyte, pool, b);
  CHECK_EQ(status, policies.internal ? cudaSuccess : cudaErrorMemoryAllocation);
  (void)cudaGetLastError();
  if (policies.internal) {
    CHECK(other == first);
    CHECK_EQ(cudaStreamQuery(b), cudaErrorNotReady);
  }
  CHECK_EQ(cudaStreamQuery(a), cudaErrorNotReady);
  end(other, b);
}

int main() {
  for (cudaStream_t *stream : {&a, &b, &c}) CUDA_OK(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  for (cudaEvent_t *e : {&event, &second}) CUDA_OK(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
  CUDA_OK(cudaMallocHost(&flag, sizeof *flag));
  for (int bits = 0; bits < 8; ++bits) {
    const Policies policies{bits & 1, bits >> 1 & 1, bits >> 2};
    testPending(policies);
    testEvents(policies);
    testFinished(policies);
    testSynchronized(policies);
    testNoOther(policies);
  }
  for (cudaStream_t stream : {a, b, c}) CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
