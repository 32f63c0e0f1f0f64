#include "compiler/driver/front_end.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "compiler/driver/macros.h"

namespace hostwarp::driver {
namespace {

constexpr std::string_view gccOnly[] = {
#define GCC_ONLY(START) START,
#include "compiler/driver/gcc_only.def"
#undef GCC_ONLY
};

constexpr const char *onlyWarnings[] = {
#define GCC_WARNS(NAME) "-Wno-error=" NAME,
#include "compiler/driver/gcc_warns.def"
#undef GCC_WARNS
};

// isToolkitFolder() tells whether it has NVIDIA's headers. Some packages bring a part of them, such as those of half
// numbers.
bool isToolkitFolder(const std::string &folder) {
  return std::ranges::any_of(std::array{"/cuda_runtime_api.h", "/cuda_runtime.h", "/cuda_fp16.hpp"},
                             [&](const char *header) { return access((folder + header).c_str(), R_OK) == 0; });
}

// A toolkit of NVIDIA's named with -I would hide our headers: such a folder is searched after them.
void appendPreprocessor(Command &command, const Invocation &v, const Toolchain &tools) {
  append(command, {"-isystem", tools.includeDirectory});
  for (const std::string &argument : v.preprocessor) {
    const bool isIncludePath = argument.starts_with("-I");
    const std::string folder = isIncludePath ? argument.substr(2) : "";
    if (isIncludePath && isToolkitFolder(folder)) {
      append(command, {"-idirafter", folder});
    } else {
      command.push_back(argument);
    }
  }
  // Behind the user's folders, which may hold a CCCL of their own.
  if (!tools.cccl.empty()) append(command, {"-isystem", tools.cccl});
}

// Our headers need C++11.
std::string standardOf(const Invocation &v) {
  if (v.standard == "c++03") return "c++11";
  return v.standard == "gnu++03" ? "gnu++11" : v.standard;
}

void appendLanguage(Command &command, const Invocation &v, bool isC = false) {
  if (!v.standard.empty() && !isC) command.push_back("-std=" + standardOf(v));
  // The compiler's errors come through a pipe.
  if (isatty(STDERR_FILENO)) command.push_back("-fdiagnostics-color=always");
  if (v.disableWarnings) command.push_back("-w");
  if (v.warningsAreErrors) command.push_back("-Werror");
  if (v.noExceptions) command.push_back("-fno-exceptions");
  if (!isC) append(command, v.frontEndArguments);
}

// launchesPerThread(): `kernel<<<grid, block>>>` means what the macro makes of the API's functions, wherever it comes
// from on the command line.
bool launchesPerThread(const Invocation &v) {
  constexpr std::string_view macro = "-DCUDA_API_PER_THREAD_DEFAULT_STREAM";
  const auto defines = [&](const std::string &argument) { return argument.substr(0, argument.find('=')) == macro; };
  return v.perThreadDefaultStream || std::ranges::any_of(v.preprocessor, defines) ||
         std::ranges::any_of(v.hostArguments, defines);
}

// What both passes over a .cu file share. No toolkit of NVIDIA's is looked for; the SDK version selects the launch
// protocol of CUDA 9.2 and later (__cudaPushCallConfiguration).
Command cudaPass(const Invocation &v, const Toolchain &tools) {
  Command command = {tools.clang, "-x", "cuda", "--no-offload-new-driver", "--cuda-path=/dev/null", "-nocudainc",
                     "-nocudalib", "-Xclang", "-target-sdk-version=11.8", "-Xclang", "-fcuda-allow-variadic-functions",
                     "-fplugin=" + tools.clangPlugin, "-Qunused-arguments", "-Wno-unknown-warning-option",
                     "-Wno-ignored-optimization-argument",
                     // Debian's clang 18 writes its command line, with our temporary files, into what it makes.
                     "-gno-record-command-line",
                     // typeof is a keyword for nvcc in every standard.
                     "-fgnu-keywords",
                     // The GCC that nvcc's users have. From 11 on glibc's headers want an attribute that clang has not.
                     "-fgnuc-version=10.5.0",
                     // Warns of what nvcc is supposed not to accept.
                     "-Wno-cuda-compat",
                     // nvcc's #177-D.
                     "-Wunused-variable"};
  command.insert(command.end(), std::begin(onlyWarnings), std::end(onlyWarnings));
  append(command, cudaMacros(v));
  append(command, {"-include", "cuda_runtime.h"});
  appendPreprocessor(command, v, tools);
  if (v.relocatable) command.push_back("-fgpu-rdc");
  // clang's driver hands this option on for HIP only.
  if (launchesPerThread(v)) append(command, {"-Xclang", "-fgpu-default-stream=per-thread"});
  append(command, tools.openMpHeader);
  appendLanguage(command, v);
  return command;
}

// Of the arguments for the host compiler the device pass takes those that decide what the source means.
bool concernsDevicePass(std::string_view argument) {
  for (std::string_view start :
       {"-D", "-U", "-I", "-std=", "-funsigned-char", "-fsigned-char", "-fms-extensions", "-w"})
    if (argument.starts_with(start)) return true;
  const bool forTool = argument.starts_with("-Wl,") || argument.starts_with("-Wa,") || argument.starts_with("-Werror");
  return argument.starts_with("-W") && !forTool;
}

bool takesNextArgument(std::string_view argument) {
  for (std::string_view name : {"-include", "-isystem", "-iquote", "-idirafter", "-imacros", "-D", "-U", "-I"})
    if (argument == name) return true;
  return false;
}

void appendDeviceShareOfHostArguments(Command &command, const Invocation &v) {
  for (std::size_t i = 0; i < v.hostArguments.size(); ++i) {
    const std::string &argument = v.hostArguments[i];
    if (takesNextArgument(argument) && i + 1 < v.hostArguments.size()) {
      append(command, {argument, v.hostArguments[++i]});
    } else if (concernsDevicePass(argument)) {
      command.push_back(argument);
    } else if (argument.starts_with("-m") && argument != "-m64") {
      // Only for the macros and built-ins that headers such as immintrin.h ask for. clang takes -m64 for itself alone.
      append(command, {"-Xarch_host", argument});
    }
  }
}

void appendHostCodeGeneration(Command &command, const Invocation &v) {
  if (v.hostOptimization) command.push_back("-O" + std::to_string(*v.hostOptimization));
  if (v.hostDebug) command.push_back("-g");
  if (v.profile) command.push_back("-pg");
}

// Device code is optimised, and to the full whatever the host code is, unless -G asks for code to step through: as with
// nvcc.
bool deviceIsOptimised(const Invocation &v) { return !v.deviceDebug || v.deviceOptimizationKept; }

int deviceLevel(const Invocation &v) {
  if (!deviceIsOptimised(v)) return 0;
  return v.deviceOptimization.value_or(3);
}

}  // namespace

void append(Command &command, const std::vector<std::string> &more) {
  command.insert(command.end(), more.begin(), more.end());
}

std::vector<std::string> clangHostArguments(const Invocation &v) {
  std::vector<std::string> result;
  for (const std::string &argument : v.hostArguments) {
    const auto begins = [&](std::string_view start) { return argument.starts_with(start); };
    // clang reads it as -e xport-dynamic.
    if (argument == "-export-dynamic" || argument == "--export-dynamic")
      result.push_back("-rdynamic");
    else if (std::ranges::none_of(gccOnly, begins))
      result.push_back(argument);
  }
  return result;
}

Command hostPassCommand(const Invocation &v, const Toolchain &tools) {
  Command command = cudaPass(v, tools);
  // The device pass tells what it ignores; of __launch_bounds__ it knows the third argument, and the host does not.
  append(command, {"--cuda-host-only", "-Wno-ignored-attributes"});
  // Programs check a kernel's integers against their own arithmetic on the host, wrapped around by luck with g++.
  command.push_back("-fwrapv");
  appendHostCodeGeneration(command, v);
  append(command, clangHostArguments(v));
  return command;
}

Command devicePassCommand(const Invocation &v, const Toolchain &tools, const Architecture &target) {
  Command command = cudaPass(v, tools);
  // The newest that clang 17 knows.
  append(command,
         {"--cuda-device-only", "--cuda-gpu-arch=sm_90", "--cuda-feature=+ptx80", "-Wno-builtin-macro-redefined"});
  append(command, deviceMacros(v, target));
  append(command, {"-isystem", tools.includeDirectory + "/hostwarp/device_pass"});
  // Optimisation happens in hwcc-device, once the code is the host's; the level only keeps clang from marking functions
  // as not to be optimised. Without --cuda-noopt-device-debug clang would leave a GPU's line directives, no line table.
  command.push_back("--cuda-noopt-device-debug");
  if (deviceIsOptimised(v)) {
    append(command, {"-O2", "-Xclang", "-disable-llvm-passes", v.hostDebug ? "-g" : "-gline-tables-only"});
  } else {
    append(command, {"-O0", "-g"});
  }
  // Kernels hand over variables that only some lanes have set, as in `if (lane == 0) x = ...; x = __shfl_sync(mask, x,
  // 0)`: that must not tell the optimiser that lane is 0.
  append(command, {"-Xclang", "-no-enable-noundef-analysis"});
  // nvcc takes pointers to different types for pointers that may meet, and CUDA programs read words as what they are
  // not.
  command.push_back("-fno-strict-aliasing");
  const FloatingPoint &fp = v.floatingPoint;
  command.push_back(fp.fusedMultiplyAdd.value_or(true) ? "-ffp-contract=fast" : "-ffp-contract=off");
  if (fp.fastMath) command.push_back("-fgpu-approx-transcendentals");
  if (fp.flushToZero.value_or(fp.fastMath)) command.push_back("-fgpu-flush-denormals-to-zero");
  appendDeviceShareOfHostArguments(command, v);
  return command;
}

Command hostCompilerCommand(const Invocation &v, const Toolchain &tools, Language language) {
  const bool isC = language == Language::C || language == Language::PreprocessedC;
  Command command = {isC ? tools.hostC : tools.hostCxx};
  const bool preprocessed = language == Language::PreprocessedC || language == Language::PreprocessedCxx;
  if (!preprocessed) {
    append(command, {"-x", isC ? "c" : "c++"});
    append(command, hostMacros(v));
    appendPreprocessor(command, v, tools);
  }
  appendLanguage(command, v, isC);
  appendHostCodeGeneration(command, v);
  append(command, v.hostArguments);
  return command;
}

Command hwccDeviceCommand(const Invocation &v, const Toolchain &tools, const std::string &source,
                          const std::string &imageId, const std::vector<DeviceCode> &code,
                          const std::vector<std::string> &objects) {
  Command command = {tools.hwccDevice};
  for (const DeviceCode &each : code) {
    command.push_back(each.file);
    if (!each.targets.empty()) command.push_back("--targets=" + each.targets);
  }
  append(command, {"--image-id=" + imageId, "--source=" + source, "-O" + std::to_string(deviceLevel(v))});
  if (v.relocatable) command.push_back("--rdc");
  if (v.hostDebug) command.push_back("-g");
  if (!deviceIsOptimised(v)) command.push_back("-G");
  if (v.floatingPoint.fastMath) command.push_back("--fast-math");
  if (v.maxRegisters) command.push_back("--max-registers=" + std::to_string(v.maxRegisters));
  if (!v.build.empty()) command.push_back("--build=" + v.build);
  if (!v.specialisedKernel.empty()) command.push_back("--kernel=" + v.specialisedKernel);
  if (!v.specialisedBlock.empty()) command.push_back("--expected-block=" + v.specialisedBlock);
  if (v.endsWithAvx2) command.push_back("--highest-isa=avx2");
  if (v.borrowsManaged) command.push_back("--borrow-managed");
  if (!v.carriesDeviceSource) command.push_back("--no-device-source");
  if (v.explainsForms) command.push_back("--explain");
  append(command, v.remarks);
  if (!v.loweredNames.empty()) command.push_back("--lowered-names=" + v.loweredNames);
  for (const std::string &object : objects) append(command, {"-o", object});
  return command;
}

Command gpuCodeCommand(const Invocation &v, const Toolchain &tools, const std::string &output) {
  Command command = {tools.hwccDevice};
  for (const Input &input : v.inputs) command.push_back(input.path);
  append(command, {"--gpu=" + v.gpu, "--bundle", "-o", output});
  return command;
}

}  // namespace hostwarp::driver
