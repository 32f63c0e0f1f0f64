// Hints to caches that are not there.
#include "compiler/ptx/address.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

void emitPrefetch(Emitter &emitter) {
  takeSpace(emitter);
  emitter.takeOneOf({"L1", "L2"});
  emitter.take("tensormap");
  takeHints(emitter);
  emitter.operandsBetween(1, 2);
}

// A policy is only ever handed to instructions that ignore it.
void emitCreatepolicy(Emitter &emitter) {
  emitter.takeOneOf({"fractional", "range", "cvt"});
  emitter.take("L2");
  takeSpace(emitter);
  while (!emitter.takePrefixed("L2::evict_").empty()) {
  }
  const Type type = emitter.takeType();
  if (type.width() != 64 || !emitter.operandsBetween(1, 4)) return;
  emitter.write(0, emitter.builder().getInt64(0));
}

}  // namespace hostwarp::compiler::ptx
