// Numbers that look random and are the same in every form.
#ifndef HOSTWARP_BENCH_INPUTS_H
#define HOSTWARP_BENCH_INPUTS_H

#include <cstdint>
#include <vector>

#include "case.h"

namespace bench {

inline uint32_t hash(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

// unit() is in [0, 1).
inline float unit(uint32_t index, uint32_t salt) {
  return float(hash(index * 2654435761U + salt) >> 8) * (1.0f / 16777216.0f);
}

inline std::vector<float> uniform(size_t count, uint32_t salt, float low, float high) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = low + (high - low) * unit(uint32_t(i), salt);
  return values;
}

// integers() are below `limit`.
template <class T>
std::vector<T> integers(size_t count, uint32_t salt, uint32_t limit) {
  std::vector<T> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = T(hash(uint32_t(i) * 747796405U + salt) % limit);
  return values;
}

}  // namespace bench

#endif  // HOSTWARP_BENCH_INPUTS_H
