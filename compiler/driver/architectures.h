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

// CodeTarget is one form in which device code is wanted: compiled as for `source`, a binary for `code` and what runs
// its binaries, PTX for `code` and all above, or (when no architecture is named) for every device.
struct CodeTarget {
  enum class Kind { Binary, Ptx, Any };
  Kind kind = Kind::Any;
  Architecture source;
  Architecture code;
  auto operator<=>(const CodeTarget &) const = default;
};

// ArchitectureSet collects -arch, -code and -gencode.
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

  // targets() are the forms wanted, without repetition; there is at least one.
  std::vector<CodeTarget> targets() const;
  // sources() are the architectures that device code is compiled as, one after the other, the highest first.
  std::vector<Architecture> sources() const;
  // target() is the highest of them.
  Architecture target() const;
  // list() are the values of __CUDA_ARCH_LIST__, ascending.
  std::vector<int> list() const;

 private:
  struct Name {
    std::string text;
    Architecture architecture;
  };
  std::vector<CodeTarget> fromArch() const;

  std::string arch_;
  std::vector<Name> codes_;
  std::vector<CodeTarget> fromGenerateCode_;
};

// nameOf() is the name without its prefix: 90a.
std::string nameOf(const Architecture &architecture);

// describe() names the forms that are compiled as `source` for hwcc-device: "compute_80:sm_86,compute_80:compute_80".
std::string describe(const std::vector<CodeTarget> &targets, const Architecture &source);

// parseArchitecture() reads sm_90, compute_90a, lto_100f.
std::optional<Architecture> parseArchitecture(std::string_view name);

// listedArchitectures() are the names (without prefix) that CUDA 13.0 lists, ascending.
std::vector<int> listedArchitectures();

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_ARCHITECTURES_H
