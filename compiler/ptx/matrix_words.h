// Matrix instructions' operands in memory: the words that ptx/library reads and writes.
#ifndef HOSTWARP_COMPILER_PTX_MATRIX_WORDS_H
#define HOSTWARP_COMPILER_PTX_MATRIX_WORDS_H

#include <cstddef>

#include "compiler/ptx/emitter.h"
#include "compiler/ptx/matrix_registers.h"

namespace hostwarp::compiler::ptx {

struct KindName {
  const char *name;
  MatrixKind kind;
  unsigned bits;  // of an element
};

using Kinds = llvm::SmallVector<const KindName *, 4>;

// takeKinds() takes the modifiers that name element types, in order.
Kinds takeKinds(Emitter &emitter);

// registersOf() are the parts of a vector operand, or the one register.
llvm::ArrayRef<Operand> registersOf(const Operand &operand);

// Words is an array of words on the stack that the library reads and writes.
class Words {
 public:
  Words(Emitter &emitter, size_t count) : emitter_(emitter), type_(llvm::ArrayType::get(emitter.intType(32), count)) {
    llvm::BasicBlock &entry = emitter.builder().GetInsertBlock()->getParent()->getEntryBlock();
    array_ = Builder(&entry, entry.begin()).CreateAlloca(type_);
  }
  llvm::Value *pointer() const { return array_; }
  llvm::Value *at(size_t index) {
    return emitter_.builder().CreateConstInBoundsGEP2_32(type_, array_, 0, unsigned(index));
  }
  void set(size_t index, llvm::Value *word) { emitter_.builder().CreateStore(word, at(index)); }
  void set(size_t index, unsigned word) { set(index, emitter_.builder().getInt32(word)); }
  llvm::Value *get(size_t index) { return emitter_.builder().CreateLoad(emitter_.intType(32), at(index)); }

  // read() stores the registers of a vector operand from `index` on; write() sets them. `wide` ones have 64 bits.
  void read(const Operand &operand, size_t index, bool wide);
  void write(const Operand &operand, size_t index, bool wide);

 private:
  Emitter &emitter_;
  llvm::ArrayType *type_;
  llvm::AllocaInst *array_;
};

// HOSTWARP_WORD() is the index of a member's first word.
#define HOSTWARP_WORD(type, member) (offsetof(type, member) / sizeof(uint32_t))

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MATRIX_WORDS_H
