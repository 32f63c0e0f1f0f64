#include "compiler/ptx/translator.h"

#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <cctype>

#include "compiler/ptx/async_markers.h"
#include "compiler/ptx/body_builder.h"
#include "compiler/ptx/emitter.h"
#include "compiler/ptx/library.h"
#include "compiler/ptx/parser.h"

namespace hostwarp::compiler::ptx {

namespace {

// letterWidth() is the register width of a constraint letter, 0 for a constant, -1 for what PTX has not.
int letterWidth(llvm::StringRef letter) {
  if (letter == "h") return 16;
  if (letter == "r" || letter == "f") return 32;
  if (letter == "l" || letter == "d") return 64;
  if (letter == "q") return 128;
  if (letter == "b") return 1;
  return letter == "n" || letter == "i" ? 0 : -1;
}

// Signature is what the constraints say about the operands $0, $1, ...
struct Signature {
  struct Argument {
    int width;
    int output = -1;  // index among the results
    int input = -1;   // index among the call's arguments
  };
  std::vector<Argument> arguments;
  unsigned outputs = 0;
  bool clobbersMemory = false;
  std::string error;
};

void addConstraint(const llvm::InlineAsm::ConstraintInfo &info, unsigned &inputs, Signature &signature) {
  if (info.Type == llvm::InlineAsm::isClobber) {
    signature.clobbersMemory |= info.Codes.front() == "{memory}";
    return;
  }
  const std::string &code = info.Codes.empty() ? "" : info.Codes.front();
  Signature::Argument argument{0};
  if (info.Type == llvm::InlineAsm::isInput && !code.empty() && std::isdigit(static_cast<unsigned char>(code[0]))) {
    // "+r": the output's register starts with this value.
    const size_t output = std::stoul(code);
    if (output >= signature.arguments.size()) return void(signature.error = "bad matching constraint");
    signature.arguments[output].input = int(inputs++);
    argument = signature.arguments[output];
  } else {
    argument.width = letterWidth(code);
    const bool isOutput = info.Type == llvm::InlineAsm::isOutput;
    if (argument.width < 0 || (isOutput && argument.width == 0) || info.isIndirect ||
        info.Type == llvm::InlineAsm::isLabel)
      signature.error = "unsupported operand constraint \"" + code + "\"";
    if (isOutput)
      argument.output = int(signature.outputs++);
    else
      argument.input = int(inputs++);
  }
  signature.arguments.push_back(argument);
}

Signature readSignature(const llvm::InlineAsm &assembly) {
  Signature signature;
  unsigned inputs = 0;
  for (const auto &info : assembly.ParseConstraints()) addConstraint(info, inputs, signature);
  return signature;
}

unsigned widthOf(llvm::Type *type) {
  return type->isPointerTy() ? 64 : unsigned(type->getPrimitiveSizeInBits().getFixedValue());
}

llvm::Type *resultType(llvm::Type *type, unsigned index) {
  auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure ? structure->getElementType(index) : type;
}

llvm::Value *toBits(Builder &builder, llvm::Value *value, llvm::Type *integer) {
  if (value->getType()->isPointerTy()) return builder.CreatePtrToInt(value, integer);
  llvm::Value *bits = builder.CreateBitCast(value, builder.getIntNTy(widthOf(value->getType())));
  return builder.CreateZExtOrTrunc(bits, integer);
}

llvm::Value *fromBits(Builder &builder, llvm::Value *bits, llvm::Type *type) {
  if (type->isPointerTy()) return builder.CreateIntToPtr(bits, type);
  return builder.CreateBitCast(builder.CreateTrunc(bits, builder.getIntNTy(widthOf(type))), type);
}

// FunctionBuilder fills the function of one asm statement.
class FunctionBuilder {
 public:
  FunctionBuilder(llvm::Function &function, const Signature &signature, llvm::CallInst &call, bool inKernel)
      : function_(function),
        signature_(signature),
        call_(call),
        builder_(makeEntry(function)),
        exit_(llvm::BasicBlock::Create(function.getContext(), "exit", &function)),
        isVolatile_(llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->hasSideEffects()),
        emitter_(builder_, isVolatile_, inKernel) {}

  std::string build(const std::vector<Statement> &statements) {
    bindArguments();
    if (function_.arg_size() > call_.arg_size()) emitter_.setCarry(function_.getArg(call_.arg_size()));
    emitter_.setExitBlock(exit_);
    if (signature_.clobbersMemory) compilerFence();
    BodyBuilder(emitter_).build(statements);
    if (!emitter_.error().empty()) return emitter_.error();
    builder_.CreateBr(exit_);
    builder_.SetInsertPoint(exit_);
    if (signature_.clobbersMemory) compilerFence();
    returnResults();
    return "";
  }

 private:
  static llvm::BasicBlock *makeEntry(llvm::Function &function) {
    return llvm::BasicBlock::Create(function.getContext(), "entry", &function);
  }

  void compilerFence() {
    builder_.CreateFence(llvm::AtomicOrdering::SequentiallyConsistent, llvm::SyncScope::SingleThread);
  }

  void bindArguments() {
    std::vector<AsmArgument> arguments;
    for (const Signature::Argument &argument : signature_.arguments) {
      AsmArgument made;
      if (!argument.width) {
        made.constant = llvm::dyn_cast<llvm::ConstantInt>(call_.getArgOperand(argument.input));
        if (!made.constant) emitter_.fail("an \"n\" operand must be an integer constant");
      } else if (argument.output >= 0 && size_t(argument.output) < results_.size()) {
        made.place = results_[argument.output];  // the input half of "+r"
      } else {
        made.place = bindRegister(argument);
      }
      arguments.push_back(made);
    }
    emitter_.setArguments(std::move(arguments));
  }

  Register bindRegister(const Signature::Argument &argument) {
    llvm::Type *type = argument.output >= 0 ? resultType(call_.getType(), argument.output)
                                            : call_.getArgOperand(argument.input)->getType();
    // A bool or a char in an "r" operand is promoted; a "b" operand is a predicate.
    const unsigned width = std::max(unsigned(argument.width), widthOf(type));
    Register place = emitter_.makeRegister(width == 1 ? predicateType : bitsType(width), "");
    if (argument.input >= 0)
      builder_.CreateStore(toBits(builder_, function_.getArg(argument.input), place.slot->getAllocatedType()),
                           place.slot);
    if (argument.output >= 0) results_.push_back(place);
    return place;
  }

  void returnResults() {
    llvm::Type *type = function_.getReturnType();
    if (type->isVoidTy()) {
      builder_.CreateRetVoid();
      return;
    }
    llvm::SmallVector<llvm::Value *> values;
    for (unsigned i = 0; i < results_.size(); ++i) {
      llvm::Value *bits = builder_.CreateLoad(results_[i].slot->getAllocatedType(), results_[i].slot);
      values.push_back(fromBits(builder_, bits, resultType(type, i)));
    }
    if (type->isStructTy())
      builder_.CreateAggregateRet(values.data(), unsigned(values.size()));
    else
      builder_.CreateRet(values.front());
  }

  llvm::Function &function_;
  const Signature &signature_;
  llvm::CallInst &call_;
  Builder builder_;
  llvm::BasicBlock *exit_;
  bool isVolatile_;
  Emitter emitter_;
  std::vector<Register> results_;
};

// keyOf() tells statements apart that need functions of their own.
std::string keyOf(llvm::CallInst &call, bool inKernel, const Signature &signature) {
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  std::string key;
  llvm::raw_string_ostream out(key);
  out << assembly->getAsmString() << '\n' << assembly->getConstraintString() << '\n' << *call.getFunctionType();
  for (const Signature::Argument &argument : signature.arguments)
    if (!argument.width) out << ' ' << *call.getArgOperand(argument.input);
  out << assembly->hasSideEffects() << inKernel;
  return key;
}

// withConstants() is the statement's text with the numbers of its constant operands written out.
std::string withConstants(llvm::StringRef text, const Signature &signature, const llvm::CallInst &call) {
  std::string result;
  while (!text.empty()) {
    const bool isDollar = text.consume_front("$$");
    if (isDollar) result += "$$";
    if (isDollar) continue;
    llvm::StringRef rest = text;
    unsigned long long index = 0;
    const bool isOperand = rest.consume_front("$") && !rest.consumeInteger(10, index);
    const bool isConstant =
        isOperand && index < signature.arguments.size() && signature.arguments[index].width == 0 &&
        llvm::isa<llvm::ConstantInt>(call.getArgOperand(unsigned(signature.arguments[index].input)));
    if (isConstant) {
      const llvm::Value *operand = call.getArgOperand(unsigned(signature.arguments[index].input));
      result += std::to_string(llvm::cast<llvm::ConstantInt>(operand)->getSExtValue());
      text = rest;
    } else {
      result += text.front();
      text = text.drop_front();
    }
  }
  return result;
}

// parse() leaves what is wrong in `error`. Constant operands may stand in expressions.
std::vector<Statement> parse(const llvm::CallInst &call, const Signature &signature, std::string &error) {
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const std::string text(assembly->getAsmString());
  Parser parser(text);
  std::vector<Statement> statements = parser.parse();
  error = parser.error();
  if (error.empty()) return statements;
  const std::string written = withConstants(text, signature, call);
  if (written == text) return statements;
  Parser another(written);
  statements = another.parse();
  if (another.error().empty()) error.clear();
  return statements;
}

// usesCarry(): the condition code, which outlives a statement.
bool usesCarry(const std::vector<Statement> &statements) {
  return std::ranges::any_of(statements, [](const Statement &statement) {
    const std::string &opcode = statement.instruction.opcode;
    return opcode == "addc" || opcode == "subc" || opcode == "madc" ||
           std::ranges::count(statement.instruction.modifiers, "cc") > 0;
  });
}

// withCarry() is the type of a function that is told where the carry is, behind its arguments.
llvm::FunctionType *withCarry(const llvm::FunctionType &type) {
  llvm::SmallVector<llvm::Type *> parameters(type.params());
  parameters.push_back(llvm::PointerType::get(type.getContext(), 0));
  return llvm::FunctionType::get(type.getReturnType(), parameters, false);
}

// keepsSubnormals(): some instruction has float operands and no .ftz.
bool keepsSubnormals(const std::vector<Statement> &statements) {
  return std::ranges::any_of(statements, [](const Statement &statement) {
    const std::vector<std::string> &words = statement.instruction.modifiers;
    return std::ranges::count(words, "f32") > 0 && std::ranges::count(words, "ftz") == 0;
  });
}

// hostConstraints() has the constraints of a statement without text name the host's registers.
std::string hostConstraints(llvm::StringRef constraints, llvm::StringRef floats) {
  std::string text;
  llvm::SmallVector<llvm::StringRef> items;
  constraints.split(items, ',');
  for (const llvm::StringRef item : items) {
    const llvm::StringRef letter = item.ltrim("=&");
    const std::string prefix = item.drop_back(letter.size()).str();
    if (!text.empty()) text += ',';
    if (letter == "f" || letter == "d")
      text += prefix + floats.str();
    else
      text += letter == "l" || letter == "h" ? prefix + "r" : item.str();
  }
  return text;
}

// keepEmpty() leaves a statement without text: it is a compiler barrier on the host too.
void keepEmpty(llvm::CallInst &call) {
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const bool isX86 = llvm::Triple(call.getModule()->getTargetTriple()).isX86();
  call.setCalledOperand(llvm::InlineAsm::get(assembly->getFunctionType(), "",
                                             hostConstraints(assembly->getConstraintString(), isX86 ? "x" : "w"),
                                             assembly->hasSideEffects()));
}

}  // namespace

llvm::Function *Translator::functionFor(llvm::CallInst &call, bool inKernel, std::string &error) {
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const Signature signature = readSignature(*assembly);
  error = signature.error;
  if (!error.empty()) return nullptr;
  llvm::Function *&function = functions_[keyOf(call, inKernel, signature)];
  if (function) return function;
  const std::vector<Statement> statements = parse(call, signature, error);
  if (!error.empty()) return nullptr;
  llvm::FunctionType *type = usesCarry(statements) ? withCarry(*call.getFunctionType()) : call.getFunctionType();
  auto *made = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "ptx", module_);
  made->addFnAttr(llvm::Attribute::AlwaysInline);
  made->setDoesNotThrow();
  made->setDSOLocal(true);
  made->setUWTableKind(llvm::UWTableKind::Async);
  // Whatever -ftz says.
  if (keepsSubnormals(statements)) made->addFnAttr("denormal-fp-math-f32", "ieee,ieee");
  error = FunctionBuilder(*made, signature, call, inKernel).build(statements);
  if (error.empty()) return function = made;
  made->deleteBody();
  made->eraseFromParent();
  return nullptr;
}

std::string Translator::translate(llvm::CallInst &call, bool inKernel) {
  const auto *assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  if (llvm::StringRef(assembly->getAsmString()).trim().empty()) {
    keepEmpty(call);
    return "";
  }
  std::string error;
  llvm::Function *function = functionFor(call, inKernel, error);
  if (!function) return error;
  Builder builder(&call);
  llvm::SmallVector<llvm::Value *> arguments(call.args());
  if (function->arg_size() > arguments.size()) arguments.push_back(carryOf(*call.getFunction()));
  llvm::CallInst *made = builder.CreateCall(function, arguments);
  made->setDoesNotThrow();
  made->takeName(&call);
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
  return "";
}

llvm::Value *Translator::carryOf(llvm::Function &function) {
  llvm::Value *&place = carries_[&function];
  if (place) return place;
  Builder builder(&function.getEntryBlock(), function.getEntryBlock().begin());
  place = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "carry");
  builder.CreateStore(builder.getFalse(), place);
  return place;
}

std::string Translator::finish() {
  std::string error = linkLibrary(module_);
  if (!tellsOfAsync_) dropAsyncMarkers(module_);
  return error;
}

}  // namespace hostwarp::compiler::ptx
