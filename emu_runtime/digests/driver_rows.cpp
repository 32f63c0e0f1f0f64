// The driver API's functions that allocate, free, copy, fill and launch.
#include "emu_runtime/digests/machine.h"
#include "emu_runtime/digests/rows.h"
#include "emu_runtime/driver/declarations.h"

namespace hostwarp::digests {
namespace {

void *pointer(CUdeviceptr address) { return reinterpret_cast<void *>(address); }

Region bytes(CUdeviceptr to, size_t count) { return {pointer(to), count}; }
Region rows(CUdeviceptr to, size_t pitch, size_t width, size_t height) { return {pointer(to), width, height, pitch}; }

// targetOf() is where a copy's rows begin; null: in an array.
template <typename Description>
char *targetOf(const Description &copy) {
  if (copy.dstMemoryType == CU_MEMORYTYPE_HOST) return static_cast<char *>(copy.dstHost);
  if (copy.dstMemoryType == CU_MEMORYTYPE_ARRAY) return nullptr;
  return static_cast<char *>(pointer(copy.dstDevice));
}

void copied(Turn &turn, const CUDA_MEMCPY2D *copy, CUstream stream) {
  char *const start = copy ? targetOf(*copy) : nullptr;
  if (!start) return;
  const size_t pitch = copy->dstPitch ? copy->dstPitch : copy->WidthInBytes;
  turn.copied({start + copy->dstXInBytes + copy->dstY * pitch, copy->WidthInBytes, copy->Height, pitch}, stream);
}

template <typename Description>
void copiedBox(Turn &turn, const Description *copy, CUstream stream) {
  char *const start = copy ? targetOf(*copy) : nullptr;
  if (!start) return;
  const size_t pitch = copy->dstPitch ? copy->dstPitch : copy->WidthInBytes;
  const size_t slice = pitch * (copy->dstHeight ? copy->dstHeight : copy->Height);
  turn.copied({start + copy->dstXInBytes + copy->dstY * pitch + copy->dstZ * slice, copy->WidthInBytes, copy->Height,
               pitch, copy->Depth, slice},
              stream);
}

// What is launched with its arguments in one buffer has no addresses to name memory by.
void launched(Turn &turn, CUfunction function, const Shape &shape, void **arguments, CUstream stream) {
  turn.launchedKernel(turn.failed() ? "a kernel" : machine::functionName(function), shape, arguments, stream);
}

constexpr auto willFree = [](Turn &turn, CUdeviceptr start, auto...) { turn.releasing(pointer(start)); };
constexpr auto willFreeHost = [](Turn &turn, void *start) { turn.releasing(start); };
constexpr auto made = [](Turn &turn, CUdeviceptr *made, size_t count) {
  turn.made(pointer(*made), count, Side::Device);
};

#define HOSTWARP_DIGESTED(name, before, ...) rowFor(#name, &::name, before, __VA_ARGS__)
#define HOSTWARP_LAUNCHING(name, ...) launchingRowFor(#name, &::name, __VA_ARGS__)

const Row table[] = {
    HOSTWARP_DIGESTED(cuMemAlloc_v2, nothing, made),
    HOSTWARP_DIGESTED(cuMemAllocPitch_v2, nothing,
                      [](Turn &turn, CUdeviceptr *made, size_t *pitch, size_t, size_t height, unsigned) {
                        turn.made(pointer(*made), *pitch * height, Side::Device);
                      }),
    HOSTWARP_DIGESTED(
        cuMemAllocManaged, nothing,
        [](Turn &turn, CUdeviceptr *made, size_t count, unsigned) { turn.made(pointer(*made), count, Side::Shared); }),
    HOSTWARP_DIGESTED(cuMemAllocHost_v2, nothing,
                      [](Turn &turn, void **made, size_t count) { turn.made(*made, count, Side::Shared); }),
    HOSTWARP_DIGESTED(cuMemHostAlloc, nothing,
                      [](Turn &turn, void **made, size_t count, unsigned) { turn.made(*made, count, Side::Shared); }),
    HOSTWARP_DIGESTED(cuMemHostRegister_v2, nothing,
                      [](Turn &turn, void *start, size_t count, unsigned) { turn.made(start, count, Side::Shared); }),
    HOSTWARP_DIGESTED(cuMemAllocAsync, nothing,
                      [](Turn &turn, CUdeviceptr *made, size_t count, CUstream stream) {
                        turn.madeInStream(pointer(*made), count, stream);
                      }),
    HOSTWARP_DIGESTED(cuMemAllocFromPoolAsync, nothing,
                      [](Turn &turn, CUdeviceptr *made, size_t count, CUmemoryPool, CUstream stream) {
                        turn.madeInStream(pointer(*made), count, stream);
                      }),
    HOSTWARP_DIGESTED(cuMemSetAccess, nothing,
                      [](Turn &turn, CUdeviceptr start, size_t count, const CUmemAccessDesc *access, size_t) {
                        if (access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
                          turn.madeReachable(pointer(start), count);
                      }),
    HOSTWARP_DIGESTED(cuMemUnmap, willFree, nothing),
    HOSTWARP_DIGESTED(cuMemFree_v2, willFree, nothing),
    HOSTWARP_DIGESTED(cuMemFreeAsync, willFree, nothing),
    HOSTWARP_DIGESTED(cuMemFreeHost, willFreeHost, nothing),
    HOSTWARP_DIGESTED(cuMemHostUnregister, willFreeHost, nothing),
    HOSTWARP_DIGESTED(
        cuDevicePrimaryCtxReset_v2, [](Turn &turn, CUdevice) { turn.releasingAll(); }, nothing),

    HOSTWARP_LAUNCHING(
        cuLaunchKernel,
        [](Turn &turn, CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
           unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **arguments, void **) {
          launched(turn, function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared}, arguments, stream);
        }),
    HOSTWARP_LAUNCHING(
        cuLaunchCooperativeKernel,
        [](Turn &turn, CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
           unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **arguments) {
          launched(turn, function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared}, arguments, stream);
        }),
    HOSTWARP_LAUNCHING(cuLaunchKernelEx,
                       [](Turn &turn, const CUlaunchConfig *c, CUfunction function, void **arguments, void **) {
                         if (c)
                           launched(turn, function,
                                    {{c->gridDimX, c->gridDimY, c->gridDimZ},
                                     {c->blockDimX, c->blockDimY, c->blockDimZ},
                                     c->sharedMemBytes},
                                    arguments, c->hStream);
                       }),
    HOSTWARP_LAUNCHING(cuGraphLaunch, [](Turn &turn, CUgraphExec, CUstream stream) { turn.launchedGraph(stream); }),
    HOSTWARP_DIGESTED(cuLaunchHostFunc, nothing,
                      [](Turn &turn, CUstream stream, CUhostFn, void *) { turn.waitFor(stream); }),
    HOSTWARP_DIGESTED(cuStreamAddCallback, nothing,
                      [](Turn &turn, CUstream stream, CUstreamCallback, void *, unsigned) { turn.waitFor(stream); }),

    HOSTWARP_DIGESTED(
        cuMemcpy, nothing,
        [](Turn &turn, CUdeviceptr to, CUdeviceptr, size_t count) { turn.copied(bytes(to, count), nullptr); }),
    HOSTWARP_DIGESTED(cuMemcpyAsync, nothing,
                      [](Turn &turn, CUdeviceptr to, CUdeviceptr, size_t count, CUstream stream) {
                        turn.copied(bytes(to, count), stream);
                      }),
    HOSTWARP_DIGESTED(cuMemcpyPeer, nothing,
                      [](Turn &turn, CUdeviceptr to, CUcontext, CUdeviceptr, CUcontext, size_t count) {
                        turn.copied(bytes(to, count), nullptr);
                      }),
    HOSTWARP_DIGESTED(cuMemcpyPeerAsync, nothing,
                      [](Turn &turn, CUdeviceptr to, CUcontext, CUdeviceptr, CUcontext, size_t count, CUstream stream) {
                        turn.copied(bytes(to, count), stream);
                      }),
    HOSTWARP_DIGESTED(
        cuMemcpyHtoD_v2, nothing,
        [](Turn &turn, CUdeviceptr to, const void *, size_t count) { turn.copied(bytes(to, count), nullptr); }),
    HOSTWARP_DIGESTED(cuMemcpyHtoDAsync_v2, nothing,
                      [](Turn &turn, CUdeviceptr to, const void *, size_t count, CUstream stream) {
                        turn.copied(bytes(to, count), stream);
                      }),
    HOSTWARP_DIGESTED(
        cuMemcpyDtoD_v2, nothing,
        [](Turn &turn, CUdeviceptr to, CUdeviceptr, size_t count) { turn.copied(bytes(to, count), nullptr); }),
    HOSTWARP_DIGESTED(cuMemcpyDtoDAsync_v2, nothing,
                      [](Turn &turn, CUdeviceptr to, CUdeviceptr, size_t count, CUstream stream) {
                        turn.copied(bytes(to, count), stream);
                      }),
    HOSTWARP_DIGESTED(cuMemcpyDtoH_v2, nothing,
                      [](Turn &turn, void *to, CUdeviceptr, size_t count) { turn.copied({to, count}, nullptr); }),
    HOSTWARP_DIGESTED(
        cuMemcpyDtoHAsync_v2, nothing,
        [](Turn &turn, void *to, CUdeviceptr, size_t count, CUstream stream) { turn.copied({to, count}, stream); }),
    HOSTWARP_DIGESTED(cuMemcpyAtoH_v2, nothing,
                      [](Turn &turn, void *to, CUarray, size_t, size_t count) { turn.copied({to, count}, nullptr); }),
    HOSTWARP_DIGESTED(
        cuMemcpyAtoHAsync_v2, nothing,
        [](Turn &turn, void *to, CUarray, size_t, size_t count, CUstream stream) { turn.copied({to, count}, stream); }),
    HOSTWARP_DIGESTED(
        cuMemcpyAtoD_v2, nothing,
        [](Turn &turn, CUdeviceptr to, CUarray, size_t, size_t count) { turn.copied(bytes(to, count), nullptr); }),
    HOSTWARP_DIGESTED(cuMemcpy2D_v2, nothing,
                      [](Turn &turn, const CUDA_MEMCPY2D *copy) { copied(turn, copy, nullptr); }),
    HOSTWARP_DIGESTED(cuMemcpy2DUnaligned_v2, nothing,
                      [](Turn &turn, const CUDA_MEMCPY2D *copy) { copied(turn, copy, nullptr); }),
    HOSTWARP_DIGESTED(cuMemcpy2DAsync_v2, nothing,
                      [](Turn &turn, const CUDA_MEMCPY2D *copy, CUstream stream) { copied(turn, copy, stream); }),
    HOSTWARP_DIGESTED(cuMemcpy3D_v2, nothing,
                      [](Turn &turn, const CUDA_MEMCPY3D *copy) { copiedBox(turn, copy, nullptr); }),
    HOSTWARP_DIGESTED(cuMemcpy3DAsync_v2, nothing,
                      [](Turn &turn, const CUDA_MEMCPY3D *copy, CUstream stream) { copiedBox(turn, copy, stream); }),

    HOSTWARP_DIGESTED(
        cuMemsetD8_v2, nothing,
        [](Turn &turn, CUdeviceptr to, unsigned char, size_t count) { turn.filled(bytes(to, count), nullptr); }),
    HOSTWARP_DIGESTED(
        cuMemsetD16_v2, nothing,
        [](Turn &turn, CUdeviceptr to, unsigned short, size_t count) { turn.filled(bytes(to, 2 * count), nullptr); }),
    HOSTWARP_DIGESTED(
        cuMemsetD32_v2, nothing,
        [](Turn &turn, CUdeviceptr to, unsigned, size_t count) { turn.filled(bytes(to, 4 * count), nullptr); }),
    HOSTWARP_DIGESTED(cuMemsetD8Async, nothing,
                      [](Turn &turn, CUdeviceptr to, unsigned char, size_t count, CUstream stream) {
                        turn.filled(bytes(to, count), stream);
                      }),
    HOSTWARP_DIGESTED(cuMemsetD16Async, nothing,
                      [](Turn &turn, CUdeviceptr to, unsigned short, size_t count, CUstream stream) {
                        turn.filled(bytes(to, 2 * count), stream);
                      }),
    HOSTWARP_DIGESTED(cuMemsetD32Async, nothing,
                      [](Turn &turn, CUdeviceptr to, unsigned, size_t count, CUstream stream) {
                        turn.filled(bytes(to, 4 * count), stream);
                      }),
    HOSTWARP_DIGESTED(cuMemsetD2D8_v2, nothing,
                      [](Turn &turn, CUdeviceptr to, size_t pitch, unsigned char, size_t width, size_t height) {
                        turn.filled(rows(to, pitch, width, height), nullptr);
                      }),
    HOSTWARP_DIGESTED(cuMemsetD2D32_v2, nothing,
                      [](Turn &turn, CUdeviceptr to, size_t pitch, unsigned, size_t width, size_t height) {
                        turn.filled(rows(to, pitch, 4 * width, height), nullptr);
                      }),
};

}  // namespace

std::span<const Row> driverRows() { return table; }

}  // namespace hostwarp::digests
