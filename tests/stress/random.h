// Random: a small generator whose numbers are the same everywhere.
#ifndef HOSTWARP_TESTS_STRESS_RANDOM_H
#define HOSTWARP_TESTS_STRESS_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hostwarp::stress {

// Random is SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15 + 1) {}

  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // below() gives a number from 0 to `limit` - 1.
  uint64_t below(uint64_t limit) { return next() % limit; }
  bool oneIn(uint64_t n) { return below(n) == 0; }
  template <typename T, size_t n>
  T of(const T (&values)[n]) {
    return values[below(n)];
  }
  template <typename T>
  const T &of(const std::vector<T> &values) {
    return values[below(values.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_RANDOM_H
