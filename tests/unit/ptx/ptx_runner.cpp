#include "tests/unit/ptx/ptx_runner.h"

#include <gtest/gtest.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "compiler/device/llvm_versions.h"
#include "compiler/device/passes.h"
#include "compiler/ptx/translator.h"
#include "include/hostwarp/numbers/sixteen_bits.h"

namespace hostwarp::tests {

namespace {

void record(const char *format, ...) __attribute__((format(printf, 1, 2)));
void record(const char *format, ...) {
  char text[128];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fakeThread().calls.push_back(text);
}

// --- The device ABI as the statements see it ---

hw_thread *fakeSelf() { return &fakeThread().thread; }
uint64_t fakeSpecialRegister(int which) { return 0x1111111100000000u * (which >= 2 && which <= 5) + 100 + which; }
void fakeBarrier(uint32_t id, uint32_t count) { record("hw_barrier %u %u", id, count); }
void fakeArrive(uint32_t id, uint32_t count) { record("hw_barrier_arrive %u %u", id, count); }
int fakeReduce(uint32_t id, uint32_t count, int operation, int predicate) {
  record("hw_barrier_reduce %u %u %d %d", id, count, operation, predicate);
  return operation == HW_COUNT ? 7 : predicate;
}
void fakeSyncwarp(uint32_t mask) { record("hw_syncwarp %x", mask); }
uint64_t fakeShuffle(uint32_t mask, int kind, uint64_t value, uint32_t lane, uint32_t width, int *inRange) {
  record("hw_shuffle %x %d %llu %u %u", mask, kind, static_cast<unsigned long long>(value), lane, width);
  if (inRange) *inRange = 1;
  return fakeThread().laneValues.at(lane);
}
uint32_t fakeVote(uint32_t mask, int kind, int predicate) {
  record("hw_vote %x %d %d", mask, kind, predicate);
  return fakeThread().voteResult;
}
uint32_t fakeMatchAny(uint32_t mask, uint64_t value) {
  record("hw_match_any %x %llx", mask, static_cast<unsigned long long>(value));
  return 0x21;
}
uint32_t fakeMatchAll(uint32_t mask, uint64_t value, int *predicate) {
  record("hw_match_all %x %llx", mask, static_cast<unsigned long long>(value));
  *predicate = 1;
  return mask;
}
uint32_t fakeWarpReduce(uint32_t mask, int operation, uint32_t value) {
  record("hw_warp_reduce %x %d %u", mask, operation, value);
  return value + 1;
}
// All lanes hand over the same.
void fakeWarpTogether(uint32_t mask, void *mine, void (*work)(void *const *)) {
  record("hw_warp_together %x", mask);
  void *lanes[32];
  std::fill(std::begin(lanes), std::end(lanes), mine);
  work(lanes);
}
uint32_t fakeActivemask() { return 0x3f; }
uint32_t fakeIsLocal(const void *address) { return address == fakeThread().local; }
void fakeYield() { record("hw_yield"); }
void fakeNanosleep(uint32_t time) { record("hw_nanosleep %u", time); }

[[noreturn]] void fakeMisaligned(uint64_t address, uint32_t alignment) {
  std::fprintf(stderr, "hw_misaligned %llu %u\n", static_cast<unsigned long long>(address), alignment);
  std::abort();
}
[[noreturn]] void fakeIllegalInstruction(const char *what) {
  std::fprintf(stderr, "hw_illegal_instruction %s\n", what);
  std::abort();
}

const std::vector<std::pair<const char *, void *>> &deviceAbi() {
#define FUNCTION(name, function) {name, reinterpret_cast<void *>(function)}
  static const std::vector<std::pair<const char *, void *>> table{
      FUNCTION("hw_self", fakeSelf),
      FUNCTION("hw_special_register", fakeSpecialRegister),
      FUNCTION("hw_barrier", fakeBarrier),
      FUNCTION("hw_barrier_arrive", fakeArrive),
      FUNCTION("hw_barrier_reduce", fakeReduce),
      FUNCTION("hw_syncwarp", fakeSyncwarp),
      FUNCTION("hw_shuffle", fakeShuffle),
      FUNCTION("hw_vote", fakeVote),
      FUNCTION("hw_match_any", fakeMatchAny),
      FUNCTION("hw_match_all", fakeMatchAll),
      FUNCTION("hw_warp_reduce", fakeWarpReduce),
      FUNCTION("hw_warp_together", fakeWarpTogether),
      FUNCTION("hw_activemask", fakeActivemask),
      FUNCTION("hw_is_local", fakeIsLocal),
      FUNCTION("hw_yield", fakeYield),
      FUNCTION("hw_nanosleep", fakeNanosleep),
      FUNCTION("hw_misaligned", fakeMisaligned),
      FUNCTION("hw_illegal_instruction", fakeIllegalInstruction),
      FUNCTION("hw_math_fusible_half_add", numbers::add<numbers::Half>),
      FUNCTION("hw_math_fusible_half_sub", numbers::subtract<numbers::Half>),
      FUNCTION("hw_math_fusible_half_mul", numbers::Half::multiply),
      FUNCTION("hw_math_fusible_brain_add", numbers::add<numbers::Brain>),
      FUNCTION("hw_math_fusible_brain_sub", numbers::subtract<numbers::Brain>),
      FUNCTION("hw_math_fusible_brain_mul", numbers::Brain::multiply),
  };
#undef FUNCTION
  return table;
}

// --- Building the module: void caseN(const uint64_t *in, uint64_t *out) per statement ---

llvm::Type *typeOf(llvm::LLVMContext &context, char letter) {
  switch (letter) {
    case 'h':
      return llvm::Type::getInt16Ty(context);
    case 'r':
    case 'n':
      return llvm::Type::getInt32Ty(context);
    case 'f':
      return llvm::Type::getFloatTy(context);
    case 'd':
      return llvm::Type::getDoubleTy(context);
    case 'q':
      return llvm::Type::getInt128Ty(context);
    default:
      return llvm::Type::getInt64Ty(context);
  }
}

unsigned widthOf(llvm::Type *type) { return unsigned(type->getPrimitiveSizeInBits()); }

struct Letters {
  std::string outputs, inputs;
};

Letters readConstraints(const std::string &constraints) {
  Letters letters;
  for (size_t begin = 0; begin < constraints.size();) {
    const size_t end = std::min(constraints.find(',', begin), constraints.size());
    const std::string item = constraints.substr(begin, end - begin);
    if (item[0] == '=')
      letters.outputs += item.back();
    else if (item[0] >= '0' && item[0] <= '9')
      letters.inputs += letters.outputs.at(std::stoul(item));
    else if (item[0] != '~')
      letters.inputs += item[0];
    begin = end + 1;
  }
  return letters;
}

llvm::Value *slot(llvm::IRBuilder<> &builder, llvm::Value *array, size_t index) {
  return builder.CreateConstGEP1_64(builder.getInt64Ty(), array, index);
}

llvm::CallInst *addCase(llvm::Module &module, const PtxCase &test, size_t index) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type *pointer = builder.getPtrTy();
  auto *function = llvm::Function::Create(llvm::FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
                                          llvm::Function::ExternalLinkage, "case" + std::to_string(index), module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  const Letters letters = readConstraints(test.constraints);
  llvm::SmallVector<llvm::Value *> arguments;
  llvm::SmallVector<llvm::Type *> inputs, outputs;
  size_t word = 0;
  for (char letter : letters.inputs) {
    inputs.push_back(typeOf(context, letter));
    if (letter == 'n') {
      arguments.push_back(llvm::ConstantInt::get(inputs.back(), word < test.inputs.size() ? test.inputs[word] : 0));
    } else {
      llvm::Value *bits = builder.CreateAlignedLoad(builder.getIntNTy(widthOf(inputs.back())),
                                                    slot(builder, function->getArg(0), word), llvm::Align(8));
      arguments.push_back(builder.CreateBitCast(bits, inputs.back()));
    }
    word += letter == 'q' ? 2 : 1;
  }
  for (char letter : letters.outputs) outputs.push_back(typeOf(context, letter));
  llvm::Type *result = outputs.empty()       ? builder.getVoidTy()
                       : outputs.size() == 1 ? outputs[0]
                                             : llvm::StructType::get(context, outputs);
  auto *type = llvm::FunctionType::get(result, inputs, false);
  llvm::CallInst *call = builder.CreateCall(llvm::InlineAsm::get(type, test.text, test.constraints, true), arguments);
  word = 0;
  for (size_t i = 0; i < outputs.size(); ++i) {
    llvm::Value *value = outputs.size() == 1 ? call : builder.CreateExtractValue(call, unsigned(i));
    value = builder.CreateBitCast(value, builder.getIntNTy(widthOf(outputs[i])));
    llvm::Type *stored = builder.getIntNTy(std::max(64u, widthOf(outputs[i])));
    builder.CreateAlignedStore(builder.CreateZExt(value, stored), slot(builder, function->getArg(1), word),
                               llvm::Align(8));
    word += widthOf(outputs[i]) == 128 ? 2 : 1;
  }
  builder.CreateRetVoid();
  return call;
}

void optimise(llvm::Module &module) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O1).run(module, modules);
}

std::unique_ptr<llvm::orc::LLJIT> makeJit() {
  static const bool initialised = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialised;
  auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  llvm::orc::SymbolMap symbols;
  for (const auto &[name, address] : deviceAbi())
    symbols[jit->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  llvm::cantFail(jit->getMainJITDylib().define(llvm::orc::absoluteSymbols(symbols)));
  jit->getMainJITDylib().addGenerator(llvm::cantFail(
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(jit->getDataLayout().getGlobalPrefix())));
  return jit;
}

std::string show(const Values &values) {
  std::string text;
  for (uint64_t value : values) {
    char number[32];
    std::snprintf(number, sizeof number, " 0x%llx", static_cast<unsigned long long>(value));
    text += number;
  }
  return text;
}

// Compiled is a batch of statements as one module.
class Compiled {
 public:
  explicit Compiled(const std::vector<PtxCase> &cases) : jit_(makeJit()) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("ptx", *context);
    module->setDataLayout(jit_->getDataLayout());
    compiler::setTriple(*module, jit_->getTargetTriple());
    compiler::ptx::Translator translator(*module);
    for (size_t i = 0; i < cases.size(); ++i)
      errors.push_back(translator.translate(*addCase(*module, cases[i], i), true));
    linkError = translator.finish();
    std::string problem;
    llvm::raw_string_ostream out(problem);
    if (llvm::verifyModule(*module, &out)) linkError += problem;
    for (const std::string &error : errors)
      if (!error.empty()) return;
    if (!linkError.empty()) return;
    compiler::lowerThreadFields(*module);
    optimise(*module);
    llvm::cantFail(jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  }

  Values run(size_t index, const PtxCase &test) {
    using Function = void (*)(const uint64_t *, uint64_t *);
    auto *function = llvm::cantFail(jit_->lookup("case" + std::to_string(index))).toPtr<Function>();
    alignas(16) uint64_t in[32] = {}, out[32] = {};
    std::copy(test.inputs.begin(), test.inputs.end(), in);
    function(in, out);
    return Values(out, out + test.outputs.size());
  }

  std::vector<std::string> errors;
  std::string linkError;

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

}  // namespace

FakeThread &fakeThread() {
  static FakeThread thread;
  return thread;
}

void resetThread() {
  FakeThread &fake = fakeThread();
  fake.thread = {};
  fake.thread.threadIdx = {5, 4, 0};
  fake.thread.blockIdx = {1, 2, 3};
  fake.thread.blockDim = {8, 8, 1};
  fake.thread.gridDim = {4, 5, 6};
  fake.thread.laneId = 5;
  fake.thread.warpId = 1;
  fake.thread.linearThread = 37;
  fake.thread.sharedBase = fake.shared;
  fake.thread.dynamicShared = fake.shared + 512;
  fake.thread.sharedBytes = sizeof fake.shared;
  std::memset(fake.shared, 0, sizeof fake.shared);
  fake.calls.clear();
  fake.laneValues.clear();
  for (uint64_t lane = 0; lane < 32; ++lane) fake.laneValues.push_back(1000 + lane);
  fake.voteResult = 0;
}

void expectPtx(const std::vector<PtxCase> &cases) {
  resetThread();
  Compiled compiled(cases);
  bool ok = true;
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(compiled.errors[i], "") << cases[i].text;
    ok = ok && compiled.errors[i].empty();
  }
  ASSERT_EQ(compiled.linkError, "");
  if (!ok) return;
  for (size_t i = 0; i < cases.size(); ++i)
    EXPECT_EQ(show(compiled.run(i, cases[i])), show(cases[i].outputs))
        << cases[i].text << " with" << show(cases[i].inputs);
}

Values runPtx(const std::string &text, const std::string &constraints, const Values &inputs) {
  PtxCase test{text, constraints, inputs, Values(readConstraints(constraints).outputs.size())};
  Compiled compiled({test});
  EXPECT_EQ(compiled.errors[0] + compiled.linkError, "") << text;
  if (!compiled.errors[0].empty() || !compiled.linkError.empty()) return test.outputs;
  return compiled.run(0, test);
}

std::string ptxError(const std::string &text, const std::string &constraints) {
  return Compiled({{text, constraints, {}, {}}}).errors[0];
}

}  // namespace hostwarp::tests
