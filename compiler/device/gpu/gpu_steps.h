// What becomes of a module on its way to PTX, one function for each step.
#ifndef HOSTWARP_COMPILER_DEVICE_GPU_GPU_STEPS_H
#define HOSTWARP_COMPILER_DEVICE_GPU_GPU_STEPS_H

#include <string>
#include <vector>

#include "compiler/device/device_module.h"
#include "compiler/device/gpu/gpu_target.h"

namespace hostwarp::compiler {

// describeThreads() has hw_self() point to a description of the thread that the calling function makes for itself.
void describeThreads(llvm::Module &module);

// ClusterRule is what a kernel's attributes say of its clusters, as a directive of PTX: LLVM 19 writes none.
struct ClusterRule {
  std::string kernel, directive;
  bool countsClusters;  // launches do, instead of blocks
};
std::vector<ClusterRule> clusterRules(const DeviceModule &device);

// addClusterRules() puts them into the text.
void addClusterRules(std::string &ptx, const std::vector<ClusterRule> &rules);

// launchKernels() makes of launches by device code what the device runtime wants. Returns what is wrong, or "".
std::string launchKernels(llvm::Module &module);

// writeFences() makes PTX of fences, and of what atomic operations order besides.
void writeFences(llvm::Module &module);

// callGpuMath() sends mathematical functions to the toolkit's libdevice, where there is one, else to those of the
// library. Returns what is wrong, or "".
std::string callGpuMath(llvm::Module &module);

// tellKernels() says in LLVM's own way what CUDA's attributes say of kernels and variables, and gives them the names
// and the linkage under which the program registers them. pre: collectKernels() and collectVariables() have run.
void tellKernels(DeviceModule &device);

// linkGpuLibrary() adds what the device ABI means on the target. Returns what is wrong, or "".
std::string linkGpuLibrary(llvm::Module &module, const GpuTarget &target);

// missingFunctions() names the functions that are called and that neither the module nor the GPU has.
std::vector<std::string> missingFunctions(const llvm::Module &module);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_GPU_GPU_STEPS_H
