// Many copies or prefetches in one call. The operations of a batch have no order between them; here they keep theirs.
#include <algorithm>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/box_copy.h"
#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/stream/operation.h"
#include "emu_runtime/texture/array.h"

namespace hostwarp::api {

namespace {

// Assignment says which of a batch's shared attributes belongs to which operation: attribute i to those from
// first[i] to before first[i + 1].
struct Assignment {
  const size_t *first;
  size_t count;

  Status check(size_t operations) const {
    if (count == 0 || !first || count > operations || first[0] != 0) return cudaErrorInvalidValue;
    const bool ascending = std::is_sorted(first, first + count) && first[count - 1] < operations &&
                           std::adjacent_find(first, first + count) == first + count;
    return ascending ? Status() : Status(cudaErrorInvalidValue);
  }
  size_t of(size_t operation) const {
    return static_cast<size_t>(std::upper_bound(first, first + count, operation) - first) - 1;
  }
};

bool isLegacy(cudaStream_t stream) {
  return stream == cudaStreamLegacy || (stream == nullptr && !defaultStreamIsPerThread());
}

// A batch of copies cannot be captured; trying leaves the capture as it is.
Status refuseCapturing(cudaStream_t stream) {
  auto ref = device::streamOf(stream, device::InCapture::Ignore);
  if (!ref.ok()) return ref.status();
  return graph::capturing(*ref) ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

// Flags and hints of where the memory is are of no use here, but have to make sense.
Status checkFlags(unsigned flags) {
  return flags == cudaMemcpyFlagDefault || flags == cudaMemcpyFlagPreferOverlapWithCompute ? cudaSuccess
                                                                                           : cudaErrorInvalidValue;
}

Status checkHint(const cudaMemLocation &hint) {
  if (hint.type < cudaMemLocationTypeInvalid || hint.type > cudaMemLocationTypeHostNumaCurrent)
    return cudaErrorInvalidValue;
  const bool isThere = hint.type != cudaMemLocationTypeDevice || device::find(hint.id).ok();
  return isThere ? cudaSuccess : cudaErrorInvalidValue;
}

Status checkAttributes(const cudaMemcpyAttributes &attributes) {
  HOSTWARP_TRY(checkFlags(attributes.flags));
  HOSTWARP_TRY(checkHint(attributes.srcLocHint));
  return checkHint(attributes.dstLocHint);
}

// copyOne() enqueues one copy of a batch and keeps the promise about when its source is read.
Status copyOne(const execution::Copy &copy, cudaMemcpySrcAccessOrder order, cudaStream_t stream) {
  if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny) return cudaErrorInvalidValue;
  HOSTWARP_TRY(execution::copyInStream(copy, stream));
  return order == cudaMemcpySrcAccessOrderDuringApiCall ? api::cudaStreamSynchronize(stream) : Status();
}

// place() writes one side of a three-dimensional copy into the structure for a single one.
Status place(const cudaMemcpy3DOperand &operand, const cudaExtent &extent, cudaArray_t &array, cudaPitchedPtr &memory,
             cudaPos &position, size_t elementBytes) {
  if (operand.type == cudaMemcpyOperandTypeArray) {
    array = operand.op.array.array;
    position = {operand.op.array.offset.x, operand.op.array.offset.y, operand.op.array.offset.z};
    return {};
  }
  if (operand.type != cudaMemcpyOperandTypePointer) return cudaErrorInvalidValue;
  const size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
  const size_t rows = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
  if (row < extent.width || rows < extent.height) return cudaErrorInvalidValue;
  memory = {operand.op.ptr.ptr, row * elementBytes, row, rows};
  return {};
}

size_t elementBytes(const cudaMemcpy3DOperand &operand) {
  if (operand.type != cudaMemcpyOperandTypeArray) return 1;
  auto array = texture::findArray(operand.op.array.array);
  return array ? array->image().format.bytes() : 1;
}

Expected<execution::Copy> copyOf(const cudaMemcpy3DBatchOp &op) {
  HOSTWARP_TRY(checkFlags(op.flags));
  if (op.extent.width == 0 || op.extent.height == 0 || op.extent.depth == 0) return cudaErrorInvalidValue;
  const size_t element = std::max(elementBytes(op.src), elementBytes(op.dst));
  cudaMemcpy3DParms params{};
  params.extent = op.extent;
  params.kind = cudaMemcpyDefault;
  HOSTWARP_TRY(place(op.src, op.extent, params.srcArray, params.srcPtr, params.srcPos, element));
  HOSTWARP_TRY(place(op.dst, op.extent, params.dstArray, params.dstPtr, params.dstPos, element));
  return execution::boxCopy(params);
}

Status checkManaged(void *const *dptrs, const size_t *sizes, size_t count) {
  if (!dptrs || !sizes || count == 0) return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    auto allocation = memory::AllocationTable::process().find(dptrs[i]);
    const auto start = reinterpret_cast<uintptr_t>(dptrs[i]);
    if (!allocation || !allocation->managed() || sizes[i] == 0) return cudaErrorInvalidValue;
    if (sizes[i] > allocation->bytes - (start - allocation->start)) return cudaErrorInvalidValue;
  }
  return {};
}

}  // namespace

Status cudaMemcpyBatchAsync(void *const *dsts, const void *const *srcs, const size_t *sizes, size_t count,
                            cudaMemcpyAttributes *attrs, size_t *attrsIdxs, size_t numAttrs, cudaStream_t stream) {
  if (!dsts || !srcs || !sizes || !attrs || count == 0 || isLegacy(stream)) return cudaErrorInvalidValue;
  HOSTWARP_TRY(refuseCapturing(stream));
  const Assignment assignment{attrsIdxs, numAttrs};
  HOSTWARP_TRY(assignment.check(count));
  for (size_t i = 0; i < numAttrs; ++i) HOSTWARP_TRY(checkAttributes(attrs[i]));
  for (size_t i = 0; i < count; ++i) {
    if (sizes[i] == 0) return cudaErrorInvalidValue;
    const execution::Copy copy = execution::linear(dsts[i], srcs[i], sizes[i], cudaMemcpyDefault);
    HOSTWARP_TRY(copyOne(copy, attrs[assignment.of(i)].srcAccessOrder, stream));
  }
  return {};
}

Status cudaMemcpy3DBatchAsync(size_t numOps, cudaMemcpy3DBatchOp *opList, unsigned long long flags,
                              cudaStream_t stream) {
  if (!opList || numOps == 0 || flags || isLegacy(stream)) return cudaErrorInvalidValue;
  HOSTWARP_TRY(refuseCapturing(stream));
  for (size_t i = 0; i < numOps; ++i) {
    auto copy = copyOf(opList[i]);
    if (!copy.ok()) return copy.status();
    HOSTWARP_TRY(copyOne(*copy, opList[i].srcAccessOrder, stream));
  }
  return {};
}

Status cudaMemPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, cudaMemLocation *prefetchLocs,
                                 size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                 cudaStream_t stream) {
  if (flags || !prefetchLocs || isLegacy(stream)) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkManaged(dptrs, sizes, count));
  const Assignment assignment{prefetchLocIdxs, numPrefetchLocs};
  HOSTWARP_TRY(assignment.check(count));
  for (size_t i = 0; i < count; ++i) {
    HOSTWARP_TRY(api::cudaMemPrefetchAsync(dptrs[i], sizes[i], prefetchLocs[assignment.of(i)], 0, stream));
  }
  return {};
}

// Discarding allows the contents to be lost; nothing is gained by losing them here.
Status cudaMemDiscardBatchAsync(void **dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                cudaStream_t stream) {
  if (flags || isLegacy(stream)) return cudaErrorInvalidValue;
  HOSTWARP_TRY(checkManaged(dptrs, sizes, count));
  auto ref = device::streamOf(stream);
  if (!ref.ok()) return ref.status();
  ref->enqueue(std::make_shared<stream::Marker>(ref->context->state()));
  return {};
}

Status cudaMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, cudaMemLocation *prefetchLocs,
                                           size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                           cudaStream_t stream) {
  return api::cudaMemPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags,
                                        stream);
}

}  // namespace hostwarp::api
