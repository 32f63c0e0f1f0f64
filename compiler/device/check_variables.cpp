// Names of variables for the findings of the checked build. Global ones are known by their addresses. Where in a
// block's memory shared ones lie is decided later than calls tell of accesses, and code is inlined in between: so
// functions carry calls that nothing else comes of, until the tables are made.
#include "compiler/device/check_variables.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "compiler/device/abi_functions.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler {

namespace {

constexpr unsigned spaceOfShared = 3;
constexpr unsigned objectArgument = 4;
constexpr llvm::StringLiteral noteMetadata = "hostwarp.variable", noteFunction = "hw_check_object";
constexpr size_t mostExtents = std::extent_v<decltype(hw_check_variable::extents)>;

// ArrayForm is what a type says of a variable: an array's extents, as far as messages have indices, and its elements.
struct ArrayForm {
  uint64_t bytes = 0, elementBytes = 0;
  llvm::SmallVector<uint64_t, mostExtents> extents;
  const char *elements = "";  // as C++ calls them; empty: LLVM's types do not tell
};

const char *elementsOf(const llvm::Type &type) {
  return type.isFloatTy() ? "float " : type.isDoubleTy() ? "double " : "";
}

ArrayForm formOf(llvm::Type *type, const llvm::DataLayout &layout) {
  ArrayForm form;
  form.bytes = layout.getTypeAllocSize(type);
  for (auto *array = llvm::dyn_cast<llvm::ArrayType>(type); array && form.extents.size() < mostExtents;
       array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    form.extents.push_back(array->getNumElements());
    type = array->getElementType();
  }
  form.elementBytes = layout.getTypeAllocSize(type);
  form.elements = elementsOf(*type);
  return form;
}

// shortName() leaves out which function a variable is local to.
std::string shortName(llvm::StringRef symbol) {
  const std::string name = llvm::demangle(symbol);
  const size_t function = name.rfind(")::");
  return function == std::string::npos ? name : name.substr(function + 3);
}

std::string bytesInWords(uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

// declarationOf() gives "__shared__ float tile[16][17]", or "__shared__ tile[256], 4 bytes each".
std::string declarationOf(const std::string &keyword, const std::string &name, const ArrayForm &form) {
  std::string text = keyword + " " + form.elements + name;
  for (const uint64_t extent : form.extents) text += extent == 0 ? "[]" : "[" + std::to_string(extent) + "]";
  if (*form.elements != '\0') return text;
  return text + ", " + bytesInWords(form.elementBytes) + (form.extents.empty() ? "" : " each");
}

void addUsingFunctions(const llvm::Value &value, llvm::SmallSetVector<llvm::Function *, 8> &functions) {
  for (const llvm::User *user : value.users()) {
    if (const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
      functions.insert(const_cast<llvm::Function *>(instruction->getFunction()));
    else if (llvm::isa<llvm::ConstantExpr>(user))
      addUsingFunctions(*user, functions);
  }
}

llvm::MDNode *describeVariable(const llvm::GlobalVariable &variable) {
  llvm::LLVMContext &context = variable.getContext();
  const ArrayForm form = formOf(variable.getValueType(), variable.getParent()->getDataLayout());
  const std::string name = shortName(variable.getName());
  const auto number = [&](uint64_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
  };
  const char *keyword = variable.isDeclaration() ? "extern __shared__" : "__shared__";
  llvm::SmallVector<llvm::Metadata *> parts{llvm::MDString::get(context, name),
                                            llvm::MDString::get(context, declarationOf(keyword, name, form)),
                                            number(form.bytes), number(form.elementBytes)};
  for (const uint64_t extent : form.extents) parts.push_back(number(extent));
  return llvm::MDNode::get(context, parts);
}

// noteIn() makes the call. It looks at nothing, so that it is in nobody's way.
void noteIn(llvm::GlobalVariable &variable, llvm::Function &function) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  llvm::PointerType *pointer = builder.getPtrTy();
  llvm::Value *nothing = llvm::ConstantPointerNull::get(pointer), *zero = builder.getInt64(0);
  llvm::CallInst *call = builder.CreateCall(
      abiFunction(*function.getParent(), noteFunction, builder.getVoidTy(),
                  {pointer, zero->getType(), builder.getInt32Ty(), pointer, pointer, zero->getType(), pointer}),
      {nothing, zero, builder.getInt32(0), nothing, builder.CreateAddrSpaceCast(&variable, pointer), zero, nothing});
  call->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  call->setMetadata(noteMetadata, describeVariable(variable));
}

bool isCallOfSelf(const llvm::Value &value) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == "hw_self";
}

// SharedPlace is where in a block's memory a shared variable lies.
struct SharedPlace {
  hw_variable_place place;
  uint64_t offset;
};

std::optional<SharedPlace> sharedPlaceOf(const llvm::Value &address, const llvm::DataLayout &layout) {
  const auto strip = [&](const llvm::Value &value, uint64_t &offset) {
    llvm::APInt distance(64, 0);
    const llvm::Value *base = value.stripAndAccumulateConstantOffsets(layout, distance, true);
    offset = distance.getZExtValue();
    return base;
  };
  uint64_t offset = 0, field = 0;
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(strip(address, offset));
  if (!load || !isCallOfSelf(*strip(*load->getPointerOperand(), field))) return std::nullopt;
  if (field == offsetof(hw_thread, sharedBase)) return SharedPlace{HW_IN_SHARED, offset};
  if (field == offsetof(hw_thread, dynamicShared)) return SharedPlace{HW_IN_DYNAMIC, offset};
  return std::nullopt;
}

}  // namespace

void noteSharedVariables(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != spaceOfShared) continue;
    llvm::SmallSetVector<llvm::Function *, 8> functions;
    addUsingFunctions(variable, functions);
    for (llvm::Function *function : functions) noteIn(variable, *function);
  }
}

struct CheckVariables::Row {
  std::string name, declaration;
  llvm::Constant *address = nullptr;
  hw_variable_place place = HW_IN_GLOBAL;
  uint64_t offset = 0, bytes = 0, elementBytes = 0;
  llvm::SmallVector<uint64_t, mostExtents> extents{};
};

CheckVariables::CheckVariables(DeviceModule &device)
    : module_(device.module), builder_(module_.getContext()), global_(globalTable(device)) {}

llvm::Constant *CheckVariables::make(llvm::Constant *value, const char *name) {
  return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
}

llvm::Constant *CheckVariables::text(llvm::StringRef content) {
  return make(llvm::ConstantDataArray::getString(module_.getContext(), content), "__hwd_name");
}

llvm::Constant *CheckVariables::row(const Row &row) {
  llvm::SmallVector<llvm::Constant *, mostExtents> extents;
  for (size_t i = 0; i < mostExtents; ++i)
    extents.push_back(builder_.getInt64(i < row.extents.size() ? row.extents[i] : 0));
  llvm::Constant *nothing = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  return llvm::ConstantStruct::getAnon(
      {text(row.name), text(row.declaration), row.address ? row.address : nothing, builder_.getInt64(row.offset),
       builder_.getInt64(row.bytes), builder_.getInt64(row.elementBytes),
       llvm::ConstantArray::get(llvm::ArrayType::get(builder_.getInt64Ty(), mostExtents), extents),
       builder_.getInt32(row.extents.size()), builder_.getInt32(row.place)});
}

llvm::Constant *CheckVariables::table(llvm::ArrayRef<llvm::Constant *> rows) {
  if (rows.empty()) return llvm::ConstantPointerNull::get(builder_.getPtrTy());
  llvm::Constant *list =
      make(llvm::ConstantArray::get(llvm::ArrayType::get(rows[0]->getType(), rows.size()), rows), "__hwd_variables");
  return make(llvm::ConstantStruct::getAnon({list, builder_.getInt64(rows.size())}), "__hwd_variables");
}

// globalTable(): of managed variables there is only a pointer, which says nothing of their form.
llvm::Constant *CheckVariables::globalTable(const DeviceModule &device) {
  llvm::SmallVector<llvm::Constant *> rows;
  for (const Variable &variable : device.variables) {
    const bool isPointer = variable.kind == HW_VARIABLE_BORROWED;
    const char *keyword = variable.kind == HW_VARIABLE_CONSTANT ? "__constant__"
                          : variable.kind == HW_VARIABLE_DEVICE ? "__device__"
                                                                : "__managed__";
    Row each{.name = shortName(variable.name), .declaration = {}, .place = isPointer ? HW_IN_MANAGED : HW_IN_GLOBAL};
    const ArrayForm form = isPointer ? ArrayForm{} : formOf(variable.global->getValueType(), module_.getDataLayout());
    each.declaration = isPointer ? std::string(keyword) + " " + each.name : declarationOf(keyword, each.name, form);
    each.address = llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(variable.global, builder_.getPtrTy());
    each.bytes = form.bytes;
    each.elementBytes = form.elementBytes;
    each.extents.append(form.extents.begin(), form.extents.end());
    rows.push_back(row(each));
  }
  return table(rows);
}

llvm::Constant *CheckVariables::sharedOf(llvm::Function &function) {
  const auto numberAt = [](const llvm::MDNode &node, unsigned index) {
    return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(index))->getZExtValue();
  };
  llvm::SmallVector<llvm::Constant *> rows;
  llvm::SmallSetVector<std::pair<const llvm::MDNode *, uint64_t>, 8> known;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const llvm::MDNode *const note = instruction.getMetadata(noteMetadata);
    if (!note) continue;
    auto &call = llvm::cast<llvm::CallInst>(instruction);
    const std::optional<SharedPlace> place =
        sharedPlaceOf(*call.getArgOperand(objectArgument), module_.getDataLayout());
    if (place && known.insert({note, place->offset})) {
      Row each{.name = llvm::cast<llvm::MDString>(note->getOperand(0))->getString().str(),
               .declaration = llvm::cast<llvm::MDString>(note->getOperand(1))->getString().str(),
               .place = place->place,
               .offset = place->offset,
               .bytes = numberAt(*note, 2),
               .elementBytes = numberAt(*note, 3)};
      for (unsigned i = 4; i < note->getNumOperands(); ++i) each.extents.push_back(numberAt(*note, i));
      rows.push_back(row(each));
    }
    call.eraseFromParent();
  }
  return table(rows);
}

}  // namespace hostwarp::compiler
