#include "compiler/ptx/type.h"

#include <llvm/IR/DerivedTypes.h>

#include <string>

namespace hostwarp::compiler::ptx {

llvm::Type *Type::value(llvm::LLVMContext &context) const {
  if (kind == Kind::Float && lanes == 1) {
    if (bits == 16) return llvm::Type::getHalfTy(context);
    if (bits == 32) return llvm::Type::getFloatTy(context);
    if (bits == 64) return llvm::Type::getDoubleTy(context);
  }
  return llvm::Type::getIntNTy(context, width());
}

Type parseType(std::string_view name) {
  if (name == "pred") return predicateType;
  using Kind = Type::Kind;
  Type type;
  if (name.starts_with("bf")) {
    type.kind = Kind::BFloat;
    name.remove_prefix(2);
  } else {
    if (name.empty()) return {};
    const char letter = name.front();
    type.kind = letter == 'b'   ? Kind::Bits
                : letter == 'u' ? Kind::Unsigned
                : letter == 's' ? Kind::Signed
                : letter == 'f' ? Kind::Float
                                : Kind::None;
    name.remove_prefix(1);
  }
  if (name.ends_with("x2") || name.ends_with("x4")) {
    type.lanes = uint8_t(name.back() - '0');
    name.remove_suffix(2);
  }
  for (unsigned bits : {8u, 16u, 32u, 64u, 128u})
    if (name == std::to_string(bits)) type.bits = uint16_t(bits);
  const unsigned least = type.isFloat() ? 16 : 8, most = type.kind == Kind::Bits     ? 128
                                                         : type.kind == Kind::BFloat ? 16
                                                                                     : 64;
  if (type.kind == Kind::None || type.bits < least || type.bits > most) return {};
  return type;
}

}  // namespace hostwarp::compiler::ptx
