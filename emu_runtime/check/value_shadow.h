// Where the shadow of memory is, for code that follows values.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_VALUE_SHADOW_H
#define HOSTWARP_EMU_RUNTIME_CHECK_VALUE_SHADOW_H

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu_runtime/check/value_page.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

// ValueContext is what calls hand over beside their arguments and results, as LLVM's MemorySanitizer lays it out.
struct ValueContext {
  uint64_t parameters[100], result[100], variadic[100], variadicOrigins[100], variadicBytes;
  uint32_t parameterOrigins[200], resultOrigin;
};

// ValueShadow finds the shadow of what an OS thread's CUDA threads access: of local variables, which it keeps itself,
// of the running block's shared memory and of device memory. All other memory counts as written. One for each OS
// thread.
class ValueShadow {
 public:
  static ValueShadow &ofThread();

  ValueContext &context() { return context_; }

  // find() is good until memory is allocated or freed. For a load it may give zeros that are kept nowhere, for a store
  // a place that nobody reads.
  hw_value_metadata find(uintptr_t address, uint64_t bytes, bool stores);
  // declare() says of a local variable whether it was written.
  void declare(uintptr_t address, uint64_t bytes, uint8_t shadow, uint32_t origin);
  void copy(uintptr_t to, uintptr_t from, uint64_t bytes);
  void write(uintptr_t address, uint64_t bytes);

 private:
  // partOf() is the shadow around the address; page null: it is not kept, or is of shared memory.
  PagePart partOf(uintptr_t address);
  PagePart look(uintptr_t address);
  hw_value_metadata inPieces(uintptr_t address, uint64_t bytes, bool stores);
  hw_value_metadata nowhere(uint64_t bytes, bool stores);

  ValueContext context_{};
  std::unordered_map<uintptr_t, std::unique_ptr<ValuePage>> locals_;  // by number; none: all is written
  std::array<PagePart, 256> recent_{};                                // by the page's number
  uint64_t changes_ = 0;                                              // of device memory, when `recent_` was good
  std::vector<ShadowLine> zeros_, sink_, noOrigins_;
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_VALUE_SHADOW_H
