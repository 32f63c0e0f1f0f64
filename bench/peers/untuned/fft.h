// Transforms of 1024 complex numbers each, many of them.
#ifndef HOSTWARP_BENCH_FFT_H
#define HOSTWARP_BENCH_FFT_H

#include "../harness/inputs.h"

struct Fft {
  static constexpr int size = 1024, count = 2048;
  static constexpr bench::Accept accept{1e-3};
  // Pairs of a real and an imaginary part.
  std::vector<float> in = bench::uniform(size_t(2) * size * count, 30, -1, 1), roots;
  // roots holds exp(-2 pi i k / size).
  Fft() {
    for (int k = 0; k < size; ++k) {
      const double angle = -2 * 3.14159265358979323846 * k / size;
      roots.push_back(float(std::cos(angle)));
      roots.push_back(float(std::sin(angle)));
    }
  }
};

#endif  // HOSTWARP_BENCH_FFT_H
