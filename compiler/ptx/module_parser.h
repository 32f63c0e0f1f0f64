// From the text of a PTX module to its variables and functions.
#ifndef HOSTWARP_COMPILER_PTX_MODULE_PARSER_H
#define HOSTWARP_COMPILER_PTX_MODULE_PARSER_H

#include "compiler/ptx/parser.h"

namespace hostwarp::compiler::ptx {

// borrowPragma says of a module that its .extern variables are defined in another image, which is known when the module
// is loaded (module_parts.h).
inline constexpr std::string_view borrowPragma = "hostwarp borrow";

class ModuleParser : private Parser {
 public:
  explicit ModuleParser(std::string_view text) : Parser(text, Scanner::Source::Module) {}

  // parse() returns what the module holds. On bad syntax error() is not empty, errorLine() is where, and the result is
  // not to be used.
  ModuleText parse();
  const std::string &error() const { return error_; }
  unsigned errorLine() const { return errorLine_; }

 private:
  void item();
  void directive();
  void pragma();
  void file();
  void alias();
  void declaration(std::string directive);
  void variables(Space space, Linkage linkage);
  void initialize(Variable &variable);
  InitialValue initialValue(const Variable &variable);
  void function(bool isKernel, Linkage linkage);
  void performanceDirectives(PerformanceDirectives &performance);
  void dimensions(unsigned (&sizes)[3]);
  void body(Function &function);

  ModuleText module_;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MODULE_PARSER_H
