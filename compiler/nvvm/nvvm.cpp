// NVVM's functions. hwcc-device reads the modules, links and optimises them, and writes PTX.
#pragma GCC visibility push(default)
#include <nvvm.h>
#pragma GCC visibility pop

#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "compiler/driver/hwcc_path.h"
#include "compiler/driver/temp_files.h"
#include "compiler/nvvm/options.h"

struct _nvvmProgram {
  struct Module {
    std::string content;
    bool isLazy;
  };
  std::vector<Module> modules;
  std::string ptx, log;
};

namespace {

using Program = _nvvmProgram;

// guarded() keeps exceptions from leaving through C.
template <typename Body>
nvvmResult guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return NVVM_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVVM_ERROR_COMPILATION;
  }
}

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool writeFile(const std::string &path, const std::string &content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return file.good();
}

nvvmResult failed(Program &program, nvvmResult result, const std::string &why) {
  program.log += why + "\n";
  return result;
}

enum class Goal { Verify, Compile };

// runDeviceCompiler() verifies or compiles what has been added.
nvvmResult runDeviceCompiler(Program &program, std::vector<std::string> words, Goal goal) {
  hostwarp::driver::TempFiles temps;
  if (const auto status = temps.open(); !status.ok()) return failed(program, NVVM_ERROR_COMPILATION, status.message());
  const std::string ptx = temps.path("nvvm", ".ptx");
  words.insert(words.begin(), {hostwarp::driver::hwccPath() + "-device", "--nvvm"});
  words.insert(words.end(), {"-o", ptx});
  if (goal == Goal::Verify) words.emplace_back("--verify");
  for (const Program::Module &module : program.modules) {
    const std::string file = temps.path("module", ".nvvm");
    if (!writeFile(file, module.content))
      return failed(program, NVVM_ERROR_COMPILATION, "a module cannot be written to " + file);
    words.push_back(module.isLazy ? "--lazy=" + file : file);
  }
  if (!hostwarp::driver::runCompiler(words, program.log))
    return goal == Goal::Verify ? NVVM_ERROR_INVALID_IR : NVVM_ERROR_COMPILATION;
  if (goal == Goal::Compile) program.ptx = contentOf(ptx);
  return NVVM_SUCCESS;
}

nvvmResult run(Program *program, int numOptions, const char **options, Goal goal) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  program->log.clear();
  program->ptx.clear();
  if (numOptions < 0 || (numOptions > 0 && !options))
    return failed(*program, NVVM_ERROR_INVALID_OPTION, "there are no options");
  const auto words = hostwarp::nvvm::wordsFor({options, options + numOptions});
  if (!words.ok()) return failed(*program, NVVM_ERROR_INVALID_OPTION, words.message());
  bool hasModule = false;
  for (const Program::Module &module : program->modules) hasModule = hasModule || !module.isLazy;
  if (!hasModule) return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
  return runDeviceCompiler(*program, *words, goal);
}

nvvmResult add(Program *program, const char *buffer, size_t size, bool isLazy) {
  if (!program) return NVVM_ERROR_INVALID_PROGRAM;
  if (!buffer || !size) return NVVM_ERROR_INVALID_INPUT;
  program->modules.push_back({std::string(buffer, size), isLazy});
  return NVVM_SUCCESS;
}

// Results are handed out with a zero byte behind them.
nvvmResult sizeOf(const std::string &text, size_t *size) {
  if (!size) return NVVM_ERROR_INVALID_INPUT;
  *size = text.size() + 1;
  return NVVM_SUCCESS;
}

nvvmResult copy(const std::string &text, char *buffer) {
  if (!buffer) return NVVM_ERROR_INVALID_INPUT;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return NVVM_SUCCESS;
}

constexpr const char *names[] = {"NVVM_SUCCESS",
                                 "NVVM_ERROR_OUT_OF_MEMORY",
                                 "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
                                 "NVVM_ERROR_IR_VERSION_MISMATCH",
                                 "NVVM_ERROR_INVALID_INPUT",
                                 "NVVM_ERROR_INVALID_PROGRAM",
                                 "NVVM_ERROR_INVALID_IR",
                                 "NVVM_ERROR_INVALID_OPTION",
                                 "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
                                 "NVVM_ERROR_COMPILATION",
                                 "NVVM_ERROR_CANCELLED"};

}  // namespace

const char *nvvmGetErrorString(nvvmResult result) {
  const auto index = static_cast<size_t>(result);
  return index < std::size(names) ? names[index] : "NVVM_ERROR unknown";
}

nvvmResult nvvmVersion(int *major, int *minor) {
  if (!major || !minor) return NVVM_ERROR_INVALID_INPUT;
  *major = 2;
  *minor = 0;
  return NVVM_SUCCESS;
}

nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg) {
  if (!majorIR || !minorIR || !majorDbg || !minorDbg) return NVVM_ERROR_INVALID_INPUT;
  *majorIR = 2;
  *minorIR = 0;
  *majorDbg = 3;
  *minorDbg = 2;
  return NVVM_SUCCESS;
}

nvvmResult nvvmLLVMVersion(const char *arch, int *major) {
  if (!arch || !major) return NVVM_ERROR_INVALID_INPUT;
  if (std::strncmp(arch, "compute_", std::strlen("compute_")) != 0) return NVVM_ERROR_INVALID_OPTION;
  *major = 19;
  return NVVM_SUCCESS;
}

nvvmResult nvvmCreateProgram(nvvmProgram *prog) {
  if (!prog) return NVVM_ERROR_INVALID_PROGRAM;
  *prog = new (std::nothrow) Program;
  return *prog ? NVVM_SUCCESS : NVVM_ERROR_OUT_OF_MEMORY;
}

nvvmResult nvvmDestroyProgram(nvvmProgram *prog) {
  if (!prog || !*prog) return NVVM_ERROR_INVALID_PROGRAM;
  delete *prog;
  *prog = nullptr;
  return NVVM_SUCCESS;
}

nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *) {
  return guarded([&] { return add(prog, buffer, size, false); });
}

nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *) {
  return guarded([&] { return add(prog, buffer, size, true); });
}

nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions, const char **options) {
  return guarded([&] { return run(prog, numOptions, options, Goal::Compile); });
}

nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions, const char **options) {
  return guarded([&] { return run(prog, numOptions, options, Goal::Verify); });
}

nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet) {
  return prog ? sizeOf(prog->ptx, bufferSizeRet) : NVVM_ERROR_INVALID_PROGRAM;
}

nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer) {
  return prog ? copy(prog->ptx, buffer) : NVVM_ERROR_INVALID_PROGRAM;
}

nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet) {
  return prog ? sizeOf(prog->log, bufferSizeRet) : NVVM_ERROR_INVALID_PROGRAM;
}

nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer) {
  return prog ? copy(prog->log, buffer) : NVVM_ERROR_INVALID_PROGRAM;
}
