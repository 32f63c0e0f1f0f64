#include <curand_kernel.h>

#include <algorithm>
#include <array>
#include <vector>

#include "emu_runtime/random/bits.h"
#include "emu_runtime/random/source.h"

namespace hostwarp::random {
namespace {

enum : unsigned { sequences = 65536, four = 4 };

template <class T>
using Four = std::array<T, four>;

class PhiloxSource final : public Source {
 public:
  void restart(const Restart &restart) override {
    seed_ = restart.seed;
    if (restart.offset) position_ = *restart.offset;
    counters_.resize(sequences);
    const unsigned long long fours = position_ / four;
    for (unsigned i = 0; i < sequences; ++i) counters_[i] = fours / sequences + (i < fours % sequences ? 1 : 0);
  }

  void generate(const Request &r) override {
    switch (r.kind) {
      case Kind::Integer:
        return fours<unsigned, 1>(r, [](const uint4 *b) { return Four<unsigned>{b->x, b->y, b->z, b->w}; });
      case Kind::Uniform:
        return fours<float, 1>(r, [](const uint4 *b) {
          return Four<float>{uniformFloat(b->x), uniformFloat(b->y), uniformFloat(b->z), uniformFloat(b->w)};
        });
      case Kind::UniformDouble:
        return fours<double, 2>(r, [](const uint4 *b) {
          return Four<double>{uniformDouble(b[0].x, b[0].y), uniformDouble(b[0].z, b[0].w),
                              uniformDouble(b[1].x, b[1].y), uniformDouble(b[1].z, b[1].w)};
        });
      case Kind::Poisson:
        return poisson(r);
      case Kind::LongLong:
        return;
      default:
        return normal(r);
    }
  }

 private:
  static Four<float> normals(const uint4 *b) {
    const float2 first = boxMuller(b->x, b->y), second = boxMuller(b->z, b->w);
    return {first.x, first.y, second.x, second.y};
  }
  static Four<double> normalDoubles(const uint4 *b) {
    const double2 first = boxMuller(b[0]), second = boxMuller(b[1]);
    return {first.x, first.y, second.x, second.y};
  }
  template <class T, class Function>
  static auto mapped(const Four<T> &values, Function function) {
    return Four<decltype(function(T()))>{function(values[0]), function(values[1]), function(values[2]),
                                         function(values[3])};
  }

  void normal(const Request &r) {
    const auto mean = r.mean, deviation = r.deviation;
    const auto meanf = static_cast<float>(mean), deviationf = static_cast<float>(deviation);
    const auto scaled = [=](double x) { return mean + deviation * x; };
    const auto scaledf = [=](float x) { return meanf + deviationf * x; };
    switch (r.kind) {
      case Kind::Normal:
        return fours<float, 1>(r, [=](const uint4 *b) { return mapped(normals(b), scaledf); });
      case Kind::NormalDouble:
        return fours<double, 2>(r, [=](const uint4 *b) { return mapped(normalDoubles(b), scaled); });
      case Kind::LogNormal:
        return fours<float, 1>(
            r, [=](const uint4 *b) { return mapped(normals(b), [=](float x) { return expf(scaledf(x)); }); });
      default:
        return fours<double, 2>(
            r, [=](const uint4 *b) { return mapped(normalDoubles(b), [=](double x) { return exp(scaled(x)); }); });
    }
  }

  void poisson(const Request &r) {
    if (r.histogram)
      return fours<unsigned, 1>(r, [&r](const uint4 *b) {
        return mapped(Four<unsigned>{b->x, b->y, b->z, b->w},
                      [&r](unsigned bits) { return fromHistogram(bits, *r.histogram); });
      });
    fours<unsigned, 1>(
        r, [&r](const uint4 *b) { return mapped(normals(b), [&r](float x) { return roundedNormal(x, r.mean); }); });
  }

  // fours() makes four numbers of `blocks` counter values. A sequence moves on when all of its four have been taken.
  template <class T, int blocks, class Make>
  void fours(const Request &request, Make make) {
    T *out = static_cast<T *>(request.out);
    for (size_t left = request.count; left;) {
      const auto sequence = static_cast<unsigned>(position_ / four % sequences);
      uint4 bits[blocks];
      for (int i = 0; i < blocks; ++i) bits[i] = block(counters_[sequence] + i, sequence);
      const Four<T> made = make(bits);
      const size_t begin = position_ % four, count = std::min(left, four - begin);
      out = std::copy_n(made.begin() + static_cast<std::ptrdiff_t>(begin), count, out);
      if (begin + count == four) counters_[sequence] += blocks;
      position_ += count;
      left -= count;
    }
  }

  uint4 block(unsigned long long counter, unsigned sequence) const {
    return curand_Philox4x32_10(
        make_uint4(static_cast<unsigned>(counter), static_cast<unsigned>(counter >> 32), sequence, 0),
        make_uint2(static_cast<unsigned>(seed_), static_cast<unsigned>(seed_ >> 32)));
  }

  unsigned long long seed_ = 0;
  unsigned long long position_ = 0;
  std::vector<unsigned long long> counters_;
};

}  // namespace

std::unique_ptr<Source> makePhiloxSource() { return std::make_unique<PhiloxSource>(); }

}  // namespace hostwarp::random
