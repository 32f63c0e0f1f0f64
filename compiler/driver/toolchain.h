// The programs and folders that hwcc works with.
#ifndef HOSTWARP_COMPILER_DRIVER_TOOLCHAIN_H
#define HOSTWARP_COMPILER_DRIVER_TOOLCHAIN_H

#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/invocation.h"
#include "compiler/driver/result.h"

namespace hostwarp::driver {

// Toolchain is where things are. The folders belong together: <root>/bin holds hwcc itself.
struct Toolchain {
  std::string root;
  std::string binDirectory;
  std::string libraryDirectory;
  std::string includeDirectory;
  std::string cccl;  // the folder of CCCL's headers, or empty

  std::string clang;   // clang++ of the LLVM that hwcc-device and the plugin are built with
  std::string linker;  // ld.lld of the same LLVM, or ld
  std::string hwccDevice;
  std::string clangPlugin;  // for both passes
  std::string hostPlugin;   // for the host pass
  std::string hostCxx;      // compiles .cpp and friends: -ccbin, else g++, else clang++
  std::string hostC;        // compiles .c: gcc or its counterpart
  std::string linkDriver;   // links: -ccbin, else hwcc-link, which is clang++ with our linker
  bool linksWithClang = true;
  std::string archiver;
  std::vector<std::string> openMpHeader;  // see findOpenMpHeader()

  // hasLibrary() tells whether the library folder holds lib<name>.so or lib<name>.a.
  bool hasLibrary(std::string_view name) const;
};

// findToolchain() looks for the programs around the running executable and in PATH. It fails if there is no clang that
// can work with this build, or -ccbin names nothing.
Expected<Toolchain> findToolchain(const Invocation &invocation);

// findProgram() is the full path of `name` in PATH, or empty.
std::string findProgram(std::string_view name);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_TOOLCHAIN_H
