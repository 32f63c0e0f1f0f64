#include "compiler/ptx/module_translator.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DIBuilder.h>

#include "compiler/ptx/body_builder.h"
#include "compiler/ptx/call.h"
#include "compiler/ptx/module_parser.h"
#include "compiler/ptx/module_variables.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

namespace {

llvm::GlobalValue::LinkageTypes linkageOf(Linkage linkage) {
  switch (linkage) {
    case Linkage::Internal:
      return llvm::GlobalValue::InternalLinkage;
    case Linkage::Weak:
    case Linkage::Common:
      return llvm::GlobalValue::WeakAnyLinkage;
    case Linkage::Visible:
    case Linkage::Extern:
      break;
  }
  return llvm::GlobalValue::ExternalLinkage;
}

// SourceLines gives instructions the lines that .loc names.
class SourceLines {
 public:
  SourceLines(llvm::Module &module, const std::map<unsigned, std::string> &files) : builder_(module), files_(files) {}

  void begin(llvm::Function &function, const std::vector<Statement> &body) {
    scope_ = nullptr;
    auto first = llvm::find_if(body, [](const Statement &s) { return s.kind == Statement::Kind::Location; });
    if (first == body.end()) return;
    llvm::DIFile *file = fileOf(first->file);
    if (!unit_) unit_ = builder_.createCompileUnit(llvm::dwarf::DW_LANG_C_plus_plus, file, "PTX", true, "", 0);
    auto *type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
    scope_ = builder_.createFunction(file, function.getName(), function.getName(), file, first->sourceLine, type,
                                     first->sourceLine, llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
    function.setSubprogram(scope_);
  }
  void moveTo(Builder &builder, const Statement &location) {
    if (!scope_) return;
    llvm::DIScope *scope = scope_;
    if (llvm::DIFile *file = fileOf(location.file); file != scope_->getFile())
      scope = builder_.createLexicalBlockFile(scope_, file);
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(builder.getContext(), location.sourceLine, location.column, scope));
  }
  // start() is where the function's code begins, before its first .loc.
  void start(Builder &builder) {
    if (scope_)
      builder.SetCurrentDebugLocation(llvm::DILocation::get(builder.getContext(), scope_->getLine(), 0, scope_));
  }
  void finish() { builder_.finalize(); }

 private:
  llvm::DIFile *fileOf(unsigned index) {
    auto found = files_.find(index);
    return builder_.createFile(found == files_.end() ? "module.ptx" : found->second, "");
  }

  llvm::DIBuilder builder_;
  const std::map<unsigned, std::string> &files_;
  llvm::DICompileUnit *unit_ = nullptr;
  llvm::DISubprogram *scope_ = nullptr;
};

class ModuleTranslator {
 public:
  enum class Bodies : uint8_t { Kept, Dropped };
  ModuleTranslator(const ModuleText &text, bool isWhole, llvm::Module &module, Bodies bodies = Bodies::Kept)
      : text_(text),
        isWhole_(isWhole),
        bodies_(bodies),
        module_(module),
        variables_(module, symbols_, text.borrowsVariables),
        lines_(module, text.files) {}

  // translate() returns what is wrong; errorLine() is where.
  std::string translate();
  unsigned errorLine() const { return line_; }

 private:
  llvm::LLVMContext &context() { return module_.getContext(); }
  std::string declare(const Function &function);
  std::string define(const Function &function);
  void bindParameters(const Function &function, llvm::Function &made, Emitter &emitter);
  void bindResult(const Function &function, llvm::Function &made, Emitter &emitter);
  llvm::Value *valueOf(const Variable &result, Emitter &emitter);
  void returnResult(const Function &function, Emitter &emitter);
  std::string defineAlias(const Alias &alias);
  std::string unresolved();

  const ModuleText &text_;
  bool isWhole_;
  Bodies bodies_;
  llvm::Module &module_;
  Symbols symbols_;
  ModuleVariables variables_;
  SourceLines lines_;
  unsigned line_ = 1;
};

std::string ModuleTranslator::declare(const Function &function) {
  line_ = function.line;
  const std::vector<Variable> &results = function.prototype.results;
  if (results.size() > 1 && llvm::any_of(results, [](const Variable &each) { return each.space != Space::Register; }))
    return "several results have to be registers: " + function.name;
  const llvm::StringRef ours = function.hasBody ? "" : runtimeName(function.name);
  const llvm::StringRef name = ours.empty() ? llvm::StringRef(function.name) : ours;
  if (module_.getGlobalVariable(name, true)) return function.name + " is a variable and a function";
  llvm::Function *made = module_.getFunction(name);
  llvm::FunctionType *type = functionType(context(), function.prototype);
  if (made && made->getFunctionType() != type) return "function " + function.name + " is declared differently before";
  if (!made) made = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module_);
  if (function.hasBody) made->setLinkage(linkageOf(function.linkage));
  made->setAttributes(functionAttributes(context(), function.prototype,
                                         function.isKernel ? llvm::Attribute::ByRef
                                         : ours.empty()    ? llvm::Attribute::ByVal
                                                           : llvm::Attribute::None));
  symbols_[function.name] = {made, Space::Generic, nullptr, &function.prototype};
  if (function.isKernel && function.hasBody) variables_.markKernel(*made, function.performance);
  return "";
}

// bindParameters() makes the parameters' names known: those in memory as what the caller wrote, others as copies.
void ModuleTranslator::bindParameters(const Function &function, llvm::Function &made, Emitter &emitter) {
  unsigned index = returnsInMemory(function.prototype);
  for (const Variable &parameter : function.prototype.parameters) {
    llvm::Value *value = made.getArg(index++);
    if (parameter.space == Space::Register) {
      const Register place = emitter.makeRegister(parameter.type, parameter.name);
      emitter.builder().CreateStore(value, place.slot);
      emitter.declare(parameter.name, place);
      continue;
    }
    if (!parameter.isArray) {
      llvm::AllocaInst *memory = emitter.builder().CreateAlloca(value->getType(), nullptr, parameter.name);
      emitter.builder().CreateStore(value, memory);
      value = memory;
    }
    emitter.declare(parameter.name, Symbol{value, Space::Parameter, &parameter, nullptr});
  }
}

void ModuleTranslator::bindResult(const Function &function, llvm::Function &made, Emitter &emitter) {
  for (const Variable &result : function.prototype.results) {
    if (result.space == Space::Register) {
      emitter.declare(result.name, emitter.makeRegister(result.type, result.name));
      continue;
    }
    llvm::Value *memory = returnsInMemory(function.prototype)
                              ? static_cast<llvm::Value *>(made.getArg(0))
                              : emitter.builder().CreateAlloca(storageType(context(), result), nullptr, result.name);
    emitter.declare(result.name, Symbol{memory, Space::Parameter, &result, nullptr});
  }
}

// valueOf() is what a result holds at the end.
llvm::Value *ModuleTranslator::valueOf(const Variable &result, Emitter &emitter) {
  Operand name;
  name.kind = Operand::Kind::Register;
  name.name = result.name;
  const Symbol *symbol = emitter.symbol(name);
  return symbol ? emitter.builder().CreateLoad(storageType(context(), result), symbol->pointer)
                : emitter.readBits(name, result.type);
}

void ModuleTranslator::returnResult(const Function &function, Emitter &emitter) {
  if (function.prototype.results.empty() || returnsInMemory(function.prototype)) {
    emitter.builder().CreateRetVoid();
    return;
  }
  const std::vector<Variable> &results = function.prototype.results;
  if (results.size() == 1) {
    emitter.builder().CreateRet(valueOf(results.front(), emitter));
    return;
  }
  llvm::SmallVector<llvm::Value *> values;
  for (const Variable &result : results) values.push_back(valueOf(result, emitter));
  emitter.builder().CreateAggregateRet(values.data(), unsigned(values.size()));
}

std::string ModuleTranslator::define(const Function &function) {
  llvm::Function &made = *module_.getFunction(function.name);
  line_ = function.line;
  if (!made.isDeclaration()) return "function " + function.name + " is defined twice";
  Builder builder(llvm::BasicBlock::Create(context(), "entry", &made));
  llvm::BasicBlock *exit = llvm::BasicBlock::Create(context(), "exit", &made);
  lines_.begin(made, function.body);
  lines_.start(builder);
  Emitter emitter(builder, false, function.isKernel);
  emitter.setModuleSymbols(&symbols_);
  emitter.setExitBlock(exit);
  emitter.setReturnBlock(exit);
  bindParameters(function, made, emitter);
  bindResult(function, made, emitter);
  BodyBuilder(emitter, [&](const Statement &statement) {
    line_ = statement.line;
    if (statement.kind == Statement::Kind::Location) lines_.moveTo(builder, statement);
  }).build(function.body);
  if (!emitter.error().empty()) return emitter.error();
  builder.CreateBr(exit);
  builder.SetInsertPoint(exit);
  returnResult(function, emitter);
  if (bodies_ == Bodies::Dropped) made.deleteBody();
  return emitter.error();
}

// defineAlias() makes a function that hands everything on: nothing else has to know of aliases.
std::string ModuleTranslator::defineAlias(const Alias &alias) {
  line_ = alias.line;
  llvm::Function *made = module_.getFunction(alias.name), *target = module_.getFunction(alias.target);
  if (!made || !target) return "unknown function in .alias " + alias.name + ", " + alias.target;
  if (!made->isDeclaration() || made->getFunctionType() != target->getFunctionType())
    return alias.name + " cannot be another name of " + alias.target;
  Builder builder(llvm::BasicBlock::Create(context(), "entry", made));
  llvm::SmallVector<llvm::Value *> values;
  for (llvm::Argument &argument : made->args()) values.push_back(&argument);
  llvm::CallInst *call = builder.CreateCall(target, values);
  call->setAttributes(target->getAttributes());
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return "";
}

// unresolved() looks for what is used and nobody defines.
std::string ModuleTranslator::unresolved() {
  for (const Function &function : text_.functions) {
    const llvm::Function *declared = module_.getFunction(function.name);
    line_ = function.line;
    // libdevice's functions are linked later.
    const bool isLibrary = llvm::StringRef(function.name).starts_with("__nv_");
    if (!isLibrary && declared && declared->isDeclaration() && !declared->use_empty())
      return "Unresolved extern function '" + function.name + "'";
  }
  for (const Variable &variable : text_.variables) {
    const llvm::GlobalVariable *declared = module_.getGlobalVariable(variable.name, true);
    const bool isDynamic = variable.space == Space::Shared;
    if (!isDynamic && declared && declared->isDeclaration() && !declared->use_empty())
      return "Unresolved extern variable '" + variable.name + "'";
  }
  return "";
}

std::string ModuleTranslator::translate() {
  std::string error;
  for (const Variable &variable : text_.variables)
    if (error = variables_.declare(variable); !error.empty()) return error;
  for (const Function &function : text_.functions)
    if (error = declare(function); !error.empty()) return error;
  for (const Variable &variable : text_.variables)
    if (error = variables_.initialize(variable); !error.empty()) return error;
  for (const Function &function : text_.functions)
    if (function.hasBody)
      if (error = define(function); !error.empty()) return error;
  for (const Alias &alias : text_.aliases)
    if (error = defineAlias(alias); !error.empty()) return error;
  variables_.finish();
  lines_.finish();
  return isWhole_ ? unresolved() : "";
}

}  // namespace

std::string translateModule(std::string_view text, const std::string &file, bool isWhole, llvm::Module &module) {
  const auto at = [&](unsigned line, const std::string &what) {
    return file + ":" + std::to_string(line) + ": error: PTX: " + what;
  };
  if (text.find("//" HW_IMAGE_MAGIC " ") != std::string_view::npos)
    return at(1, "this is hwcc's own, which is compiled already");
  ModuleParser parser(text);
  const ModuleText parsed = parser.parse();
  if (!parser.error().empty()) return at(parser.errorLine(), parser.error());
  ModuleTranslator translator(parsed, isWhole, module);
  const std::string error = translator.translate();
  return error.empty() ? "" : at(translator.errorLine(), error);
}

bool checkModule(const ModuleText &text, llvm::Module &module) {
  return ModuleTranslator(text, false, module, ModuleTranslator::Bodies::Dropped).translate().empty();
}

}  // namespace hostwarp::compiler::ptx
