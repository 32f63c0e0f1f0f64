// The steps from NVPTX IR to host IR; steps.def has their order. Each is a function over the whole module: they
// change facts (address spaces, ABI, symbols) that LLVM's own per-function passes may not.
#ifndef HOSTWARP_COMPILER_DEVICE_PASSES_H
#define HOSTWARP_COMPILER_DEVICE_PASSES_H

#include <llvm/ADT/StringRef.h>

#include "compiler/device/device_module.h"

// Forward declarations: the header of PassBuilder takes longer to compile than most of the passes.
namespace llvm {
class BasicBlock;
class Instruction;
class Loop;
class PassBuilder;
class TargetMachine;
class Value;
}  // namespace llvm

namespace hostwarp::compiler {

// writeLoweredNames() writes a line "<i> <symbol>" for each variable __hw_lowered_name_<i>, which holds the symbol's
// address, and removes the variable. pre: no other step has run.
void writeLoweredNames(DeviceModule &device, llvm::StringRef file);

// joinStaticVariables() mends what clang does with -rdc=true to static variables that host code names: it gives them an
// external name as soon as it sees the host's use, and code before that refers to the old one.
void joinStaticVariables(DeviceModule &device);

// readBuiltinVariables() replaces threadIdx and its kin by reads of special registers. pre: the target is NVPTX.
void readBuiltinVariables(DeviceModule &device);

// leaveOutHostFunctions() defines the host functions that device code calls, and that clang_plugin/host_calls.cpp has
// marked: they do nothing.
void leaveOutHostFunctions(DeviceModule &device);

// collectKernels() and collectVariables() fill DeviceModule from clang's metadata and annotations.
void collectKernels(DeviceModule &device);
void collectVariables(DeviceModule &device);

// makeLaunchStubs() makes of each kernel, with -rdc=true, two functions: its body, and under its name a stub that hands
// the arguments to the runtime. Device code that calls a kernel launches it.
void makeLaunchStubs(DeviceModule &device);

// lowerVariadics() gives variadic functions one parameter for all their variable arguments. pre: the target is NVPTX.
void lowerVariadics(DeviceModule &device);

// shareGridConstants() makes kernels take the addresses of __grid_constant__ parameters.
void shareGridConstants(DeviceModule &device);

// shareReferenceParameters() has functions that are no kernels work on the caller's object where a parameter's class is
// not trivially copyable. pre: collectKernels() has run.
void shareReferenceParameters(DeviceModule &device);

// keepSpecialised() drops what the specialised build does not need. pre: what clang and its plugin have noted in the
// module has been read.
void keepSpecialised(DeviceModule &device);

// refuseOwnAddresses() has a specialised build fail that may tell addresses of its functions: they are not the image's,
// and programs compare them. pre: the code is simplified.
void refuseOwnAddresses(DeviceModule &device);

// retarget() gives the module the host's triple and data layout and drops everything that is NVPTX's.
void retarget(DeviceModule &device, llvm::TargetMachine &machine);

// storeSharedAddresses() makes local variables of constants that have addresses of shared variables.
void storeSharedAddresses(DeviceModule &device);

// alignLocalVariables() aligns what is in local memory for the widest access that fits.
void alignLocalVariables(DeviceModule &device);

// lowerInlinePtx() replaces inline assembly by IR; what it does not know is an error at the user's line.
void lowerInlinePtx(DeviceModule &device);

// lowerIntrinsics() replaces llvm.nvvm.* by reads of hw_thread and calls of the device ABI.
void lowerIntrinsics(DeviceModule &device);

// lowerLibraryCalls() sends printf, malloc, assert and their kin to the device ABI.
void lowerLibraryCalls(DeviceModule &device);

// lowerConversions() makes conversions from floating point to integers saturate, as a GPU's do.
void lowerConversions(DeviceModule &device);

// lowerShifts() defines shifts by more bits than there are, as on a GPU.
void lowerShifts(DeviceModule &device);

// lowerAddressQuestions() has addresses of device memory tell by themselves that they are neither local nor constant.
void lowerAddressQuestions(DeviceModule &device);

// keepWarpsInStep() makes the lanes of a warp meet around volatile stores.
void keepWarpsInStep(DeviceModule &device);

// dropNeedlessMeetings() leaves of them what keeps an order. pre: the code is simplified.
void dropNeedlessMeetings(DeviceModule &device);

// lowerSharedMemory() turns __shared__ variables into offsets from the block's storage and fills
// Kernel::staticSharedBytes.
void lowerSharedMemory(DeviceModule &device);

// narrowScopes() has atomic operations of functions that call hw_scope_of_block() be meant for the block only, in the
// checked build, and takes the calls away. In other builds nobody follows asynchronous copies.
void narrowScopes(DeviceModule &device);

// checkAccesses() puts a call of the runtime before each access, in the checked build; nameCheckSites() tells these
// calls where they stand, once functions are inlined.
void checkAccesses(DeviceModule &device);
void nameCheckSites(DeviceModule &device);
// tellThatNoneLeaves() says of a block function's accesses that all threads of the block come to each barrier behind
// them.
void tellThatNoneLeaves(llvm::Function &function);

// followValues() computes beside each value what of it was never written, in the build that follows values, and tells
// the runtime where such a value decides something. markUnwritten() gives scalars such values, before checkAccesses()
// makes registers of them; leaveAlone() has an instruction be none of the program's.
void markUnwritten(DeviceModule &device);
void followValues(DeviceModule &device, llvm::TargetMachine &machine);
void leaveAlone(llvm::Instruction &instruction);

// borrowVariables() has another build of an image find the image's managed variables, and a specialised one all of its
// variables. pre: collectVariables() has run.
void borrowVariables(DeviceModule &device);

// lowerDeviceVariables() makes each access of a module variable relative to the running device's copy.
void lowerDeviceVariables(DeviceModule &device);

// isolateSymbols() renames what this module defines, so that it never meets the host's version of the same function,
// and makes it internal unless -rdc=true.
void isolateSymbols(DeviceModule &device);

// markBlockingKernels() sets HW_KERNEL_MAY_BLOCK and the like by walking the call graph.
void markBlockingKernels(DeviceModule &device);

// describeBuiltins() gives functions debug information of threadIdx and its kin, where code is to be stepped through.
void describeBuiltins(DeviceModule &device);

// makeKernelEntries() adds the functions the engine calls: void entry(void *const *args).
void makeKernelEntries(DeviceModule &device);

// makeThreadLoops() adds functions that run a whole block, for kernels whose threads wait for one another at barriers,
// at warp collectives and in loops of the kernel itself only.
// pre: makeKernelEntries() has run, and the code is simplified.
void makeThreadLoops(DeviceModule &device, llvm::TargetMachine &machine);

// fuseProducts() decides which products become one operation with a sum: once, before a kernel's forms part. Where LLVM
// decides, it depends on the code around, and forms give different last bits. `seen`: what sums of the usual build have
// taken in; null: that is not known.
void fuseProducts(llvm::Module &module, const FusedSums *seen);

// fuseAsUsual() finds that out for a checked build. pre: the module is as the front end made it.
void fuseAsUsual(DeviceModule &device, llvm::TargetMachine &machine);

// checkOffsets() makes misaligned accesses errors where an offset decides, and fills Kernel::reliedAlignments; before
// makeThreadLoops(). checkParameters() does it where a parameter decides; after makeThreadLoops().
void checkOffsets(DeviceModule &device);
void checkParameters(DeviceModule &device);

// makeIsaVariants() copies every function once per instruction-set level. pre: makeKernelEntries() has run.
void makeIsaVariants(DeviceModule &device);

// keepForImage() keeps the optimiser from dropping what only emitImage() will refer to.
void keepForImage(DeviceModule &device);

// estimateRegisters() fills Kernel::registers. pre: the code is simplified, and as the threads run it.
void estimateRegisters(DeviceModule &device);

// takeShared() takes the kernels out of which another image of the source has the code; giveSharedBack() gives them its
// entries. pre: the code is simplified, and no kernel has block entries yet.
void takeShared(DeviceModule &device);
void giveSharedBack(DeviceModule &device);

// measureStackFrames() fills Kernel::localBytes and spillBytes. pre: the code is simplified.
void measureStackFrames(DeviceModule &device);

// collectLiterals() adds to DeviceModule::variables, without a name, the constants whose addresses code may hand to the
// host. pre: the code is simplified.
void collectLiterals(DeviceModule &device);

// emitImage() writes the hw_image tables and the constructor that registers them. pre: measureStackFrames() has run.
void emitImage(DeviceModule &device);

// waitsForOthers(): the loop goes on until another thread has written something.
bool waitsForOthers(const llvm::Loop &loop);

// countDownTurns() takes `cost` off hw_thread::spinBudget of `self` where the loop's turn ends; the code in front of
// the instruction that it returns runs when nothing is left.
llvm::Instruction *countDownTurns(llvm::BasicBlock &latch, llvm::Value &self, uint32_t cost);

// addSpinYields() registers the pass that keeps loops which wait for other threads from starving them.
void addSpinYields(llvm::PassBuilder &builder);

// keepAccessOrder() registers the pass that keeps each thread's own accesses in their order where LLVM makes vectors of
// loops over threads.
void keepAccessOrder(llvm::PassBuilder &builder);

// makeLaneVectors() registers the pass that runs the threads of a loop over them side by side, as the lanes of vectors.
// vectoriseThreadLoops() does that, without tidying up.
void makeLaneVectors(llvm::PassBuilder &builder);
void vectoriseThreadLoops(llvm::Module &module);

// prefetchAhead() registers the pass that asks for the memory which threads read next, once all vectors are made.
void prefetchAhead(llvm::PassBuilder &builder);

// convertVectors() registers the pass that converts vectors of numbers to integers all at once.
void convertVectors(llvm::PassBuilder &builder);

// orderZeros() registers the pass by which the least and the greatest of two numbers tell zeros apart as on a GPU.
void orderZeros(llvm::PassBuilder &builder);

// rematerialise() has a block function compute again, next to its uses, what is cheaper to compute than to keep. It is
// for large ones; rematerialiseAll() does so in all, for tests. pre: no pass will look for what is computed twice.
void rematerialise(llvm::Function &function);
void rematerialiseAll(llvm::Module &module);

// bringGatherIndices() registers the pass that has gathers and scatters use narrow numbers where there are some.
void bringGatherIndices(llvm::PassBuilder &builder);

// loopOverLanes() registers the pass that makes loops of masked accesses for which the processor has no instruction, in
// functions that are optimised for size.
void loopOverLanes(llvm::PassBuilder &builder);

// keepGatherRegistersApart() registers the pass that keeps LLVM from making illegal instructions of gathers. pre:
// bringGatherIndices() is registered.
void keepGatherRegistersApart(llvm::PassBuilder &builder);

// clipThreadLoops() leaves turns out in which a thread would find out that it has nothing to do. pre: the code is
// simplified.
void clipThreadLoops(DeviceModule &device);

// lowerThreadFields() makes loads of what stands for the fields of hw_thread that differ between the threads of a
// block. pre: makeThreadLoops() has run.
void lowerThreadFields(llvm::Module &module);

// lowerSelf() replaces calls of hw_self() by a load of the TLS variable hw_current.
void lowerSelf(llvm::Module &module);

// readParametersInPlace() drops threads' copies of structures that they only read. pre: simplify() has run.
void readParametersInPlace(DeviceModule &device);

// promoteCalls() makes tests and direct calls of calls by an address that few functions have.
void promoteCalls(DeviceModule &device);

// inlineWaits() has functions in which threads wait for each other inlined.
void inlineWaits(DeviceModule &device);

// runsBlock marks the functions that run all threads of a block; its value is `waitsInside` where these wait for each
// other.
inline constexpr llvm::StringLiteral runsBlock = "hostwarp-runs-block";
inline constexpr llvm::StringLiteral waitsInside = "waits";

// threadLoop marks, in a loop's metadata, that its turns are threads that may run side by side.
inline constexpr llvm::StringLiteral threadLoop = "hostwarp.thread_loop";

// rowLoop marks a loop around one over threads, which goes over the rows of a block.
inline constexpr llvm::StringLiteral rowLoop = "hostwarp.row_loop";

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_PASSES_H
