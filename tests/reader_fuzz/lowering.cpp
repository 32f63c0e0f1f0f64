#include "tests/reader_fuzz/lowering.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <string>

#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/steps.h"
#include "compiler/device/targets.h"
#include "tests/reader_fuzz/reader.h"

namespace hostwarp::tests {

void lower(llvm::Module &module) {
  using namespace hostwarp::compiler;
  Options options;
  options.source = "input.cu";
  options.outputs = {"-"};
  static const auto machine = makeTargetMachine(options);
  setImage(module, {});
  DeviceModule device{options, module, {}, {}, {}};
  runSteps(Phase::Lowering, device, *machine);
  if (device.errors.empty()) expectValid(module, "the lowered IR");
}

void expectValid(const llvm::Module &module, const char *what) {
  std::string wrong;
  llvm::raw_string_ostream out(wrong);
  if (llvm::verifyModule(module, &out)) complain(std::string(what) + " is not valid: " + wrong);
}

}  // namespace hostwarp::tests
