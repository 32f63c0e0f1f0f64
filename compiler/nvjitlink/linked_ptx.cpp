#include "compiler/nvjitlink/linked_ptx.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string_view>

namespace hostwarp::nvjitlink {

namespace {

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

// withoutComments() leaves strings as they are.
std::string withoutComments(std::string_view text) {
  std::string plain;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    size_t length = 1;
    if (rest.starts_with("//")) {
      at += std::min(rest.find('\n'), rest.size());
      continue;
    }
    if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      at += end == rest.npos ? rest.size() : end + 2;
      plain += ' ';
      continue;
    }
    if (rest.front() == '"') length = std::min(rest.find('"', 1), rest.size() - 1) + 1;
    plain += rest.substr(0, length);
    at += length;
  }
  return plain;
}

// isLine(): a directive that ends with its line.
bool isLine(std::string_view text) {
  constexpr std::string_view directives[] = {".version", ".target", ".address_size", ".file", ".loc"};
  return std::ranges::any_of(directives, [&](std::string_view each) { return text.starts_with(each); });
}

// statementsOf() takes a module without comments apart: directives, declarations, and definitions with their bodies.
std::vector<std::string> statementsOf(std::string_view text) {
  std::vector<std::string> statements;
  while (!(text = trimmed(text)).empty()) {
    size_t end = 0;
    bool hasBody = false, isQuoted = false;
    for (int depth = 0; end < text.size(); ++end) {
      const char c = text[end];
      if (c == '"') isQuoted = !isQuoted;
      if (isQuoted) continue;
      if (c == '\n' && isLine(text)) break;
      depth += (c == '{') - (c == '}');
      // Behind a variable's initial values its semicolon follows.
      if (depth == 0 && c == '}' && !trimmed(text.substr(end + 1)).starts_with(";")) hasBody = true;
      if (depth == 0 && (hasBody || c == ';')) break;
    }
    end = std::min(end + 1, text.size());
    statements.emplace_back(trimmed(text.substr(0, end)));
    text.remove_prefix(end);
  }
  return statements;
}

// Symbol is what a statement declares or defines.
struct Symbol {
  std::string name;  // empty: the statement is a directive
  bool isFunction = false, isDefinition = false, isDeclaredElsewhere = false, isOwn = false, mayRepeat = false;
};

// wordAt() is the word from there on, empty at other characters.
std::string_view wordAt(std::string_view text, size_t at) {
  size_t end = at;
  while (end < text.size() && isNamePart(text[end])) ++end;
  return text.substr(at, end - at);
}

// nameOfFunction() is the word behind what it returns, which stands in parentheses.
std::string nameOfFunction(std::string_view text) {
  const size_t entry = text.find(".entry"), function = text.find(".func");
  text = trimmed(text.substr(entry < function ? entry + 6 : function + 5));
  if (text.starts_with('(')) text = trimmed(text.substr(std::min(text.find(')'), text.size() - 1) + 1));
  return std::string(wordAt(text, 0));
}

// nameOfVariable() is the last word before the dimensions, the values or the end.
std::string nameOfVariable(std::string_view text) {
  text = trimmed(text.substr(0, text.find_first_of("[=;")));
  size_t begin = text.size();
  while (begin > 0 && isNamePart(text[begin - 1])) --begin;
  return std::string(text.substr(begin));
}

Symbol symbolOf(std::string_view statement) {
  const std::string_view head = statement.substr(0, statement.find_first_of("({["));
  const auto has = [&](std::string_view word) { return head.find(word) != head.npos; };
  Symbol symbol;
  symbol.isFunction = has(".func") || has(".entry");
  const bool isVariable = !symbol.isFunction && (has(".global") || has(".const") || has(".shared"));
  if (!symbol.isFunction && !isVariable) return symbol;
  symbol.name = symbol.isFunction ? nameOfFunction(statement) : nameOfVariable(statement);
  symbol.isDeclaredElsewhere = has(".extern");
  symbol.isDefinition = symbol.isFunction ? statement.ends_with('}') : !symbol.isDeclaredElsewhere;
  symbol.mayRepeat = has(".weak") || has(".common");
  symbol.isOwn = !symbol.isDeclaredElsewhere && !symbol.mayRepeat && !has(".visible") && !has(".entry");
  return symbol;
}

// renamed() puts other names in the place of whole words.
std::string renamed(std::string_view text, const std::map<std::string, std::string, std::less<>> &names) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const std::string_view word = wordAt(text, at);
    const auto found = names.find(word);
    result += word.empty() ? text.substr(at, 1) : found == names.end() ? word : std::string_view(found->second);
    at += std::max<size_t>(word.size(), 1);
  }
  return result;
}

// withoutLines() leaves out the lines of a function's body that say where it is from.
std::string withoutLines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (!trimmed(text.substr(0, end)).starts_with(".loc")) result += text.substr(0, end);
    text.remove_prefix(end);
  }
  return result;
}

// Linker collects what the modules have, in the order in which PTX wants it: functions declared, variables, functions.
class Linker {
 public:
  void add(const std::string &text) {
    std::vector<std::string> statements = statementsOf(withoutComments(text.substr(0, text.find('\0'))));
    giveOwnNames(statements);
    for (const std::string &statement : statements) add(statement, symbolOf(statement));
    ++modules_;
  }

  std::string text() const {
    std::string all = version_ + "\n" + target_ + "\n.address_size 64\n\n";
    for (const auto &[name, declaration] : externals_)
      if (!defined_.contains(name)) all += declaration + "\n";
    return all + prototypes_ + variables_ + functions_ + rest_;
  }

 private:
  // giveOwnNames() renames what the module keeps for itself and an earlier one has, too.
  void giveOwnNames(std::vector<std::string> &statements) {
    std::map<std::string, std::string, std::less<>> names;
    for (const std::string &statement : statements) {
      const Symbol symbol = symbolOf(statement);
      if (symbol.isOwn && taken_.contains(symbol.name))
        names[symbol.name] = symbol.name + "__" + std::to_string(modules_);
    }
    for (std::string &statement : statements) {
      if (!names.empty()) statement = renamed(statement, names);
      if (const Symbol symbol = symbolOf(statement); symbol.isDefinition) taken_.insert(symbol.name);
    }
  }

  void add(const std::string &statement, const Symbol &symbol) {
    if (symbol.name.empty()) return addDirective(statement);
    if (symbol.isDeclaredElsewhere) {
      externals_.emplace(symbol.name, statement);
      return;
    }
    if (!symbol.isDefinition) return;  // its definition follows, and is declared with it
    if (!defined_.insert(symbol.name).second && symbol.mayRepeat) return;
    if (!symbol.isFunction) {
      variables_ += statement + "\n";
      return;
    }
    const size_t body = statement.find('{');
    if (statement.find(".entry") > body) prototypes_ += std::string(trimmed(statement.substr(0, body))) + ";\n";
    functions_ += (modules_ == 0 ? statement : withoutLines(statement)) + "\n\n";
  }

  void addDirective(const std::string &statement) {
    if (statement.starts_with(".version")) {
      if (version_.empty() || numberIn(statement) > numberIn(version_)) version_ = statement;
    } else if (statement.starts_with(".target")) {
      if (target_.empty()) target_ = statement;
    } else if (!statement.starts_with(".address_size") && modules_ == 0) {
      rest_ += statement + "\n";
    }
  }
  static double numberIn(const std::string &statement) {
    return std::strtod(statement.c_str() + std::strlen(".version"), nullptr);
  }

  std::string version_, target_, prototypes_, variables_, functions_, rest_;
  std::map<std::string, std::string> externals_;
  std::set<std::string, std::less<>> taken_, defined_;
  int modules_ = 0;
};

}  // namespace

std::string linkedPtx(const std::vector<std::string> &modules) {
  Linker linker;
  for (const std::string &module : modules) linker.add(module);
  return linker.text();
}

}  // namespace hostwarp::nvjitlink
