// call, and memory of the stack.
#include "compiler/ptx/call.h"

#include "compiler/ptx/address.h"
#include "compiler/ptx/opcodes.h"

namespace hostwarp::compiler::ptx {

llvm::Type *storageType(llvm::LLVMContext &context, const Variable &variable) {
  llvm::Type *element = llvm::Type::getIntNTy(context, variable.type.width());
  return variable.isArray ? llvm::ArrayType::get(element, variable.count) : element;
}

llvm::Align alignmentOf(const Variable &variable) {
  return llvm::Align(std::max(variable.alignment, std::max(1u, variable.type.width() / 8)));
}

llvm::StringRef runtimeName(llvm::StringRef name) {
  static const llvm::StringMap<llvm::StringRef> names{
#define RUNTIME_FUNCTION(name, ours) {name, ours},
#include "compiler/ptx/runtime_functions.def"
#undef RUNTIME_FUNCTION
  };
  return names.lookup(name);
}

bool returnsInMemory(const Prototype &prototype) {
  return !prototype.results.empty() && prototype.results.front().isArray;
}

static llvm::Type *resultsType(llvm::LLVMContext &context, const Prototype &prototype) {
  llvm::SmallVector<llvm::Type *> types;
  for (const Variable &result : prototype.results) types.push_back(storageType(context, result));
  return llvm::StructType::get(context, types);
}

llvm::FunctionType *functionType(llvm::LLVMContext &context, const Prototype &prototype) {
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *result = llvm::Type::getVoidTy(context);
  llvm::SmallVector<llvm::Type *> types;
  if (returnsInMemory(prototype))
    types.push_back(pointer);
  else if (prototype.results.size() == 1)
    result = storageType(context, prototype.results.front());
  else if (!prototype.results.empty())
    result = resultsType(context, prototype);
  for (const Variable &parameter : prototype.parameters)
    types.push_back(parameter.isArray ? pointer : storageType(context, parameter));
  return llvm::FunctionType::get(result, types, false);
}

llvm::AttributeList functionAttributes(llvm::LLVMContext &context, const Prototype &prototype,
                                       llvm::Attribute::AttrKind arrays) {
  llvm::AttributeList attributes;
  if (arrays == llvm::Attribute::None) return attributes;
  unsigned index = returnsInMemory(prototype);
  for (const Variable &parameter : prototype.parameters) {
    if (parameter.isArray) {
      attributes = attributes.addParamAttribute(context, index,
                                                llvm::Attribute::get(context, arrays, storageType(context, parameter)));
      attributes = attributes.addParamAttribute(context, index,
                                                llvm::Attribute::getWithAlignment(context, alignmentOf(parameter)));
    }
    ++index;
  }
  return attributes;
}

namespace {

// Callee is what a call instruction calls.
struct Callee {
  const Prototype *prototype = nullptr;
  llvm::Value *address = nullptr;
  bool isRuntime = false;
};

// calleeOf() reads the operand at `index`; the prototype of an indirect call is the last operand, or that of the first
// of its possible targets.
Callee calleeOf(Emitter &emitter, size_t index) {
  const Operand &operand = emitter.operand(index);
  if (const Symbol *symbol = emitter.symbol(operand); symbol && symbol->prototype)
    return {symbol->prototype, symbol->pointer, !runtimeName(operand.name).empty()};
  const Statement *named =
      emitter.operandCount() ? emitter.named(emitter.operand(emitter.operandCount() - 1)) : nullptr;
  if (!named || !emitter.registerWidth(operand)) {
    emitter.fail("unknown function " + operand.name);
    return {};
  }
  llvm::Value *address = emitter.builder().CreateIntToPtr(emitter.readBits(operand, b64), emitter.builder().getPtrTy());
  if (named->kind == Statement::Kind::Prototype) return {&named->prototype, address};
  Operand target;
  target.kind = Operand::Kind::Register;
  target.name = named->targets.front();
  const Symbol *symbol = emitter.symbol(target);
  if (!symbol || !symbol->prototype) emitter.fail("unknown function " + target.name);
  return {symbol ? symbol->prototype : nullptr, address};
}

// argument() is what is handed on for `parameter`: the content of a .param variable, or its address for an array.
llvm::Value *argument(Emitter &emitter, const Operand &operand, const Variable &parameter) {
  const Symbol *symbol = emitter.symbol(operand);
  if (!symbol) return emitter.readBits(operand, parameter.type);
  if (parameter.isArray) return symbol->pointer;
  return emitter.builder().CreateLoad(storageType(emitter.context(), parameter), symbol->pointer);
}

void setResult(Emitter &emitter, const Operand &operand, llvm::Value *value) {
  if (const Symbol *symbol = emitter.symbol(operand))
    emitter.builder().CreateStore(value, symbol->pointer);
  else
    emitter.write(operand, value);
}

llvm::ArrayRef<Operand> partsOf(Emitter &emitter, size_t index) {
  if (index >= emitter.operandCount() || emitter.operand(index).kind != Operand::Kind::List) return {};
  return emitter.operand(index).parts;
}

}  // namespace

// call (result), function, (arguments), prototype: all but the function may be missing.
void emitCall(Emitter &emitter) {
  emitter.take("uni");
  if (!emitter.operandsBetween(1, 4)) return;
  const size_t at = emitter.operand(0).kind == Operand::Kind::List;
  const Callee callee = calleeOf(emitter, at);
  if (!callee.prototype) return;
  const Prototype &prototype = *callee.prototype;
  const llvm::ArrayRef<Operand> results = at ? partsOf(emitter, 0) : llvm::ArrayRef<Operand>();
  const llvm::ArrayRef<Operand> operands = partsOf(emitter, at + 1);
  if (operands.size() != prototype.parameters.size() || results.size() != prototype.results.size())
    return emitter.fail("the call does not fit the function's prototype");
  llvm::SmallVector<llvm::Value *> values;
  if (returnsInMemory(prototype)) {
    const Symbol *symbol = emitter.symbol(results.front());
    if (!symbol) return emitter.fail("unknown result " + results.front().name);
    values.push_back(symbol->pointer);
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (prototype.parameters[i].isArray && !emitter.symbol(operands[i]))
      return emitter.fail("unknown parameter " + operands[i].name);
    values.push_back(argument(emitter, operands[i], prototype.parameters[i]));
  }
  llvm::FunctionType *type = functionType(emitter.context(), prototype);
  llvm::CallInst *call = emitter.builder().CreateCall(type, callee.address, values);
  call->setAttributes(functionAttributes(emitter.context(), prototype,
                                         callee.isRuntime ? llvm::Attribute::None : llvm::Attribute::ByVal));
  if (results.size() > 1)
    for (unsigned i = 0; i < results.size(); ++i)
      setResult(emitter, results[i], emitter.builder().CreateExtractValue(call, i));
  else if (!type->getReturnType()->isVoidTy())
    setResult(emitter, results.front(), call);
}

// alloca.type pointer, bytes {, alignment};
void emitAlloca(Emitter &emitter) {
  emitter.takeType();
  if (!emitter.operandsBetween(2, 3)) return;
  Builder &builder = emitter.builder();
  llvm::AllocaInst *memory = builder.CreateAlloca(builder.getInt8Ty(), emitter.readBits(1, b64));
  memory->setAlignment(llvm::Align(emitter.operandCount() == 3 ? uint64_t(emitter.constant(2)) : 8));
  emitter.write(0, builder.CreatePtrToInt(memory, builder.getInt64Ty()));
}

void emitStacksave(Emitter &emitter) {
  emitter.takeType();
  if (!emitter.operandsBetween(1, 1)) return;
  llvm::Value *place = emitter.intrinsic(llvm::Intrinsic::stacksave, {emitter.builder().getPtrTy()}, {});
  emitter.write(0, emitter.builder().CreatePtrToInt(place, emitter.builder().getInt64Ty()));
}

void emitStackrestore(Emitter &emitter) {
  emitter.takeType();
  if (!emitter.operandsBetween(1, 1)) return;
  llvm::Value *place = emitter.builder().CreateIntToPtr(emitter.readBits(0, b64), emitter.builder().getPtrTy());
  emitter.intrinsic(llvm::Intrinsic::stackrestore, {emitter.builder().getPtrTy()}, {place});
}

}  // namespace hostwarp::compiler::ptx
