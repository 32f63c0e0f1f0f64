// AES-128 in ECB mode: the tables of FIPS 197's cipher, a key and what is to be encrypted.
#ifndef HOSTWARP_BENCH_AES_H
#define HOSTWARP_BENCH_AES_H

#include <array>

#include "../harness/inputs.h"

struct Aes {
  static constexpr int blocks = 1 << 19, rounds = 10;
  std::vector<uint32_t> in = bench::integers<uint32_t>(size_t(4) * blocks, 43, 0xffffffff);
  std::vector<uint32_t> table, keys;  // the first of the four tables, the others are its rotations; round keys
  std::vector<uint32_t> box;          // the substitution

  Aes() : table(256), box(256) {
    makeBox();
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t s = box[i], twice = (s << 1 ^ (s & 0x80 ? 0x11b : 0)) & 0xff;
      table[i] = twice << 24 | s << 16 | s << 8 | (twice ^ s);
    }
    makeKeys({0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c});
  }

 private:
  static uint32_t rotated(uint32_t byte, int by) { return (byte << by | byte >> (8 - by)) & 0xff; }
  // Inverses by the powers of 3, which generate the field.
  void makeBox() {
    std::array<uint32_t, 255> power;
    std::array<uint32_t, 256> logarithm{};
    for (uint32_t i = 0, p = 1; i < 255; ++i) {
      power[i] = p;
      logarithm[p] = i;
      p ^= p << 1 ^ (p & 0x80 ? 0x11b : 0);
    }
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t v = i ? power[(255 - logarithm[i]) % 255] : 0;
      box[i] = v ^ rotated(v, 1) ^ rotated(v, 2) ^ rotated(v, 3) ^ rotated(v, 4) ^ 0x63;
    }
  }
  void makeKeys(std::array<uint32_t, 4> key) {
    keys.assign(key.begin(), key.end());
    for (uint32_t i = 4, constant = 1; i < 4 * (rounds + 1); ++i) {
      uint32_t word = keys[i - 1];
      if (i % 4 == 0) {
        word = box[word >> 16 & 255] << 24 | box[word >> 8 & 255] << 16 | box[word & 255] << 8 | box[word >> 24];
        word ^= constant << 24;
        constant = constant << 1 ^ (constant & 0x80 ? 0x11b : 0);
      }
      keys.push_back(keys[i - 4] ^ word);
    }
  }
};

#endif  // HOSTWARP_BENCH_AES_H
