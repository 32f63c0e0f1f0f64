#include "emu_runtime/digests/call.h"

#include <string_view>

#include "emu_runtime/digests/machine.h"
#include "emu_runtime/digests/rows.h"
#include "emu_runtime/digests/turn.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::digests {

bool isAsked() { return !optionText(Option::DIGESTS).empty(); }

void Call::begin(const char *name, bool isPerThread) {
  const Row *const row = rowOf(name);
  if (!row) return;
  const machine::Quiet quiet;
  turn_ = Turn::begin(name, isPerThread).release();
  row_ = row;
  if (turn_) row->before(*turn_, arguments_.data());
}

void Call::finish(int result, const char *resultName) {
  const machine::Quiet quiet;
  if (result != 0 && !row_->tellsFailures) return;
  if (result != 0) turn_->setError(resultName);
  row_->after(*turn_, arguments_.data());
}

void Call::leave() { delete turn_; }

}  // namespace hostwarp::digests
