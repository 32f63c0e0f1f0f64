#include "compiler/ptx/module_parser.h"

#include <algorithm>
#include <utility>

namespace hostwarp::compiler::ptx {

ModuleText ModuleParser::parse() {
  while (error_.empty() && !scanner_.atEnd())
    if (!scanner_.accept(';')) item();
  return std::move(module_);
}

void ModuleParser::item() {
  ModuleItem made{scanner_.position(), 0, module_.variables.size(), module_.functions.size(), module_.aliases.size()};
  directive();
  made.end = scanner_.end();
  module_.items.push_back(made);
}

void ModuleParser::directive() {
  const std::string name = scanner_.directive();
  if (name == ".version") {
    scanner_.number();
  } else if (name == ".target") {
    do scanner_.word();
    while (scanner_.accept(','));
  } else if (name == ".address_size") {
    if (unsignedNumber() != 64) fail("addresses have 64 bits; before");
  } else if (name == ".file") {
    file();
  } else if (name == ".section") {
    scanner_.directive();
    expect('{');
    scanner_.passBraces();
  } else if (name == ".pragma") {
    pragma();
  } else if (name == ".alias") {
    alias();
  } else if (name.size() > 1 && name[0] == '.') {
    declaration(name);
  } else {
    fail("expected a directive before");
  }
}

void ModuleParser::pragma() {
  do module_.borrowsVariables |= scanner_.quoted() == borrowPragma;
  while (scanner_.accept(','));
  expect(';');
}

// file() reads "1 "path"", and passes the file's time and size.
void ModuleParser::file() {
  const unsigned index = unsignedNumber();
  module_.files[index] = scanner_.quoted();
  while (scanner_.accept(',')) scanner_.number();
}

void ModuleParser::alias() {
  Alias made{scanner_.word(), "", scanner_.line()};
  expect(',');
  made.target = scanner_.word();
  expect(';');
  module_.aliases.push_back(std::move(made));
}

void ModuleParser::declaration(std::string directive) {
  static const std::map<std::string, Linkage> linkages{{".visible", Linkage::Visible},
                                                       {".extern", Linkage::Extern},
                                                       {".weak", Linkage::Weak},
                                                       {".common", Linkage::Common}};
  static const std::map<std::string, Space> spaces{
      {".global", Space::Global}, {".const", Space::Constant}, {".shared", Space::Shared}};
  Linkage linkage = Linkage::Internal;
  for (auto found = linkages.find(directive); found != linkages.end(); found = linkages.find(directive)) {
    linkage = found->second;
    directive = scanner_.directive();
  }
  if (directive == ".entry") return function(true, linkage);
  if (directive == ".func") return function(false, linkage);
  const auto space = spaces.find(directive);
  if (space == spaces.end()) return fail(directive + " is not supported; before");
  variables(space->second, linkage);
}

void ModuleParser::variables(Space space, Linkage linkage) {
  do {
    Variable made = variable(space);
    made.linkage = linkage;
    if (scanner_.accept('=')) initialize(made);
    module_.variables.push_back(std::move(made));
  } while (error_.empty() && scanner_.accept(','));
  expect(';');
}

// initialize() reads an initializer; inner braces only structure it.
void ModuleParser::initialize(Variable &variable) {
  int depth = 0;
  do {
    while (scanner_.accept('{')) ++depth;
    if (scanner_.peek() != '}') variable.values.push_back(initialValue(variable));
    while (scanner_.accept('}')) --depth;
  } while (error_.empty() && scanner_.accept(','));
  if (depth) fail("unbalanced { } in an initializer before");
  if (!variable.count) variable.count = variable.values.size();
}

// initialValue() reads a number, name, name+4, generic(name)+4, or 0xFF00(generic(name)+4).
InitialValue ModuleParser::initialValue(const Variable &variable) {
  InitialValue value;
  const char next = scanner_.peek();
  if (next == '-' || (next >= '0' && next <= '9')) {
    value.number = number(scanner_.accept('-'));
    if (!scanner_.accept('(')) return value;
    InitialValue inner;
    nested([&] { inner = initialValue(variable); });
    expect(')');
    value.mask = uint64_t(value.number.integer);
    value.symbol = inner.symbol;
    value.number = inner.number;
    return value;
  }
  value.number.kind = Operand::Kind::Integer;
  value.symbol = scanner_.word();
  if (value.symbol.empty()) fail("expected a number or a name in the initializer of " + variable.name + " before");
  if (value.symbol == "generic" && scanner_.accept('(')) {
    value.symbol = scanner_.word();
    expect(')');
  }
  if (scanner_.peek() == '+' || scanner_.peek() == '-') {
    scanner_.accept('+');
    value.number.integer = number(scanner_.accept('-')).integer;
  }
  return value;
}

// isAddressTaken(): such a parameter lies in memory, as arrays do.
static bool isAddressTaken(const Function &function, const std::string &name) {
  return std::any_of(function.body.begin(), function.body.end(), [&](const Statement &statement) {
    const Instruction &instruction = statement.instruction;
    const bool takes = instruction.opcode == "mov" || instruction.opcode == "cvta";
    return takes && instruction.operands.size() == 2 && instruction.operands[1].name == name;
  });
}

void ModuleParser::function(bool isKernel, Linkage linkage) {
  Function made;
  made.isKernel = isKernel;
  made.linkage = linkage;
  made.line = scanner_.line();
  if (scanner_.follows(".attribute")) {
    scanner_.directive();
    Variable ignored;
    attributes(ignored);
  }
  if (!isKernel) made.prototype.results = parameters();
  made.name = scanner_.word();
  if (made.name.empty()) return fail("expected a function's name before");
  made.prototype.parameters = parameters();
  performanceDirectives(made.performance);
  if (error_.empty() && !scanner_.accept(';')) body(made);
  if (isKernel)
    for (Variable &parameter : made.prototype.parameters) parameter.isArray |= isAddressTaken(made, parameter.name);
  module_.functions.push_back(std::move(made));
}

void ModuleParser::performanceDirectives(PerformanceDirectives &performance) {
  while (error_.empty() && scanner_.peek() == '.') {
    const std::string name = scanner_.directive();
    if (name == ".maxntid") {
      dimensions(performance.maxThreads);
    } else if (name == ".reqntid") {
      dimensions(performance.blockDim);
    } else if (name == ".reqnctapercluster") {
      dimensions(performance.clusterDim);
    } else if (name == ".minnctapersm") {
      performance.minBlocksPerSm = unsignedNumber();
    } else if (name == ".maxclusterrank") {
      performance.maxBlocksPerCluster = unsignedNumber();
    } else if (name == ".maxnreg") {
      performance.maxRegisters = unsignedNumber();
    } else if (name == ".maxnctapersm" || name == ".local_maxnreg") {
      unsignedNumber();
    } else if (name == ".blocksareclusters") {
      performance.gridOfClusters = true;
    } else if (name == ".pragma") {
      scanner_.quoted();
      scanner_.accept(';');
    } else if (name != ".noreturn" && name != ".explicitcluster" && name != ".abi_preserve" &&
               name != ".abi_preserve_control") {
      fail(name + " is not supported; before");
    }
  }
}

void ModuleParser::dimensions(unsigned (&sizes)[3]) {
  unsigned index = 0;
  do sizes[index++] = unsignedNumber();
  while (index < 3 && scanner_.accept(','));
  for (; index < 3; ++index) sizes[index] = 1;
}

void ModuleParser::body(Function &function) {
  expect('{');
  statements_.clear();
  registers_ = 0;
  for (int depth = 1; error_.empty();) {
    if (scanner_.atEnd()) return fail("unbalanced { } in " + function.name);
    if (scanner_.peek() == '}' && --depth == 0) break;
    if (scanner_.peek() == '{') ++depth;
    statement();
  }
  expect('}');
  function.hasBody = true;
  function.body = std::move(statements_);
}

}  // namespace hostwarp::compiler::ptx
