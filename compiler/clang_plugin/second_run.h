// What nvcc takes, with a warning at most, and clang refuses by an error that nothing turns off, where the error tells
// what was meant too late to change it: the first run puts the places of those errors into a file, hwcc runs the
// compiler again, and this second run changes the tokens there on their way to the parser.
//  - `x.member<n>(y)` where x depends on a template's parameters, without `template` before the name;
//  - `pointerToVoid + count`, in bytes, on both sides;
//  - `(unsigned)pointer`, `reinterpret_cast<unsigned>(pointer)` and `pointer > 0` in device code;
//  - `#pragma unroll` between declarations;
//  - `int a[n] = {1};` on the host, and what -fpermissive has g++ take there;
//  - `kernel<<<...>>>(x)` where only the namespace of x has such a kernel;
//  - `extern __shared__ int a[64];` of a known size, which nvcc takes for a static one, and without -rdc=true
//    `extern __device__ int v;` that the file does not define;
//  - `decltype(deviceFunction(1))` in a host function, and the other way around;
//  - `int f(int);` of a function that is used and then defined as the device's;
//  - `template int f<int>(int);` and `template <> int f(int)` of a function that is not the host's alone;
//  - calls of what has other annotations in this pass, by `#ifdef __CUDA_ARCH__`, where the pass makes no code of them.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H

#include <clang/AST/Decl.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Token.h>

#include <map>
#include <memory>
#include <string>

#include "compiler/clang_plugin/declaration_tracker.h"

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
    Template = 't',       // the name of a member that is a template
    Both = 'h',           // a declaration that lacks __host__ __device__
    Device = 'd',         // or __device__
    Array = 'v',          // the initialiser of an array of variable length
    Qualified = 'q',      // the name of a kernel, which is declared at `end`
    Unevaluated = 'u',    // the name of a function that names others of the other side, not to call them
    Static = 's',         // the `extern` of a variable that is a definition
    OtherSide = 'o',      // what such a function calls, which this pass makes no code of
  } kind;
  unsigned begin, end;
  unsigned at;  // where the error was
};

// Replacement is what comes in place of a token.
class Replacement;

// Changer changes the tokens of what earlier runs have found.
class Changer {
 public:
  // file: what the earlier runs have found, or "" for nothing.
  Changer(clang::CompilerInstance &compiler, const std::string &file, std::shared_ptr<const Declaration> declaration);

  // see() is given every token on its way to the parser, after all others that change it.
  void see(clang::Token &token) {
    if (!begins_.empty()) change(token);
  }

 private:
  void change(clang::Token &token);
  void addBefore(const clang::Token &token, const Finding &finding, Replacement &replacement) const;
  void markFunction() const;
  void warn(const Finding &finding) const;

  clang::CompilerInstance &compiler_;
  const std::shared_ptr<const Declaration> declaration_;
  std::multimap<unsigned, Finding> begins_;
  std::multimap<unsigned, Finding> ends_;
  bool marksFunctions_ = false;
};

// deferOtherSide(): earlier runs have found calls that are wrong only in what this pass makes no code of: clang then
// keeps silent about them. The host pass need not look at bodies of device functions and kernels either.
bool deferOtherSide(clang::CompilerInstance &compiler, const std::string &file);

// refuseExtern() is an error at a declaration that the next run takes for a definition.
void refuseExtern(clang::CompilerInstance &compiler, const clang::VarDecl &variable);

// findRefused() makes the compiler add to `file` what it finds. permissive: hwcc was given `-Xcompiler -fpermissive`.
void findRefused(clang::CompilerInstance &compiler, const std::string &file,
                 std::shared_ptr<const Declaration> declaration, bool permissive);

}  // namespace hostwarp::second_run

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_SECOND_RUN_H
