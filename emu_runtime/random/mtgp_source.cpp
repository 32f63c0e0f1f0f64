#include <curand_mtgp32_host.h>

#include <array>
#include <vector>

#include "emu_runtime/random/inversion.h"
#include "emu_runtime/random/source.h"

namespace hostwarp::random {
namespace {

enum : unsigned { blocks = 192, lanes = 256 };

class MtgpSource final : public Source {
 public:
  MtgpSource() : parameters_(std::make_unique<mtgp32_kernel_params_t>()), states_(blocks) {
    mtgpTables(mtgp32dc_params_fast_11213, *parameters_);
  }

  void restart(const Restart &restart) override {
    for (unsigned i = 0; i < blocks; ++i)
      mtgpState(states_[i], mtgp32dc_params_fast_11213, parameters_.get(), static_cast<int>(i), restart.seed);
    position_ = 0;
  }

  void generate(const Request &request) override {
    invert(request, 32, [&](auto make) {
      auto *out = static_cast<decltype(make(0U)) *>(request.out);
      for (size_t i = 0; i < request.count; ++i) out[i] = make(next());
    });
  }

 private:
  // next() computes a row of a state's numbers when the first of them is asked for.
  unsigned next() {
    const auto lane = static_cast<unsigned>(position_ % lanes);
    if (lane == 0) {
      curandStateMtgp32_t &state = states_[position_ / lanes % blocks];
      for (unsigned i = 0; i < lanes; ++i) row_[i] = mtgpInteger(&state, i);
      state.offset = (state.offset + lanes) & MTGP32_STATE_MASK;
    }
    ++position_;
    return row_[lane];
  }

  std::unique_ptr<mtgp32_kernel_params_t> parameters_;
  std::vector<curandStateMtgp32_t> states_;
  std::array<unsigned, lanes> row_{};
  unsigned long long position_ = 0;
};

}  // namespace

std::unique_ptr<Source> makeMtgpSource() { return std::make_unique<MtgpSource>(); }

}  // namespace hostwarp::random
