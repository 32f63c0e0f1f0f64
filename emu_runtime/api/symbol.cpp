// Chapter "symbol": `__device__` and `__constant__` variables, named by their host shadows.
#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/module/registry.h"

namespace hostwarp::api {

namespace {

// Place is a variable on the current device.
struct Place {
  char *start;
  size_t bytes;
};

Expected<Place> placeOf(const void *symbol) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  const int capability = modules::capabilityOf((*context)->device().model());
  auto variable = modules::Registry::process().variable(symbol, capability);
  if (!variable) return cudaErrorInvalidSymbol;
  if (!variable->storage) return cudaErrorNoKernelImageForDevice;
  return Place{variable->address((*context)->device().delta()), variable->storage->bytes};
}

// bytesAt() is the address of `count` bytes at `offset` in the variable.
Expected<char *> bytesAt(const Place &place, size_t count, size_t offset) {
  if (offset > place.bytes || count > place.bytes - offset) {
    return Status(cudaErrorInvalidValue, "the copy goes beyond the end of the variable");
  }
  return place.start + offset;
}

// Copies of nothing look at nothing; else the functions that wait look at the place first, the others at the kind.
enum class Looks { PlaceFirst, KindFirst };

Expected<char *> checkedPart(const void *symbol, size_t count, size_t offset, bool kindFits, Looks order) {
  auto place = placeOf(symbol);
  if (!place.ok()) return place.status();
  if (order == Looks::KindFirst && !kindFits) return cudaErrorInvalidMemcpyDirection;
  auto part = bytesAt(*place, count, offset);
  if (!part.ok()) return part.status();
  return kindFits ? part : cudaErrorInvalidMemcpyDirection;
}

Expected<execution::Copy> toSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                                   cudaMemcpyKind kind, Looks order) {
  if (count == 0) return execution::Copy{};
  auto part = checkedPart(symbol, count, offset, execution::toDevice(kind), order);
  if (!part.ok()) return part.status();
  return execution::linear(*part, src, count, kind);
}

Expected<execution::Copy> fromSymbol(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                     Looks order) {
  if (count == 0) return execution::Copy{};
  auto part = checkedPart(symbol, count, offset, execution::fromDevice(kind), order);
  if (!part.ok()) return part.status();
  return execution::linear(dst, *part, count, kind);
}

}  // namespace

Status cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset, cudaMemcpyKind kind) {
  auto copy = toSymbol(symbol, src, count, offset, kind, Looks::PlaceFirst);
  return copy.ok() ? execution::copyNow(*copy) : copy.status();
}

Status cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
  auto copy = fromSymbol(dst, symbol, count, offset, kind, Looks::PlaceFirst);
  return copy.ok() ? execution::copyNow(*copy) : copy.status();
}

Status cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count, size_t offset, cudaMemcpyKind kind,
                               cudaStream_t stream) {
  auto copy = toSymbol(symbol, src, count, offset, kind, Looks::KindFirst);
  return copy.ok() ? execution::copyInStream(*copy, stream) : copy.status();
}

Status cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  auto copy = fromSymbol(dst, symbol, count, offset, kind, Looks::KindFirst);
  return copy.ok() ? execution::copyInStream(*copy, stream) : copy.status();
}

Status cudaGetSymbolAddress(void **devPtr, const void *symbol) {
  if (!devPtr) return cudaErrorInvalidValue;
  auto place = placeOf(symbol);
  if (!place.ok()) return place.status();
  *devPtr = place->start;
  return {};
}

Status cudaGetSymbolSize(size_t *size, const void *symbol) {
  if (!size) return cudaErrorInvalidValue;
  auto place = placeOf(symbol);
  if (!place.ok()) return place.status();
  *size = place->bytes;
  return {};
}

}  // namespace hostwarp::api
