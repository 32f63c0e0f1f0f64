// hostwarp::dynamicShared(): the block's dynamic shared memory as a function, for plain C++, where an
// `extern __shared__` array cannot exist. Works in CUDA mode too.
#ifndef HOSTWARP_DYNAMIC_SHARED_H
#define HOSTWARP_DYNAMIC_SHARED_H

#include "device_abi.h"
#include "device_qualifiers.h"

namespace hostwarp {

// dynamicShared() returns where the shared memory given at the launch starts. pre: called inside a kernel.
template <class T>
HOSTWARP_DEVICE T *dynamicShared() {
  return reinterpret_cast<T *>(hw_self()->dynamicShared);
}

}  // namespace hostwarp

#endif  // HOSTWARP_DYNAMIC_SHARED_H
