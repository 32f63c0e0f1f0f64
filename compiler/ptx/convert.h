// Number formats of cvt beyond the plain types.
#ifndef HOSTWARP_COMPILER_PTX_CONVERT_H
#define HOSTWARP_COMPILER_PTX_CONVERT_H

#include "compiler/ptx/emitter.h"
#include "compiler/ptx/rounding.h"

namespace hostwarp::compiler::ptx {

// The values are the indices of ptx/library/formats.h's table.
enum class SmallFormat : int8_t { None = -1, F16 = 0, BF16, TF32, E4M3, E5M2, E2M3, E3M2, E2M1, UE8M0 };

// Conversion is a cvt instruction.
struct Conversion {
  struct Side {
    Type type;                               // the registers' type; for small formats the bits of one element
    SmallFormat format = SmallFormat::None;  // set for f16 and bf16 too
    bool isInteger() const { return type.isInteger(); }
  };
  Side to, from;
  Rounding rounding = Rounding::NearestEven;
  bool hasRounding = false, toIntegral = false;
  bool flushes = false, saturates = false, satfinite = false, relu = false;
};

// convertInteger() and convertFloat() give the bits of the converted lane; the source is given as bits too.
llvm::Value *convertFromInteger(Emitter &emitter, const Conversion &conversion, llvm::Value *bits);
llvm::Value *convertFromFloat(Emitter &emitter, const Conversion &conversion, llvm::Value *bits);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_CONVERT_H
