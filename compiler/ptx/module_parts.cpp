#include "compiler/ptx/module_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "compiler/ptx/call.h"
#include "compiler/ptx/module_parser.h"
#include "compiler/ptx/module_translator.h"

namespace hostwarp::compiler::ptx {

namespace {

// Entity is what a name of the module stands for, all its declarations together.
struct Entity {
  bool isFunction = false, isKernel = false, isShared = false;
  unsigned definitions = 0;
};

// Item is one line of the result.
struct Item {
  char kind;
  size_t begin, end;
  std::vector<std::string> names;
  std::set<std::string> uses;
};

// endOf() is where the things of the item after this one begin in their list.
size_t endOf(const ModuleText &text, size_t item, size_t ModuleItem::*first, size_t all) {
  return item + 1 < text.items.size() ? text.items[item + 1].*first : all;
}

class Divider {
 public:
  Divider(std::string_view source, const ModuleText &text) : source_(source), text_(text) {}

  // divide() returns false where the module has to stay whole.
  bool divide();
  std::string result() const;

 private:
  void findEntities();
  bool addItem(size_t index);
  bool addVariables(Item &item, size_t first, size_t end);
  bool addFunction(Item &item, const Function &function);
  bool use(Item &item, const Operand &operand, bool isCallee = false);
  bool useAll(Item &item, const Instruction &instruction);
  void declareBorrowed(const Variable &variable);

  std::string_view source_;
  const ModuleText &text_;
  std::map<std::string, Entity, std::less<>> entities_;
  std::vector<Item> items_;
  std::string declarations_;  // stand behind the module's text
};

void Divider::findEntities() {
  for (const Variable &variable : text_.variables) {
    Entity &entity = entities_[variable.name];
    entity.isShared = variable.space == Space::Shared;
    entity.definitions += variable.linkage != Linkage::Extern;
  }
  for (const Function &function : text_.functions) {
    Entity &entity = entities_[function.name];
    entity.isFunction = true;
    entity.isKernel |= function.isKernel;
    entity.definitions += function.hasBody;
  }
  for (const Alias &alias : text_.aliases) entities_[alias.name].definitions++;
}

bool Divider::addVariables(Item &item, size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    const Variable &variable = text_.variables[i];
    item.kind = variable.space == Space::Shared ? 'S' : 'V';
    item.names.push_back(variable.name);
    for (const InitialValue &value : variable.values) {
      const auto named = entities_.find(value.symbol);
      if (value.symbol.empty()) continue;
      if (named == entities_.end() || named->second.isFunction) return false;
    }
    if (item.kind == 'V' && variable.linkage != Linkage::Extern) declareBorrowed(variable);
  }
  return true;
}

// declareBorrowed() says of the variable what a kernel's part has to know: its name and size.
void Divider::declareBorrowed(const Variable &variable) {
  const size_t begin = source_.size() + declarations_.size();
  declarations_ += variable.space == Space::Constant ? ".extern .const " : ".extern .global ";
  if (variable.isManaged) declarations_ += ".attribute(.managed) ";
  declarations_ += ".b8 " + variable.name + "[" + std::to_string(variable.bytes()) + "];\n";
  items_.push_back({'D', begin, source_.size() + declarations_.size(), {variable.name}, {}});
}

// use() notes the names that an operand has; false where it takes a function's address.
bool Divider::use(Item &item, const Operand &operand, bool isCallee) {
  if (const auto named = entities_.find(operand.name); !operand.name.empty() && named != entities_.end()) {
    if (named->second.isFunction && !named->second.isKernel && !isCallee) return false;
    item.uses.insert(operand.name);
  }
  return std::ranges::all_of(operand.parts, [&](const Operand &part) { return use(item, part); });
}

// useAll(): what is called stands first, or behind the list of results.
bool Divider::useAll(Item &item, const Instruction &instruction) {
  const bool isCall = instruction.opcode == "call";
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool isCallee = isCall && i == (instruction.operands.front().kind == Operand::Kind::List);
    if (!use(item, instruction.operands[i], isCallee)) return false;
  }
  return true;
}

bool Divider::addFunction(Item &item, const Function &function) {
  item.kind = function.isKernel && function.hasBody ? 'K' : 'F';
  item.names.push_back(function.name);
  for (const Statement &statement : function.body)
    if (!statement.targets.empty() || !useAll(item, statement.instruction)) return false;
  return true;
}

bool Divider::addItem(size_t index) {
  const ModuleItem &place = text_.items[index];
  if (source_.substr(place.begin).starts_with(".section")) return true;  // debug information of its own
  Item item{'H', place.begin, place.end, {}, {}};
  const size_t functions = endOf(text_, index, &ModuleItem::function, text_.functions.size());
  if (!addVariables(item, place.variable, endOf(text_, index, &ModuleItem::variable, text_.variables.size())))
    return false;
  for (size_t i = place.function; i < functions; ++i)
    if (!addFunction(item, text_.functions[i])) return false;
  for (size_t i = place.alias; i < endOf(text_, index, &ModuleItem::alias, text_.aliases.size()); ++i) {
    item.kind = 'A';
    item.names.push_back(text_.aliases[i].name);
    item.uses.insert(text_.aliases[i].target);
  }
  items_.push_back(std::move(item));
  return true;
}

// isResolved(): the name is defined here, or somebody else is known to define it.
bool isResolved(const std::string &name, const Entity &entity) {
  if (entity.definitions > 1) return false;
  return entity.definitions == 1 || entity.isShared || !runtimeName(name).empty() || name.starts_with("__nv_");
}

bool Divider::divide() {
  findEntities();
  for (size_t i = 0; i < text_.items.size(); ++i)
    if (!addItem(i)) return false;
  const std::string pragma = ".pragma \"" + std::string(borrowPragma) + "\";\n";
  const size_t begin = source_.size() + declarations_.size();
  items_.push_back({'B', begin, begin + pragma.size(), {}, {}});
  declarations_ += pragma;
  for (const Item &item : items_)
    for (const std::string &name : item.uses)
      if (!isResolved(name, entities_.find(name)->second)) return false;
  return true;
}

std::string joined(const auto &names) {
  std::string list;
  for (const std::string &name : names) list += (list.empty() ? "" : ",") + name;
  return list.empty() ? "-" : list;
}

std::string Divider::result() const {
  std::string text = "HWPARTS1 " + std::to_string(items_.size()) + "\n";
  for (const Item &item : items_)
    text += std::string(1, item.kind) + " " + std::to_string(item.begin) + " " + std::to_string(item.end) + " " +
            joined(item.names) + " " + joined(item.uses) + "\n";
  text += "\n";
  text += source_;
  return text + declarations_;
}

}  // namespace

std::string divideModule(std::string_view text, llvm::Module &scratch) {
  ModuleParser parser(text);
  const ModuleText parsed = parser.parse();
  if (parser.error().empty() && !parsed.borrowsVariables) {
    Divider divider(text, parsed);
    if (divider.divide() && checkModule(parsed, scratch)) return divider.result();
  }
  return "HWPARTS1 0\n\n";
}

}  // namespace hostwarp::compiler::ptx
