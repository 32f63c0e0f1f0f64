// Names of GPU architectures on the command line, and the macros they stand for.
#ifndef HOSTWARP_COMPILER_DRIVER_ARCHITECTURES_H
#define HOSTWARP_COMPILER_DRIVER_ARCHITECTURES_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/result.h"

namespace hostwarp::driver {

// Architecture is one name such as sm_90a: the value of __CUDA_ARCH__ and its variant letter ('\0', 'a' or 'f').
struct Architecture {
  int macro = 900;
  char variant = '\0';
  auto operator<=>(const Architecture &) const = default;
};

// ArchitectureSet collects -arch, -code and -gencode. hostwarp builds device code once, for the highest architecture
// named; the whole set only shows in __CUDA_ARCH_LIST__.
class ArchitectureSet {
 public:
  // setArchitecture() takes the value of -arch: a name, all, all-major or native.
  Status setArchitecture(const std::string &value);
  // addCode() takes one value of -code, which must name a known architecture.
  Status addCode(const std::string &value);
  // addGenerateCode() takes the value of -gencode: arch=<name>,code=<name> or code=[<name>,<name>].
  Status addGenerateCode(const std::string &value);
  // check() reports what is only wrong about the options together.
  Status check() const;

  // target() is the architecture that device code is compiled as.
  Architecture target() const;
  // list() are the values of __CUDA_ARCH_LIST__, ascending.
  std::vector<int> list() const;

 private:
  std::vector<Architecture> all() const;

  std::vector<Architecture> fromArch_;
  std::vector<Architecture> fromGenerateCode_;
  bool codeGiven_ = false;
};

// parseArchitecture() reads sm_90, compute_90a, lto_100f.
std::optional<Architecture> parseArchitecture(std::string_view name);

// listedArchitectures() are the names (without prefix) that CUDA 13.0 lists, ascending.
std::vector<int> listedArchitectures();

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_ARCHITECTURES_H
