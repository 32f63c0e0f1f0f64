// PTX to IR, modules to lowered IR. The input is a module, or an asm statement: a first line "asm =r +l n ..." with its
// operands, and its text.
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/LLVMContext.h>

#include <string>
#include <string_view>

#include "compiler/ptx/module_parts.h"
#include "compiler/ptx/module_translator.h"
#include "compiler/ptx/translator.h"
#include "tests/reader_fuzz/lowering.h"
#include "tests/reader_fuzz/reader.h"

namespace {

using namespace hostwarp::compiler;

constexpr std::string_view asmMark = "asm ";
constexpr const char *layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

// Operands are those of an asm statement, in the order that clang gives them.
struct Operands {
  std::string outputs, inputs, matches;  // constraints, each behind a comma
  llvm::SmallVector<llvm::Type *> results, arguments, matched;
};

llvm::Type *typeOf(llvm::LLVMContext &context, char letter) {
  switch (letter) {
    case 'h':
      return llvm::Type::getInt16Ty(context);
    case 'r':
    case 'n':
      return llvm::Type::getInt32Ty(context);
    case 'l':
      return llvm::Type::getInt64Ty(context);
    case 'f':
      return llvm::Type::getFloatTy(context);
    case 'd':
      return llvm::Type::getDoubleTy(context);
    case 'q':
      return llvm::Type::getInt128Ty(context);
    default:
      return nullptr;
  }
}

// add() reads one word: "=r", "+r" or "r". Others are passed.
void add(Operands &operands, llvm::LLVMContext &context, llvm::StringRef word) {
  const bool isBoth = word.consume_front("+"), isOutput = word.consume_front("=") || isBoth;
  llvm::Type *type = word.size() == 1 ? typeOf(context, word[0]) : nullptr;
  if (!type) return;
  if (isBoth) {
    operands.matches += "," + std::to_string(operands.results.size());
    operands.matched.push_back(type);
  }
  if (isOutput) {
    operands.outputs += ",=" + word.str();
    operands.results.push_back(type);
  } else {
    operands.inputs += "," + word.str();
    operands.arguments.push_back(type);
  }
}

Operands readOperands(llvm::LLVMContext &context, llvm::StringRef line) {
  constexpr size_t most = 40;
  Operands operands;
  llvm::SmallVector<llvm::StringRef> words;
  line.split(words, ' ', most, false);
  for (const llvm::StringRef word : words) add(operands, context, word);
  return operands;
}

llvm::Type *resultOf(llvm::LLVMContext &context, const Operands &operands) {
  if (operands.results.empty()) return llvm::Type::getVoidTy(context);
  return operands.results.size() == 1 ? operands.results[0] : llvm::StructType::get(context, operands.results);
}

// makeStatement() makes a function whose parameters are the statement's inputs; numbers for "n".
llvm::CallInst *makeStatement(llvm::Module &module, const Operands &operands, const std::string &text) {
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Type *> types(operands.arguments);
  types.append(operands.matched);
  auto *type = llvm::FunctionType::get(resultOf(context, operands), types, false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "statement", module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  llvm::SmallVector<llvm::Value *> values;
  for (llvm::Argument &argument : function->args()) values.push_back(&argument);
  for (size_t i = 0; i < operands.arguments.size(); ++i)
    if (operands.inputs[2 * i + 1] == 'n') values[i] = builder.getInt32(16);
  const std::string constraints = operands.outputs + operands.inputs + operands.matches + ",~{memory}";
  auto *assembly = llvm::InlineAsm::get(type, text, constraints.substr(1), true);
  llvm::CallInst *call = builder.CreateCall(assembly, values);
  if (type->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return call;
}

// translateStatement() returns "" or what is wrong, as translateModule() does.
std::string translateStatement(llvm::StringRef input, llvm::Module &module) {
  const auto [line, text] = input.drop_front(asmMark.size()).split('\n');
  const Operands operands = readOperands(module.getContext(), line);
  llvm::CallInst *call = makeStatement(module, operands, text.str());
  return ptx::Translator(module).translate(*call, false);
}

// divide() takes the module apart, whatever is then made of it.
void divide(std::string_view input, llvm::LLVMContext &context) {
  llvm::Module scratch("scratch", context);
  scratch.setDataLayout(layout);
  if (!ptx::divideModule(input, scratch).starts_with("HWPARTS1 ")) hostwarp::tests::complain("the parts have no head");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view input(reinterpret_cast<const char *>(data), size);
  const bool isStatement = input.starts_with(asmMark);
  llvm::LLVMContext context;
  llvm::Module module("input", context);
  module.setDataLayout(layout);
  if (!isStatement) divide(input, context);
  if (!(isStatement ? translateStatement(input, module) : ptx::translateModule(input, "input.ptx", false, module))
           .empty())
    return 0;
  hostwarp::tests::expectValid(module, "the IR");
  if (!isStatement) {
    hostwarp::tests::lower(module);
  } else if (const std::string missing = ptx::Translator(module).finish(); !missing.empty()) {
    hostwarp::tests::complain("the library lacks something: " + missing);
  }
  return 0;
}
