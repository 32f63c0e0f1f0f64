#include "compiler/device/kernel_text.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/device/indirect_calls.h"
#include "compiler/device/literals.h"

namespace hostwarp::compiler {

namespace {

// Reach is all that a function's code refers to, in the order in which it does.
class Reach {
 public:
  explicit Reach(llvm::Function &entry) {
    values_.insert(&entry);
    for (size_t next = 0; next < values_.size() && mayMove_; ++next) visit(*values_[next]);
  }

  // mayMove(): it does the same from any image.
  bool mayMove() const { return mayMove_; }
  llvm::ArrayRef<llvm::GlobalValue *> values() const { return values_.getArrayRef(); }

 private:
  void visit(llvm::GlobalValue &value) {
    if (value.isDeclaration()) return;  // what has one address, wherever it is used
    auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value);
    if (auto *function = llvm::dyn_cast<llvm::Function>(&value)) {
      for (llvm::Instruction &instruction : llvm::instructions(*function)) visitOperands(instruction);
    } else if (variable && variable->isConstant() && !variable->isThreadLocal() && !mayTellAddress(*variable)) {
      note(*variable->getInitializer());
    } else {
      mayMove_ = false;
    }
  }

  void visitOperands(llvm::Instruction &instruction) {
    for (llvm::Use &operand : instruction.operands()) {
      auto *function = llvm::dyn_cast<llvm::Function>(operand.get());
      if (function && !isAddress(operand))
        values_.insert(function);
      else if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand.get()))
        note(*constant);
    }
  }

  // note() is told of constants other than functions that are called.
  void note(llvm::Constant &constant) {
    auto *function = llvm::dyn_cast<llvm::Function>(&constant);
    if ((function && !function->isDeclaration()) || llvm::isa<llvm::BlockAddress>(constant)) {
      mayMove_ = false;
    } else if (auto *global = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
      values_.insert(global);
    } else {
      for (llvm::Use &operand : constant.operands()) note(*llvm::cast<llvm::Constant>(operand.get()));
    }
  }

  llvm::SetVector<llvm::GlobalValue *> values_;
  bool mayMove_ = true;
};

// Extract is a module of its own of what a function reaches, in which names are numbers in the order of use.
class Extract {
 public:
  explicit Extract(llvm::ArrayRef<llvm::GlobalValue *> values) : module_("", values.front()->getContext()) {
    llvm::LLVMContext &context = module_.getContext();
    const bool discarded = context.shouldDiscardValueNames();
    context.setDiscardValueNames(true);
    for (const llvm::GlobalValue *value : values) declare(*value);
    for (const llvm::GlobalValue *value : values)
      if (!value->isDeclaration()) define(*value);
    context.setDiscardValueNames(discarded);
  }

  std::string print() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module_.print(stream, nullptr);
    return text;
  }

 private:
  std::string nameOf(const llvm::GlobalValue &value) {
    return value.isDeclaration() ? value.getName().str() : "v" + std::to_string(map_.size());
  }

  // declare() leaves attributes of declarations out: they are of the code around which a declaration was first seen.
  void declare(const llvm::GlobalValue &value) {
    if (auto *function = llvm::dyn_cast<llvm::Function>(&value)) {
      map_[&value] = llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                                            nameOf(value), module_);
      return;
    }
    auto &variable = llvm::cast<llvm::GlobalVariable>(value);
    auto *copy = new llvm::GlobalVariable(module_, variable.getValueType(), variable.isConstant(),
                                          llvm::GlobalValue::ExternalLinkage, nullptr, nameOf(value), nullptr,
                                          variable.getThreadLocalMode(), variable.getAddressSpace());
    copy->setAlignment(variable.getAlign());
    map_[&value] = copy;
  }

  void define(const llvm::GlobalValue &value) {
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&value)) {
      auto &copy = *llvm::cast<llvm::GlobalVariable>(map_.lookup(variable));
      return copy.setInitializer(llvm::MapValue(variable->getInitializer(), map_));
    }
    auto &function = llvm::cast<llvm::Function>(value);
    auto &copy = *llvm::cast<llvm::Function>(map_.lookup(&function));
    for (const auto [parameter, original] : llvm::zip(copy.args(), function.args())) map_[&original] = &parameter;
    llvm::SmallVector<llvm::ReturnInst *> returns;
    llvm::CloneFunctionInto(&copy, &function, map_, llvm::CloneFunctionChangeType::DifferentModule, returns);
  }

  llvm::Module module_;
  llvm::ValueToValueMapTy map_;
};

// factsOf() is what the kernel's description says, in as far as it does not follow from the code.
std::string factsOf(const Kernel &kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const hw_parameter &parameter : kernel.parameters)
    stream << parameter.bytes << ":" << parameter.alignment << " ";
  for (const auto &[parameter, alignment] : kernel.reliedAlignments) stream << parameter << "@" << alignment << " ";
  stream << "; " << kernel.flags << " " << kernel.staticSharedBytes << " " << kernel.sharedAlignment << " "
         << kernel.minBlocksPerSm << " " << kernel.maxBlocksPerCluster << " " << kernel.maxRegisters << " "
         << kernel.registers << " " << kernel.expectsNoOther;
  for (unsigned i = 0; i < 3; ++i)
    stream << " " << kernel.maxThreads[i] << "," << kernel.clusterDim[i] << "," << kernel.blockDim[i] << ","
           << kernel.expectedBlock[i];
  return text;
}

void forgetName(llvm::MDNode &node) {
  if (!node.isDistinct()) return;  // it goes by its name
  for (unsigned i = 0; i < node.getNumOperands(); ++i)
    if (llvm::isa_and_nonnull<llvm::MDString>(node.getOperand(i).get()))
      node.replaceOperandWith(i, llvm::MDString::get(node.getContext(), ""));
}

}  // namespace

std::optional<std::string> kernelText(const Kernel &kernel) {
  const Reach reach(threadEntry(kernel));
  if (!reach.mayMove()) return std::nullopt;
  const std::string text = factsOf(kernel) + "\n" + Extract(reach.values()).print();
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)));
}

void forgetScopeNames(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      for (const unsigned kind : {llvm::LLVMContext::MD_alias_scope, llvm::LLVMContext::MD_noalias}) {
        const llvm::MDNode *scopes = instruction.getMetadata(kind);
        if (!scopes) continue;
        for (const llvm::MDOperand &operand : scopes->operands()) {
          auto &scope = *llvm::cast<llvm::MDNode>(operand.get());
          forgetName(scope);
          for (const llvm::MDOperand &part : scope.operands())
            if (auto *domain = llvm::dyn_cast_or_null<llvm::MDNode>(part.get())) forgetName(*domain);
        }
      }
}

}  // namespace hostwarp::compiler
