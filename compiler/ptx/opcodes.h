// The functions behind the opcodes, one per row of opcodes.def.
#ifndef HOSTWARP_COMPILER_PTX_OPCODES_H
#define HOSTWARP_COMPILER_PTX_OPCODES_H

#include "compiler/ptx/emitter.h"

namespace hostwarp::compiler::ptx {

#define OPCODE(name, function) void function(Emitter &emitter);
#include "compiler/ptx/opcodes.def"
#undef OPCODE

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_OPCODES_H
