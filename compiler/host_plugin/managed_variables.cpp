#include "compiler/host_plugin/managed_variables.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <map>
#include <utility>

namespace hostwarp::host_plugin {

namespace {

constexpr llvm::StringRef managedSection = "hostwarp_managed";  // <host_defines.h> says so
constexpr llvm::StringRef variablePrefix = "__hwm_", slotPrefix = "__hwm_at_";
constexpr llvm::StringRef find = "__hostwarp_find_managed";  // what uses call, inlined

// What is said of a variable's name and linkage, before it becomes a reference.
struct Names {
  std::string variable, slot;
  llvm::GlobalValue::LinkageTypes linkage;  // of the slot
};

Names namesOf(const llvm::GlobalVariable &shadow, const std::string &imageId, bool isSeparate) {
  const std::string own = shadow.getName().str();
  const bool isUnique = !isSeparate || shadow.hasLocalLinkage();
  const std::string end = own + (isUnique ? "." + imageId : "");
  const bool isMergeable = shadow.hasLinkOnceLinkage() || shadow.hasWeakLinkage();
  return {variablePrefix.str() + end, slotPrefix.str() + end,
          isUnique      ? llvm::GlobalValue::InternalLinkage
          : isMergeable ? llvm::GlobalValue::LinkOnceODRLinkage
                        : llvm::GlobalValue::ExternalLinkage};
}

// Place is where in a variable's initial value the address of a managed one lies.
using Place = std::pair<llvm::GlobalVariable *, uint64_t>;

class Sharing {
 public:
  Sharing(llvm::Module &module, llvm::GlobalVariable &shadow) : module_(module), shadow_(shadow) {}

  void run(const std::string &imageId, bool isSeparate) {
    const bool isDefined = shadow_.hasInitializer();
    const Names names = namesOf(shadow_, imageId, isSeparate);
    shadow_.setSection("");
    if (isDefined) makeReference(names.variable);
    redirectUses(*slot(names.slot));
    if (isDefined) defineSlot(names);
    tellPlaces(staticPlaces());
  }

 private:
  void makeReference(const std::string &name) {
    shadow_.setComdat(nullptr);
    shadow_.setInitializer(nullptr);
    shadow_.setLinkage(llvm::GlobalValue::ExternalLinkage);
    shadow_.setVisibility(llvm::GlobalValue::HiddenVisibility);
    shadow_.setDSOLocal(true);
    shadow_.setName(name);
  }

  // The layout is ManagedSlot's of the runtime: address, storage.
  llvm::StructType *slotType() {
    llvm::Type *pointer = llvm::PointerType::getUnqual(module_.getContext());
    return llvm::StructType::get(pointer, pointer);
  }

  llvm::GlobalVariable *slot(const std::string &name) {
    slot_ = new llvm::GlobalVariable(module_, slotType(), false, llvm::GlobalValue::ExternalLinkage, nullptr, name);
    slot_->setVisibility(llvm::GlobalValue::HiddenVisibility);
    slot_->setDSOLocal(true);
    return slot_;
  }

  void defineSlot(const Names &names) {
    llvm::PointerType *pointer = llvm::PointerType::getUnqual(module_.getContext());
    slot_->setInitializer(llvm::ConstantStruct::get(slotType(), {llvm::ConstantPointerNull::get(pointer), &shadow_}));
    slot_->setAlignment(llvm::Align(8));
    slot_->setLinkage(names.linkage);
    if (names.linkage == llvm::GlobalValue::InternalLinkage) slot_->setVisibility(llvm::GlobalValue::DefaultVisibility);
    if (names.linkage == llvm::GlobalValue::LinkOnceODRLinkage)
      slot_->setComdat(module_.getOrInsertComdat(slot_->getName()));
    registerSlot();
  }

  // registerSlot() follows the variable's own registration.
  void registerSlot() {
    llvm::Function *registration = module_.getFunction("__cudaRegisterVar");
    if (!registration) return;
    for (llvm::User *user : registration->users()) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->arg_size() < 2 || call->getArgOperand(1)->stripPointerCasts() != &shadow_) continue;
      llvm::IRBuilder<> builder(call->getNextNode());
      builder.CreateCall(module_.getOrInsertFunction("__hostwarpRegisterManaged", builder.getVoidTy(),
                                                     builder.getPtrTy(), builder.getPtrTy()),
                         {call->getArgOperand(0), slot_});
      return;
    }
  }

  // --- Uses ---

  void redirectUses(llvm::GlobalVariable &slot) {
    llvm::convertUsersOfConstantsToInstructions({&shadow_});
    std::map<std::pair<llvm::PHINode *, llvm::BasicBlock *>, llvm::Value *> ofEdges;
    for (llvm::Use &use : llvm::make_early_inc_range(shadow_.uses())) {
      auto *user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user || isRegistration(*user)) continue;
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      if (!phi) {
        use.set(addressAt(*user, slot));
        continue;
      }
      llvm::BasicBlock *from = phi->getIncomingBlock(use);
      llvm::Value *&address = ofEdges[{phi, from}];
      if (!address) address = addressAt(*from->getTerminator(), slot);
      use.set(address);
    }
  }

  static bool isRegistration(const llvm::Instruction &user) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&user);
    const llvm::Function *called = call ? call->getCalledFunction() : nullptr;
    return called && called->getName() == "__cudaRegisterVar";
  }

  llvm::Value *addressAt(llvm::Instruction &before, llvm::GlobalVariable &slot) {
    llvm::IRBuilder<> builder(&before);
    return builder.CreateCall(finder(), {&slot});
  }

  // finder() returns what the slot says; the first time the runtime is asked.
  llvm::Function *finder() {
    if (llvm::Function *made = module_.getFunction(find)) return made;
    llvm::LLVMContext &context = module_.getContext();
    llvm::IRBuilder<> builder(context);
    llvm::Type *pointer = builder.getPtrTy();
    auto *function = llvm::Function::Create(llvm::FunctionType::get(pointer, {pointer}, false),
                                            llvm::GlobalValue::InternalLinkage, find, module_);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    auto *entry = llvm::BasicBlock::Create(context, "entry", function);
    auto *ask = llvm::BasicBlock::Create(context, "ask", function);
    auto *done = llvm::BasicBlock::Create(context, "done", function);
    builder.SetInsertPoint(entry);
    llvm::Value *known = builder.CreateAlignedLoad(pointer, function->getArg(0), llvm::Align(8));
    builder.CreateCondBr(builder.CreateIsNotNull(known), done, ask,
                         llvm::MDBuilder(context).createBranchWeights(1000, 1));
    builder.SetInsertPoint(ask);
    llvm::CallInst *asked = builder.CreateCall(module_.getOrInsertFunction("__hostwarpFindManaged", pointer, pointer),
                                               {function->getArg(0)});
    asked->setDoesNotThrow();
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    llvm::PHINode *result = builder.CreatePHI(pointer, 2);
    result->addIncoming(known, entry);
    result->addIncoming(asked, ask);
    builder.CreateRet(result);
    return function;
  }

  // --- Initial values ---

  std::vector<Place> staticPlaces() {
    std::vector<Place> places;
    llvm::SetVector<llvm::GlobalVariable *> holders;
    addHolders(shadow_, holders);
    for (llvm::GlobalVariable *holder : holders) {
      addPlaces(*holder, *holder->getInitializer(), 0, places);
      holder->setConstant(false);
    }
    return places;
  }

  // addHolders() adds the variables whose initial values use the constant.
  void addHolders(const llvm::Constant &constant, llvm::SetVector<llvm::GlobalVariable *> &holders) {
    for (const llvm::User *user : constant.users()) {
      auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(const_cast<llvm::User *>(user));
      if (variable && variable != slot_ && !variable->getName().starts_with("llvm."))
        holders.insert(variable);
      else if (const auto *larger = llvm::dyn_cast<llvm::Constant>(user); larger && !llvm::isa<llvm::GlobalValue>(user))
        addHolders(*larger, holders);
    }
  }

  void addPlaces(llvm::GlobalVariable &holder, const llvm::Constant &value, uint64_t offset,
                 std::vector<Place> &places) {
    const llvm::DataLayout &layout = module_.getDataLayout();
    const auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(&value);
    const bool isNumber = expression && expression->getOpcode() == llvm::Instruction::PtrToInt;
    const llvm::Value *address = isNumber ? expression->getOperand(0) : &value;
    if (address->getType()->isPointerTy()) {
      llvm::APInt ignored(layout.getIndexTypeSizeInBits(address->getType()), 0);
      const llvm::Value *base = address->stripAndAccumulateConstantOffsets(layout, ignored, true);
      if (base == &shadow_) places.push_back({&holder, offset});
      return;
    }
    if (const auto *structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
      const llvm::StructLayout *fields = layout.getStructLayout(structure->getType());
      for (unsigned i = 0; i < structure->getNumOperands(); ++i)
        addPlaces(holder, *structure->getOperand(i), offset + fields->getElementOffset(i), places);
    } else if (const auto *array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
      const uint64_t step = layout.getTypeAllocSize(array->getType()->getElementType());
      for (unsigned i = 0; i < array->getNumOperands(); ++i)
        addPlaces(holder, *array->getOperand(i), offset + i * step, places);
    }
  }

  // tellPlaces() makes a constructor that tells the runtime of them.
  void tellPlaces(const std::vector<Place> &places) {
    if (places.empty()) return;
    llvm::LLVMContext &context = module_.getContext();
    llvm::IRBuilder<> builder(context);
    auto *constructor = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), false),
                                               llvm::GlobalValue::InternalLinkage, "__hwm_places", module_);
    builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", constructor));
    const llvm::FunctionCallee add = module_.getOrInsertFunction("__hostwarpAddManagedPlace", builder.getVoidTy(),
                                                                 builder.getPtrTy(), builder.getPtrTy());
    for (const auto &[holder, offset] : places)
      builder.CreateCall(add, {slot_, builder.CreateConstGEP1_64(builder.getInt8Ty(), holder, offset)});
    builder.CreateRetVoid();
    llvm::appendToGlobalCtors(module_, constructor, 65535);
  }

  llvm::Module &module_;
  llvm::GlobalVariable &shadow_;
  llvm::GlobalVariable *slot_ = nullptr;
};

}  // namespace

void shareManaged(llvm::Module &module, const std::string &imageId, bool isSeparateCompilation) {
  llvm::SmallVector<llvm::GlobalVariable *> shadows;
  for (llvm::GlobalVariable &variable : module.globals())
    if (variable.getSection() == managedSection) shadows.push_back(&variable);
  for (llvm::GlobalVariable *shadow : shadows) Sharing(module, *shadow).run(imageId, isSeparateCompilation);
}

}  // namespace hostwarp::host_plugin
