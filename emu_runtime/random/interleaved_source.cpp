#include <curand_kernel.h>

#include <algorithm>
#include <vector>

#include "emu_runtime/random/bits.h"
#include "emu_runtime/random/source.h"

namespace hostwarp::random {
namespace {

// What a large Poisson number is made from differs: XORWOW keeps floats, MRG32k3a doubles.
double normalForPoisson(curandStateXORWOW_t *state) { return curand_normal(state); }
double normalForPoisson(curandStateMRG32k3a_t *state) { return curand_normal_double(state); }

template <class State>
class InterleavedSource final : public Source {
 public:
  void restart(const Restart &restart) override {
    seed_ = restart.seed;
    if (restart.offset) position_ = *restart.offset;
    states_.assign(restart.sequences, State{});
    begin_ = position_;
  }

  void generate(const Request &r) override {
    const auto mean = r.mean, deviation = r.deviation;
    const auto meanf = static_cast<float>(mean), deviationf = static_cast<float>(deviation);
    switch (r.kind) {
      case Kind::Integer:
        return singles<unsigned>(r, [](State *s) { return curand(s); });
      case Kind::Uniform:
        return singles<float>(r, [](State *s) { return curand_uniform(s); });
      case Kind::UniformDouble:
        return singles<double>(r, [](State *s) { return curand_uniform_double(s); });
      case Kind::Normal:
        return pairs<float>(r, [=](State *s) { return scaled(curand_normal2(s), meanf, deviationf); });
      case Kind::NormalDouble:
        return pairs<double>(r, [=](State *s) { return scaled(curand_normal2_double(s), mean, deviation); });
      case Kind::LogNormal:
        return pairs<float>(r, [=](State *s) { return curand_log_normal2(s, meanf, deviationf); });
      case Kind::LogNormalDouble:
        return pairs<double>(r, [=](State *s) { return curand_log_normal2_double(s, mean, deviation); });
      case Kind::Poisson:
        if (r.histogram) return singles<unsigned>(r, [&r](State *s) { return fromHistogram(curand(s), *r.histogram); });
        return singles<unsigned>(r, [=](State *s) { return roundedNormal(normalForPoisson(s), mean); });
      case Kind::LongLong:
        return;
    }
  }

 private:
  // next() is the state whose turn it is. States are set up when first used: many programs want a few numbers only.
  State *next() {
    const unsigned long long index = position_ % states_.size();
    State *state = &states_[index];
    if (position_ - begin_ < states_.size()) curand_init(seed_, index, position_ / states_.size(), state);
    ++position_;
    return state;
  }

  template <class T, class Draw>
  void singles(const Request &request, Draw draw) {
    T *out = static_cast<T *>(request.out);
    for (size_t i = 0; i < request.count; ++i) out[i] = draw(next());
  }

  template <class T, class Draw>
  void pairs(const Request &request, Draw draw) {
    T *out = static_cast<T *>(request.out);
    for (size_t i = 0; i < request.count; i += 2) {
      const auto pair = draw(next());
      out[i] = pair.x;
      out[i + 1] = pair.y;
    }
  }

  template <class Pair, class T>
  static Pair scaled(Pair pair, T mean, T deviation) {
    pair.x = mean + deviation * pair.x;
    pair.y = mean + deviation * pair.y;
    return pair;
  }

  unsigned long long seed_ = 0;
  unsigned long long begin_ = 0;
  unsigned long long position_ = 0;
  std::vector<State> states_;
};

}  // namespace

std::unique_ptr<Source> makeXorwowSource() { return std::make_unique<InterleavedSource<curandStateXORWOW_t>>(); }
std::unique_ptr<Source> makeMrgSource() { return std::make_unique<InterleavedSource<curandStateMRG32k3a_t>>(); }

}  // namespace hostwarp::random
