// Sizes and inputs of the shapes: both forms include this.
#ifndef HOSTWARP_BENCH_SHAPES_H
#define HOSTWARP_BENCH_SHAPES_H

#include "../harness/inputs.h"

// A string a thread runs through a machine of states: what follows depends on each letter.
struct Automaton {
  static constexpr int strings = 1 << 16, length = 128, states = 16, letters = 16;
  std::vector<uint8_t> text = bench::integers<uint8_t>(size_t(strings) * length, 50, letters);
  std::vector<int> next = bench::integers<int>(size_t(states) * letters, 51, states);
};

// Points of which those closer than a radius are counted.
struct Pairs {
  static constexpr int n = 16384;
  static constexpr float radius = 0.25f;
  static constexpr bench::Accept accept{5e-3};  // a pair at the radius may count or not
  std::vector<float> x = bench::uniform(n, 52, -1, 1), y = bench::uniform(n, 53, -1, 1);
};

// Updates of a large table at places that come from the data.
struct Scattered {
  static constexpr int updates = 4 << 20, table = 1 << 18;
  std::vector<int> places = bench::integers<int>(updates, 54, table);
};

// A product of matrices without tiles; the second one is read by columns.
struct Naive {
  static constexpr int n = 512;
  static constexpr bench::Accept accept{1e-4};
  std::vector<float> a = bench::uniform(size_t(n) * n, 55, -1, 1), b = bench::uniform(size_t(n) * n, 56, -1, 1);
};

// 32 comparisons become the bits of a word.
struct Packing {
  static constexpr int words = 1 << 20;
  static constexpr float threshold = 0.5f;
  std::vector<float> in = bench::uniform(size_t(32) * words, 57, 0, 1);
};

// Indices taken apart by sizes that only the program's input says.
struct Division {
  static constexpr int n = 4 << 20, width = 83, height = 61;
  std::vector<int> sizes = {width, height};
};

#endif  // HOSTWARP_BENCH_SHAPES_H
