// Batches of copies, prefetches and discards of the driver API: the runtime's, whose structures are the same.
#include <cstddef>

#include "emu_runtime/driver/convert.h"

namespace hostwarp::driver_api {

namespace {

static_assert(offsetof(CUmemcpyAttributes, dstLocHint) == offsetof(cudaMemcpyAttributes, dstLocHint));
static_assert(offsetof(CUDA_MEMCPY3D_BATCH_OP, extent) == offsetof(cudaMemcpy3DBatchOp, extent));
static_assert(offsetof(CUmemcpy3DOperand, op) == offsetof(cudaMemcpy3DOperand, op));

// withIndex() gives the older forms what they promise beside the error: which operation was at fault, or that none can
// be named.
Status withIndex(size_t *failIdx, Status status) {
  if (failIdx && !status.ok()) *failIdx = static_cast<size_t>(-1);
  return status;
}

}  // namespace

Status cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count,
                             CUmemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, CUstream hStream) {
  return api::cudaMemcpyBatchAsync(at(dsts), at(srcs), sizes, count, as<cudaMemcpyAttributes>(attrs), attrsIdxs,
                                   numAttrs, hStream);
}
Status cuMemcpyBatchAsync(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes, size_t count, CUmemcpyAttributes *attrs,
                          size_t *attrsIdxs, size_t numAttrs, size_t *failIdx, CUstream hStream) {
  return withIndex(failIdx,
                   driver_api::cuMemcpyBatchAsync_v2(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream));
}
Status cuMemcpy3DBatchAsync_v2(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, unsigned long long flags,
                               CUstream hStream) {
  return api::cudaMemcpy3DBatchAsync(numOps, as<cudaMemcpy3DBatchOp>(opList), flags, hStream);
}
Status cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP *opList, size_t *failIdx, unsigned long long flags,
                            CUstream hStream) {
  return withIndex(failIdx, driver_api::cuMemcpy3DBatchAsync_v2(numOps, opList, flags, hStream));
}
Status cuMemPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                               size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                               CUstream hStream) {
  return api::cudaMemPrefetchBatchAsync(at(dptrs), sizes, count, as<cudaMemLocation>(prefetchLocs), prefetchLocIdxs,
                                        numPrefetchLocs, flags, hStream);
}
Status cuMemDiscardBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                              CUstream hStream) {
  return api::cudaMemDiscardBatchAsync(at(dptrs), sizes, count, flags, hStream);
}
Status cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr *dptrs, size_t *sizes, size_t count, CUmemLocation *prefetchLocs,
                                         size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                         CUstream hStream) {
  return api::cudaMemDiscardAndPrefetchBatchAsync(at(dptrs), sizes, count, as<cudaMemLocation>(prefetchLocs),
                                                  prefetchLocIdxs, numPrefetchLocs, flags, hStream);
}

}  // namespace hostwarp::driver_api
