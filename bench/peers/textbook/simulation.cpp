// Bodies and options as C++ for the processor: 64 bodies in registers, all others passing by.
#include "simulation.h"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "../harness/native.h"

using bench::Floats;
using bench::load;
using bench::Memory;
using bench::store;

static Floats reciprocalRoot(Floats value) {
#ifdef __AVX512F__
  // One step of Newton's after the processor's 14 bits.
  const Floats guess = Floats(_mm512_rsqrt14_ps(__m512(value)));
  return guess * (1.5f - 0.5f * value * guess * guess);
#else
  for (int lane = 0; lane < 16; ++lane) value[lane] = 1 / sqrtf(value[lane]);
  return value;
#endif
}

struct Coordinates {
  explicit Coordinates(const std::vector<float> &bodies) : x(Bodies::n), y(Bodies::n), z(Bodies::n), mass(Bodies::n) {
    for (size_t i = 0; i < Bodies::n; ++i) {
      x[i] = bodies[4 * i];
      y[i] = bodies[4 * i + 1];
      z[i] = bodies[4 * i + 2];
      mass[i] = bodies[4 * i + 3];
    }
  }
  Memory<float> x, y, z, mass;
};

constexpr int vectors = 4, group = 16 * vectors;

static void forcesOn(const Coordinates &all, size_t first, float *to) {
  Floats x[vectors], y[vectors], z[vectors], ax[vectors] = {}, ay[vectors] = {}, az[vectors] = {};
  for (size_t k = 0; k < vectors; ++k) {
    x[k] = load(&all.x[first + 16 * k]);
    y[k] = load(&all.y[first + 16 * k]);
    z[k] = load(&all.z[first + 16 * k]);
  }
  for (size_t j = 0; j < Bodies::n; ++j) {
#pragma GCC unroll 4
    for (size_t k = 0; k < vectors; ++k) {
      const Floats dx = all.x[j] - x[k], dy = all.y[j] - y[k], dz = all.z[j] - z[k];
      const Floats r = reciprocalRoot(dx * dx + dy * dy + dz * dz + 1e-4f), f = all.mass[j] * r * r * r;
      ax[k] += f * dx;
      ay[k] += f * dy;
      az[k] += f * dz;
    }
  }
  for (int i = 0; i < group; ++i) {
    to[4 * i] = ax[i / 16][i % 16];
    to[4 * i + 1] = ay[i / 16][i % 16];
    to[4 * i + 2] = az[i / 16][i % 16];
  }
}

BENCH_CASE(bodies) {
  const Bodies input;
  const Coordinates all(input.bodies);
  Memory<float> out(input.bodies.size());
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (int first = 0; first < Bodies::n; first += group) forcesOn(all, size_t(first), &out[4 * size_t(first)]);
  });
  run.result(out.data(), out.size(), Bodies::accept);
}

static inline float normal(float d) {
  const float k = 1 / (1 + 0.2316419f * fabsf(d));
  const float p =
      k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  const float c = 0.39894228040f * expf(-0.5f * d * d) * p;
  return d > 0 ? 1 - c : c;
}

BENCH_CASE(blackScholes) {
  const Options input;
  constexpr int n = Options::n;
  const Memory<float> price(input.price), strike(input.strike), years(input.years);
  Memory<float> out(2 * size_t(n));
  run.time([&, s = price.data(), x = strike.data(), t = years.data(), call = out.data(), put = out.data() + n] {
    const float rate = 0.02f, volatility = 0.30f;
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n; ++i) {
      const float root = sqrtf(t[i]);
      const float d1 = (logf(s[i] / x[i]) + (rate + 0.5f * volatility * volatility) * t[i]) / (volatility * root);
      const float n1 = normal(d1), n2 = normal(d1 - volatility * root), e = expf(-rate * t[i]);
      call[i] = s[i] * n1 - x[i] * e * n2;
      put[i] = x[i] * e * (1 - n2) - s[i] * (1 - n1);
    }
  });
  run.result(out.data(), out.size(), Options::accept);
}
