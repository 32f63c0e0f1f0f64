#include "tests/stress/fuzz/objects.h"

#include <cuda_runtime_api.h>

#include "emu_runtime/driver/declarations.h"
#include "tests/stress/fuzz/call.h"
#include "tests/stress/kernels.h"

namespace hostwarp::stress {

namespace {

constexpr size_t bytes = 64 << 10;

template <typename Handle>
void add(Pools &pools, Handle handle) {
  if (handle) pools.add(handleKind<Handle>(), reinterpret_cast<uint64_t>(handle));
}

void makeMemory(Pools &pools) {
  void *memory = nullptr;
  for (int i = 0; i < 3; ++i)
    if (cudaMalloc(&memory, bytes) == cudaSuccess) pools.addAddress(memory);
  if (cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) == cudaSuccess) pools.addAddress(memory);
  if (cudaHostAlloc(&memory, bytes, cudaHostAllocMapped) == cudaSuccess) pools.addAddress(memory);
  if (cudaMallocAsync(&memory, bytes, nullptr) == cudaSuccess) pools.addAddress(memory);
  // One that is there no more.
  if (cudaMalloc(&memory, bytes) == cudaSuccess) pools.addAddress(memory);
  (void)cudaFree(memory);
  if (cudaMalloc(&memory, 256) == cudaSuccess && cudaMemset(memory, 0, 256) == cudaSuccess)
    pools.setWaitCell(reinterpret_cast<uint64_t>(memory));
}

// Memory made in pieces: addresses, and memory mapped to them.
void makeMapping(Pools &pools) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemGenericAllocationHandle handle = 0;
  CUdeviceptr address = 0;
  constexpr size_t size = 2 << 20;
  if (cuMemCreate(&handle, size, &properties, 0) == CUDA_SUCCESS) pools.add("memory", handle);
  if (cuMemAddressReserve(&address, 2 * size, 0, 0, 0) == CUDA_SUCCESS) pools.add("address", address);
  const CUmemAccessDesc access{properties.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  if (cuMemMap(address, size, 0, handle, 0) == CUDA_SUCCESS) (void)cuMemSetAccess(address, size, &access, 1);
}

void makeStreams(Pools &pools) {
  for (int i = 0; i < 4; ++i) {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    if (cudaStreamCreateWithFlags(&stream, i % 2 ? cudaStreamNonBlocking : 0) == cudaSuccess) add(pools, stream);
    if (cudaEventCreateWithFlags(&event, i == 3 ? cudaEventInterprocess | cudaEventDisableTiming : 0) == cudaSuccess)
      add(pools, event);
    if (i < 2) (void)cudaEventRecord(event, stream);
  }
  cudaStream_t gone = nullptr;
  if (cudaStreamCreate(&gone) == cudaSuccess) add(pools, gone);
  (void)cudaStreamDestroy(gone);
  add(pools, cudaStreamPerThread);
}

void makeTextures(Pools &pools) {
  const cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t mipmapped = nullptr;
  if (cudaMallocArray(&array, &format, 16, 16, cudaArraySurfaceLoadStore) == cudaSuccess) add(pools, array);
  if (cudaMallocMipmappedArray(&mipmapped, &format, {16, 16, 0}, 3, 0) == cudaSuccess) add(pools, mipmapped);
  CUarray driverArray = nullptr;
  CUDA_ARRAY_DESCRIPTOR descriptor{};
  descriptor.Width = 8;
  descriptor.Height = 8;
  descriptor.Format = CU_AD_FORMAT_FLOAT;
  descriptor.NumChannels = 4;
  if (cuArrayCreate(&driverArray, &descriptor) == CUDA_SUCCESS) add(pools, driverArray);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc texture{};
  cudaTextureObject_t object = 0;
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateTextureObject(&object, &resource, &texture, nullptr) == cudaSuccess) pools.add("texture", object);
  if (cudaCreateSurfaceObject(&surface, &resource) == cudaSuccess) pools.add("surface", surface);
}

void makeNodes(Pools &pools, cudaGraph_t graph) {
  cudaGraphNode_t node = nullptr, last = nullptr;
  if (cudaGraphAddEmptyNode(&last, graph, nullptr, 0) == cudaSuccess) add(pools, last);
  static int *target = managedPointer;
  int value = 3;
  void *arguments[] = {static_cast<void *>(&target), &value};
  cudaKernelNodeParams kernel{};
  kernel.func = const_cast<char *>(storeInt);
  kernel.gridDim = kernel.blockDim = dim3(1, 1, 1);
  kernel.kernelParams = arguments;
  if (cudaGraphAddKernelNode(&node, graph, &last, 1, &kernel) == cudaSuccess) add(pools, node);
  cudaMemsetParams fill{};
  fill.dst = managedPointer;
  fill.elementSize = 4;
  fill.width = 1;
  fill.height = 1;
  if (cudaGraphAddMemsetNode(&node, graph, &node, 1, &fill) == cudaSuccess) add(pools, node);
  int *source = managedPointer + 1;
  if (cudaGraphAddMemcpyNode1D(&node, graph, &node, 1, managedPointer, source, 4, cudaMemcpyDefault) == cudaSuccess)
    add(pools, node);
  cudaHostNodeParams host{Callback<cudaHostFn_t>::call, nullptr};
  if (cudaGraphAddHostNode(&node, graph, &node, 1, &host) == cudaSuccess) add(pools, node);
  cudaGraphConditionalHandle handle = 0;
  if (cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault) == cudaSuccess)
    pools.add("conditional", handle);
}

void makeGraphs(Pools &pools) {
  for (int i = 0; i < 3; ++i) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    if (cudaGraphCreate(&graph, 0) != cudaSuccess) return;
    add(pools, graph);
    if (i > 0) makeNodes(pools, graph);
    if (cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess) add(pools, executable);
  }
  cudaUserObject_t object = nullptr;
  if (cudaUserObjectCreate(&object, nullptr, Callback<cudaHostFn_t>::call, 2, cudaUserObjectNoDestructorSync) ==
      cudaSuccess)
    add(pools, object);
}

void makeExecutionContexts(Pools &pools) {
  cudaExecutionContext_t context = nullptr;
  if (cudaDeviceGetExecutionCtx(&context, 0) == cudaSuccess) add(pools, context);
  cudaDevResource resource{};
  cudaDevResourceDesc_t description = nullptr;
  if (cudaDeviceGetDevResource(0, &resource, cudaDevResourceTypeSm) == cudaSuccess &&
      cudaDevResourceGenerateDesc(&description, &resource, 1) == cudaSuccess)
    add(pools, description);
  if (cudaGreenCtxCreate(&context, description, 0, 0) == cudaSuccess) add(pools, context);
  cudaStream_t stream = nullptr;
  if (cudaExecutionCtxStreamCreate(&stream, context, cudaStreamDefault, 0) == cudaSuccess) add(pools, stream);
}

void makeContexts(Pools &pools) {
  CUcontext context = nullptr;
  if (cuCtxGetCurrent(&context) == CUDA_SUCCESS) add(pools, context);
  if (cuCtxCreate_v2(&context, 0, 1) == CUDA_SUCCESS) {
    add(pools, context);
    (void)cuCtxPopCurrent(&context);
  }
  CUdevResource resource{};
  CUdevResourceDesc description = nullptr;
  CUgreenCtx green = nullptr;
  if (cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_SM) == CUDA_SUCCESS &&
      cuDevResourceGenerateDesc(&description, &resource, 1) == CUDA_SUCCESS)
    add(pools, description);
  if (cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM) == CUDA_SUCCESS) add(pools, green);
  cudaMemPool_t pool = nullptr;
  if (cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess) add(pools, pool);
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  if (cudaMemPoolCreate(&pool, &properties) == cudaSuccess) add(pools, pool);
}

void makeFunctions(Pools &pools) {
  for (const char *kernel : {addInts, storeInt}) {
    cudaFunction_t function = nullptr;
    cudaKernel_t handle = nullptr;
    if (cudaGetFuncBySymbol(&function, kernel) == cudaSuccess) add(pools, function);
    if (cudaGetKernel(&handle, kernel) == cudaSuccess) add(pools, handle);
  }
  CUlinkState link = nullptr;
  if (cuLinkCreate(0, nullptr, nullptr, &link) == CUDA_SUCCESS) add(pools, link);
}

// forAll() calls destroy() with every handle in a pool.
template <typename Result, typename Handle>
void forAll(Pools &pools, Result (*destroy)(Handle)) {
  for (uint64_t value : pools.all(handleKind<Handle>()))
    (void)destroy(reinterpret_cast<Handle>(value));  // NOLINT(performance-no-int-to-ptr)
}

template <typename Result, typename Number>
void forAll(Pools &pools, const char *kind, Result (*destroy)(Number)) {
  for (uint64_t value : pools.all(kind)) (void)destroy(static_cast<Number>(value));
}

void endCaptures(Pools &pools) {
  forAll(
      pools, +[](cudaStream_t stream) {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        if (cudaStreamIsCapturing(stream, &status) != cudaSuccess || status == cudaStreamCaptureStatusNone) return 0;
        cudaGraph_t graph = nullptr;
        if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) (void)cudaGraphDestroy(graph);
        return 0;
      });
}

void resetBrokenDevices() {
  for (int device = 0; device < 2; ++device) {
    (void)cudaSetDevice(device);
    // A first failure may have been anybody's.
    (void)cudaDeviceSynchronize();
    if (cudaDeviceSynchronize() != cudaSuccess) (void)cudaDeviceReset();
  }
}

}  // namespace

void populate(Pools &pools) {
  (void)cudaSetDevice(0);
  (void)cudaFree(nullptr);
  makeMemory(pools);
  makeMapping(pools);
  makeStreams(pools);
  makeTextures(pools);
  makeGraphs(pools);
  makeContexts(pools);
  makeExecutionContexts(pools);
  makeFunctions(pools);
}

void tidy(Pools &pools) {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  (void)cudaThreadExchangeStreamCaptureMode(&mode);
  endCaptures(pools);
  CUcontext context = nullptr;
  for (int i = 0; i < 64 && cuCtxPopCurrent(&context) == CUDA_SUCCESS && context; ++i) {
  }
  resetBrokenDevices();
  (void)cudaSetDevice(0);
  (void)cudaGetLastError();
}

void clearAway(Pools &pools) {
  tidy(pools);
  forAll(pools, cudaGraphExecDestroy);
  forAll(pools, cudaGraphDestroy);
  forAll(pools, +[](cudaUserObject_t object) { return cudaUserObjectRelease(object, 1); });
  forAll(pools, cudaStreamDestroy);
  forAll(pools, cudaEventDestroy);
  forAll(pools, "texture", cudaDestroyTextureObject);
  forAll(pools, "surface", cudaDestroySurfaceObject);
  forAll(pools, cudaFreeArray);
  forAll(pools, cudaFreeMipmappedArray);
  forAll(pools, cuArrayDestroy);
  forAll(pools, cuMipmappedArrayDestroy);
  forAll(pools, cuLinkDestroy);
  forAll(pools, cuModuleUnload);
  forAll(pools, cudaLibraryUnload);
  forAll(pools, cuGreenCtxDestroy);
  forAll(pools, cudaExecutionCtxDestroy);
  forAll(pools, cudaMemPoolDestroy);
  for (uint64_t address : pools.all("address")) {
    void *memory = reinterpret_cast<void *>(address);  // NOLINT(performance-no-int-to-ptr)
    (void)cuMemUnmap(address, 2 << 20);
    (void)cuMemAddressFree(address, 4 << 20);
    (void)cudaFree(memory);
    (void)cudaFreeHost(memory);
  }
  for (size_t offset = 0; offset < 1 << 16; offset += 4096) (void)cudaHostUnregister(pools.host() + offset);
  forAll(pools, "memory", cuMemRelease);
  forAll(pools, cuCtxDestroy);
  pools.clear();
  for (int device = 1; device >= 0; --device) {
    (void)cudaSetDevice(device);
    (void)cudaDeviceReset();
  }
}

}  // namespace hostwarp::stress
