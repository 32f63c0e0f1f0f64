// What the parser makes of the text of one asm statement, or of a module.
#ifndef HOSTWARP_COMPILER_PTX_SYNTAX_H
#define HOSTWARP_COMPILER_PTX_SYNTAX_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ptx/type.h"

namespace hostwarp::compiler::ptx {

// Operand is one operand of an instruction. Which fields count depends on `kind`.
struct Operand {
  enum class Kind : uint8_t {
    Argument,  // $n: `argument`
    Register,  // a name from .reg, or a special register (with its %): `name`
    Integer,   // `integer`, two's complement
    Float,     // 0f..., 0d... or a decimal fraction: `number`; floatBits is 32 for 0f, 64 for 0d, else 0
    Address,   // [parts[0] + integer (+ $argument)], further parts after a comma (tensor coordinates)
    Vector,    // {parts...}
    Pair,      // parts[0] | parts[1]
    List,      // (parts...), of a call
    Sink,      // _
  };
  Kind kind = Kind::Sink;
  bool negated = false;  // !p
  bool minus = false;    // -r
  bool offsetFromArgument = false;
  bool isUnsigned = false;  // an integer of type .u64
  unsigned argument = 0;
  int64_t integer = 0;  // of a 0f or 0d literal: its bits; of a name: what is added to its address
  double number = 0;
  unsigned floatBits = 0;
  std::string name;
  std::string selector;  // "b0", "h1", "x" ... of r.b0
  std::vector<Operand> parts;
};

// Instruction is `@guard opcode.modifiers operands;`.
struct Instruction {
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<Operand> operands;
  std::optional<Operand> guard;
};

// Declaration is one name of a .reg directive; count is the n of name<n>, 0 without.
struct Declaration {
  std::string type;
  std::string name;
  unsigned count = 0;
};

enum class Space : uint8_t { Generic, Global, Shared, Local, Constant, Parameter, Register };

enum class Linkage : uint8_t { Internal, Visible, Weak, Common, Extern };

// InitialValue is a number, or the bits that `mask` selects of a symbol's address plus number.integer, moved down to
// bit 0.
struct InitialValue {
  Operand number;
  std::string symbol;
  uint64_t mask = ~uint64_t{0};
};

// Variable is a declaration of memory, or of a parameter, which may be a register.
struct Variable {
  Space space = Space::Global;
  Linkage linkage = Linkage::Internal;
  std::string name;
  Type type;
  unsigned alignment = 0;  // 0: that of the type
  bool isArray = false;
  uint64_t count = 1;  // elements; 0 for an array whose size is not given
  bool isManaged = false;
  std::vector<InitialValue> values;

  uint64_t bytes() const { return count * type.width() / 8; }
};

// Prototype is what the caller of a function has to know of it.
struct Prototype {
  std::vector<Variable> results, parameters;
};

struct Statement {
  enum class Kind : uint8_t { ScopeBegin, ScopeEnd, Declare, Label, Instruct, Memory, Prototype, Targets, Location };
  Kind kind = Kind::ScopeBegin;
  unsigned line = 0;  // where it begins
  std::string label;  // also the name of a prototype or of a list of targets
  std::vector<Declaration> declarations;
  Instruction instruction;
  std::vector<Variable> memory;
  Prototype prototype;
  std::vector<std::string> targets;
  unsigned file = 0, column = 0, sourceLine = 0;  // of a Location
};

// PerformanceDirectives are .maxntid and its kin; 0 is unset.
struct PerformanceDirectives {
  unsigned maxThreads[3] = {0, 0, 0};
  unsigned minBlocksPerSm = 0;
  unsigned maxBlocksPerCluster = 0;
  unsigned clusterDim[3] = {0, 0, 0};
  unsigned blockDim[3] = {0, 0, 0};  // .reqntid
  unsigned maxRegisters = 0;
  bool gridOfClusters = false;  // .blocksareclusters
};

struct Function {
  std::string name;
  Linkage linkage = Linkage::Internal;
  bool isKernel = false;
  bool hasBody = false;
  unsigned line = 0;
  Prototype prototype;
  PerformanceDirectives performance;
  std::vector<Statement> body;
};

// Alias is another name for a function of the module.
struct Alias {
  std::string name, target;
  unsigned line = 0;
};

// ModuleItem is where one directive of a module stands in the text, and the first of the variables, functions and
// aliases that it and those after it declare.
struct ModuleItem {
  size_t begin = 0, end = 0;
  size_t variable = 0, function = 0, alias = 0;
};

struct ModuleText {
  std::vector<ModuleItem> items;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Alias> aliases;
  std::map<unsigned, std::string> files;
  bool borrowsVariables = false;  // .pragma "hostwarp borrow": .extern variables are those of another image
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_SYNTAX_H
