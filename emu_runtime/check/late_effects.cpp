#include "emu_runtime/check/late_effects.h"

#include <algorithm>
#include <utility>

#include "emu_runtime/support/options.h"

namespace hostwarp::check {

bool LateEffects::areWanted() {
  static const bool wanted = optionText(Option::CHECK_ASYNC) == "late";
  return wanted;
}

// take() has one happen. It may lead to others: nothing is held on to meanwhile.
void LateEffects::take(Pipe pipe, size_t index) {
  const auto place = pipes_.find(pipe);
  const Effect effect = std::move(place->second[index]);
  place->second.erase(place->second.begin() + static_cast<std::ptrdiff_t>(index));
  if (place->second.empty()) pipes_.erase(place);
  if (effect.after != 0) perform(effect.after, effect.afterTime);
  effect.work(effect.arguments.data());
}

void LateEffects::perform(Pipe pipe, Time upTo) {
  for (auto place = pipes_.find(pipe); place != pipes_.end() && place->second.front().time < upTo;
       place = pipes_.find(pipe))
    take(pipe, 0);
}

void LateEffects::forget(const void *block) {
  for (auto &[pipe, effects] : pipes_)
    std::erase_if(effects, [&](const Effect &effect) { return effect.block == block; });
  std::erase_if(pipes_, [](const auto &each) { return each.second.empty(); });
}

void LateEffects::performOf(const void *block, uint32_t thread) {
  if (pipes_.empty()) return;
  const auto isOwn = [&](const Effect &effect) { return effect.block == block && effect.thread == thread; };
  std::vector<Pipe> pipes;
  for (const auto &[pipe, effects] : pipes_)
    if (std::ranges::any_of(effects, isOwn)) pipes.push_back(pipe);
  for (const Pipe pipe : pipes)
    for (auto place = pipes_.find(pipe); place != pipes_.end(); place = pipes_.find(pipe)) {
      const auto own = std::ranges::find_if(place->second, isOwn);
      if (own == place->second.end()) break;
      take(pipe, static_cast<size_t>(own - place->second.begin()));
    }
}

}  // namespace hostwarp::check
