// Bitcode, or IR as text, to lowered IR. LLVM's reader is not made for what is damaged: where it dies of it hwcc-device
// says so in a line, and here that is no finding.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include <memory>

#include "tests/reader_fuzz/lowering.h"
#include "tests/reader_fuzz/reader.h"

namespace {

// Reading is a module in a context of its own; null when the input is none.
struct Reading {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

void read(llvm::StringRef input, Reading &reading) {
  llvm::SMDiagnostic diagnostic;
  // The reader wants a zero byte behind.
  const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(input, "input");
  auto module = llvm::parseIR(*buffer, diagnostic, reading.context);
  if (module && !llvm::verifyModule(*module)) reading.module = std::move(module);
}

// isRead() does read(); false: LLVM has died of it.
bool isRead(llvm::StringRef input, Reading &reading) {
  llvm::CrashRecoveryContext::Enable();
  const bool lives = llvm::CrashRecoveryContext().RunSafely([&] { read(input, reading); });
  llvm::CrashRecoveryContext::Disable();
  return lives;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  auto reading = std::make_unique<Reading>();
  if (!isRead(input, *reading)) reading.release();  // what is left of it nobody can destroy
  if (!reading || !reading->module) return 0;
  hostwarp::tests::lower(*reading->module);
  return 0;
}
