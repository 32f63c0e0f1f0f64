// Keeps device code's symbols apart from the host's: both passes define the same inline functions under the same
// names. Whole-program builds make everything internal; -rdc=true keeps linkage, hidden, under a prefix.
#include <dlfcn.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/TargetParser/Triple.h>

#include <array>

#include "compiler/device/passes.h"
#include "compiler/device/targets.h"

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringRef devicePrefix = "__hwd_";
constexpr llvm::StringRef managedPrefix = "__hwm_";

// prefixOf() is what stands before the names of an image's symbols.
std::string prefixOf(const std::string &symbolSpace) {
  return symbolSpace.empty() ? devicePrefix.str() : (devicePrefix + symbolSpace + ".").str();
}

// inSystemLibrary(): the C or C++ library that this program itself runs with has the function.
bool inSystemLibrary(const std::string &name) {
  return llvm::any_of(std::array{"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6"}, [&](const char *file) {
    void *library = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    return library != nullptr && dlsym(library, name.c_str()) != nullptr;
  });
}

// isLibraryFunction(): what device code calls in the C and C++ libraries or in the runtime keeps its name.
bool isLibraryFunction(const llvm::Function &function, const llvm::TargetLibraryInfoImpl &library) {
  llvm::StringRef name = function.getName();
  if (name.starts_with("hw_") || name.starts_with("llvm.")) return true;
  if (name.starts_with("_ZSt") || name.starts_with("_ZNSt") || name.starts_with("_ZNKSt")) return true;
  llvm::LibFunc known;
  if (name.starts_with("_Z")) return library.getLibFunc(name, known);
  // Another function of C linkage is the user's, of another translation unit.
  return library.getLibFunc(name, known) || name.starts_with("cuda") || name.starts_with("__cuda") ||
         inSystemLibrary(name.str());
}

void isolate(llvm::GlobalValue &value, const Options &options, const llvm::Twine &name) {
  if (auto *object = llvm::dyn_cast<llvm::GlobalObject>(&value)) object->setComdat(nullptr);
  value.setName(name);
  if (value.isDeclaration()) {
    value.setVisibility(llvm::GlobalValue::HiddenVisibility);
  } else if (!options.relocatable || value.hasLocalLinkage()) {
    value.setLinkage(llvm::GlobalValue::InternalLinkage);
  } else {
    value.setVisibility(llvm::GlobalValue::HiddenVisibility);
    value.setDSOLocal(true);
    bool mergeable = value.hasLinkOnceLinkage() || value.hasWeakLinkage();
    if (auto *object = llvm::dyn_cast<llvm::GlobalObject>(&value); object && mergeable)
      object->setComdat(value.getParent()->getOrInsertComdat(value.getName()));
  }
}

// aliasManaged() lets other translation units refer to the variable: their host code by its own name, their device code
// by the name every extern variable has.
void aliasManaged(llvm::GlobalVariable &variable, const Image &image, const std::string &name) {
  std::vector<std::string> others = {name, prefixOf(image.symbolSpace) + name};
  for (const std::string &space : image.laterSymbolSpaces) others.push_back(prefixOf(space) + name);
  for (const std::string &other : others) {
    auto *alias = llvm::GlobalAlias::create(llvm::GlobalValue::ExternalLinkage, other, &variable);
    alias->setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

// isolateManaged() gives the variable the name under which the host pass's plugin refers to it. There is one for all
// images of the source.
void isolateManaged(llvm::GlobalVariable &variable, const Options &options, const Image &image) {
  bool unique = !options.relocatable || variable.hasLocalLinkage();
  std::string original = variable.getName().str();
  std::string name = (managedPrefix + original).str();
  if (unique) name += "." + llvm::utohexstr(options.imageId, true);
  variable.setComdat(nullptr);
  variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
  variable.setVisibility(llvm::GlobalValue::HiddenVisibility);
  variable.setDSOLocal(true);
  variable.setName(name);
  if (image.managedElsewhere.contains(original)) return variable.setInitializer(nullptr);
  if (!unique) aliasManaged(variable, image, original);
}

void unresolved(DeviceModule &device, llvm::GlobalValue &value) {
  for (llvm::User *user : value.users())
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user))
      return fail(
          device, instruction,
          ("unresolved extern '" + value.getName() + "' in device code; separate compilation needs -rdc=true").str());
}

void isolateFunctions(DeviceModule &device) {
  llvm::TargetLibraryInfoImpl library{llvm::Triple(device.module.getTargetTriple())};
  const std::string prefix = prefixOf(imageOf(device.module).symbolSpace);
  for (llvm::Function &function : device.module) {
    if (function.isIntrinsic()) continue;
    if (function.isDeclaration()) {
      function.setDSOLocal(false);
      if (isLibraryFunction(function, library)) continue;
      if (!device.options.relocatable) {
        unresolved(device, function);
        continue;
      }
    }
    isolate(function, device.options, prefix + function.getName());
  }
}

void isolateVariables(DeviceModule &device) {
  const Image image = imageOf(device.module);
  const std::string prefix = prefixOf(image.symbolSpace);
  for (llvm::GlobalVariable &global : device.module.globals()) {
    if (global.getName().starts_with("llvm.") || global.getName() == "hw_current") continue;
    bool managed = llvm::any_of(device.variables, [&](const Variable &variable) {
      return variable.global == &global && variable.kind == HW_VARIABLE_MANAGED;
    });
    if (managed) {
      isolateManaged(global, device.options, image);
    } else if (global.isDeclaration() && !device.options.relocatable) {
      unresolved(device, global);
    } else if (!global.hasPrivateLinkage()) {
      isolate(global, device.options, prefix + global.getName());
    }
  }
}

}  // namespace

void isolateSymbols(DeviceModule &device) {
  isolateFunctions(device);
  isolateVariables(device);
}

}  // namespace hostwarp::compiler
