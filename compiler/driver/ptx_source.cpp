#include "compiler/driver/ptx_source.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::driver {
namespace {

// Unsupported carries a sentence for the user up to cudaSourceOfPtx().
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$'; }
bool isSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string trimmed(std::string_view text) {
  while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
  return std::string(text);
}

// withoutComments() replaces comments by spaces; line ends stay.
std::string withoutComments(const std::string &text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (text.compare(i, 2, "/*") == 0) {
      const size_t end = text.find("*/", i + 2);
      for (; i < text.size() && i < end + 1; ++i)
        if (text[i] == '\n') result += '\n';
      result += ' ';
      continue;
    }
    if (i < text.size()) result += text[i];
  }
  return result;
}

enum class Space { Parameter, Global, Constant, Shared, Local };

// Variable is one declaration of memory. count is 0 for an array without a size, `scalar` tells x from x[1].
struct Variable {
  Space space = Space::Global;
  unsigned alignment = 0;
  unsigned bytes = 4;  // of an element
  uint64_t count = 1;
  bool scalar = true;
  bool isFloat = false;
  bool isExtern = false;
  bool managed = false;
  std::string name;
  std::string initializer;
};

const char *typeOf(unsigned bytes) {
  switch (bytes) {
    case 1:
      return "unsigned char";
    case 2:
      return "unsigned short";
    case 4:
      return "unsigned int";
    default:
      return "unsigned long long";
  }
}

// Reader walks over the module's text.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool atEnd() {
    skipSpace();
    return at_ == text_.size();
  }
  char peek() {
    skipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw Unsupported(std::string("PTX: '") + c + "' expected before \"" + ahead() + "\"");
  }
  // word() reads a name or a directive with its dot.
  std::string word() {
    skipSpace();
    const size_t start = at_;
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '%')) ++at_;
    while (at_ < text_.size() && isNamePart(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }
  // until() reads up to one of the characters, which stays, outside of braces; line() to the end of the line.
  std::string until(std::string_view ends) {
    const size_t start = at_;
    for (int depth = 0; at_ < text_.size(); ++at_) {
      if (depth == 0 && ends.find(text_[at_]) != std::string_view::npos) break;
      if (text_[at_] == '{') ++depth;
      if (text_[at_] == '}') --depth;
    }
    return std::string(text_.substr(start, at_ - start));
  }
  std::string line() {
    const size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    return std::string(text_.substr(start, at_ - start));
  }
  // block() reads what lies between a brace and its partner.
  std::string block() {
    expect('{');
    std::string inside = until("}");
    expect('}');
    return inside;
  }
  std::string ahead() const { return trimmed(text_.substr(at_, 40)); }

 private:
  void skipSpace() {
    while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// parseVariable() reads the declaration behind the state space: ".align 4 .b8 name[16] = {...}".
Variable parseVariable(Space space, const std::string &text) {
  Variable variable;
  variable.space = space;
  Reader in(text);
  unsigned vector = 1;
  while (in.peek() == '.') {
    const std::string directive = in.word();
    if (directive == ".align") {
      variable.alignment = static_cast<unsigned>(std::strtoul(in.word().c_str(), nullptr, 10));
    } else if (directive == ".attribute") {
      in.expect('(');
      variable.managed = in.until(")").find(".managed") != std::string::npos;
      in.expect(')');
    } else if (directive == ".ptr") {
      while (in.peek() == '.' && in.ahead().rfind(".align", 0) != 0) in.word();
      if (in.peek() == '.') in.word(), in.word();  // what is known of the memory that the parameter points to
    } else if (directive == ".v2" || directive == ".v4") {
      vector = directive == ".v2" ? 2 : 4;
    } else {
      const size_t digits = directive.find_first_of("0123456789");
      const unsigned bits = digits == std::string::npos
                                ? 0
                                : static_cast<unsigned>(std::strtoul(directive.c_str() + digits, nullptr, 10));
      if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        throw Unsupported("PTX: variables of type " + directive + " are not supported");
      variable.bytes = bits / 8;
      variable.isFloat = directive[1] == 'f';
    }
  }
  variable.name = in.word();
  variable.count = vector;
  variable.scalar = vector == 1;
  while (in.accept('[')) {
    const std::string size = trimmed(in.until("]"));
    in.expect(']');
    variable.count *= size.empty() ? 0 : std::strtoull(size.c_str(), nullptr, 0);
    variable.scalar = false;
  }
  if (in.accept('=')) variable.initializer = trimmed(in.until(";"));
  return variable;
}

// numberOf() is an initializer's number as the bits of an element.
std::string numberOf(const Variable &variable, const std::string &text) {
  if (text.rfind("0f", 0) == 0 || text.rfind("0F", 0) == 0) return "0x" + text.substr(2) + "u";
  if (text.rfind("0d", 0) == 0 || text.rfind("0D", 0) == 0) return "0x" + text.substr(2) + "ull";
  if (text.empty() || !(std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '-'))
    throw Unsupported("PTX: the initializer of " + variable.name + " is not a number: " + text);
  if (!variable.isFloat) return std::string("(") + typeOf(variable.bytes) + ")(" + text + ")";
  char bits[32];
  if (variable.bytes == 4) {
    const float value = std::strtof(text.c_str(), nullptr);
    uint32_t pattern;
    std::memcpy(&pattern, &value, sizeof pattern);
    std::snprintf(bits, sizeof bits, "0x%xu", pattern);
  } else {
    const double value = std::strtod(text.c_str(), nullptr);
    unsigned long long pattern;
    std::memcpy(&pattern, &value, sizeof pattern);
    std::snprintf(bits, sizeof bits, "0x%llxull", pattern);
  }
  return bits;
}

std::string initializerOf(const Variable &variable) {
  if (variable.initializer.empty()) return "";
  std::string numbers, number;
  for (const char c : variable.initializer + ",") {
    if (c == ',') {
      const std::string text = trimmed(number);
      if (!text.empty()) numbers += (numbers.empty() ? "" : ", ") + numberOf(variable, text);
      number.clear();
    } else if (c != '{' && c != '}') {
      number += c;
    }
  }
  return variable.scalar ? " = " + numbers : " = {" + numbers + "}";
}

std::string declarationOf(const Variable &variable) {
  std::string text;
  if (variable.isExtern) text += "extern ";
  if (variable.space == Space::Global) text += variable.managed ? "__managed__ " : "__device__ ";
  if (variable.space == Space::Constant) text += "__constant__ ";
  if (variable.space == Space::Shared) text += "__shared__ ";
  if (variable.alignment) text += "__align__(" + std::to_string(variable.alignment) + ") ";
  text += std::string(typeOf(variable.bytes)) + " " + variable.name;
  if (!variable.scalar) text += "[" + (variable.count ? std::to_string(variable.count) : "") + "]";
  return text + initializerOf(variable) + ";\n";
}

using Variables = std::map<std::string, Variable>;

// Body turns the instructions of a kernel into the text and the operands of an asm statement.
class Body {
 public:
  explicit Body(const Variables &module) : variables_(module) {}

  void declare(const Variable &variable) { variables_[variable.name] = variable; }
  void translate(const std::string &text);

  // What the kernel's function holds.
  std::string locals() const { return locals_; }
  std::string statement() const {
    std::string operands;
    for (const std::string &operand : operands_) operands += (operands.empty() ? "" : ", ") + operand;
    return "  asm volatile(\n      \"{\\n\"\n" + text_ + "      \"}\" : : " + operands + " : \"memory\");\n";
  }

 private:
  void directive(const std::string &text);
  void instruction(const std::string &text);
  std::string operand(const Variable &variable, bool narrow);
  void write(const std::string &text) { text_ += "      \"" + text + "\\n\"\n"; }

  Variables variables_;
  std::map<std::string, size_t> known_;
  std::vector<std::string> operands_;
  std::string locals_;
  std::string text_;
};

// escaped() is a character as asm texts and C++ strings have it.
std::string escaped(char c) {
  if (c == '%') return "%%";
  if (c == '"' || c == '\\') return std::string("\\") + c;
  return std::string(1, isSpace(c) ? ' ' : c);
}

// operand() is what the asm text says for a variable: its address, as a 32-bit register holds it if `narrow`.
std::string Body::operand(const Variable &variable, bool narrow) {
  std::string address = "&" + variable.name;
  if (variable.space == Space::Shared) address = "__cvta_generic_to_shared(" + address + ")";
  const std::string text = narrow ? "\"r\"((unsigned)" + address + ")" : "\"l\"(" + address + ")";
  const auto [found, added] = known_.emplace(text, operands_.size());
  if (added) operands_.push_back(text);
  return "%" + std::to_string(found->second);
}

void Body::instruction(const std::string &statement) {
  size_t at = 0;
  std::string text, opcode;
  if (statement[0] == '@') {
    while (at < statement.size() && !isSpace(statement[at])) text += escaped(statement[at++]);
    while (at < statement.size() && isSpace(statement[at])) ++at;
    text += " ";
  }
  while (at < statement.size() && !isSpace(statement[at])) opcode += statement[at++];
  if (opcode.rfind("call", 0) == 0) throw Unsupported("PTX: calls of functions are not supported: " + statement);
  // Parameters lie in the function's memory, which any load reads.
  for (const char *space : {".param::entry", ".param"})
    if (const size_t found = opcode.find(space); opcode.rfind("ld.", 0) == 0 && found != std::string::npos)
      opcode.erase(found, std::strlen(space));
  const std::string type = opcode.substr(opcode.rfind('.') + 1);
  const bool narrow = type == "u32" || type == "s32" || type == "b32";
  text += opcode;
  bool inAddress = false;
  while (at < statement.size()) {
    const char c = statement[at];
    if (isNamePart(c) && (at == 0 || (statement[at - 1] != '%' && statement[at - 1] != '.'))) {
      std::string name;
      while (at < statement.size() && isNamePart(statement[at])) name += statement[at++];
      const auto found = variables_.find(name);
      text += found == variables_.end() ? name : operand(found->second, narrow && !inAddress);
      continue;
    }
    if (c == '[') inAddress = true;
    if (c == ']') inAddress = false;
    text += escaped(c);
    ++at;
  }
  write(text + ";");
}

void Body::directive(const std::string &text) {
  Reader in(text);
  const std::string name = in.word();
  if (name == ".reg") {
    std::string line;
    for (const char c : text) line += escaped(c);
    return write(line + ";");
  }
  if (name == ".pragma") return;
  const bool shared = name == ".shared";
  if (!shared && name != ".local") throw Unsupported("PTX: " + name + " is not supported inside of kernels");
  const Variable variable = parseVariable(shared ? Space::Shared : Space::Local, text.substr(name.size()));
  locals_ += "  " + declarationOf(variable);
  declare(variable);
}

void Body::translate(const std::string &text) {
  Reader in(text);
  while (!in.atEnd()) {
    if (in.accept(';')) continue;
    if (in.accept('{')) {
      write("{");
    } else if (in.accept('}')) {
      write("}");
    } else if (in.ahead().rfind(".loc", 0) == 0 && !isNamePart(in.ahead()[4])) {
      in.line();
    } else if (in.peek() == '.') {
      directive(trimmed(in.until(";")));
    } else {
      const std::string part = trimmed(in.until(":;"));
      const bool label = in.peek() == ':' && part.find_first_of(" \t\n.") == std::string::npos;
      if (label) {
        in.expect(':');
        write(part + ":");
        continue;
      }
      // A colon may be part of a modifier such as .shared::cta.
      std::string statement = part;
      while (in.accept(':')) statement += ":" + in.until(":;");
      instruction(trimmed(statement));
    }
  }
}

// Module is the whole translation.
class Module {
 public:
  std::string translate(const std::string &ptx);

 private:
  void declaration(const std::string &first, Reader &in);
  void kernel(Reader &in);
  void function(Reader &in);

  Variables variables_;
  std::string text_;
};

std::string parameterType(const Variable &parameter, std::string &types) {
  if (parameter.scalar) return typeOf(parameter.bytes);
  const std::string name = "Of_" + parameter.name;
  types += "struct __align__(" + std::to_string(std::max(1U, parameter.alignment)) + ") " + name +
           " { unsigned char bytes[" + std::to_string(parameter.count * parameter.bytes) + "]; };\n";
  return name;
}

// launchBounds() makes of the performance directives what C++ has of them.
std::string launchBounds(const std::string &directives) {
  unsigned threads = 0, blocks = 0;
  Reader in(directives);
  while (!in.atEnd()) {
    const std::string name = in.word();
    if (name.empty()) break;
    if (name == ".maxntid" || name == ".reqntid") {
      threads = 1;
      do threads *= static_cast<unsigned>(std::strtoul(in.word().c_str(), nullptr, 10));
      while (in.accept(','));
    } else if (name == ".minnctapersm") {
      blocks = static_cast<unsigned>(std::strtoul(in.word().c_str(), nullptr, 10));
    }
  }
  if (!threads) return "";
  return "__launch_bounds__(" + std::to_string(threads) + (blocks ? ", " + std::to_string(blocks) : "") + ") ";
}

void Module::kernel(Reader &in) {
  const std::string name = in.word();
  Body body(variables_);
  std::string parameters, types;
  if (in.accept('(')) {
    while (!in.accept(')')) {
      if (in.word() != ".param") throw Unsupported("PTX: the parameters of " + name + " cannot be read");
      const Variable parameter = parseVariable(Space::Parameter, in.until(",)"));
      parameters += (parameters.empty() ? "" : ", ") + parameterType(parameter, types) + " " + parameter.name;
      body.declare(parameter);
      in.accept(',');
    }
  }
  const std::string bounds = launchBounds(in.until("{;"));
  if (in.accept(';')) return;
  body.translate(in.block());
  text_ += types + "extern \"C\" __global__ void " + bounds + name + "(" + parameters + ") {\n" + body.locals() +
           body.statement() + "}\n";
}

// Functions may be declared; nothing calls them yet.
void Module::function(Reader &in) {
  const std::string head = in.until("{;");
  if (in.accept(';')) return;
  throw Unsupported("PTX: functions beside kernels are not supported: " + trimmed(head));
}

void Module::declaration(const std::string &first, Reader &in) {
  std::string directive = first;
  bool isExtern = false;
  while (directive == ".visible" || directive == ".extern" || directive == ".weak" || directive == ".common") {
    isExtern |= directive == ".extern";
    directive = in.word();
  }
  if (directive == ".entry") return kernel(in);
  if (directive == ".func") return function(in);
  static const std::map<std::string, Space> spaces{
      {".global", Space::Global}, {".const", Space::Constant}, {".shared", Space::Shared}};
  const auto space = spaces.find(directive);
  if (space == spaces.end()) throw Unsupported("PTX: " + directive + " is not supported");
  Variable variable = parseVariable(space->second, in.until(";"));
  in.expect(';');
  variable.isExtern = isExtern;
  variables_[variable.name] = variable;
  const bool named = variable.space != Space::Shared;  // other variables are found by name from outside
  text_ += named ? "extern \"C\" {\n" + declarationOf(variable) + "}\n" : declarationOf(variable);
}

std::string Module::translate(const std::string &ptx) {
  const std::string clean = withoutComments(ptx);
  Reader in(clean);
  while (!in.atEnd()) {
    const std::string directive = in.word();
    if (directive == ".version" || directive == ".target" || directive == ".address_size" || directive == ".file" ||
        directive == ".loc") {
      in.line();
    } else if (directive == ".section") {
      in.until("{");
      in.block();
    } else if (directive == ".pragma") {
      in.until(";");
      in.expect(';');
    } else if (directive.size() > 1 && directive[0] == '.') {
      declaration(directive, in);
    } else if (!in.accept(';')) {
      throw Unsupported("PTX: cannot be read at \"" + in.ahead() + "\"");
    }
  }
  return text_;
}

}  // namespace

std::string cudaSourceOfPtx(const std::string &ptx) {
  if (ptx.find("//" HW_IMAGE_MAGIC " ") != std::string::npos)
    return "#error this PTX is hwcc's: it is compiled already\n";
  try {
    return Module().translate(ptx);
  } catch (const Unsupported &what) {
    std::string line = what.what();
    for (char &c : line)
      if (c == '\n') c = ' ';
    return "#error " + line + "\n";
  }
}

}  // namespace hostwarp::driver
