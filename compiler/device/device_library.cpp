#include "compiler/device/device_library.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/SourceMgr.h>

#include <vector>

#include "compiler/device/llvm_versions.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringLiteral prefix = "__nv_";

std::vector<std::string> missing(const llvm::Module &module) {
  std::vector<std::string> names;
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() && function.getName().starts_with(prefix))
      names.push_back(function.getName().str());
  return names;
}

// The library lies where an installation has it.
std::string libraryFile() {
  static const int here = 0;
  const std::string self = llvm::sys::fs::getMainExecutable("", const_cast<int *>(&here));
  llvm::SmallString<0> file(llvm::sys::path::parent_path(llvm::sys::path::parent_path(self)));
  llvm::sys::path::append(file, "lib", "hostwarp_libdevice.bc");
  return file.str().str();
}

}  // namespace

std::string linkDeviceLibrary(llvm::Module &module) {
  const std::vector<std::string> wanted = missing(module);
  if (wanted.empty()) return "";
  const std::string file = libraryFile();
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> library = llvm::parseIRFile(file, diagnostic, module.getContext());
  if (!library) return file + ", which has " + wanted.front() + ", cannot be read: " + diagnostic.getMessage().str();
  llvm::StripDebugInfo(*library);
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::Flags::LinkOnlyNeeded))
    return file + " cannot be linked with the PTX";
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && function.getName().starts_with(prefix))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  const std::vector<std::string> left = missing(module);
  return left.empty() ? "" : "Unresolved extern function '" + left.front() + "'";
}

}  // namespace hostwarp::compiler
