#include "compiler/driver/toolchain.h"

#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <filesystem>

#include "compiler/driver/cccl.h"
#include "compiler/driver/openmp.h"
#include "compiler/driver/text.h"

namespace hostwarp::driver {
namespace {

namespace fs = std::filesystem;

bool isExecutableFile(const std::string &path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

bool isDirectory(const std::string &path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

// The folder of the running executable, symbolic links resolved.
std::string executableDirectory() {
  char buffer[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", buffer, sizeof buffer);
  if (length <= 0) return ".";
  return fs::path(std::string(buffer, static_cast<std::size_t>(length))).parent_path().string();
}

// An installation that is to run anywhere carries its own LLVM.
std::string findLlvmProgram(const Toolchain &tools, const std::string &name) {
  const std::string version = std::to_string(HOSTWARP_LLVM_MAJOR);
  for (const std::string &llvm : {tools.libraryDirectory + "/llvm", "/usr/lib/llvm-" + version})
    if (const std::string program = llvm + "/bin/" + name; isExecutableFile(program)) return program;
  return findProgram(name + "-" + version);
}

// clang must be of the LLVM that reads its bitcode and whose plugins it loads: the one of the build.
Status findClang(Toolchain &tools) {
  tools.clang = findLlvmProgram(tools, "clang++");
  tools.linker = findLlvmProgram(tools, "ld.lld");
  if (tools.linker.empty()) tools.linker = findProgram("ld.lld");
  if (tools.linker.empty()) tools.linker = findProgram("ld");
  if (!tools.clang.empty()) return {};
  const std::string wanted = std::to_string(HOSTWARP_LLVM_MAJOR);
  return Failure{"clang++-" + wanted + " was not found; hwcc needs it to read CUDA C++ (Debian: apt install clang-" +
                 wanted + ")"};
}

// -ccbin names a compiler or the folder that holds one.
Expected<std::string> resolveHostCompiler(const std::string &given) {
  if (isDirectory(given)) {
    for (const char *name : {"g++", "clang++", "c++"})
      if (isExecutableFile(given + "/" + name)) return given + "/" + name;
    return Failure{"No host compiler was found in directory '" + given + "'"};
  }
  const std::string found = given.find('/') == std::string::npos ? findProgram(given) : given;
  if (!isExecutableFile(found)) return Failure{"Host compiler '" + given + "' was not found"};
  return found;
}

// The C compiler beside a C++ compiler: gcc-12 for g++-12. What is not called like either serves both.
std::string cCompilerBeside(const std::string &cxx) {
  const std::size_t nameStart = cxx.rfind('/') + 1;
  std::string name = cxx.substr(nameStart);
  for (const auto &[from, to] : {std::pair{"clang++", "clang"}, std::pair{"g++", "gcc"}, std::pair{"c++", "cc"}}) {
    const std::size_t position = name.find(from);
    if (position == std::string::npos) continue;
    name.replace(position, std::string_view(from).size(), to);
    const std::string candidate = cxx.substr(0, nameStart) + name;
    if (isExecutableFile(candidate)) return candidate;
  }
  return cxx;
}

Status findHostCompilers(const Invocation &invocation, Toolchain &tools) {
  tools.linkDriver = tools.binDirectory + "/hwcc-link";
  if (!invocation.hostCompiler.empty()) {
    auto compiler = resolveHostCompiler(invocation.hostCompiler);
    if (!compiler.ok()) return compiler.failure();
    tools.hostCxx = tools.linkDriver = *compiler;
    tools.linksWithClang = false;
  } else {
    tools.hostCxx = findProgram("g++");
    if (tools.hostCxx.empty()) tools.hostCxx = tools.clang;
  }
  tools.hostC = cCompilerBeside(tools.hostCxx);
  tools.archiver = invocation.archiver.empty() ? findProgram("ar") : invocation.archiver;
  if (tools.archiver.empty()) tools.archiver = findLlvmProgram(tools, "llvm-ar");
  return {};
}

}  // namespace

std::string findProgram(std::string_view name) {
  const char *path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/bin:/bin";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = std::string(rest.substr(0, colon)) + "/" + std::string(name);
    if (isExecutableFile(candidate)) return candidate;
    rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  }
  return "";
}

bool Toolchain::hasLibrary(std::string_view name) const {
  const std::string base = libraryDirectory + "/lib" + std::string(name);
  return access((base + ".so").c_str(), R_OK) == 0 || access((base + ".a").c_str(), R_OK) == 0;
}

Expected<Toolchain> findToolchain(const Invocation &invocation) {
  Toolchain tools;
  tools.binDirectory = executableDirectory();
  tools.root = fs::path(tools.binDirectory).parent_path().string();
  tools.libraryDirectory = tools.root + "/lib";
  tools.includeDirectory = tools.root + "/include";
  tools.hwccDevice = tools.binDirectory + "/hwcc-device";
  tools.clangPlugin = tools.libraryDirectory + "/hostwarp_clang_plugin.so";
  tools.hostPlugin = tools.libraryDirectory + "/hostwarp_host_plugin.so";
  if (Status status = findClang(tools); !status.ok()) return Failure{status.message()};
  if (Status status = findHostCompilers(invocation, tools); !status.ok()) return Failure{status.message()};
  Expected<std::string> cccl = findCccl();
  if (!cccl.ok()) return cccl.failure();
  tools.cccl = *cccl;
  Expected<std::vector<std::string>> openMpHeader = findOpenMpHeader(invocation, tools.clang);
  if (!openMpHeader.ok()) return openMpHeader.failure();
  tools.openMpHeader = *openMpHeader;
  return tools;
}

}  // namespace hostwarp::driver
