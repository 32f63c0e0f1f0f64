// The checked build: before each access of memory stands a call that tells the runtime of it (emu_runtime/check). The
// calls come in while the address still says which variable is meant, and learn where they stand in the source once
// functions are inlined, so that reports have the whole way from the kernel.
#include <llvm/ADT/StringMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/abi_functions.h"
#include "compiler/device/passes.h"
#include "compiler/ptx/bitcode.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral checkAccess = "hw_check_access", checkObject = "hw_check_object";

struct MemoryAccess {
  llvm::Instruction *instruction;
  llvm::Value *address;
  llvm::Value *bytes;
  hw_access_kind kind;
};

// accessesOf() lists what the instruction does to memory: a copy does two things.
llvm::SmallVector<MemoryAccess, 2> accessesOf(llvm::Instruction &instruction) {
  const llvm::DataLayout &layout = instruction.getModule()->getDataLayout();
  const auto sizeOf = [&](llvm::Type *type) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(type->getContext()), layout.getTypeStoreSize(type));
  };
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {{load, load->getPointerOperand(), sizeOf(load->getType()),
             load->isAtomic() ? HW_ACCESS_ATOMIC : HW_ACCESS_READ}};
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {{store, store->getPointerOperand(), sizeOf(store->getValueOperand()->getType()),
             store->isAtomic() ? HW_ACCESS_ATOMIC : HW_ACCESS_WRITE}};
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {{update, update->getPointerOperand(), sizeOf(update->getValOperand()->getType()), HW_ACCESS_ATOMIC}};
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {
        {exchange, exchange->getPointerOperand(), sizeOf(exchange->getNewValOperand()->getType()), HW_ACCESS_ATOMIC}};
  llvm::SmallVector<MemoryAccess, 2> found;
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    found.push_back({copy, copy->getRawSource(), copy->getLength(), HW_ACCESS_READ});
  if (auto *write = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
    found.push_back({write, write->getRawDest(), write->getLength(), HW_ACCESS_WRITE});
  return found;
}

// objectBytes() is the size of the variable that a value is, 0 where that is not known: `extern __shared__`, a pointer.
uint64_t objectBytes(const llvm::Value &object, const llvm::DataLayout &layout) {
  if (const auto *local = llvm::dyn_cast<llvm::AllocaInst>(&object)) {
    const std::optional<llvm::TypeSize> size = local->getAllocationSize(layout);
    return size && !size->isScalable() ? size->getFixedValue() : 0;
  }
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
    return variable->isDeclaration() ? 0 : layout.getTypeAllocSize(variable->getValueType());
  const auto *argument = llvm::dyn_cast<llvm::Argument>(&object);
  return argument && argument->hasByValAttr() ? layout.getTypeAllocSize(argument->getParamByValType()) : 0;
}

// describe() is what messages call the variable. Clang keeps no names of local ones.
llvm::Constant *describe(llvm::IRBuilder<> &builder, const llvm::Value &object) {
  std::string text = "a local variable";
  if (llvm::isa<llvm::Argument>(object)) text = "a parameter";
  if (const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object))
    text = variable->isConstant() && variable->hasPrivateLinkage() ? "a literal"
                                                                   : "'" + llvm::demangle(variable->getName()) + "'";
  return builder.CreateGlobalString(text, "__hwd_name");
}

// isDynamicShared(): the launch decides about its size.
bool isDynamicShared(const llvm::Value &object) {
  constexpr unsigned sharedSpace = 3;
  const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&object);
  return variable && variable->getAddressSpace() == sharedSpace;
}

// isInside(): the access is sure to stay within the variable.
bool isInside(const MemoryAccess &access, const llvm::Value &object, uint64_t bytes, const llvm::DataLayout &layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(access.address->getType()), 0);
  const llvm::Value *base = access.address->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto *length = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  return base == &object && length && !offset.isNegative() && offset.getZExtValue() <= bytes &&
         length->getZExtValue() <= bytes - offset.getZExtValue();
}

void check(const MemoryAccess &access) {
  llvm::Module &module = *access.instruction->getModule();
  const llvm::DataLayout &layout = module.getDataLayout();
  llvm::Value *object = llvm::getUnderlyingObject(access.address, 0);
  const uint64_t bytes = objectBytes(*object, layout);
  if (bytes != 0 && isInside(access, *object, bytes, layout)) return;
  llvm::IRBuilder<> builder(access.instruction);
  llvm::PointerType *pointer = builder.getPtrTy();
  llvm::Type *number = builder.getInt64Ty();
  llvm::Value *address = builder.CreateAddrSpaceCast(access.address, pointer);
  llvm::Value *length = builder.CreateZExtOrTrunc(access.bytes, number);
  llvm::Value *kind = builder.getInt32(access.kind), *site = llvm::ConstantPointerNull::get(pointer);
  const bool isDynamic = bytes == 0 && isDynamicShared(*object);
  if (bytes == 0 && !isDynamic) {
    builder.CreateCall(
        abiFunction(module, checkAccess, builder.getVoidTy(), {pointer, number, builder.getInt32Ty(), pointer}),
        {address, length, kind, site});
    return;
  }
  llvm::Value *start = builder.CreateAddrSpaceCast(object, pointer);
  builder.CreateCall(abiFunction(module, checkObject, builder.getVoidTy(),
                                 {pointer, number, builder.getInt32Ty(), pointer, pointer, number, pointer}),
                     {address, length, kind, site, start, builder.getInt64(isDynamic ? HW_DYNAMIC_BYTES : bytes),
                      describe(builder, *object)});
}

// Sites makes the tables that say where a check stands: the functions that were inlined there, from the access
// outwards.
class Sites {
 public:
  explicit Sites(llvm::Module &module) : module_(module), builder_(module.getContext()) {}

  llvm::Constant *siteOf(const llvm::CallInst &check) {
    const llvm::DILocation *place = check.getDebugLoc();
    llvm::Constant *&site = made_[place ? static_cast<const void *>(place) : check.getFunction()];
    if (!site) site = makeSite(place, *check.getFunction());
    return site;
  }

 private:
  llvm::Constant *text(const std::string &content) {
    llvm::Constant *&known = texts_[content];
    if (!known) known = global(llvm::ConstantDataArray::getString(module_.getContext(), content));
    return known;
  }

  llvm::Constant *global(llvm::Constant *value) {
    return new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                    "__hwd_site");
  }

  llvm::Constant *frame(const llvm::DILocation &place) {
    const llvm::DISubprogram *function = place.getScope()->getSubprogram();
    const std::string name = function ? function->getName().str() : "";
    return llvm::ConstantStruct::getAnon({text(place.getFilename().str()), text(name),
                                          builder_.getInt32(place.getLine()), builder_.getInt32(place.getColumn())});
  }

  static std::string nameOf(const llvm::Function &function) {
    llvm::StringRef name = function.getName();
    for (const char *prefix : {"__hwd_entry.", "__hwd_"})
      if (name.consume_front(prefix)) break;
    return llvm::demangle(name);
  }

  static bool isEntry(const llvm::DILocation &place) {
    const llvm::DISubprogram *function = place.getScope()->getSubprogram();
    return function && function->getLinkageName().starts_with("__hwd_");
  }

  llvm::Constant *makeSite(const llvm::DILocation *place, const llvm::Function &function) {
    llvm::SmallVector<llvm::Constant *> frames;
    // The outermost function may be the entry that hwcc-device has made of the kernel.
    for (; place; place = place->getInlinedAt())
      if (place->getInlinedAt() || frames.empty() || !isEntry(*place)) frames.push_back(frame(*place));
    if (frames.empty())
      frames.push_back(llvm::ConstantStruct::getAnon(
          {text(""), text(nameOf(function)), builder_.getInt32(0), builder_.getInt32(0)}));
    llvm::Constant *list =
        global(llvm::ConstantArray::get(llvm::ArrayType::get(frames[0]->getType(), frames.size()), frames));
    return global(llvm::ConstantStruct::getAnon({list, builder_.getInt64(frames.size())}));
  }

  llvm::Module &module_;
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<const void *, llvm::Constant *> made_;
  llvm::StringMap<llvm::Constant *> texts_;
};

}  // namespace

void nameCheckSites(DeviceModule &device) {
  if (device.options.build != Build::Checked) return;
  constexpr unsigned siteArgument = 3;
  Sites sites(device.module);
  for (const llvm::StringRef name : {checkAccess, checkObject}) {
    llvm::Function *function = device.module.getFunction(name);
    if (!function) continue;
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user)) call->setArgOperand(siteArgument, sites.siteOf(*call));
  }
}

void checkAccesses(DeviceModule &device) {
  if (device.options.build != Build::Checked) return;
  for (llvm::Function &function : device.module) {
    // The library that stands for PTX instructions touches memory of its own, too.
    if (function.hasFnAttribute(ofLibrary)) continue;
    llvm::SmallVector<MemoryAccess> accesses;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      llvm::append_range(accesses, accessesOf(instruction));
    for (const MemoryAccess &access : accesses) check(access);
  }
}

}  // namespace hostwarp::compiler
