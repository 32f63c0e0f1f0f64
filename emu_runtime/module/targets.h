// Which of a program's images a device runs: CUDA's rules for binaries and PTX of several architectures.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_TARGETS_H
#define HOSTWARP_EMU_RUNTIME_MODULE_TARGETS_H

#include <span>
#include <string>

#include "device_model/gpu.h"
#include "include/hostwarp/device_targets.h"

namespace hostwarp::modules {

// capabilityOf() is a device's compute capability in one number, as architectures are numbered: 90 for 9.0.
inline int capabilityOf(const device_model::Gpu &gpu) { return 10 * gpu.capability->major + gpu.capability->minor; }

// Form tells how an image is loaded: as what it was compiled to, or as the PTX text that it came in.
enum class Form { Compiled, Ptx };

// targetFor() is the target that makes the image run on a device of this capability, null when there is none.
const hw_target *targetFor(const hw_image &image, int capability, Form form = Form::Compiled);

// imageFor() is the one that a device of this capability runs, null when none fits. Binaries come before PTX, and
// higher architectures before lower ones.
const hw_image *imageFor(std::span<const hw_image *const> images, int capability, Form form = Form::Compiled);

// sameTargets(): both images are for the same.
bool sameTargets(const hw_image &one, const hw_image &other);

// Versions are what the attributes of a kernel say: what its source was compiled as, and what runs.
struct Versions {
  int ptx, binary;
};

// versionsOf() is that of an image's kernels, also of one that is for another device. Where no architecture was named,
// it is the device's own.
Versions versionsOf(const hw_image &image, int capability, Form form = Form::Compiled);

// namesOf() lists the targets of the images as a programmer knows them: "sm_80, compute_80".
std::string namesOf(std::span<const hw_image *const> images);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_TARGETS_H
