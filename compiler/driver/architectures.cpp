#include "compiler/driver/architectures.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "compiler/driver/text.h"

namespace hostwarp::driver {
namespace {

struct Row {
  int name;
  int macro;
  bool listed;
  bool hasVariants;
};

constexpr Row rows[] = {
#define ARCHITECTURE(NAME, MACRO, LISTED, HAS_VARIANTS) {NAME, MACRO, LISTED, HAS_VARIANTS},
#include "compiler/driver/architectures.def"
#undef ARCHITECTURE
};

// No architecture has been named: the source is compiled as for the newest that most emulated devices and programs have
// in common, and runs on all of them.
constexpr CodeTarget anyDevice{CodeTarget::Kind::Any, {900, '\0'}, {900, '\0'}};

std::vector<Architecture> namedSet(std::string_view value) {
  std::vector<Architecture> result;
  for (const Row &row : rows)
    if (row.listed && (value == "all" || row.name % 10 == 0 || row.name == 75)) result.push_back({row.macro, '\0'});
  return result;
}

// Code for the link (lto_80) is compiled there, for any device like PTX.
CodeTarget::Kind kindOf(std::string_view name) {
  return name.starts_with("sm_") ? CodeTarget::Kind::Binary : CodeTarget::Kind::Ptx;
}

Failure unsupported(const std::string &name) { return Failure{"Unsupported gpu architecture '" + name + "'"}; }

// isMadeFrom() says whether nvcc makes `code` from code for the virtual architecture `arch`.
bool isMadeFrom(std::string_view code, Architecture target, Architecture arch) {
  const auto family = [](Architecture each) { return each.macro / 100; };
  const bool isVirtual = code.starts_with("compute_");
  if (isVirtual || arch.variant == 'a') return target == arch;
  if (target.variant == 'f' || arch.variant == 'f')
    return arch.variant == 'f' && family(target) == family(arch) && target.macro >= arch.macro;
  return target.macro >= arch.macro;
}

// checkPair() refuses what nvcc refuses: real architectures as the source of others, and code that cannot come from it.
Status checkPair(const std::string &arch, const std::string &code) {
  const auto source = parseArchitecture(arch), target = parseArchitecture(code);
  if (!source) return unsupported(arch);
  if (!target) return unsupported(code);
  if (!arch.starts_with("compute_"))
    return Failure{"Value of -arch option ('" + arch + "') must be a virtual code architecture"};
  if (isMadeFrom(code, *target, *source)) return {};
  return Failure{"Incompatible code generation requested: arch='" + arch + "', code='" + code + "'"};
}

}  // namespace

std::optional<Architecture> parseArchitecture(std::string_view name) {
  const std::size_t prefix = name.find('_');
  if (prefix == std::string_view::npos) return std::nullopt;
  const std::string_view kind = name.substr(0, prefix);
  if (kind != "sm" && kind != "compute" && kind != "lto") return std::nullopt;
  std::string_view digits = name.substr(prefix + 1);
  char variant = '\0';
  if (!digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) {
    variant = digits.back();
    digits.remove_suffix(1);
  }
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  for (const Row &row : rows) {
    if (row.name != number) continue;
    if (variant != '\0' && !row.hasVariants) return std::nullopt;
    if (variant == 'f' && row.name < 100) return std::nullopt;
    return Architecture{row.macro, variant};
  }
  return std::nullopt;
}

std::vector<int> listedArchitectures() {
  std::vector<int> result;
  for (const Row &row : rows)
    if (row.listed) result.push_back(row.name);
  return result;
}

Status ArchitectureSet::setArchitecture(const std::string &value) {
  const bool isSet = value == "native" || value == "all" || value == "all-major";
  if (!isSet && !parseArchitecture(value)) return unsupported(value);
  arch_ = value;
  return {};
}

Status ArchitectureSet::addCode(const std::string &value) {
  const auto architecture = parseArchitecture(value);
  if (!architecture) return unsupported(value);
  codes_.push_back({value, *architecture});
  return {};
}

Status ArchitectureSet::addGenerateCode(const std::string &value) {
  std::string arch;
  std::vector<std::string> codes;
  std::string plain = value;
  std::erase_if(plain, [](char c) { return c == '[' || c == ']' || c == '"' || c == ' '; });
  for (const std::string &item : splitList(plain)) {
    const bool isCode = item.starts_with("code=");
    if (item.starts_with("arch=")) {
      arch = item.substr(5);
      continue;
    }
    if (!isCode && codes.empty()) return Failure{"Unknown keyword in option '--generate-code " + value + "'"};
    codes.push_back(isCode ? item.substr(5) : item);
  }
  if (arch.empty()) return Failure{"Option '--generate-code " + value + "', missing arch"};
  if (codes.empty()) return Failure{"Option '--generate-code " + value + "', missing code"};
  for (const std::string &code : codes) {
    if (Status status = checkPair(arch, code); !status.ok()) return status;
    fromGenerateCode_.push_back({kindOf(code), *parseArchitecture(arch), *parseArchitecture(code)});
  }
  return {};
}

Status ArchitectureSet::check() const {
  if (codes_.empty()) return {};
  if (arch_.empty()) return Failure{"-arch option not specified"};
  if (!parseArchitecture(arch_)) return Failure{"Cannot use '-arch=" + arch_ + "' with '--gpu-code (-code)'"};
  for (const Name &code : codes_)
    if (Status status = checkPair(arch_, code.text); !status.ok()) return status;
  return {};
}

// What the machine's own GPU is shows when the program runs.
std::vector<CodeTarget> ArchitectureSet::fromArch() const {
  if (arch_.empty()) return {};
  if (arch_ == "native") return {anyDevice};
  std::vector<CodeTarget> result;
  if (arch_ == "all" || arch_ == "all-major") {
    for (const Architecture &each : namedSet(arch_)) result.push_back({CodeTarget::Kind::Binary, each, each});
    const Architecture newest = result.back().source;
    result.push_back({CodeTarget::Kind::Ptx, newest, newest});
    return result;
  }
  const Architecture source = *parseArchitecture(arch_);
  for (const Name &code : codes_) result.push_back({kindOf(code.text), source, code.architecture});
  if (!codes_.empty()) return result;
  if (kindOf(arch_) == CodeTarget::Kind::Binary) result.push_back({CodeTarget::Kind::Binary, source, source});
  result.push_back({CodeTarget::Kind::Ptx, source, source});
  return result;
}

std::vector<CodeTarget> ArchitectureSet::targets() const {
  std::vector<CodeTarget> result = fromArch();
  for (const CodeTarget &target : fromGenerateCode_)
    if (std::ranges::find(result, target) == result.end()) result.push_back(target);
  if (result.empty()) result.push_back(anyDevice);
  return result;
}

std::vector<Architecture> ArchitectureSet::sources() const {
  std::vector<Architecture> result;
  for (const CodeTarget &target : targets()) result.push_back(target.source);
  std::ranges::sort(result, std::greater());
  const auto repeated = std::ranges::unique(result);
  result.erase(repeated.begin(), repeated.end());
  return result;
}

Architecture ArchitectureSet::target() const { return sources().front(); }

std::vector<int> ArchitectureSet::list() const {
  std::vector<int> result;
  for (const Architecture &architecture : sources())
    if (result.empty() || result.back() != architecture.macro) result.push_back(architecture.macro);
  std::ranges::reverse(result);
  return result;
}

std::string nameOf(const Architecture &architecture) {
  std::string name = std::to_string(architecture.macro / 10);
  if (architecture.variant != '\0') name += architecture.variant;
  return name;
}

std::string describe(const std::vector<CodeTarget> &targets, const Architecture &source) {
  std::string text;
  for (const CodeTarget &target : targets) {
    if (target.source != source) continue;
    text += (text.empty() ? "compute_" : ",compute_") + nameOf(source) + ":";
    if (target.kind == CodeTarget::Kind::Any) text += "any";
    if (target.kind == CodeTarget::Kind::Binary) text += "sm_" + nameOf(target.code);
    if (target.kind == CodeTarget::Kind::Ptx) text += "compute_" + nameOf(target.code);
  }
  return text;
}

}  // namespace hostwarp::driver
