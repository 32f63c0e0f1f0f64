#include "gpu_backend/backend.h"

#include <dlfcn.h>

#include <algorithm>
#include <string>

#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"
#include "fibers/mutex.h"
#include "gpu_backend/probe.h"
#include "gpu_backend/registrations.h"
#include "gpu_backend/tables.h"

namespace hostwarp::gpu_backend {

constinit std::atomic<State> state{State::Undecided};

namespace {

Mutex deciding;
std::atomic<cudaError_t> refused{cudaSuccess};

// NVIDIA's runtime may come to our libcuda.so.1 for the driver, which then is the real one.
thread_local bool isDeciding = false;

// Choice is what the user's settings ask for.
struct Choice {
  bool gpu = false;      // and nothing else
  size_t atLeast = 0;    // GPUs, for auto
  Status contradiction;  // of the settings
};

Choice choice() {
  Choice result;
  const std::string &wish = optionText(Option::BACKEND);
  result.gpu = wish == "gpu";
  result.atLeast = std::max<size_t>(optionInteger(Option::BACKEND), 1);
  if (const char *setting = settingOfCpu(); setting && result.gpu)
    result.contradiction = {cudaErrorNotSupported, std::string(setting) + " means emulated devices"};
  return result;
}

bool isForCpu() {
  return optionText(Option::BACKEND) == "cpu" || (optionText(Option::BACKEND) == "auto" && settingOfCpu());
}

Status openLibraries(const Machine &machine) {
  fillDriverTable(machine.driverHandle);
  void *const runtime = dlopen(machine.runtime.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!runtime) return {cudaErrorSharedObjectInitFailed, machine.runtime.file + " cannot be loaded: " + dlerror()};
  fillRuntimeTable(runtime);
  if (!realRuntime.__cudaRegisterFatBinary || !realRuntime.__cudaRegisterFunction || !realRuntime.__cudaRegisterVar ||
      !realRuntime.__cudaRegisterFatBinaryEnd || !realRuntime.__cudaUnregisterFatBinary ||
      !realRuntime.__cudaRegisterManagedVar || !realRuntime.__cudaInitModule)
    return {cudaErrorSharedObjectSymbolNotFound, machine.runtime.file + " is no libcudart of CUDA 13"};
  return {};
}

// All devices have to run the code.
int lowestCapability(const Machine &machine) {
  return std::ranges::min_element(machine.gpus, {}, &Gpu::capability)->capability;
}

Status handOver(const Machine &machine) {
  return Registrations::process().handOver(lowestCapability(machine), machine.driverVersion);
}

// tooFew() speaks of GPUs that are there, but not as many as were asked for.
Status tooFew(const Machine &machine, size_t wanted) {
  return {cudaErrorNoDevice, "HOSTWARP_BACKEND=auto:" + std::to_string(wanted) + " asks for more than the " +
                                 std::to_string(machine.gpus.size()) + " that are here"};
}

// takeGpu() is what speaks against the GPU; nothing: calls go there from now on.
Status takeGpu(const Choice &choice) {
  HOSTWARP_TRY(Status(choice.contradiction));
  const Machine &machine = probeMachine();
  HOSTWARP_TRY(Status(machine.problem));
  if (!choice.gpu && machine.gpus.size() < choice.atLeast) return tooFew(machine, choice.atLeast);
  HOSTWARP_TRY(openLibraries(machine));
  return handOver(machine);
}

// isWorthSaying(): who has a GPU wants to know why it is not used; without one the CPU goes without saying.
bool isWorthSaying() { return !probeMachine().gpus.empty() && !optionSwitch(Option::QUIET); }

State choose() {
  if (isForCpu()) return State::Cpu;
  const Choice wish = choice();
  if (!wish.gpu && !Registrations::process().hasCode()) return State::Cpu;
  const Status problem = takeGpu(wish);
  if (problem.ok()) return State::Gpu;
  if (wish.gpu) {
    refused = problem.code();
    logLine("HOSTWARP_BACKEND=gpu: " + problem.message());
    return State::Refused;
  }
  if (isWorthSaying()) logLine("kernels run on the CPU: " + problem.message());
  return State::Cpu;
}

// handOverLater() has what was registered since: its kernels alone fail when it has no code.
State handOverLater() {
  const Status problem = handOver(probeMachine());
  if (!problem.ok()) logLine("kernels of a library have no code for the GPU: " + problem.message());
  return State::Gpu;
}

}  // namespace

State decideNow() {
  if (isDeciding) return State::Gpu;
  const MutexLock lock(deciding);
  if (const State now = state.load(std::memory_order_acquire); now != State::Undecided) return now;
  isDeciding = true;
  const State result = realRuntime.cudaGetDeviceCount ? handOverLater() : choose();
  isDeciding = false;
  state.store(result, std::memory_order_release);
  return result;
}

cudaError_t refusal() { return refused; }

}  // namespace hostwarp::gpu_backend
