// The types of PTX instructions: .u32, .b128, .f16x2, .pred ...
#ifndef HOSTWARP_COMPILER_PTX_TYPE_H
#define HOSTWARP_COMPILER_PTX_TYPE_H

#include <llvm/IR/Type.h>

#include <cstdint>
#include <string_view>

namespace hostwarp::compiler::ptx {

struct Type {
  enum class Kind : uint8_t { None, Bits, Unsigned, Signed, Float, BFloat, Predicate };
  Kind kind = Kind::None;
  uint16_t bits = 0;  // of one lane
  uint8_t lanes = 1;  // 2 for .f16x2 and its like

  unsigned width() const { return unsigned(bits) * lanes; }
  bool valid() const { return kind != Kind::None; }
  bool isFloat() const { return kind == Kind::Float || kind == Kind::BFloat; }
  bool isSigned() const { return kind == Kind::Signed; }
  bool isInteger() const { return kind == Kind::Unsigned || kind == Kind::Signed; }
  bool isPredicate() const { return kind == Kind::Predicate; }
  Type lane() const { return {kind, bits, 1}; }
  bool operator==(const Type &) const = default;

  // value() is the LLVM type that read() gives: half, float or double for one lane of .f*, else an integer. .bf16
  // stays an integer: the host has no arithmetic on it.
  llvm::Type *value(llvm::LLVMContext &context) const;
};

// parseType() knows the scalar types and the packed ones of two or four lanes; the result is not valid() otherwise.
Type parseType(std::string_view name);

inline Type bitsType(unsigned bits) { return {Type::Kind::Bits, uint16_t(bits), 1}; }
inline constexpr Type u32{Type::Kind::Unsigned, 32, 1}, s32{Type::Kind::Signed, 32, 1};
inline constexpr Type u64{Type::Kind::Unsigned, 64, 1}, s64{Type::Kind::Signed, 64, 1};
inline constexpr Type b32{Type::Kind::Bits, 32, 1}, b64{Type::Kind::Bits, 64, 1};
inline constexpr Type f16{Type::Kind::Float, 16, 1}, f32{Type::Kind::Float, 32, 1}, f64{Type::Kind::Float, 64, 1};
inline constexpr Type predicateType{Type::Kind::Predicate, 1, 1};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_TYPE_H
