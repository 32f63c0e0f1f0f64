#include "compiler/ptx/emitter.h"

#include <llvm/IR/Intrinsics.h>

#include "compiler/device/thread_state.h"
#include "include/hostwarp/device_abi.h"

namespace hostwarp::compiler::ptx {

Emitter::Emitter(Builder &builder, bool isVolatile, bool inKernel)
    : builder_(builder), isVolatile_(isVolatile), inKernel_(inKernel) {
  pushScope();
}

void Emitter::fail(const std::string &what) {
  if (!error_.empty()) return;
  error_ = what;
  if (!instruction_) return;
  error_ += " in '" + instruction_->opcode;
  for (const std::string &modifier : instruction_->modifiers) error_ += "." + modifier;
  error_ += "'";
}

// --- Modifiers ---

void Emitter::begin(const Instruction &instruction) {
  instruction_ = &instruction;
  taken_.assign(instruction.modifiers.size(), false);
  takenMinus_.assign(instruction.operands.size(), false);
}

void Emitter::end() {
  for (size_t i = 0; i < taken_.size(); ++i)
    if (!taken_[i]) fail("unsupported modifier ." + instruction_->modifiers[i]);
  for (size_t i = 0; i < takenMinus_.size(); ++i)
    if (!takenMinus_[i] && instruction_->operands[i].minus) fail("operand " + std::to_string(i) + " cannot be negated");
  instruction_ = nullptr;
}

bool Emitter::take(llvm::StringRef modifier) {
  for (size_t i = 0; i < taken_.size(); ++i)
    if (!taken_[i] && instruction_->modifiers[i] == modifier) return taken_[i] = true;
  return false;
}

llvm::StringRef Emitter::takeOneOf(std::initializer_list<const char *> modifiers) {
  for (const char *modifier : modifiers)
    if (take(modifier)) return modifier;
  return "";
}

llvm::StringRef Emitter::takePrefixed(llvm::StringRef prefix) {
  for (size_t i = 0; i < taken_.size(); ++i)
    if (!taken_[i] && llvm::StringRef(instruction_->modifiers[i]).starts_with(prefix)) {
      taken_[i] = true;
      return instruction_->modifiers[i];
    }
  return "";
}

Type Emitter::takeOptionalType() {
  for (size_t i = 0; i < taken_.size(); ++i) {
    Type type = taken_[i] ? Type{} : parseType(instruction_->modifiers[i]);
    if (!type.valid()) continue;
    taken_[i] = true;
    return type;
  }
  return {};
}

Type Emitter::takeType() {
  Type type = takeOptionalType();
  if (type.valid()) return type;
  fail("missing type");
  return b32;
}

bool Emitter::takeMinus(size_t index) {
  const Operand &taken = operand(index);
  if (index < takenMinus_.size()) takenMinus_[index] = true;
  return taken.minus;
}

// --- Registers ---

Register Emitter::makeRegister(Type type, llvm::StringRef name) {
  llvm::BasicBlock &entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  Builder atEntry(&entry, entry.begin());
  llvm::Type *slotType = intType(type.width());
  Register made{atEntry.CreateAlloca(slotType, nullptr, name), type};
  atEntry.CreateStore(llvm::ConstantInt::get(slotType, 0), made.slot);
  return made;
}

llvm::Value *Emitter::carry() {
  if (!carry_) carry_ = makeRegister(predicateType, "carry").slot;
  return carry_;
}

void Emitter::declare(const Declaration &declaration) {
  const Type type = parseType(declaration.type);
  if (!type.valid()) return fail("unsupported register type ." + declaration.type);
  if (!declaration.count) return declare(declaration.name, makeRegister(type, declaration.name));
  for (unsigned i = 0; i < declaration.count; ++i) {
    const std::string name = declaration.name + std::to_string(i);
    declare(name, makeRegister(type, name));
  }
}

void Emitter::declare(const std::string &name, const Register &place) {
  if (!scopes_.back().registers.try_emplace(name, place).second) fail("register " + name + " declared twice");
}

void Emitter::declare(const std::string &name, const Symbol &symbol) {
  if (!scopes_.back().symbols.try_emplace(name, symbol).second) fail("variable " + name + " declared twice");
}

const Symbol *Emitter::symbol(const Operand &operand) {
  if (operand.kind != Operand::Kind::Register || find(operand)) return nullptr;
  for (size_t i = scopes_.size(); i-- > 0;)
    if (auto found = scopes_[i].symbols.find(operand.name); found != scopes_[i].symbols.end()) return &found->second;
  if (!moduleSymbols_) return nullptr;
  auto found = moduleSymbols_->find(operand.name);
  return found == moduleSymbols_->end() ? nullptr : &found->second;
}

const Statement *Emitter::named(const Operand &operand) {
  for (size_t i = scopes_.size(); i-- > 0;)
    if (const Statement *found = scopes_[i].named.lookup(operand.name)) return found;
  return nullptr;
}

llvm::Value *Emitter::pointerTo(const Symbol &symbol) {
  if (!symbol.isBorrowed) return symbol.pointer;
  llvm::LoadInst *home = builder_.CreateLoad(builder_.getPtrTy(), symbol.pointer);
  home->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context(), {}));
  if (symbol.variable->isManaged) return home;
  return builder_.CreateGEP(builder_.getInt8Ty(), home,
                            loadField(builder_, offsetof(hw_thread, deviceDelta), builder_.getInt64Ty()));
}

llvm::Value *Emitter::addressOf(const Symbol &symbol) {
  llvm::Value *address = builder_.CreatePtrToInt(pointerTo(symbol), intType(64));
  if (symbol.space != Space::Shared) return address;
  llvm::Value *base = loadField(builder_, offsetof(hw_thread, sharedBase), builder_.getPtrTy());
  return builder_.CreateSub(address, builder_.CreatePtrToInt(base, intType(64)));
}

const Register *Emitter::find(const Operand &operand) {
  if (operand.kind == Operand::Kind::Argument) {
    if (operand.argument >= arguments_.size()) return nullptr;
    const AsmArgument &argument = arguments_[operand.argument];
    return argument.place.slot ? &argument.place : nullptr;
  }
  if (operand.kind != Operand::Kind::Register) return nullptr;
  for (size_t i = scopes_.size(); i-- > 0;)
    if (auto found = scopes_[i].registers.find(operand.name); found != scopes_[i].registers.end())
      return &found->second;
  return nullptr;
}

unsigned Emitter::registerWidth(const Operand &operand) {
  if (operand.kind == Operand::Kind::Vector) {
    unsigned width = 0;
    for (const Operand &part : operand.parts) width += registerWidth(part);
    return width;
  }
  const Register *place = find(operand);
  return place ? place->type.width() : 0;
}

// --- Operands ---

bool Emitter::operandsBetween(size_t least, size_t most) {
  if (operandCount() >= least && operandCount() <= most) return true;
  fail("wrong number of operands");
  return false;
}

const Operand &Emitter::operand(size_t index) {
  static const Operand none;
  if (index < operandCount()) return instruction_->operands[index];
  fail("missing operand");
  return none;
}

llvm::Value *Emitter::loadRegister(const Operand &operand) {
  const Register *place = find(operand);
  return place ? builder_.CreateLoad(place->slot->getAllocatedType(), place->slot) : nullptr;
}

static llvm::APInt immediateBits(const Operand &operand, Type type) {
  if (operand.kind == Operand::Kind::Integer) {
    if (!type.isFloat() || type.lanes > 1) return {type.width(), uint64_t(operand.integer), true};
    return {type.width(), uint64_t(operand.integer), true};
  }
  if (operand.floatBits == type.width() || !type.isFloat()) return {type.width(), uint64_t(operand.integer)};
  llvm::APFloat value(operand.number);
  bool lossy;
  const llvm::fltSemantics &semantics = type.kind == Type::Kind::BFloat ? llvm::APFloat::BFloat()
                                        : type.bits == 16               ? llvm::APFloat::IEEEhalf()
                                        : type.bits == 32               ? llvm::APFloat::IEEEsingle()
                                                                        : llvm::APFloat::IEEEdouble();
  value.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lossy);
  return value.bitcastToAPInt();
}

llvm::Value *Emitter::readImmediate(const Operand &operand, Type type) {
  return llvm::ConstantInt::get(context(), immediateBits(operand, type));
}

// readVector() packs {a, b, ...}: the first part is the least significant.
llvm::Value *Emitter::readVector(const Operand &operand, Type type) {
  const unsigned count = unsigned(operand.parts.size()), bits = type.width() / count;
  llvm::Value *result = llvm::ConstantInt::get(intType(type.width()), 0);
  if (bits * count != type.width()) {
    fail("vector operand does not fit the type");
    return result;
  }
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value *part = builder_.CreateZExt(readBits(operand.parts[i], bitsType(bits)), intType(type.width()));
    result = builder_.CreateOr(result, builder_.CreateShl(part, uint64_t(i) * bits));
  }
  return result;
}

// readNamed() reads what is no register of the statement: special registers, WARP_SZ and addresses of symbols.
llvm::Value *Emitter::readNamed(const Operand &operand, Type type) {
  if (operand.kind == Operand::Kind::Argument) {
    if (operand.argument < arguments_.size() && arguments_[operand.argument].constant)
      return llvm::ConstantInt::get(context(),
                                    arguments_[operand.argument].constant->getValue().sextOrTrunc(type.width()));
    fail("operand %" + std::to_string(operand.argument) + " does not exist");
    return llvm::ConstantInt::get(intType(type.width()), 0);
  }
  if (operand.name == "WARP_SZ") return llvm::ConstantInt::get(intType(type.width()), 32);
  if (const Symbol *found = symbol(operand)) {
    llvm::Value *address = builder_.CreateAdd(addressOf(*found), builder_.getInt64(uint64_t(operand.integer)));
    return builder_.CreateZExtOrTrunc(address, intType(type.width()));
  }
  const std::string name = operand.selector.empty() ? operand.name : operand.name + "." + operand.selector;
  llvm::Value *value = specialRegister(*this, name);
  if (!value) {
    fail("unknown register or symbol " + name);
    return llvm::ConstantInt::get(intType(type.width()), 0);
  }
  return builder_.CreateZExtOrTrunc(value, intType(type.width()));
}

llvm::Value *Emitter::readBits(const Operand &operand, Type type) {
  using Kind = Operand::Kind;
  llvm::Type *wanted = intType(type.width());
  llvm::Value *value = nullptr;
  if (operand.kind == Kind::Integer || operand.kind == Kind::Float) return readImmediate(operand, type);
  if (operand.kind == Kind::Vector) return readVector(operand, type);
  if (operand.kind == Kind::Argument || operand.kind == Kind::Register) {
    value = loadRegister(operand);
    if (!value) value = readNamed(operand, type);
  } else {
    fail("unexpected kind of operand");
  }
  if (!value) return llvm::ConstantInt::get(wanted, 0);
  if (value->getType()->getIntegerBitWidth() < type.width()) fail("operand is narrower than the type");
  return builder_.CreateZExtOrTrunc(value, wanted);
}

llvm::Value *Emitter::read(const Operand &operand, Type type) {
  return builder_.CreateBitCast(readBits(operand, type), type.value(context()));
}

llvm::Value *Emitter::readPredicate(const Operand &operand) {
  llvm::Value *value = nullptr;
  if (operand.kind == Operand::Kind::Integer) {
    value = builder_.getInt1(operand.integer != 0);
  } else if (find(operand)) {
    value = loadRegister(operand);
    if (!value->getType()->isIntegerTy(1)) fail("operand is not a predicate");
  } else {
    value = builder_.CreateTrunc(readNamed(operand, predicateType), builder_.getInt1Ty());
  }
  if (!value || !value->getType()->isIntegerTy(1)) return builder_.getFalse();
  return operand.negated ? builder_.CreateNot(value) : value;
}

bool Emitter::isConstant(const Operand &operand) const {
  if (operand.kind == Operand::Kind::Integer) return true;
  return operand.kind == Operand::Kind::Argument && operand.argument < arguments_.size() &&
         arguments_[operand.argument].constant;
}

int64_t Emitter::constantValue(const Operand &operand) const {
  return operand.kind == Operand::Kind::Integer ? operand.integer
                                                : arguments_[operand.argument].constant->getSExtValue();
}

int64_t Emitter::constant(size_t index) {
  if (!isConstant(index)) {
    fail("operand " + std::to_string(index) + " must be a constant");
    return 0;
  }
  return constantValue(operand(index));
}

void Emitter::writeVector(const Operand &operand, llvm::Value *value) {
  const unsigned count = unsigned(operand.parts.size()), width = value->getType()->getIntegerBitWidth();
  const unsigned bits = width / count;
  if (bits * count != width) return fail("vector operand does not fit the type");
  for (unsigned i = 0; i < count; ++i)
    write(operand.parts[i], builder_.CreateTrunc(builder_.CreateLShr(value, uint64_t(i) * bits), intType(bits)));
}

void Emitter::write(const Operand &operand, llvm::Value *value, bool isSigned) {
  if (operand.kind == Operand::Kind::Sink) return;
  llvm::Type *type = value->getType();
  if (!type->isIntegerTy()) value = builder_.CreateBitCast(value, intType(unsigned(type->getPrimitiveSizeInBits())));
  if (operand.kind == Operand::Kind::Vector) return writeVector(operand, value);
  const Register *place = find(operand);
  if (!place) return fail("destination is not a register");
  const unsigned width = place->type.width();
  if (width < value->getType()->getIntegerBitWidth()) return fail("destination is narrower than the type");
  if ((width == 1) != value->getType()->isIntegerTy(1)) return fail("destination has the wrong kind of register");
  llvm::Type *slot = place->slot->getAllocatedType();
  builder_.CreateStore(isSigned ? builder_.CreateSExt(value, slot) : builder_.CreateZExt(value, slot), place->slot);
}

// --- Control flow and calls ---

llvm::BasicBlock *Emitter::label(const std::string &name) {
  auto found = labels_->find(name);
  if (found != labels_->end()) return found->second;
  fail("unknown label " + name);
  return exit_;
}

llvm::BasicBlock *Emitter::makeBlock(llvm::StringRef name) {
  return llvm::BasicBlock::Create(context(), name, builder_.GetInsertBlock()->getParent());
}

static llvm::Value *call(Builder &builder, llvm::Module &module, llvm::StringRef name, llvm::Type *result,
                         llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Type *> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  return builder.CreateCall(abiFunction(module, name, result, types), arguments);
}

llvm::Value *Emitter::callLibrary(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
  return call(builder_, module(), ("hwptx_" + name).str(), result, arguments);
}

llvm::Value *Emitter::callRuntime(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments) {
  return call(builder_, module(), name, result, arguments);
}

void Emitter::tellOfAsync(hw_async_event event, llvm::Value *value) {
  llvm::Value *none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  llvm::Value *wide = value ? builder_.CreateZExt(value, builder_.getInt64Ty()) : builder_.getInt64(0);
  callRuntime("hw_check_async", builder_.getVoidTy(), {none, wide, builder_.getInt32(event), none});
}

llvm::Value *Emitter::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type *> types,
                                llvm::ArrayRef<llvm::Value *> arguments) {
  return builder_.CreateIntrinsic(id, types, arguments);
}

}  // namespace hostwarp::compiler::ptx
