// Call: an API call that `hostwarp compare` may look at.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_CALL_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_CALL_H

#include <array>
#include <cstddef>

namespace hostwarp::digests {

class Turn;
struct Row;

// isAsked() tells whether HOSTWARP_DIGESTS is set; wanted() remembers.
bool isAsked();
inline bool wanted() {
  static const bool is = isAsked();
  return is;
}

// What a call of the API has at most.
constexpr size_t mostArguments = 16;

// Call brackets a call on the calling thread, from when it is decided where kernels run. Costs a load and a branch
// where nothing is compared; else calls that concern memory or work come one after the other, and end() waits for the
// work and for `hostwarp compare`.
class Call {
 public:
  // `arguments` has places().
  template <typename Arguments>
  Call(const char *name, bool isPerThread, const Arguments &arguments) {
    if (!wanted()) return;
    arguments.places(arguments_.data());
    begin(name, isPerThread);
  }
  ~Call() {
    if (turn_) leave();
  }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  // end() takes the call's result, as a number and by name.
  void end(int result, const char *resultName) {
    if (turn_) finish(result, resultName);
  }

 private:
  void begin(const char *name, bool isPerThread);
  void finish(int result, const char *resultName);
  void leave();

  const Row *row_ = nullptr;
  Turn *turn_ = nullptr;
  std::array<const void *, mostArguments> arguments_;
};

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_CALL_H
