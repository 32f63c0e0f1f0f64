// PTX as fat binaries hold it: packed. The runtime (emu_runtime/module/fat_binary.h), which has no code for that,
// writes
//
//   //HWPACKED <lz4|zstd> <bytes of the text>
//
// and behind the line's end what the fat binary has.
#ifndef HOSTWARP_COMPILER_PTX_PACKED_TEXT_H
#define HOSTWARP_COMPILER_PTX_PACKED_TEXT_H

#include <optional>
#include <string>

#include <llvm/ADT/StringRef.h>

namespace hostwarp::compiler::ptx {

// unpackText() is the text of such a content, and any other content as it is; nothing where it is damaged.
std::optional<std::string> unpackText(llvm::StringRef content);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_PACKED_TEXT_H
