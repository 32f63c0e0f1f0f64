#include <curand_kernel.h>

#include <vector>

#include "emu_runtime/random/direction_vectors.h"
#include "emu_runtime/random/inversion.h"
#include "emu_runtime/random/source.h"

namespace hostwarp::random {
namespace {

// SobolSource: a plain sequence is a scrambled one whose constant is 0.
template <class State, class Word>
class SobolSource final : public Source {
 public:
  using Vectors = Word[8 * sizeof(Word)];
  static constexpr double histogramMean = sizeof(Word) == 4 ? 10 : 0;

  SobolSource(const Vectors *vectors, const Word *constants) : vectors_(vectors), constants_(constants) {}

  void restart(const Restart &restart) override {
    if (restart.offset) position_ = *restart.offset;
    states_.resize(restart.dimensions);
    for (size_t d = 0; d < states_.size(); ++d)
      sobolInit(vectors_[d], constants_ ? constants_[d] : Word(0), position_, &states_[d]);
  }

  void generate(const Request &request) override {
    const size_t points = request.count / states_.size();
    invert(request, histogramMean, [&](auto make) {
      auto *out = static_cast<decltype(make(Word())) *>(request.out);
      for (State &state : states_)
        for (size_t i = 0; i < points; ++i) *out++ = make(curand(&state));
    });
    position_ += points;
  }

 private:
  const Vectors *vectors_;
  const Word *constants_;
  std::vector<State> states_;
  unsigned long long position_ = 0;
};

using Sobol32 = SobolSource<curandStateScrambledSobol32_t, unsigned>;
using Sobol64 = SobolSource<curandStateScrambledSobol64_t, unsigned long long>;

}  // namespace

std::unique_ptr<Source> makeSobol32Source(bool scrambled) {
  if (scrambled) return std::make_unique<Sobol32>(scrambledDirectionVectors32(), scrambleConstants32());
  return std::make_unique<Sobol32>(directionVectors32(), nullptr);
}

std::unique_ptr<Source> makeSobol64Source(bool scrambled) {
  if (scrambled) return std::make_unique<Sobol64>(scrambledDirectionVectors64(), scrambleConstants64());
  return std::make_unique<Sobol64>(directionVectors64(), nullptr);
}

}  // namespace hostwarp::random
