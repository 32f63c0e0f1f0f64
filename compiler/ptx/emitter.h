// What the opcodes' functions work with: the instruction at hand, its operands as LLVM values, and a builder.
#ifndef HOSTWARP_COMPILER_PTX_EMITTER_H
#define HOSTWARP_COMPILER_PTX_EMITTER_H

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "compiler/ptx/syntax.h"
#include "compiler/ptx/type.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::compiler::ptx {

using Builder = llvm::IRBuilder<>;

// Register is a PTX register as an alloca; `type` is the declared one, of which only the width counts.
struct Register {
  llvm::AllocaInst *slot = nullptr;
  Type type;
};

// AsmArgument is an operand $n: a register, or a constant for "n" and "i".
struct AsmArgument {
  Register place;
  llvm::ConstantInt *constant = nullptr;
};

// Symbol is a name that stands for memory or for a function. `pointer` is an address of the generic space; where the
// name is borrowed, of the variable's address on device 0.
struct Symbol {
  llvm::Value *pointer = nullptr;
  Space space = Space::Generic;
  const Variable *variable = nullptr;    // what the name was declared as; null for functions
  const Prototype *prototype = nullptr;  // of a function
  bool isBorrowed = false;
};
using Symbols = llvm::StringMap<Symbol>;

class Emitter {
 public:
  Emitter(Builder &builder, bool isVolatile, bool inKernel);

  // setModuleSymbols() names what is known in all of the module; the table has to outlive the emitter.
  void setModuleSymbols(const Symbols *symbols) { moduleSymbols_ = symbols; }
  // setReturnBlock() says where ret goes; without, it ends the thread.
  void setReturnBlock(llvm::BasicBlock *block) { return_ = block; }
  llvm::BasicBlock *returnBlock() { return return_; }

  void setArguments(std::vector<AsmArgument> arguments) { arguments_ = std::move(arguments); }

  Builder &builder() { return builder_; }
  llvm::Module &module() { return *builder_.GetInsertBlock()->getModule(); }
  llvm::LLVMContext &context() { return builder_.getContext(); }
  bool isVolatile() const { return isVolatile_; }
  bool inKernel() const { return inKernel_; }

  // --- Errors: the first one counts; after it, values are dummies and the result is thrown away ---
  void fail(const std::string &what);
  const std::string &error() const { return error_; }

  // --- The instruction and its modifiers. A modifier that nobody takes is an error. ---
  void begin(const Instruction &instruction);
  void end();
  const Instruction &instruction() const { return *instruction_; }
  bool take(llvm::StringRef modifier);
  // takeOneOf() returns the first of `modifiers` that is there and takes it, else "".
  llvm::StringRef takeOneOf(std::initializer_list<const char *> modifiers);
  // takePrefixed() takes a modifier that begins with `prefix` and returns all of it, else "".
  llvm::StringRef takePrefixed(llvm::StringRef prefix);
  // takeType() takes the first modifier that is a type; an error if there is none.
  Type takeType();
  // takeOptionalType() is not valid() if there is none.
  Type takeOptionalType();

  // takeMinus() tells whether a minus sign stands before the operand. One that nobody takes is an error, too.
  bool takeMinus(size_t index);

  // --- Operands of the instruction by index ---
  size_t operandCount() const { return instruction_->operands.size(); }
  bool operandsBetween(size_t least, size_t most);
  const Operand &operand(size_t index);
  // read() gives the operand as `type`.value().
  llvm::Value *read(size_t index, Type type) { return read(operand(index), type); }
  llvm::Value *read(const Operand &operand, Type type);
  // readInteger() is read() as an integer of type.width() bits even for floating types.
  llvm::Value *readBits(size_t index, Type type) { return readBits(operand(index), type); }
  llvm::Value *readBits(const Operand &operand, Type type);
  llvm::Value *readPredicate(size_t index) { return readPredicate(operand(index)); }
  llvm::Value *readPredicate(const Operand &operand);
  // constant() is the operand's value; an error unless it is known now.
  int64_t constant(size_t index);
  bool isConstant(size_t index) { return isConstant(operand(index)); }
  bool isConstant(const Operand &operand) const;
  // constantValue() is the value of an operand that isConstant().
  int64_t constantValue(const Operand &operand) const;
  // registerWidth() is the width of the register or vector that the operand names, 0 for others.
  unsigned registerWidth(const Operand &operand);
  // write() sets the operand; a wider register gets the value extended by the sign if isSigned, else with zeros.
  void write(size_t index, llvm::Value *value, bool isSigned = false) { write(operand(index), value, isSigned); }
  void write(const Operand &operand, llvm::Value *value, bool isSigned = false);

  // --- Registers and scopes ---
  void pushScope() { scopes_.emplace_back(); }
  void popScope() { scopes_.pop_back(); }
  void declare(const Declaration &declaration);
  void declare(const std::string &name, const Register &place);
  void declare(const std::string &name, const Symbol &symbol);
  // symbol() is what the operand names, null if it is no symbol.
  const Symbol *symbol(const Operand &operand);
  // pointerTo() is the symbol's address in the generic space.
  llvm::Value *pointerTo(const Symbol &symbol);
  // addressOf() is the symbol's address as the instructions of its space take it: shared memory's is an offset.
  llvm::Value *addressOf(const Symbol &symbol);
  Register makeRegister(Type type, llvm::StringRef name);
  // carry() is the condition code CC.CF: the place given by setCarry(), or one of the function's own.
  llvm::Value *carry();
  void setCarry(llvm::Value *place) { carry_ = place; }

  // --- Control flow; labels are bound by the translator ---
  void setLabels(const std::map<std::string, llvm::BasicBlock *> *labels) { labels_ = labels; }
  llvm::BasicBlock *label(const Operand &operand) { return label(operand.name); }
  llvm::BasicBlock *label(const std::string &name);
  // declareNamed() makes a prototype or a list of targets known; named() is the one that the operand names, else null.
  void declareNamed(const Statement &statement) { scopes_.back().named[statement.label] = &statement; }
  const Statement *named(const Operand &operand);
  llvm::BasicBlock *makeBlock(llvm::StringRef name);
  llvm::BasicBlock *exitBlock() { return exit_; }
  void setExitBlock(llvm::BasicBlock *exit) { exit_ = exit; }

  // --- Calls ---
  // callLibrary() calls a function of ptx/library.
  llvm::Value *callLibrary(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);
  // callRuntime() calls a function of the device ABI.
  llvm::Value *callRuntime(llvm::StringRef name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);
  // tellOfAsync() calls hw_check_async() of an event that is about no memory.
  void tellOfAsync(hw_async_event event, llvm::Value *value = nullptr);
  llvm::Value *intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type *> types,
                         llvm::ArrayRef<llvm::Value *> arguments);

  llvm::IntegerType *intType(unsigned bits) { return builder_.getIntNTy(bits); }
  llvm::Value *zero(Type type) { return llvm::Constant::getNullValue(type.value(context())); }

 private:
  const Register *find(const Operand &operand);
  llvm::Value *loadRegister(const Operand &operand);
  llvm::Value *readImmediate(const Operand &operand, Type type);
  llvm::Value *readVector(const Operand &operand, Type type);
  llvm::Value *readNamed(const Operand &operand, Type type);
  void writeVector(const Operand &operand, llvm::Value *value);

  Builder &builder_;
  std::vector<AsmArgument> arguments_;
  bool isVolatile_, inKernel_;
  struct Scope {
    llvm::StringMap<Register> registers;
    Symbols symbols;
    llvm::StringMap<const Statement *> named;
  };
  std::vector<Scope> scopes_;
  const Symbols *moduleSymbols_ = nullptr;
  llvm::BasicBlock *return_ = nullptr;
  const std::map<std::string, llvm::BasicBlock *> *labels_ = nullptr;
  llvm::BasicBlock *exit_ = nullptr;
  llvm::Value *carry_ = nullptr;
  const Instruction *instruction_ = nullptr;
  std::vector<bool> taken_;       // modifiers
  std::vector<bool> takenMinus_;  // operands'
  std::string error_;
};

// number() is a constant of 32 bits.
inline llvm::Value *number(Emitter &emitter, uint32_t value) { return emitter.builder().getInt32(value); }

// specialRegister() reads %tid.x and its kin (the name with %); null for a name it does not know.
llvm::Value *specialRegister(Emitter &emitter, llvm::StringRef name);

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_EMITTER_H
