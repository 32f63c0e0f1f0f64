// The runtime API's functions that allocate, free, copy, fill and launch.
#include <algorithm>
#include <unordered_map>

#include "emu_runtime/digests/machine.h"
#include "emu_runtime/digests/rows.h"
#include "include/cuda_runtime_api.h"

namespace hostwarp::digests {
namespace {

char *at(const void *base, size_t offset) {
  return base ? static_cast<char *>(const_cast<void *>(base)) + offset : nullptr;
}

Region rows(const void *start, size_t pitch, size_t width, size_t height) { return {start, width, height, pitch}; }

// boxOf() is where a copy of three dimensions writes to; nowhere, where that is an array. Widths count elements where
// an array takes part.
Region boxOf(const cudaPitchedPtr &to, const cudaPos &position, const cudaExtent &extent, cudaArray_const_t from) {
  const size_t element = from ? machine::elementBytes(from) : 1;
  const size_t slice = to.pitch * to.ysize;
  return {at(to.ptr, position.x + position.y * to.pitch + position.z * slice),
          extent.width * element,
          extent.height,
          to.pitch,
          extent.depth,
          slice};
}

constexpr auto launched = [](Turn &turn, const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
  turn.launchedKernel(machine::kernelName(function), {grid, block, shared}, arguments, stream);
};
constexpr auto willFree = [](Turn &turn, void *start, auto...) { turn.releasing(start); };

#define HOSTWARP_DIGESTED(name, before, ...) rowFor(#name, &::name, before, __VA_ARGS__)
#define HOSTWARP_LAUNCHING(name, ...) launchingRowFor(#name, &::name, __VA_ARGS__)

const Row table[] = {
    HOSTWARP_DIGESTED(cudaMalloc, nothing,
                      [](Turn &turn, void **made, size_t bytes) { turn.made(*made, bytes, Side::Device); }),
    HOSTWARP_DIGESTED(cudaMallocManaged, nothing,
                      [](Turn &turn, void **made, size_t bytes, unsigned) { turn.made(*made, bytes, Side::Shared); }),
    HOSTWARP_DIGESTED(cudaMallocPitch, nothing,
                      [](Turn &turn, void **made, size_t *pitch, size_t, size_t height) {
                        turn.made(*made, *pitch * height, Side::Device);
                      }),
    HOSTWARP_DIGESTED(cudaMalloc3D, nothing,
                      [](Turn &turn, cudaPitchedPtr *made, cudaExtent extent) {
                        turn.made(made->ptr, made->pitch * extent.height * extent.depth, Side::Device);
                      }),
    HOSTWARP_DIGESTED(cudaMallocHost, nothing,
                      [](Turn &turn, void **made, size_t bytes) { turn.made(*made, bytes, Side::Shared); }),
    HOSTWARP_DIGESTED(cudaHostAlloc, nothing,
                      [](Turn &turn, void **made, size_t bytes, unsigned) { turn.made(*made, bytes, Side::Shared); }),
    HOSTWARP_DIGESTED(cudaHostRegister, nothing,
                      [](Turn &turn, void *start, size_t bytes, unsigned) { turn.made(start, bytes, Side::Shared); }),
    HOSTWARP_DIGESTED(
        cudaMallocAsync, nothing,
        [](Turn &turn, void **made, size_t bytes, cudaStream_t stream) { turn.madeInStream(*made, bytes, stream); }),
    HOSTWARP_DIGESTED(cudaMallocFromPoolAsync, nothing,
                      [](Turn &turn, void **made, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
                        turn.madeInStream(*made, bytes, stream);
                      }),
    HOSTWARP_DIGESTED(cudaFree, willFree, nothing),
    HOSTWARP_DIGESTED(cudaFreeAsync, willFree, nothing),
    HOSTWARP_DIGESTED(cudaFreeHost, willFree, nothing),
    HOSTWARP_DIGESTED(cudaHostUnregister, willFree, nothing),
    HOSTWARP_DIGESTED(
        cudaDeviceReset, [](Turn &turn) { turn.releasingAll(); }, nothing),

    HOSTWARP_LAUNCHING(cudaLaunchKernel, launched),
    HOSTWARP_LAUNCHING(cudaLaunchCooperativeKernel, launched),
    HOSTWARP_LAUNCHING(cudaLaunchKernelExC,
                       [](Turn &turn, const cudaLaunchConfig_t *config, const void *function, void **arguments) {
                         if (config)
                           launched(turn, function, config->gridDim, config->blockDim, arguments,
                                    config->dynamicSmemBytes, config->stream);
                       }),
    HOSTWARP_LAUNCHING(cudaGraphLaunch,
                       [](Turn &turn, cudaGraphExec_t, cudaStream_t stream) { turn.launchedGraph(stream); }),
    HOSTWARP_DIGESTED(cudaLaunchHostFunc, nothing,
                      [](Turn &turn, cudaStream_t stream, cudaHostFn_t, void *) { turn.waitFor(stream); }),
    HOSTWARP_DIGESTED(
        cudaStreamAddCallback, nothing,
        [](Turn &turn, cudaStream_t stream, cudaStreamCallback_t, void *, unsigned) { turn.waitFor(stream); }),

    HOSTWARP_DIGESTED(
        cudaMemcpy, nothing,
        [](Turn &turn, void *to, const void *, size_t bytes, cudaMemcpyKind) { turn.copied({to, bytes}, nullptr); }),
    HOSTWARP_DIGESTED(cudaMemcpyAsync, nothing,
                      [](Turn &turn, void *to, const void *, size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
                        turn.copied({to, bytes}, stream);
                      }),
    HOSTWARP_DIGESTED(
        cudaMemcpyPeer, nothing,
        [](Turn &turn, void *to, int, const void *, int, size_t bytes) { turn.copied({to, bytes}, nullptr); }),
    HOSTWARP_DIGESTED(cudaMemcpyPeerAsync, nothing,
                      [](Turn &turn, void *to, int, const void *, int, size_t bytes, cudaStream_t stream) {
                        turn.copied({to, bytes}, stream);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpyBatchAsync, nothing,
                      [](Turn &turn, void *const *to, const void *const *, const size_t *bytes, size_t count,
                         cudaMemcpyAttributes *, size_t *, size_t, cudaStream_t stream) {
                        for (size_t i = 0; i < count; ++i) turn.copied({to[i], bytes[i]}, stream);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpy2D, nothing,
                      [](Turn &turn, void *to, size_t pitch, const void *, size_t, size_t width, size_t height,
                         cudaMemcpyKind) { turn.copied(rows(to, pitch, width, height), nullptr); }),
    HOSTWARP_DIGESTED(cudaMemcpy2DAsync, nothing,
                      [](Turn &turn, void *to, size_t pitch, const void *, size_t, size_t width, size_t height,
                         cudaMemcpyKind, cudaStream_t stream) { turn.copied(rows(to, pitch, width, height), stream); }),
    HOSTWARP_DIGESTED(cudaMemcpy3D, nothing,
                      [](Turn &turn, const cudaMemcpy3DParms *p) {
                        if (p) turn.copied(boxOf(p->dstPtr, p->dstPos, p->extent, p->srcArray), nullptr);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpy3DAsync, nothing,
                      [](Turn &turn, const cudaMemcpy3DParms *p, cudaStream_t stream) {
                        if (p) turn.copied(boxOf(p->dstPtr, p->dstPos, p->extent, p->srcArray), stream);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpy3DPeer, nothing,
                      [](Turn &turn, const cudaMemcpy3DPeerParms *p) {
                        if (p) turn.copied(boxOf(p->dstPtr, p->dstPos, p->extent, p->srcArray), nullptr);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpy3DPeerAsync, nothing,
                      [](Turn &turn, const cudaMemcpy3DPeerParms *p, cudaStream_t stream) {
                        if (p) turn.copied(boxOf(p->dstPtr, p->dstPos, p->extent, p->srcArray), stream);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpyToSymbol, nothing,
                      [](Turn &turn, const void *symbol, const void *, size_t bytes, size_t offset, cudaMemcpyKind) {
                        turn.copied({at(machine::addressOf(symbol), offset), bytes}, nullptr);
                      }),
    HOSTWARP_DIGESTED(
        cudaMemcpyToSymbolAsync, nothing,
        [](Turn &turn, const void *symbol, const void *, size_t bytes, size_t offset, cudaMemcpyKind,
           cudaStream_t stream) { turn.copied({at(machine::addressOf(symbol), offset), bytes}, stream); }),
    HOSTWARP_DIGESTED(cudaMemcpyFromSymbol, nothing,
                      [](Turn &turn, void *to, const void *, size_t bytes, size_t, cudaMemcpyKind) {
                        turn.copied({to, bytes}, nullptr);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpyFromSymbolAsync, nothing,
                      [](Turn &turn, void *to, const void *, size_t bytes, size_t, cudaMemcpyKind,
                         cudaStream_t stream) { turn.copied({to, bytes}, stream); }),
    HOSTWARP_DIGESTED(cudaMemcpyFromArray, nothing,
                      [](Turn &turn, void *to, cudaArray_const_t, size_t, size_t, size_t bytes, cudaMemcpyKind) {
                        turn.copied({to, bytes}, nullptr);
                      }),
    HOSTWARP_DIGESTED(cudaMemcpyFromArrayAsync, nothing,
                      [](Turn &turn, void *to, cudaArray_const_t, size_t, size_t, size_t bytes, cudaMemcpyKind,
                         cudaStream_t stream) { turn.copied({to, bytes}, stream); }),
    HOSTWARP_DIGESTED(cudaMemcpy2DFromArray, nothing,
                      [](Turn &turn, void *to, size_t pitch, cudaArray_const_t, size_t, size_t, size_t width,
                         size_t height, cudaMemcpyKind) { turn.copied(rows(to, pitch, width, height), nullptr); }),
    HOSTWARP_DIGESTED(
        cudaMemcpy2DFromArrayAsync, nothing,
        [](Turn &turn, void *to, size_t pitch, cudaArray_const_t, size_t, size_t, size_t width, size_t height,
           cudaMemcpyKind, cudaStream_t stream) { turn.copied(rows(to, pitch, width, height), stream); }),

    HOSTWARP_DIGESTED(cudaMemset, nothing,
                      [](Turn &turn, void *to, int, size_t bytes) { turn.filled({to, bytes}, nullptr); }),
    HOSTWARP_DIGESTED(
        cudaMemsetAsync, nothing,
        [](Turn &turn, void *to, int, size_t bytes, cudaStream_t stream) { turn.filled({to, bytes}, stream); }),
    HOSTWARP_DIGESTED(cudaMemset2D, nothing,
                      [](Turn &turn, void *to, size_t pitch, int, size_t width, size_t height) {
                        turn.filled(rows(to, pitch, width, height), nullptr);
                      }),
    HOSTWARP_DIGESTED(cudaMemset2DAsync, nothing,
                      [](Turn &turn, void *to, size_t pitch, int, size_t width, size_t height, cudaStream_t stream) {
                        turn.filled(rows(to, pitch, width, height), stream);
                      }),
    HOSTWARP_DIGESTED(cudaMemset3D, nothing,
                      [](Turn &turn, cudaPitchedPtr to, int, cudaExtent extent) {
                        turn.filled(boxOf(to, {}, extent, nullptr), nullptr);
                      }),
    HOSTWARP_DIGESTED(cudaMemset3DAsync, nothing,
                      [](Turn &turn, cudaPitchedPtr to, int, cudaExtent extent, cudaStream_t stream) {
                        turn.filled(boxOf(to, {}, extent, nullptr), stream);
                      }),
};

}  // namespace

std::span<const Row> runtimeRows() { return table; }

const Row *rowOf(std::string_view name) {
  static const auto *const rows = [] {
    auto *all = new std::unordered_map<std::string_view, const Row *>;
    for (const auto part : {runtimeRows(), driverRows()})
      for (const Row &row : part) all->emplace(row.name, &row);
    return all;
  }();
  for (const std::string_view variant : {"_ptsz", "_ptds"})
    if (name.ends_with(variant)) name.remove_suffix(variant.size());
  const auto found = rows->find(name);
  return found == rows->end() ? nullptr : found->second;
}

}  // namespace hostwarp::digests
