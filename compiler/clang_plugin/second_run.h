// What nvcc takes, with a warning at most, and clang refuses by an error that nothing turns off, where the error tells
// what was meant too late to change it: the first run puts the places of those errors into a file, hwcc runs the
// compiler again, and this second run changes the tokens there on their way to the parser.
//  - `pointerToVoid + count`, in bytes, on both sides;
//  - `(unsigned)pointer`, `reinterpret_cast<unsigned>(pointer)` and `pointer > 0` in device code;
//  - `#pragma unroll` between declarations;
//  - `template int f<int>(int);` and `template <> int f(int)` of a function that is not the host's alone.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>

#include <map>
#include <memory>
#include <string>

namespace hostwarp::second_run {

// Finding is a range of tokens. A place's number is the same in every run over the same sources; it tells one use of a
// macro from another.
struct Finding {
  enum Kind : char {
    Bytes = 'b',          // an operand whose arithmetic counts bytes
    Address = 'a',        // an operand that is a number
    Narrowed = 'n',       // such an operand of a cast to a smaller type
    Reinterpreted = 'r',  // the keyword of such a cast
    Pragma = 'p',         // a pragma of no use
    Both = 'h',           // an explicit instantiation or specialisation that lacks __host__ __device__
    Device = 'd',         // or __device__
  } kind;
  unsigned begin, end;
  unsigned at;  // where the error was
};

// InstantiationTracker knows where the explicit instantiation or specialisation that is being parsed begins.
class InstantiationTracker {
 public:
  // see() is given every token on its way to the parser.
  void see(const clang::Token &token) {
    using namespace clang::tok;
    if (behind_ == Template && token.is(less)) {
      behind_ = Less;
    } else if (behind_ == Less && token.is(greater)) {
      behind_ = Template;
    } else {
      if (behind_ == Template) begin_ = token.getLocation();
      const bool isOfName = behind_ == Name;
      behind_ = token.isOneOf(coloncolon, period, arrow) ? Name : Other;
      if (token.is(kw_template) && !isOfName) behind_ = Template;
    }
  }
  // begin() is the first token behind the last `template` or `template <>`.
  clang::SourceLocation begin() const { return begin_; }

 private:
  clang::SourceLocation begin_;
  enum { Other, Name, Template, Less } behind_ = Other;
};

// Changer changes the tokens of what earlier runs have found.
class Changer {
 public:
  // file: what the earlier runs have found, or "" for nothing.
  Changer(clang::CompilerInstance &compiler, const std::string &file);

  // see() is given every token on its way to the parser, after all others that change it.
  void see(clang::Token &token) {
    if (!begins_.empty()) change(token);
  }

 private:
  void change(clang::Token &token);
  void warn(const Finding &finding) const;

  clang::CompilerInstance &compiler_;
  std::multimap<unsigned, Finding> begins_;
  std::multimap<unsigned, Finding> ends_;
};

// findRefused() makes the compiler add to `file` what it finds. The tracker is given every token.
void findRefused(clang::CompilerInstance &compiler, const std::string &file,
                 std::shared_ptr<const InstantiationTracker> instantiations);

}  // namespace hostwarp::second_run

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H
