// The parts of a large PTX module, as hwcc --divide writes them (compiler/ptx/module_parts.h).
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_PTX_PARTS_H
#define HOSTWARP_EMU_RUNTIME_MODULE_PTX_PARTS_H

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// isLarge() tells whether it pays to compile the kernels of this PTX, which may be packed (fat_binary.h), one by one.
bool isLarge(std::string_view ptx);

// PtxParts makes PTX of each part. Immutable once made, so thread-safe.
class PtxParts {
 public:
  // read() takes what hwcc wrote. Fails where that is damaged.
  static Expected<PtxParts> read(std::string divided);

  // kernels() are their names, in the order of the text. With fewer than `worthIt` the module is better compiled as a
  // whole; where it has to be, there are none.
  const std::vector<std::string> &kernels() const { return kernels_; }
  static constexpr size_t worthIt = 4;

  // Part is a module of PTX, and the variables of another one that it refers to. It finds each through a pointer of its
  // own, a managed variable of the name borrowedName().
  struct Part {
    std::string text;
    std::set<std::string> borrowed;
  };
  // kernelPart() has the kernel and all that it uses; variables() has the module's variables and no kernels.
  Part kernelPart(const std::string &kernel) const;
  Part variables() const;
  static std::string borrowedName(const std::string &variable) { return "hw_borrowed." + variable; }

 private:
  struct Item {
    char kind;
    size_t begin, end;
    std::vector<std::string> names, uses;
  };
  bool readItem(std::string_view line);
  std::string textOf(const std::set<size_t> &items) const;
  std::set<size_t> itemsOf(std::string_view kinds) const;

  std::string divided_;
  size_t start_ = 0;  // where the module's text begins
  std::vector<Item> items_;
  std::vector<std::string> kernels_;
  std::multimap<std::string, size_t> byName_;  // items that a part can use
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_PTX_PARTS_H
