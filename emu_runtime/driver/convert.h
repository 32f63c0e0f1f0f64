// The driver API's descriptions of arrays, copies and nodes as those of the runtime API, and back.
#ifndef HOSTWARP_EMU_RUNTIME_DRIVER_CONVERT_H
#define HOSTWARP_EMU_RUNTIME_DRIVER_CONVERT_H

#include "emu_runtime/device/current.h"
#include "emu_runtime/driver/driver.h"

namespace hostwarp::driver_api {

// as() looks at an object of one API as the other API's type of the same layout; objects that are only passed through.
template <typename To, typename From>
To *as(From *object) {
  static_assert(sizeof(To) == sizeof(std::remove_const_t<From>));
  return reinterpret_cast<To *>(object);
}

// channelsOf() is the runtime's channel description; fails for formats that hostwarp has no texels for. formatOf() is
// the way back.
struct Texels {
  CUarray_format format;
  unsigned channels;
};
Expected<cudaChannelFormatDesc> channelsOf(Texels texels);
Texels texelsOf(const cudaChannelFormatDesc &channels);

// kindBetween() is the runtime's direction of a copy between two kinds of memory.
cudaMemcpyKind kindBetween(CUmemorytype to, CUmemorytype from);

// copyOf() describes a copy for a graph's node; copyGiven() is what a program gets to see of one.
Expected<cudaMemcpy3DParms> copyOf(const CUDA_MEMCPY3D *params);
CUDA_MEMCPY3D copyGiven(const cudaMemcpy3DParms &params);

// kernelNodeOf() takes over a kernel node's parameters.
cudaKernelNodeParams kernelNodeOf(const CUDA_KERNEL_NODE_PARAMS &params);
// nodeOf() takes over the parameters of a node of any kind but a conditional one.
Expected<cudaGraphNodeParams> nodeOf(const CUgraphNodeParams &params);

using device::ContextScope;

}  // namespace hostwarp::driver_api

#endif  // HOSTWARP_EMU_RUNTIME_DRIVER_CONVERT_H
