// The device code that an image carries: what hwcc-device made it of, and how, so that other builds of it can be made
// where the program runs.
#ifndef HOSTWARP_COMPILER_DEVICE_CARRIED_CODE_H
#define HOSTWARP_COMPILER_DEVICE_CARRIED_CODE_H

#include <llvm/Support/Error.h>

#include <optional>
#include <string>
#include <vector>

#include "compiler/device/options.h"
#include "compiler/device/targets.h"

namespace hostwarp::compiler {

// CarriedCode is one input of hwcc-device. Of the options it has those that decide what the code means.
struct CarriedCode {
  Options options;
  Image image;
  bool isPtx = false;
  std::string content;  // bitcode, or PTX
};

// packCode() makes bytes of it: lines of `name=value` that end with an empty one, and the compressed content.
std::string packCode(const CarriedCode &code);

// unpackCode() reads what packCode() has made; nothing when that is damaged.
std::optional<CarriedCode> unpackCode(llvm::StringRef bytes);

// takeCode() cuts the next one off the bytes, in which several may follow each other with zeros in between, as in an
// executable's section. Empty when there is none.
llvm::StringRef takeCode(llvm::StringRef &bytes);

// codeInFile() is all that an executable, library or object carries.
llvm::Expected<std::vector<CarriedCode>> codeInFile(const std::string &file);

// carriedCodeSection is where objects have it.
inline constexpr llvm::StringLiteral carriedCodeSection = ".hostwarp.code";

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_CARRIED_CODE_H
