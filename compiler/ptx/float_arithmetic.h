// The floating-point halves of opcodes that exist for integers too.
#ifndef HOSTWARP_COMPILER_PTX_FLOAT_ARITHMETIC_H
#define HOSTWARP_COMPILER_PTX_FLOAT_ARITHMETIC_H

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

// The operations have the values that ptx/library uses.
enum class FloatOperation : uint8_t { Add = 0, Sub = 1, Mul = 2, Div = 3, Fma = 4, Sqrt = 5, Reciprocal = 6 };

// emitFloat() emits d = op(a, b, c) with the modifiers .rnd, .ftz, .sat and .relu that are left on the instruction.
void emitFloat(Emitter &emitter, FloatOperation operation, Type type);
void emitFloatAbs(Emitter &emitter, Type type);
void emitFloatNeg(Emitter &emitter, Type type);
void emitFloatMinMax(Emitter &emitter, Type type, bool isMax);

// flush() makes a subnormal value a zero of its sign (.ftz).
llvm::Value *flush(Emitter &emitter, llvm::Value *value);

// lane() and joinLanes() split and build packed values (.f16x2).
llvm::Value *lane(Emitter &emitter, llvm::Value *packed, Type type, unsigned index);
llvm::Value *joinLanes(Emitter &emitter, llvm::ArrayRef<llvm::Value *> lanes);

// toFloat() gives one lane's bits of any floating type as float, or double for .f64.
llvm::Value *toFloat(Emitter &emitter, llvm::Value *bits, Type laneType);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_FLOAT_ARITHMETIC_H
