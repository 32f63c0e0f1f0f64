// Elements of matrices in registers and memory.
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_MATRIX_ELEMENTS_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_MATRIX_ELEMENTS_H

#include "compiler/ptx/library/formats.h"
#include "compiler/ptx/matrix_registers.h"

using hostwarp::compiler::ptx::MatrixKind;

// A reader gives element i of some words, as it is multiplied.

struct ReadHalf {
  static constexpr int perWord = 2;
  static float at(const u32 *words, int i) { return numbers::widenHalf(words[i / 2] >> i % 2 * 16); }
};
struct ReadBrain {
  static constexpr int perWord = 2;
  static float at(const u32 *words, int i) { return numbers::Brain::toFloat(u16(words[i / 2] >> i % 2 * 16)); }
};
struct ReadTf32 {
  static constexpr int perWord = 1;
  static float at(const u32 *words, int i) { return bitsAs<float>(words[i] & 0xffffe000u); }
};
template <int format>
struct ReadFloat8 {
  static constexpr int perWord = 4;
  static float at(const u32 *words, int i) {
    return float(numbers::decode(formats[format], words[i / 4] >> i % 4 * 8 & 255));
  }
};
struct ReadDouble {
  static constexpr int perWord = 1;
  static double at(const u32 *words, int i) { return bitsAs<double>(words[2 * i] | u64(words[2 * i + 1]) << 32); }
};
template <int bits, bool isSigned>
struct ReadInteger {
  static constexpr int perWord = 32 / bits;
  static int at(const u32 *words, int i) {
    const u32 atTop = words[i / perWord] << (32 - bits - i % perWord * bits);
    return isSigned ? s32(atTop) >> (32 - bits) : s32(atTop >> (32 - bits));
  }
};

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_MATRIX_ELEMENTS_H
