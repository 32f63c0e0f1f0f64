// options: -lcuda -lnvrtc
// Without a current context, objects can be waited for and destroyed: they know where they belong, and what is done in
// a stream is done in its context. Nothing else can be made.
#include <cstring>

#include "../jit.h"

namespace {

CUcontext context = nullptr;

struct Objects {
  CUdeviceptr memory = 0;
  void *host = nullptr;
  CUevent event = nullptr;
  CUstream stream = nullptr;
  CUmodule module = nullptr;
  CUarray array = nullptr;
  CUgraph graph = nullptr;

  Objects() {
    CU(cuMemAlloc(&memory, 4096));
    CU(cuMemAllocHost(&host, 4096));
    CU(cuEventCreate(&event, CU_EVENT_DEFAULT));
    CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    const std::string ptx = jit::ptxOf(jit::compiled("extern \"C\" __global__ void nothing() {}"));
    CU(cuModuleLoadData(&module, ptx.c_str()));
    CUDA_ARRAY_DESCRIPTOR rows = {};
    rows.Width = rows.Height = 64;
    rows.Format = CU_AD_FORMAT_FLOAT;
    rows.NumChannels = 1;
    CU(cuArrayCreate(&array, &rows));
    CU(cuGraphCreate(&graph, 0));
  }
};

// There is still no context, and the one from before is well.
void stillNone() {
  CUcontext current = context;
  CU(cuCtxGetCurrent(&current));
  CHECK(current == nullptr);
  CU(cuCtxSetCurrent(context));
  CU(cuCtxSynchronize());
  CU(cuCtxSetCurrent(nullptr));
}

void destroyed() {
  const Objects objects;
  CU(cuMemsetD8Async(objects.memory, 7, 4096, objects.stream));
  CU(cuCtxSetCurrent(nullptr));
  CHECK_EQ(cuStreamSynchronize(objects.stream), CUDA_SUCCESS);
  CHECK_EQ(cuMemFree(objects.memory), CUDA_SUCCESS);
  CHECK_EQ(cuMemFreeHost(objects.host), CUDA_SUCCESS);
  CHECK_EQ(cuEventDestroy(objects.event), CUDA_SUCCESS);
  CHECK_EQ(cuStreamDestroy(objects.stream), CUDA_SUCCESS);
  CHECK_EQ(cuModuleUnload(objects.module), CUDA_SUCCESS);
  CHECK_EQ(cuArrayDestroy(objects.array), CUDA_SUCCESS);
  CHECK_EQ(cuGraphDestroy(objects.graph), CUDA_SUCCESS);
  stillNone();
  CHECK_EQ(cuMemFree(objects.memory), CUDA_ERROR_INVALID_VALUE);
  CU(cuCtxSetCurrent(context));
}

// What is done in a stream of a context.
void inStreams() {
  const Objects objects;
  CU(cuCtxSetCurrent(nullptr));
  const CUstream stream = objects.stream;
  CUdeviceptr memory = 0;
  unsigned flags = 0;
  int priority = 1;
  char bytes[16] = {};
  CHECK_EQ(cuStreamGetPriority(stream, &priority), CUDA_SUCCESS);
  CHECK_EQ(cuStreamGetFlags(stream, &flags), CUDA_SUCCESS);
  CHECK_EQ(flags, unsigned{CU_STREAM_NON_BLOCKING});
  CHECK_EQ(cuMemsetD8Async(objects.memory, 5, 4096, stream), CUDA_SUCCESS);
  CHECK_EQ(cuMemcpyDtoDAsync(objects.memory + 64, objects.memory, 16, stream), CUDA_SUCCESS);
  CHECK_EQ(cuMemcpyDtoHAsync(bytes, objects.memory + 64, 16, stream), CUDA_SUCCESS);
  CHECK_EQ(cuMemcpyHtoDAsync(objects.memory, bytes, 16, stream), CUDA_SUCCESS);
  CHECK_EQ(cuMemAllocAsync(&memory, 64, stream), CUDA_SUCCESS);
  CHECK_EQ(cuMemcpyAsync(memory, objects.memory, 16, stream), CUDA_SUCCESS);
  CHECK_EQ(cuMemFreeAsync(memory, stream), CUDA_SUCCESS);
  CHECK_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  CHECK_EQ(bytes[15], 5);
  CHECK_EQ(cuMemcpyDtoHAsync(bytes, objects.memory, 16, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  stillNone();
  CU(cuCtxSetCurrent(context));
}

// What asks of an object, or is the thread's own.
void asked() {
  const Objects objects;
  alignas(4096) static char pages[4096];
  CU(cuMemHostRegister(pages, sizeof pages, 0));
  CU(cuCtxSetCurrent(nullptr));
  unsigned long long id = 0;
  unsigned version = 0;
  unsigned yes = 1;
  CUdeviceptr address = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  CHECK_EQ(cuCtxGetId(context, &id), CUDA_SUCCESS);
  CHECK_EQ(cuCtxGetApiVersion(context, &version), CUDA_SUCCESS);
  CHECK_EQ(cuCtxGetApiVersion(nullptr, &version), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuThreadExchangeStreamCaptureMode(&mode), CUDA_SUCCESS);
  CHECK_EQ(cuPointerSetAttribute(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, objects.memory), CUDA_SUCCESS);
  CHECK_EQ(cuPointerGetAttribute(&address, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CUdeviceptr(objects.host)),
           CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuMemHostUnregister(pages), CUDA_SUCCESS);
  stillNone();
  CU(cuCtxSetCurrent(context));
}

void refused() {
  const Objects objects;
  CU(cuCtxSetCurrent(nullptr));
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  CUevent event = nullptr;
  size_t free = 0, total = 0;
  char bytes[16] = {};
  CHECK_EQ(cuMemAlloc(&memory, 64), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuMemGetInfo(&free, &total), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuMemcpyHtoD(objects.memory, bytes, sizeof bytes), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuEventCreate(&event, 0), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuStreamQuery(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  stillNone();
  CU(cuCtxSetCurrent(context));
  CU(cuMemFree(objects.memory));
}

// A context that was reset stays current, or can be made so again, but is dead until it is retained again.
void reset() {
  const Objects objects;
  CU(cuDevicePrimaryCtxReset(0));
  CUdeviceptr memory = 0;
  CU(cuCtxSetCurrent(nullptr));
  CHECK_EQ(cuMemFree(objects.memory), CUDA_ERROR_INVALID_VALUE);
  CU(cuCtxPushCurrent(context));
  CHECK_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  unsigned flags = 0;
  unsigned long long id = 0;
  CUdevice device = 7;
  CHECK_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
  CHECK_EQ(device, 0);
  CHECK_EQ(cuCtxGetFlags(&flags), CUDA_SUCCESS);
  CHECK_EQ(cuCtxGetId(context, &id), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQ(cuCtxGetApiVersion(nullptr, &flags), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQ(cuCtxGetApiVersion(context, &flags), CUDA_ERROR_INVALID_CONTEXT);
  CHECK_EQ(cuMemAlloc(&memory, 64), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  CHECK_EQ(cuMemFree(objects.memory), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  // 201 or 0: GPUs were seen to give either.
  const CUresult released = cuDevicePrimaryCtxRelease(0);
  CHECK(released == CUDA_ERROR_INVALID_CONTEXT || released == CUDA_SUCCESS);
  CUcontext again = nullptr;
  CU(cuDevicePrimaryCtxRetain(&again, 0));
  CU(cuCtxSetCurrent(again));
  CU(cuMemAlloc(&memory, 64));
  CU(cuMemFree(memory));
  CU(cuCtxSynchronize());
}

}  // namespace

int main() {
  CU(cuInit(0));
  CU(cuDevicePrimaryCtxRetain(&context, 0));
  CU(cuCtxSetCurrent(context));
  destroyed();
  inStreams();
  asked();
  refused();
  reset();
  return check::finish();
}
