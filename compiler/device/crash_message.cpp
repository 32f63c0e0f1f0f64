#include "compiler/device/crash_message.h"

#include <llvm/Support/ErrorHandling.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace hostwarp::compiler {

namespace {

std::array<char, 256> input;  // ends with a zero byte

void write(std::string_view text) {
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) _exit(1);
}

// end() calls nothing that may wait for a lock, or needs memory.
[[noreturn]] void end(std::string_view why) {
  for (const std::string_view part :
       {std::string_view("hwcc-device: error: '"), std::string_view(input.data()), std::string_view("': "), why,
        std::string_view("; please report it unless the file is damaged\n")})
    write(part);
  _exit(1);
}

}  // namespace

void nameInput(const std::string &file) {
  input = {};
  std::copy_n(file.data(), std::min(file.size(), input.size() - 1), input.data());
}

void tellOfCrashes() {
  // Recursion that has no end leaves no stack for the handler.
  static std::array<char, 1 << 16> stack;
  stack_t alternate{};
  alternate.ss_sp = stack.data();
  alternate.ss_size = stack.size();
  sigaltstack(&alternate, nullptr);
  struct sigaction action{};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = [](int signal) { end(signal == SIGABRT ? "aborted" : "crashed"); };
  for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) {
    // Who handles it already, such as a sanitizer, says more.
    struct sigaction known{};
    sigaction(signal, nullptr, &known);
    if (known.sa_handler == SIG_DFL || known.sa_handler == SIG_IGN) sigaction(signal, &action, nullptr);
  }
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) { end(reason); });
}

}  // namespace hostwarp::compiler
