#include "emu_runtime/memory/budget.h"

#include "emu_runtime/memory/pages.h"

namespace hostwarp::memory {

Budget &Budget::machine() {
  // The rest is for the program itself.
  static auto *budget = new Budget(pages::physicalBytes() / 16 * 15);
  return *budget;
}

}  // namespace hostwarp::memory
