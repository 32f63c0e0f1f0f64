// A sign of inline PTX that clang would take for its own.
#ifndef HOSTWARP_COMPILER_PTX_PERCENT_MARK_H
#define HOSTWARP_COMPILER_PTX_PERCENT_MARK_H

namespace hostwarp::compiler::ptx {

// percentMark stands for the percent sign in the text of an asm statement, of "%smid", which clang itself would want to
// be "%%smid": from the clang plugin on until the text is read, or becomes a GPU's.
inline constexpr char percentMark = '\2';

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_PERCENT_MARK_H
