// What translated mma.sync hands to ptx/library: a lane's registers, and which instruction it is.
#ifndef HOSTWARP_COMPILER_PTX_MATRIX_REGISTERS_H
#define HOSTWARP_COMPILER_PTX_MATRIX_REGISTERS_H

#include <stdint.h>

namespace hostwarp::compiler::ptx {

// The small formats come first, in the order of ptx/library/formats.h.
enum MatrixKind : uint32_t { F16, BF16, TF32, E4M3, E5M2, E2M3, E3M2, E2M1, F32, F64, S8, U8, S4, U4, B1, S32 };

// MatrixRegisters is passed as an array of words: the emitter fills it by these offsets.
struct MatrixRegisters {
  uint32_t a[16], b[8], c[8], d[8];
  uint32_t kindA, kindB, kindC, kindD;
  uint32_t m, k;             // n is always 8
  uint32_t saturates;        // .satfinite
  uint32_t ands;             // .and instead of .xor
  uint32_t columnsA, rowsB;  // the layouts of m8n8k4 for f16; all others have rows of A and columns of B
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MATRIX_REGISTERS_H
