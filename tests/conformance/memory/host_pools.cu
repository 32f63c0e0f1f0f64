// Pools of the host's memory and of managed memory: made, allocated from in stream order, replaced as the ones in
// effect.
#include <cstdint>

#include "../check.h"

__global__ void add(int *numbers) { numbers[threadIdx.x] += 7; }

static cudaMemPoolProps propertiesOf(cudaMemAllocationType type, cudaMemLocationType place, int id) {
  cudaMemPoolProps properties = {};
  properties.allocType = type;
  properties.location.type = place;
  properties.location.id = id;
  return properties;
}

static cudaMemAccessDesc accessOf(cudaMemLocationType place, cudaMemAccessFlags flags) {
  cudaMemAccessDesc access = {};
  access.location.type = place;
  access.flags = flags;
  return access;
}

static void access(cudaMemPool_t pool) {
  cudaMemLocation device = {cudaMemLocationTypeDevice, 0}, host = {cudaMemLocationTypeHost, 0};
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  CUDA_OK(cudaMemPoolGetAccess(&flags, pool, &device));
  CHECK_EQ(flags, cudaMemAccessFlagsProtNone);
  CUDA_OK(cudaMemPoolGetAccess(&flags, pool, &host));
  CHECK_EQ(flags, cudaMemAccessFlagsProtReadWrite);
  cudaMemAccessDesc wish = accessOf(cudaMemLocationTypeHost, cudaMemAccessFlagsProtNone);
  CHECK_EQ(cudaMemPoolSetAccess(pool, &wish, 1), cudaErrorNotSupported);
  wish = accessOf(cudaMemLocationTypeHost, cudaMemAccessFlagsProtReadWrite);
  CUDA_OK(cudaMemPoolSetAccess(pool, &wish, 1));
  wish = accessOf(cudaMemLocationTypeDevice, cudaMemAccessFlagsProtReadWrite);
  CUDA_OK(cudaMemPoolSetAccess(pool, &wish, 1));
  CUDA_OK(cudaMemPoolGetAccess(&flags, pool, &device));
  CHECK_EQ(flags, cudaMemAccessFlagsProtReadWrite);
}

static void use(cudaMemPool_t pool) {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  int *numbers = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(&numbers, 4096, pool, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  add<<<1, 32, 0, stream>>>(numbers);
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(numbers[31], 38);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, numbers));
  CHECK_EQ(attributes.type, cudaMemoryTypeHost);
  CHECK_EQ(attributes.hostPointer, static_cast<void *>(numbers));
  int copy[4] = {};
  CUDA_OK(cudaMemcpy(copy, numbers, sizeof copy, cudaMemcpyHostToHost));
  CUDA_OK(cudaMemcpy(copy, numbers, sizeof copy, cudaMemcpyDefault));
  CHECK_EQ(copy[3], 10);
  unsigned long long used = 0;
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  CHECK_EQ(used, 4096ull);
  CHECK_EQ(cudaFreeHost(numbers), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeAsync(numbers, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  CHECK_EQ(used, 0ull);
  CUDA_OK(cudaMallocFromPoolAsync(&numbers, 4096, pool, stream));
  CUDA_OK(cudaFree(numbers));
  for (const size_t tooMuch : {SIZE_MAX, SIZE_MAX - 4000, size_t{1} << 50})
    CHECK_EQ(cudaMallocFromPoolAsync(&numbers, tooMuch, pool, stream), cudaErrorMemoryAllocation);

  cudaGraph_t graph;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK_EQ(cudaMallocFromPoolAsync(&numbers, 4096, pool, stream), cudaErrorNotSupported);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

static void inEffect(cudaMemPool_t pool, cudaMemLocation place) {
  cudaMemPool_t before, now;
  CUDA_OK(cudaMemGetDefaultMemPool(&before, &place, cudaMemAllocationTypePinned));
  CUDA_OK(cudaMemGetMemPool(&now, &place, cudaMemAllocationTypePinned));
  CHECK_EQ(now == before, true);
  CUDA_OK(cudaMemSetMemPool(&place, cudaMemAllocationTypePinned, pool));
  CUDA_OK(cudaMemGetMemPool(&now, &place, cudaMemAllocationTypePinned));
  CHECK_EQ(now == pool, true);
  CHECK_EQ(cudaDeviceSetMemPool(0, pool), cudaErrorInvalidValue);
}

static void hostPool(cudaMemLocationType type) {
  cudaMemPoolProps properties = propertiesOf(cudaMemAllocationTypePinned, type, 0);
  cudaMemPool_t pool;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  access(pool);
  use(pool);
  inEffect(pool, properties.location);
  CUDA_OK(cudaMemPoolDestroy(pool));
}

static void managedPool() {
  cudaMemPoolProps properties = propertiesOf(cudaMemAllocationTypeManaged, cudaMemLocationTypeDevice, 0);
  cudaMemPool_t pool;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  int *numbers = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(&numbers, 4096, pool, 0));
  CUDA_OK(cudaStreamSynchronize(0));
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  add<<<1, 32>>>(numbers);
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(numbers[31], 38);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, numbers));
  CHECK_EQ(attributes.type, cudaMemoryTypeManaged);
  CUDA_OK(cudaFreeAsync(numbers, 0));
  CUDA_OK(cudaStreamSynchronize(0));
  CUDA_OK(cudaMemPoolDestroy(pool));
}

static void refused() {
  cudaMemPool_t pool;
  for (cudaMemPoolProps wrong : {propertiesOf(cudaMemAllocationTypePinned, cudaMemLocationTypeHostNuma, 77),
                                 propertiesOf(cudaMemAllocationTypePinned, cudaMemLocationTypeHostNumaCurrent, 0),
                                 propertiesOf(cudaMemAllocationTypePinned, cudaMemLocationTypeInvalid, 0)})
    CHECK_EQ(cudaMemPoolCreate(&pool, &wrong), cudaErrorInvalidValue);
  cudaMemLocation place = {cudaMemLocationTypeHostNumaCurrent, 0};
  CHECK_EQ(cudaMemGetDefaultMemPool(&pool, &place, cudaMemAllocationTypePinned), cudaErrorNotSupported);
  place = {cudaMemLocationTypeInvalid, 0};
  CHECK_EQ(cudaMemGetDefaultMemPool(&pool, &place, cudaMemAllocationTypePinned), cudaErrorInvalidValue);
  CUDA_OK(cudaMemGetDefaultMemPool(&pool, &place, cudaMemAllocationTypeManaged));
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  cudaMemAccessDesc wish = accessOf(cudaMemLocationTypeHost, cudaMemAccessFlagsProtReadWrite);
  CHECK_EQ(cudaMemPoolSetAccess(pool, &wish, 1), cudaErrorNotSupported);
}

int main() {
  int supported = 0;
  CUDA_OK(cudaDeviceGetAttribute(&supported, cudaDevAttrHostNumaMemoryPoolsSupported, 0));
  CHECK_EQ(supported, 1);
  CUDA_OK(cudaDeviceGetAttribute(&supported, cudaDevAttrHostMemoryPoolsSupported, 0));
  CHECK_EQ(supported, 1);
  hostPool(cudaMemLocationTypeHost);
  hostPool(cudaMemLocationTypeHostNuma);
  managedPool();
  refused();
  return check::finish();
}
