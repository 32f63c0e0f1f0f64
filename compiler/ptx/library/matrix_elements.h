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
// ReadSmall reads any float of at most 8 bits that has `bits` bits of a word to itself. In a byte, elements of 6 bits
// lie at the bottom and those of 4 bits in the middle [PTX: mma with .kind::f8f6f4].
template <int bits>
struct ReadSmall {
  static constexpr int perWord = 32 / bits;

  explicit ReadSmall(u32 kind) {
    const numbers::Format format = formats[kind == MatrixKind::PackedE2M1 ? u32(MatrixKind::E2M1) : kind];
    const int used = format.signShift() + 1;
    shift_ = bits == 8 && used == 4 ? 2 : 0;
    signUp_ = 32 - used;
    sign_ = format.sign();
    mantissaUp_ = 23 - format.mantissaBits;
    firstSpecial_ = format.specials == numbers::noSpecials ? sign_ : format.largest() + 1;
    unit_ = float(numbers::powerOfTwo(127 - format.bias()));
  }

  // The digits are a float's but for the bias of the exponent.
  float at(const u32 *words, int i) const {
    const u32 element = words[i / perWord] >> (i % perWord * bits + shift_), magnitude = element & (sign_ - 1);
    const u32 special = magnitude >= firstSpecial_ ? 0x7f800000 : 0;
    const float value = bitsAs<float>(magnitude << mantissaUp_ | special) * unit_;
    return bitsAs<float>(bitsAs<u32>(value) | (element & sign_) << signUp_);
  }

 private:
  int shift_, signUp_, mantissaUp_;
  u32 sign_, firstSpecial_;
  float unit_;
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
