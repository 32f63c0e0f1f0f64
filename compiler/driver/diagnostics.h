// What the compilers say, put together for one reader.
#ifndef HOSTWARP_COMPILER_DRIVER_DIAGNOSTICS_H
#define HOSTWARP_COMPILER_DRIVER_DIAGNOSTICS_H

#include <set>
#include <string>
#include <string_view>

namespace hostwarp::driver {

// DiagnosticFilter belongs to one source file: both passes read it and mostly complain of the same things.
// show() returns the part of a pass's output that an earlier pass has not shown; a diagnostic is the message with the
// "included from" lines before it and the notes behind it. Clang's count of errors is written anew by summary().
class DiagnosticFilter {
 public:
  std::string show(std::string_view output);
  // summary() is "2 errors generated." and the like for all that was shown, or empty; it starts the count again.
  std::string summary();

 private:
  std::set<std::string> shown_;
  int errors_ = 0;
  int warnings_ = 0;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_DIAGNOSTICS_H
