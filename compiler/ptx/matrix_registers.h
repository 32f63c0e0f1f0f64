// What translated mma.sync and wgmma hand to ptx/library: a lane's registers, and which instruction it is.
#ifndef HOSTWARP_COMPILER_PTX_MATRIX_REGISTERS_H
#define HOSTWARP_COMPILER_PTX_MATRIX_REGISTERS_H

#include <stdint.h>

namespace hostwarp::compiler::ptx {

// The small formats come first, in the order of ptx/library/formats.h. An element of E2M1 to E4M3 fills a byte, one of
// PackedE2M1 half of one.
enum MatrixKind : uint32_t {
  F16,
  BF16,
  TF32,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  PackedE2M1,
  F32,
  F64,
  S8,
  U8,
  S4,
  U4,
  B1,
  S32
};

// MatrixScales are the scales of one operand's blocks: four in a word, of which `byte` is the first that counts. Of
// each four lanes `thread` says which ones have them.
struct MatrixScales {
  uint32_t word, byte, thread;
};

// MatrixRegisters is passed as an array of words: the emitter fills it by these offsets.
struct MatrixRegisters {
  uint32_t a[16], b[8], c[8], d[8];
  uint32_t kindA, kindB, kindC, kindD;
  uint32_t m, k;             // n is always 8
  uint32_t saturates;        // .satfinite
  uint32_t ands;             // .and instead of .xor
  uint32_t columnsA, rowsB;  // the layouts of m8n8k4 for f16; all others have rows of A and columns of B
  uint32_t sparse;           // A holds half of its elements, and the metadata says which
  uint32_t metadata, selector;
  uint32_t scales;      // of each row of A and column of B: 0 for none, 1, 2 or 4
  uint32_t scalesE4M3;  // scales are e4m3 without sign, not ue8m0
  MatrixScales scalesA, scalesB;
};

// WarpgroupRegisters is the same for wgmma. Each of the four warps computes its 16 rows of D.
struct WarpgroupRegisters {
  uint32_t d[128], a[4];
  uint32_t descriptorA[2], descriptorB[2];  // low and high words
  uint32_t shared[2], sharedBytes;          // where the block's shared memory begins, and how much there is
  uint32_t warp;                            // of the four
  uint32_t kindA, kindB, kindD;
  uint32_t n, k;        // m is always 64; k counts the zeros of a sparse A
  uint32_t registersA;  // A is in registers, not in shared memory
  uint32_t addsToD;     // scale-d
  uint32_t negatesA, negatesB;
  uint32_t rowsA, rowsB;  // A is stored along m, B along n
  uint32_t saturates;
  uint32_t sparse, metadata, selector;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MATRIX_REGISTERS_H
