// Which GPUs an image is for: what stands behind an hw_image (device_abi.h) that was compiled for some architectures
// only.
#ifndef HOSTWARP_DEVICE_TARGETS_H
#define HOSTWARP_DEVICE_TARGETS_H

#include "device_abi.h"

// hw_target is one form in which a program was compiled, in CUDA's terms: arch=compute_80,code=sm_86 is a binary for
// devices of capability 8.6 to 8.9 whose source saw __CUDA_ARCH__ 800; code=compute_80 is PTX, for 8.0 and all above.
enum hw_target_kind {
  HW_TARGET_BINARY = 0,
  HW_TARGET_PTX = 1,
  HW_TARGET_ANY = 2  // no architecture was named: for every device
};
struct hw_target {
  uint32_t kind;                 // hw_target_kind
  uint32_t virtualArchitecture;  // 80 for compute_80
  uint32_t architecture;         // 86 for sm_86; of PTX the virtual one
  uint32_t variant;              // 'a' or 'f' behind the architecture, or 0
};

// hw_targeted_image is an hw_image whose field `reserved` is the number of targets. 0: that is all there is of it, and
// it is for every device. A source that differs from architecture to architecture has several images with one id.
struct hw_targeted_image {
  struct hw_image image;
  const struct hw_target *targets;
};

#endif  // HOSTWARP_DEVICE_TARGETS_H
