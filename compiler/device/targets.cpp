#include "compiler/device/targets.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace hostwarp::compiler {

namespace {

constexpr llvm::StringRef targetList = "hostwarp.targets", spaceList = "hostwarp.symbol_space",
                          laterList = "hostwarp.later_symbol_spaces", managedList = "hostwarp.managed_elsewhere";

llvm::SmallVector<const llvm::MDNode *> entriesOf(const llvm::Module &module, llvm::StringRef list) {
  llvm::SmallVector<const llvm::MDNode *> entries;
  if (const llvm::NamedMDNode *node = module.getNamedMetadata(list))
    for (const llvm::MDNode *entry : node->operands()) entries.push_back(entry);
  return entries;
}

uint32_t numberIn(const llvm::MDNode &entry, unsigned index) {
  return static_cast<uint32_t>(llvm::mdconst::extract<llvm::ConstantInt>(entry.getOperand(index))->getZExtValue());
}

std::string textIn(const llvm::MDNode &entry) {
  return llvm::cast<llvm::MDString>(entry.getOperand(0))->getString().str();
}

struct Architecture {
  uint32_t number = 0;
  uint32_t variant = 0;
};

// architectureOf() reads what follows the prefix: 90a.
std::optional<Architecture> architectureOf(llvm::StringRef name, llvm::StringRef prefix) {
  Architecture result;
  if (!name.consume_front(prefix) || name.consumeInteger(10, result.number)) return std::nullopt;
  if (name.size() == 1 && (name[0] == 'a' || name[0] == 'f')) {
    result.variant = static_cast<uint32_t>(name[0]);
    name = name.drop_front();
  }
  return name.empty() ? std::optional(result) : std::nullopt;
}

std::optional<hw_target> parseTarget(llvm::StringRef text) {
  const auto [source, code] = text.split(':');
  const auto compiledAs = architectureOf(source, "compute_");
  if (!compiledAs) return std::nullopt;
  if (code == "any") return hw_target{HW_TARGET_ANY, compiledAs->number, compiledAs->number, compiledAs->variant};
  if (const auto real = architectureOf(code, "sm_"))
    return hw_target{HW_TARGET_BINARY, compiledAs->number, real->number, real->variant};
  if (const auto ptx = architectureOf(code, "compute_"))
    return hw_target{HW_TARGET_PTX, compiledAs->number, ptx->number, ptx->variant};
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<hw_target>> parseTargets(llvm::StringRef text) {
  std::vector<hw_target> targets;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', -1, false);
  for (llvm::StringRef part : parts) {
    const std::optional<hw_target> target = parseTarget(part);
    if (!target) return std::nullopt;
    targets.push_back(*target);
  }
  return targets;
}

std::string formatTargets(const std::vector<hw_target> &targets) {
  const auto name = [](uint32_t number, uint32_t variant) {
    return std::to_string(number) + std::string(variant != 0 ? 1 : 0, static_cast<char>(variant));
  };
  std::string text;
  for (const hw_target &target : targets) {
    const bool isBinary = target.kind == HW_TARGET_BINARY;
    if (!text.empty()) text += ",";
    text += "compute_" + name(target.virtualArchitecture, isBinary ? 0 : target.variant) + ":";
    text += target.kind == HW_TARGET_ANY ? "any"
                                         : (isBinary ? "sm_" : "compute_") + name(target.architecture, target.variant);
  }
  return text;
}

// The directive is the first word of a line.
std::vector<hw_target> targetsOfPtx(llvm::StringRef text) {
  constexpr llvm::StringRef directive = ".target";
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.ltrim();
    if (!line.consume_front(directive)) continue;
    const llvm::StringRef name =
        line.ltrim().take_until([](char c) { return c == ',' || c == '/' || llvm::isSpace(c); });
    if (const auto target = architectureOf(name, "sm_"))
      return {{HW_TARGET_PTX, target->number, target->number, target->variant}};
  }
  return {};
}

void setImage(llvm::Module &module, const Image &image) {
  llvm::LLVMContext &context = module.getContext();
  const auto add = [&](llvm::StringRef list, llvm::ArrayRef<llvm::Metadata *> entry) {
    module.getOrInsertNamedMetadata(list)->addOperand(llvm::MDNode::get(context, entry));
  };
  const auto number = [&](uint32_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value));
  };
  for (const hw_target &target : image.targets)
    add(targetList,
        {number(target.kind), number(target.virtualArchitecture), number(target.architecture), number(target.variant)});
  if (!image.symbolSpace.empty()) add(spaceList, llvm::MDString::get(context, image.symbolSpace));
  for (const std::string &space : image.laterSymbolSpaces) add(laterList, llvm::MDString::get(context, space));
  for (const std::string &name : image.managedElsewhere) add(managedList, llvm::MDString::get(context, name));
}

Image imageOf(const llvm::Module &module) {
  Image image;
  for (const llvm::MDNode *entry : entriesOf(module, targetList))
    image.targets.push_back({numberIn(*entry, 0), numberIn(*entry, 1), numberIn(*entry, 2), numberIn(*entry, 3)});
  for (const llvm::MDNode *entry : entriesOf(module, spaceList)) image.symbolSpace = textIn(*entry);
  for (const llvm::MDNode *entry : entriesOf(module, laterList)) image.laterSymbolSpaces.push_back(textIn(*entry));
  for (const llvm::MDNode *entry : entriesOf(module, managedList)) image.managedElsewhere.insert(textIn(*entry));
  return image;
}

}  // namespace hostwarp::compiler
