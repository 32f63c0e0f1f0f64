// Operations that are not in order, in words.
#ifndef HOSTWARP_EMU_RUNTIME_ORDER_ORDER_REPORT_H
#define HOSTWARP_EMU_RUNTIME_ORDER_ORDER_REPORT_H

#include <cstdint>
#include <optional>

#include "emu_runtime/check/findings.h"
#include "emu_runtime/order/touch_map.h"

namespace hostwarp::order {

enum class Disorder : uint8_t {
#define HOSTWARP_DISORDER(name, kind) name,
#include "emu_runtime/order/disorders.def"
#undef HOSTWARP_DISORDER
};

// disorderOf() is what is wrong with two touches of the same memory, the first by what was enqueued first.
std::optional<Disorder> disorderOf(const Toucher &before, const Toucher &now);

// Finding is what is wrong, in words that need neither the operations nor the images of their kernels.
struct Finding {
  check::Problem problem;
  const hw_access_site *site;
};

Finding findingOf(Disorder disorder, const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end);

// print() tells of it as of other findings.
void print(const Finding &finding);

}  // namespace hostwarp::order

#endif  // HOSTWARP_EMU_RUNTIME_ORDER_ORDER_REPORT_H
