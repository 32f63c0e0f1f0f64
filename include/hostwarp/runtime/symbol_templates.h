// Copies to and from module variables, named by the variable itself. Included by cuda_runtime.h.
#ifndef HOSTWARP_RUNTIME_SYMBOL_TEMPLATES_H
#define HOSTWARP_RUNTIME_SYMBOL_TEMPLATES_H

#include "../../cuda_runtime_api.h"

#define HOSTWARP_SYMBOL \
  template <class T>    \
  static __inline__ __host__ cudaError_t

#if defined(__CUDA__) && defined(__clang__)

namespace hostwarp {
// symbolHandle() is the address by which the C API knows a variable: that of its host shadow.
template <class T>
__inline__ __host__ const void *symbolHandle(const T &symbol) {
  return (const void *)__builtin_addressof(const_cast<T &>(symbol));
}
}  // namespace hostwarp

HOSTWARP_SYMBOL cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  return cudaGetSymbolAddress(devPtr, hostwarp::symbolHandle(symbol));
}
HOSTWARP_SYMBOL cudaGetSymbolSize(size_t *size, const T &symbol) {
  return cudaGetSymbolSize(size, hostwarp::symbolHandle(symbol));
}
HOSTWARP_SYMBOL cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(hostwarp::symbolHandle(symbol), src, count, offset, kind);
}
HOSTWARP_SYMBOL cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(dst, hostwarp::symbolHandle(symbol), count, offset, kind);
}
HOSTWARP_SYMBOL cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(hostwarp::symbolHandle(symbol), src, count, offset, kind, stream);
}
HOSTWARP_SYMBOL cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(dst, hostwarp::symbolHandle(symbol), count, offset, kind, stream);
}

#else

// In plain C++ a module variable is an ordinary one, the same for host and kernels.
namespace hostwarp {
template <class T>
__inline__ char *symbolBytes(const T &symbol) {
  return const_cast<char *>(reinterpret_cast<const volatile char *>(__builtin_addressof(symbol)));
}
// symbolRange() checks that count bytes at offset lie in an object of this size.
static __inline__ bool symbolRange(size_t size, size_t offset, size_t count) {
  return offset <= size && count <= size - offset;
}
}  // namespace hostwarp

HOSTWARP_SYMBOL cudaGetSymbolAddress(void **devPtr, const T &symbol) {
  if (!devPtr) return cudaErrorInvalidValue;
  *devPtr = hostwarp::symbolBytes(symbol);
  return cudaSuccess;
}
HOSTWARP_SYMBOL cudaGetSymbolSize(size_t *size, const T &) {
  if (!size) return cudaErrorInvalidValue;
  *size = sizeof(T);
  return cudaSuccess;
}
HOSTWARP_SYMBOL cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                   cudaMemcpyKind = cudaMemcpyHostToDevice) {
  if (!hostwarp::symbolRange(sizeof(T), offset, count)) return cudaErrorInvalidValue;
  return cudaMemcpy(hostwarp::symbolBytes(symbol) + offset, src, count, cudaMemcpyDefault);
}
HOSTWARP_SYMBOL cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                     cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  if (!hostwarp::symbolRange(sizeof(T), offset, count)) return cudaErrorInvalidValue;
  return cudaMemcpy(dst, hostwarp::symbolBytes(symbol) + offset, count, cudaMemcpyDefault);
}
HOSTWARP_SYMBOL cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  if (!hostwarp::symbolRange(sizeof(T), offset, count)) return cudaErrorInvalidValue;
  return cudaMemcpyAsync(hostwarp::symbolBytes(symbol) + offset, src, count, cudaMemcpyDefault, stream);
}
HOSTWARP_SYMBOL cudaMemcpyFromSymbolAsync(void *dst, const T &symbol, size_t count, size_t offset = 0,
                                          cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  if (!hostwarp::symbolRange(sizeof(T), offset, count)) return cudaErrorInvalidValue;
  return cudaMemcpyAsync(dst, hostwarp::symbolBytes(symbol) + offset, count, cudaMemcpyDefault, stream);
}

#endif

#undef HOSTWARP_SYMBOL

#endif  // HOSTWARP_RUNTIME_SYMBOL_TEMPLATES_H
