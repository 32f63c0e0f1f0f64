// Sixteen transforms at a time, one a lane, by radix-4 steps that sort themselves (Stockham).
#include "fft.h"

#include <utility>

#include "../harness/native.h"

using bench::Floats;

constexpr int size = Fft::size, lanes = 16;

struct Complexes {
  Floats real[size], imaginary[size];
};

struct Complex {
  Floats real, imaginary;
  Complex operator+(const Complex &o) const { return {real + o.real, imaginary + o.imaginary}; }
  Complex operator-(const Complex &o) const { return {real - o.real, imaginary - o.imaginary}; }
  [[nodiscard]] Complex times(const float *root) const {
    return {real * root[0] - imaginary * root[1], real * root[1] + imaginary * root[0]};
  }
  [[nodiscard]] Complex timesMinusI() const { return {imaginary, -real}; }
};

static Complex at(const Complexes &all, int index) { return {all.real[index], all.imaginary[index]}; }
static void put(Complexes &all, int index, const Complex &value) {
  all.real[index] = value.real;
  all.imaginary[index] = value.imaginary;
}

// One step on transforms of `length` points that lie `stride` apart.
static void radix4(const Complexes &from, Complexes &to, int length, int stride, const float *roots) {
  const int quarter = length / 4;
  for (int p = 0; p < quarter; ++p) {
    const float *w1 = roots + 2 * (p * stride), *w2 = roots + 2 * (2 * p * stride), *w3 = roots + 2 * (3 * p * stride);
    for (int q = 0; q < stride; ++q) {
      const Complex a = at(from, q + stride * p), b = at(from, q + stride * (p + quarter));
      const Complex c = at(from, q + stride * (p + 2 * quarter)), d = at(from, q + stride * (p + 3 * quarter));
      const Complex even = a + c, evenDifference = a - c, odd = b + d, oddTurned = (b - d).timesMinusI();
      const int first = q + stride * 4 * p;
      put(to, first, even + odd);
      put(to, first + stride, (evenDifference + oddTurned).times(w1));
      put(to, first + 2 * stride, (even - odd).times(w2));
      put(to, first + 3 * stride, (evenDifference - oddTurned).times(w3));
    }
  }
}

static void transform16(const float *in, float *out, const float *roots) {
  static thread_local Complexes first, second;
  Complexes *from = &first, *to = &second;
  for (int i = 0; i < size; ++i)
    for (int lane = 0; lane < lanes; ++lane) {
      from->real[i][lane] = in[2 * (lane * size + i)];
      from->imaginary[i][lane] = in[2 * (lane * size + i) + 1];
    }
  for (int length = size, stride = 1; length > 1; length /= 4, stride *= 4, std::swap(from, to))
    radix4(*from, *to, length, stride, roots);
  for (int lane = 0; lane < lanes; ++lane)
    for (int i = 0; i < size; ++i) {
      out[2 * (lane * size + i)] = from->real[i][lane];
      out[2 * (lane * size + i) + 1] = from->imaginary[i][lane];
    }
}

BENCH_CASE(fft) {
  const Fft input;
  const bench::Memory<float> in(input.in);
  bench::Memory<float> out(input.in.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int first = 0; first < Fft::count; first += lanes)
      transform16(&in[size_t(2) * size * size_t(first)], &out[size_t(2) * size * size_t(first)], input.roots.data());
  });
  run.result(out.data(), out.size(), Fft::accept);
}
