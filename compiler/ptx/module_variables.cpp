#include "compiler/ptx/module_variables.h"

#include <llvm/IR/Constants.h>

#include "compiler/ptx/body_builder.h"
#include "compiler/ptx/call.h"

namespace hostwarp::compiler::ptx {

namespace {

constexpr unsigned globalSpace = 1, constantSpace = 4;
constexpr const char *borrowedPrefix = "hw_borrowed.";  // emu_runtime/module/ptx_parts.cpp knows it

// numberBits() are the bits of one element.
llvm::APInt numberBits(const InitialValue &value, Type type) {
  const Operand &number = value.number;
  if (number.kind != Operand::Kind::Float || number.floatBits || !type.isFloat() || type.width() < 32)
    return {type.width(), uint64_t(number.integer), true};
  llvm::APFloat result(number.number);
  bool lossy;
  if (type.width() == 32) result.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lossy);
  return result.bitcastToAPInt();
}

// isBytes(): the variable is a structure of what its initializer names and of zeroes, since addresses are in it, or
// more zeroes than anybody wants to list.
bool isBytes(const Variable &variable) {
  constexpr uint64_t mostZeroes = 1 << 16;
  if (variable.values.empty() || variable.type.width() < 8) return false;
  if (variable.count > variable.values.size() + mostZeroes) return true;
  return llvm::any_of(variable.values, [](const InitialValue &value) { return !value.symbol.empty(); });
}

}  // namespace

std::string ModuleVariables::declare(const Variable &variable) {
  if (const auto known = symbols_.find(variable.name); known != symbols_.end()) {
    const bool isExtern = variable.linkage == Linkage::Extern;
    if (!isExtern && known->second.variable->linkage != Linkage::Extern)
      return "variable " + variable.name + " is declared twice";
    if (isExtern) return "";
    if (known->second.isBorrowed) return "variable " + variable.name + " is another image's and this one's";
    llvm::GlobalVariable *declared = module_.getGlobalVariable(variable.name, true);
    declared->removeDeadConstantUsers();
    declared->eraseFromParent();
  }
  if (borrows_ && variable.linkage == Linkage::Extern && variable.space != Space::Shared) {
    borrow(variable);
    return "";
  }
  llvm::LLVMContext &context = module_.getContext();
  llvm::GlobalVariable *made;
  if (variable.space == Space::Shared) {
    made = sharedVariable(module_, variable);
  } else {
    const unsigned space = variable.space == Space::Constant ? constantSpace : globalSpace;
    llvm::Type *type = storageType(context, variable);
    // Its value has a type of its own, of the same size.
    if (isBytes(variable)) type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), variable.bytes());
    const bool isExtern = variable.linkage == Linkage::Extern;
    made = new llvm::GlobalVariable(module_, type, false,
                                    variable.linkage == Linkage::Internal ? llvm::GlobalValue::InternalLinkage
                                    : variable.linkage == Linkage::Weak || variable.linkage == Linkage::Common
                                        ? llvm::GlobalValue::WeakAnyLinkage
                                        : llvm::GlobalValue::ExternalLinkage,
                                    isExtern ? nullptr : llvm::Constant::getNullValue(type), variable.name, nullptr,
                                    llvm::GlobalValue::NotThreadLocal, space, true);
    made->setAlignment(alignmentOf(variable));
    if (variable.isManaged) annotate(*made, "hostwarp.managed");
  }
  auto *generic = llvm::ConstantExpr::getAddrSpaceCast(made, llvm::PointerType::get(context, 0));
  symbols_[variable.name] = {generic, variable.space, &variable, nullptr};
  return "";
}

// borrow() makes the pointer to the variable. It is a managed variable, which exists once and which the runtime finds
// by its name.
void ModuleVariables::borrow(const Variable &variable) {
  llvm::PointerType *type = llvm::PointerType::get(module_.getContext(), 0);
  auto *place = new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::InternalLinkage,
                                         llvm::ConstantPointerNull::get(type), borrowedPrefix + variable.name, nullptr,
                                         llvm::GlobalValue::NotThreadLocal, globalSpace, true);
  annotate(*place, "hostwarp.managed");
  symbols_[variable.name] = {llvm::ConstantExpr::getAddrSpaceCast(place, type), variable.space, &variable, nullptr,
                             true};
}

llvm::Constant *ModuleVariables::numbers(const Variable &variable) {
  llvm::LLVMContext &context = module_.getContext();
  llvm::Type *element = llvm::Type::getIntNTy(context, variable.type.width());
  std::vector<llvm::Constant *> values;
  for (const InitialValue &value : variable.values)
    values.push_back(llvm::ConstantInt::get(context, numberBits(value, variable.type)));
  if (!variable.isArray) return values.front();
  values.resize(variable.count, llvm::Constant::getNullValue(element));
  return llvm::ConstantArray::get(llvm::ArrayType::get(element, variable.count), values);
}

llvm::Constant *ModuleVariables::addressOf(const InitialValue &value, std::string &error) {
  llvm::Type *i64 = llvm::Type::getInt64Ty(module_.getContext());
  const auto found = symbols_.find(value.symbol);
  if (found == symbols_.end() || found->second.space == Space::Shared || found->second.isBorrowed) {
    error = "unknown address in an initializer: " + value.symbol;
    return llvm::ConstantInt::get(i64, 0);
  }
  auto *address = llvm::ConstantExpr::getPtrToInt(llvm::cast<llvm::Constant>(found->second.pointer), i64);
  return llvm::ConstantExpr::getAdd(address, llvm::ConstantInt::get(i64, uint64_t(value.number.integer)));
}

// withAddresses() puts numbers and addresses side by side. Bytes of an address follow one another, the least
// significant first.
llvm::Constant *ModuleVariables::withAddresses(const Variable &variable, std::string &error) {
  llvm::LLVMContext &context = module_.getContext();
  const unsigned bytes = variable.type.width() / 8;
  std::vector<llvm::Constant *> fields;
  uint64_t filled = 0;
  for (size_t i = 0; i < variable.values.size(); ++i) {
    const InitialValue &value = variable.values[i];
    if (value.symbol.empty()) {
      fields.push_back(llvm::ConstantInt::get(context, numberBits(value, variable.type)));
      filled += bytes;
      continue;
    }
    const bool isWhole = value.mask == ~uint64_t{0};
    if ((isWhole && bytes != 8) || (!isWhole && (bytes != 1 || value.mask != 0xFF || i + 8 > variable.values.size()))) {
      error = "an address in the initializer of " + variable.name + " is not whole";
      return nullptr;
    }
    fields.push_back(addressOf(value, error));
    if (!isWhole) i += 7;
    filled += 8;
  }
  if (filled < variable.bytes())
    fields.push_back(
        llvm::Constant::getNullValue(llvm::ArrayType::get(llvm::Type::getInt8Ty(context), variable.bytes() - filled)));
  return llvm::ConstantStruct::getAnon(context, fields, true);
}

std::string ModuleVariables::initialize(const Variable &variable) {
  if (variable.values.empty() || variable.space == Space::Shared) return "";
  if (variable.values.size() > variable.count) return "too many values for " + variable.name;
  llvm::GlobalVariable *global = module_.getGlobalVariable(variable.name, true);
  if (!isBytes(variable)) {
    global->setInitializer(numbers(variable));
    return "";
  }
  std::string error;
  llvm::Constant *value = withAddresses(variable, error);
  if (!error.empty()) return error;
  // Another variable takes its place: the type of a variable is fixed.
  auto *made = new llvm::GlobalVariable(module_, value->getType(), false, global->getLinkage(), value, "", global,
                                        llvm::GlobalValue::NotThreadLocal, global->getAddressSpace(), true);
  made->setAlignment(global->getAlign());
  made->takeName(global);
  global->replaceAllUsesWith(made);
  global->eraseFromParent();
  symbols_[variable.name].pointer =
      llvm::ConstantExpr::getAddrSpaceCast(made, llvm::PointerType::get(module_.getContext(), 0));
  return "";
}

// annotate() attaches a text and numbers, as clang does for [[clang::annotate]].
void ModuleVariables::annotate(llvm::GlobalValue &target, const std::string &text, llvm::ArrayRef<unsigned> numbers) {
  llvm::LLVMContext &context = module_.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *none = llvm::ConstantPointerNull::get(pointer);
  const auto hold = [&](llvm::Constant *value) -> llvm::Constant * {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                    "annotation");
  };
  llvm::SmallVector<llvm::Constant *> fields;
  for (unsigned each : numbers) fields.push_back(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), each));
  llvm::Constant *arguments = numbers.empty() ? none : hold(llvm::ConstantStruct::getAnon(context, fields));
  annotations_.push_back(
      llvm::ConstantStruct::getAnon(context, {llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(&target, pointer),
                                              hold(llvm::ConstantDataArray::getString(context, text)), none,
                                              llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 0), arguments}));
}

void ModuleVariables::markKernel(llvm::Function &function, const PerformanceDirectives &performance) {
  llvm::LLVMContext &context = module_.getContext();
  llvm::NamedMDNode *annotations = module_.getOrInsertNamedMetadata("nvvm.annotations");
  const auto add = [&](const char *key, unsigned value) {
    auto *number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
    annotations->addOperand(llvm::MDNode::get(
        context, {llvm::ConstantAsMetadata::get(&function), llvm::MDString::get(context, key), number}));
  };
  add("kernel", 1);
  const char *const names[] = {"maxntidx", "maxntidy", "maxntidz"};
  for (unsigned i = 0; i < 3; ++i)
    if (performance.maxThreads[i]) add(names[i], performance.maxThreads[i]);
  if (performance.minBlocksPerSm) add("minctasm", performance.minBlocksPerSm);
  if (performance.maxBlocksPerCluster) add("maxclusterrank", performance.maxBlocksPerCluster);
  const unsigned(&block)[3] = performance.blockDim, (&cluster)[3] = performance.clusterDim;
  if (performance.gridOfClusters && block[0])
    annotate(
        function, "hostwarp.block_size",
        {block[0], block[1], block[2], std::max(1u, cluster[0]), std::max(1u, cluster[1]), std::max(1u, cluster[2])});
  else if (cluster[0])
    annotate(function, "hostwarp.cluster_dims", cluster);
  if (!performance.gridOfClusters && block[0]) annotate(function, "hostwarp.required_block", block);
  if (performance.maxRegisters) annotate(function, "hostwarp.maxnreg", performance.maxRegisters);
}

void ModuleVariables::finish() {
  if (annotations_.empty()) return;
  auto *type = llvm::ArrayType::get(annotations_.front()->getType(), annotations_.size());
  new llvm::GlobalVariable(module_, type, false, llvm::GlobalValue::AppendingLinkage,
                           llvm::ConstantArray::get(type, annotations_), "llvm.global.annotations");
}

}  // namespace hostwarp::compiler::ptx
