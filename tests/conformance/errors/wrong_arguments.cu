// What calls answer to arguments that CUDA refuses, and to odd ones that it takes: directions and shapes of copies,
// extents of arrays, textures, pools, limits, peers, attributes.
#include "../check.h"

#include <cstdint>

__global__ void kernel(int *p) {
  if (p) *p = 1;
}
__global__ void withDynamicMemory() {
  extern __shared__ char bytes[];
  bytes[threadIdx.x] = 0;
}
__global__ void __cluster_dims__(2, 1, 1) inClusters() {}

// answers() checks a call's result and that it is the last error, too, which it clears.
static void answers(cudaError_t actual, cudaError_t expected, const char *call, int line) {
  check::equal(actual, expected, call, __FILE__, line);
  check::equal(cudaGetLastError(), expected, "the last error", __FILE__, line);
}
#define ANSWERS(call, expected) answers(call, expected, #call, __LINE__)

static int *device, *other;
static char host[4096];

static void directions() {
  void *pinned = nullptr, *managed = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, 64));
  CUDA_OK(cudaMallocManaged(&managed, 64));
  ANSWERS(cudaMemcpy(device, host, 16, static_cast<cudaMemcpyKind>(9)), cudaErrorInvalidMemcpyDirection);
  ANSWERS(cudaMemcpy(device, host, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpy(host, device, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpy(host, device, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpy(host, host + 64, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  // Addresses that CUDA knows tell by themselves what they are.
  ANSWERS(cudaMemcpy(device, host, 16, cudaMemcpyHostToHost), cudaSuccess);
  ANSWERS(cudaMemcpy(other, device, 16, cudaMemcpyHostToDevice), cudaSuccess);
  ANSWERS(cudaMemcpy(other, device, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  ANSWERS(cudaMemcpy(device, pinned, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  ANSWERS(cudaMemcpy(managed, device, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  CUDA_OK(cudaFreeHost(pinned));
  CUDA_OK(cudaFree(managed));
}

static cudaError_t copyBox(cudaExtent extent, cudaPos from = {}) {
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(host, 16, 16, 4);
  p.dstPtr = make_cudaPitchedPtr(device, 16, 16, 4);
  p.srcPos = from;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  return cudaMemcpy3D(&p);
}

static void shapes() {
  cudaMemcpy3DParms nothing{};
  ANSWERS(cudaMemcpy3D(&nothing), cudaSuccess);
  ANSWERS(copyBox(make_cudaExtent(16, 4, 2)), cudaSuccess);
  ANSWERS(copyBox(make_cudaExtent(17, 2, 2)), cudaErrorInvalidPitchValue);
  ANSWERS(copyBox(make_cudaExtent(16, 5, 2)), cudaErrorInvalidPitchValue);
  ANSWERS(copyBox(make_cudaExtent(16, 5, 1)), cudaErrorInvalidValue);
  ANSWERS(copyBox(make_cudaExtent(16, 4, 2), make_cudaPos(1, 0, 0)), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpy2D(device, 8, host, 16, 16, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  ANSWERS(cudaMemset2D(device, 8, 0, 16, 2), cudaErrorInvalidValue);
  ANSWERS(cudaMemset3D(make_cudaPitchedPtr(device, 8, 16, 2), 0, make_cudaExtent(16, 2, 1)), cudaErrorInvalidValue);
}

static void hostRegistration() {
  ANSWERS(cudaHostRegister(host, sizeof(host), 0), cudaSuccess);
  ANSWERS(cudaHostRegister(host, sizeof(host), 0), cudaErrorHostMemoryAlreadyRegistered);
  ANSWERS(cudaHostUnregister(host + 8), cudaErrorInvalidValue);
  ANSWERS(cudaHostUnregister(host), cudaSuccess);
  ANSWERS(cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
}

static void extentsOfArrays() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  auto *array = reinterpret_cast<cudaArray_t>(uintptr_t{7});
  ANSWERS(cudaMallocArray(&array, &format, 1 << 24, 0), cudaErrorInvalidValue);
  CHECK_EQ(array, nullptr);
  ANSWERS(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 0, 3), 0), cudaErrorInvalidValue);
  ANSWERS(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 3), cudaArrayTextureGather), cudaErrorInvalidValue);
  ANSWERS(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 3000), cudaArrayLayered), cudaErrorInvalidValue);
  ANSWERS(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 2, 0), cudaArrayLayered), cudaErrorInvalidValue);
  ANSWERS(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 9, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  ANSWERS(cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 8, 6), cudaArrayCubemap), cudaSuccess);
  CUDA_OK(cudaFreeArray(array));
  cudaMipmappedArray_t levels = nullptr;
  ANSWERS(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(8, 8, 0), 0), cudaSuccess);
  ANSWERS(cudaGetMipmappedArrayLevel(&array, levels, 0), cudaSuccess);
  ANSWERS(cudaGetMipmappedArrayLevel(&array, levels, 1), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeMipmappedArray(levels));
}

static cudaError_t makeTexture(const cudaResourceDesc &resource, const cudaTextureDesc &sampling) {
  cudaTextureObject_t texture = 0;
  const cudaError_t error = cudaCreateTextureObject(&texture, &resource, &sampling, nullptr);
  if (error == cudaSuccess) CUDA_OK(cudaDestroyTextureObject(texture));
  return error;
}

static void texturesOfMemory() {
  cudaResourceDesc linear{}, pitched{}, none{};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {device, cudaCreateChannelDesc<float>(), 4096};
  cudaTextureDesc sampling{};
  ANSWERS(makeTexture(none, sampling), cudaErrorInvalidResourceHandle);
  ANSWERS(makeTexture(linear, sampling), cudaSuccess);
  linear.res.linear.devPtr = device + 1;
  ANSWERS(makeTexture(linear, sampling), cudaErrorInvalidValue);
  linear.res.linear.devPtr = device;
  sampling.readMode = cudaReadModeNormalizedFloat;
  ANSWERS(makeTexture(linear, sampling), cudaErrorInvalidNormSetting);
  sampling.readMode = cudaReadModeElementType;
  sampling.filterMode = static_cast<cudaTextureFilterMode>(5);
  ANSWERS(makeTexture(linear, sampling), cudaErrorInvalidValue);
  sampling.filterMode = cudaFilterModePoint;
  sampling.addressMode[0] = static_cast<cudaTextureAddressMode>(9);
  ANSWERS(makeTexture(linear, sampling), cudaErrorInvalidValue);
  sampling.addressMode[0] = cudaAddressModeClamp;
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D = {device, cudaCreateChannelDesc<float>(), 8, 4, 64};
  ANSWERS(makeTexture(pitched, sampling), cudaSuccess);
  pitched.res.pitch2D.pitchInBytes = 40;  // no multiple of texturePitchAlignment
  ANSWERS(makeTexture(pitched, sampling), cudaErrorInvalidValue);
}

static void limitsAndPeers() {
  size_t bytes = 0;
  ANSWERS(cudaDeviceSetLimit(cudaLimitStackSize, 3000), cudaSuccess);
  ANSWERS(cudaDeviceGetLimit(&bytes, cudaLimitStackSize), cudaSuccess);
  CHECK_EQ(bytes, 3008u);
  ANSWERS(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorInvalidValue);
  ANSWERS(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
  ANSWERS(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
  unsigned flags = 0;
  ANSWERS(cudaGetDeviceFlags(&flags), cudaSuccess);
  CHECK_EQ(flags & cudaDeviceMapHost, cudaDeviceMapHost);
  ANSWERS(cudaMemGetInfo(nullptr, &bytes), cudaSuccess);
}

static void pools() {
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  ANSWERS(cudaFreeAsync(nullptr, stream), cudaSuccess);
  cudaMemPoolProps wanted{};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location = {cudaMemLocationTypeDevice, 99};
  cudaMemPool_t pool = nullptr;
  ANSWERS(cudaMemPoolCreate(&pool, &wanted), cudaErrorInvalidValue);
  wanted.location.id = 0;
  ANSWERS(cudaMemPoolCreate(&pool, &wanted), cudaSuccess);
  cudaMemAccessDesc access{wanted.location, cudaMemAccessFlagsProtNone};
  ANSWERS(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice);
  access.flags = cudaMemAccessFlagsProtRead;
  ANSWERS(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorNotSupported);
  access.flags = static_cast<cudaMemAccessFlags>(4);
  ANSWERS(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue);
  access.location.id = 99;
  ANSWERS(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidDevice);
  cudaMemAccessFlags flags;
  ANSWERS(cudaMemPoolGetAccess(&flags, pool, &access.location), cudaErrorInvalidValue);
  CUDA_OK(cudaMemPoolDestroy(pool));
  void *managed = nullptr;
  CUDA_OK(cudaMallocManaged(&managed, 64));
  ANSWERS(cudaStreamAttachMemAsync(nullptr, static_cast<int *>(managed), 0, cudaMemAttachSingle),
          cudaErrorInvalidValue);
  CUDA_OK(cudaFree(managed));
  CUDA_OK(cudaStreamDestroy(stream));
}

static void eventsAndAttributes() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaEventRecord(event, stream));
  ANSWERS(cudaStreamWaitEvent(stream, event, cudaEventWaitExternal), cudaErrorIllegalState);
  ANSWERS(cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal), cudaErrorIllegalState);
  cudaLaunchAttributeValue value{};
  value.syncPolicy = static_cast<cudaSynchronizationPolicy>(9);
  ANSWERS(cudaStreamSetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value), cudaErrorInvalidValue);
  value = {};
  value.accessPolicyWindow.hitRatio = 2;
  ANSWERS(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value), cudaErrorInvalidValue);
  int domains = 0;
  CUDA_OK(cudaDeviceGetAttribute(&domains, cudaDevAttrMemSyncDomainCount, 0));
  value = {};
  value.memSyncDomainMap.remote = static_cast<unsigned char>(domains - 1);
  ANSWERS(cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value), cudaSuccess);
  value.memSyncDomainMap.remote = static_cast<unsigned char>(domains);
  ANSWERS(cudaStreamSetAttribute(stream, cudaLaunchAttributeMemSyncDomainMap, &value), cudaErrorInvalidValue);
  ANSWERS(cudaFuncSetAttribute(inClusters, cudaFuncAttributeRequiredClusterWidth, 4), cudaErrorInvalidValue);
  cudaFuncAttributes attributes{};
  CUDA_OK(cudaFuncGetAttributes(&attributes, inClusters));
  CHECK_EQ(attributes.clusterDimMustBeSet, 1);
  int blocks = -1, threads = -1;
  ANSWERS(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel, 1 << 20, 0), cudaSuccess);
  CHECK_EQ(threads, 0);
  CUDA_OK(cudaEventDestroy(event));
  CUDA_OK(cudaStreamDestroy(stream));
}

static void kernelNodes() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  int *nothing = nullptr;
  void *arguments[] = {&nothing};
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void *>(kernel);
  params.kernelParams = arguments;
  params.gridDim = dim3(0);
  ANSWERS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  params.gridDim = dim3(1);
  params.blockDim = dim3(2000);
  ANSWERS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  params.blockDim = dim3(32);
  params.sharedMemBytes = 100000;
  ANSWERS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params), cudaErrorInvalidValue);
  params.sharedMemBytes = 0;
  ANSWERS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params), cudaSuccess);
  params.gridDim = dim3(0);
  ANSWERS(cudaGraphKernelNodeSetParams(node, &params), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphDestroy(graph));
}

// captured() is what a call answers in a capture, and whether the capture survives it.
template <class Call>
static void captured(Call call, cudaError_t expected, bool survives, int line) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  check::equal(call(stream), expected, "the captured call", __FILE__, line);
  check::equal(cudaStreamEndCapture(stream, &graph), survives ? cudaSuccess : cudaErrorStreamCaptureInvalidated,
               "the end of the capture", __FILE__, line);
  (void)cudaGetLastError();
  if (graph) CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}
#define CAPTURED(call, expected, survives) \
  captured([&]([[maybe_unused]] cudaStream_t s) { return call; }, expected, survives, __LINE__)

static void captures() {
  CAPTURED((kernel<<<1, 2000, 0, s>>>(device), cudaPeekAtLastError()), cudaErrorInvalidValue, false);
  CAPTURED((withDynamicMemory<<<1, 1, 100000, s>>>(), cudaPeekAtLastError()), cudaErrorInvalidValue, false);
  CAPTURED(cudaMemcpyAsync(device, host, 5000, cudaMemcpyHostToDevice, s), cudaErrorInvalidValue, true);
  CAPTURED(cudaFreeAsync(device, s), cudaErrorInvalidValue, true);
  CAPTURED(cudaFreeAsync(nullptr, s), cudaSuccess, true);
  CAPTURED(cudaDeviceSetLimit(cudaLimitStackSize, 2048), cudaErrorStreamCaptureUnsupported, false);
  cudaMemPool_t pool = nullptr;
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CAPTURED(cudaMemPoolTrimTo(pool, 0), cudaErrorStreamCaptureUnsupported, false);
  cudaGraph_t empty = nullptr;
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphCreate(&empty, 0));
  CAPTURED(cudaGraphInstantiate(&executable, empty, 0), cudaErrorStreamCaptureUnsupported, false);
  CUDA_OK(cudaGraphDestroy(empty));
}

int main() {
  CUDA_OK(cudaMalloc(&device, sizeof(host)));
  CUDA_OK(cudaMalloc(&other, sizeof(host)));
  directions();
  shapes();
  hostRegistration();
  extentsOfArrays();
  texturesOfMemory();
  limitsAndPeers();
  pools();
  eventsAndAttributes();
  kernelNodes();
  captures();
  return check::finish();
}
