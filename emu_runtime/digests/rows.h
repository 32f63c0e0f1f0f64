// Rows: what is looked at of the API's functions, in a table.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_ROWS_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_ROWS_H

#include <span>
#include <string_view>
#include <utility>

#include "emu_runtime/digests/turn.h"

namespace hostwarp::digests {

// Row is a function, and what is done before and after calls of it; `arguments` are pointers to the call's.
struct Row {
  using Step = void (*)(Turn &turn, const void *const *arguments);
  std::string_view name;
  Step before, after;
  bool tellsFailures = false;  // else `after` is for calls that have not failed
};

// rowOf() is null for functions that are not looked at. `name` is the entry's, as _ptsz and _ptds too.
const Row *rowOf(std::string_view name);

std::span<const Row> runtimeRows();
std::span<const Row> driverRows();

// nothing is a step.
inline constexpr auto nothing = [](Turn &, auto...) {};

// stepOf() hands a function's arguments to a lambda expression without captures.
template <typename... Parameters, typename Handler, size_t... indices>
constexpr Row::Step stepOf(Handler, std::index_sequence<indices...>) {
  return [](Turn &turn, [[maybe_unused]] const void *const *arguments) {
    Handler{}(turn, *static_cast<const Parameters *>(arguments[indices])...);
  };
}

// rowFor() is the row of `function`, whose parameters the steps must take.
template <typename Result, typename... Parameters, typename Before, typename After>
constexpr Row rowFor(std::string_view name, Result (*)(Parameters...), Before before, After after) {
  constexpr std::index_sequence_for<Parameters...> indices;
  return {name, stepOf<Parameters...>(before, indices), stepOf<Parameters...>(after, indices)};
}

// launchingRowFor() is that of a function whose failures matter, too.
template <typename Function, typename After>
constexpr Row launchingRowFor(std::string_view name, Function *function, After after) {
  Row row = rowFor(name, function, [](Turn &turn, auto...) { turn.willLaunch(); }, after);
  row.tellsFailures = true;
  return row;
}

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_ROWS_H
