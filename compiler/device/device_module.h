// The device code of one translation unit on its way from NVPTX IR to host code, and the facts the passes share.
#ifndef HOSTWARP_COMPILER_DEVICE_DEVICE_MODULE_H
#define HOSTWARP_COMPILER_DEVICE_DEVICE_MODULE_H

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/device/options.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler {

// Entry is one form of a kernel, an hw_entry.
struct Entry {
  hw_entry_kind kind = HW_ENTRY_OF_THREAD;
  uint32_t level = HW_ISA_BASELINE;
  BlockShape shape = anyBlock;  // the only one that an entry of a block runs
  uint32_t frameBytes = 0;      // that an entry of a block needs, for each thread
  llvm::Function *function = nullptr;
};

// Kernel is a __global__ function and what its attributes and its body say about it.
struct Kernel {
  std::string name;                    // the name the host object registers
  llvm::Function *function = nullptr;  // gone once optimised into its entries
  llvm::Function *stub = nullptr;      // what device code takes for the kernel; null: device code launches nothing
  std::vector<hw_parameter> parameters;
  uint32_t flags = 0;
  uint64_t localBytes = 0;  // stack that the deepest call path needs
  uint32_t spillBytes = 0;  // what large functions may need beyond that
  uint64_t staticSharedBytes = 0;
  uint32_t sharedAlignment = 16;
  uint32_t maxThreads[3] = {0, 0, 0};  // __launch_bounds__, per dimension as NVPTX has it
  uint32_t minBlocksPerSm = 0;
  uint32_t maxBlocksPerCluster = 0;
  uint32_t clusterDim[3] = {0, 0, 0};
  uint32_t blockDim[3] = {0, 0, 0};     // of every launch
  uint32_t maxRegisters = 0;            // 0: as many as it takes
  uint32_t registers = 0;               // what a GPU might allot to a thread
  BlockShape expectedBlock = anyBlock;  // that host code launches it with
  bool expectsNoOther = false;          // no launch was seen that may be of another shape
  // The first is the one of a thread with HW_ISA_BASELINE; makeIsaVariants() adds other levels. Those of blocks: see
  // makeThreadLoops().
  std::vector<Entry> entries;
  std::map<unsigned, uint64_t> reliedAlignments;  // that accesses expect of pointer parameters, by number
  std::string text;                               // of its code (kernel_text.h); empty: other images cannot have that
};

// threadEntry() is the kernel as a function for one thread. Precondition: makeKernelEntries() made it.
inline llvm::Function &threadEntry(const Kernel &kernel) { return *kernel.entries.front().function; }

// blockEntries() are the functions that run whole blocks.
llvm::SmallVector<llvm::Function *> blockEntries(const Kernel &kernel);

// maxThreadsPerBlock() is what __launch_bounds__ says; 0: nothing.
uint32_t maxThreadsPerBlock(const Kernel &kernel);

// Variable is a __device__, __constant__ or __managed__ variable defined in this translation unit.
struct Variable {
  std::string name;
  llvm::GlobalVariable *global = nullptr;
  hw_variable_kind kind = HW_VARIABLE_DEVICE;
};

class FusedSums;
class SharedKernels;

struct DeviceModule {
  const Options &options;
  llvm::Module &module;
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;
  // Errors about the user's code, each "file:line: error: ...". The module is not emitted when there are any.
  std::vector<std::string> errors;
  SharedKernels *shared = nullptr;                 // of the images of this source; null: each has its own code
  std::vector<Kernel> taken = {};                  // whose code another image has
  std::shared_ptr<FusedSums> fusedSums = nullptr;  // of the usual build, for a checked one; null: it decides itself
};

// fail() records an error at the source line of `at` (may be null).
void fail(DeviceModule &device, const llvm::Instruction *at, const std::string &what);

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_DEVICE_MODULE_H
