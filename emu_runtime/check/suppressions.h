// Which findings the user does not want to be told of.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_SUPPRESSIONS_H
#define HOSTWARP_EMU_RUNTIME_CHECK_SUPPRESSIONS_H

#include <string>

namespace hostwarp::check {

// isSuppressed() tells whether a line of the file that HOSTWARP_CHECK_SUPPRESSIONS names fits: "kind:part", where the
// kind begins so and the finding's text has the part, or "part" for any kind; `#` begins a comment. A file that cannot
// be read is told of once. Thread-safe.
bool isSuppressed(const std::string &kind, const std::string &text);

// concernsKernel() tells whether HOSTWARP_CHECK_KERNELS, parts of kernels' names separated by semicolons, lets findings
// by this thread be told. Thread-safe.
bool concernsKernel(const std::string &thread);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_SUPPRESSIONS_H
