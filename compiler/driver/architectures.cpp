#include "compiler/driver/architectures.h"

#include <algorithm>
#include <charconv>

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

constexpr Architecture defaultArchitecture{900, '\0'};

std::vector<Architecture> namedSet(std::string_view value) {
  std::vector<Architecture> result;
  for (const Row &row : rows)
    if (row.listed && (value == "all" || row.name % 10 == 0 || row.name == 75)) result.push_back({row.macro, '\0'});
  return result;
}

Failure unsupported(const std::string &name) { return Failure{"Unsupported gpu architecture '" + name + "'"}; }

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
  if (value == "native") {
    fromArch_ = {defaultArchitecture};
    return {};
  }
  if (value == "all" || value == "all-major") {
    fromArch_ = namedSet(value);
    return {};
  }
  const auto architecture = parseArchitecture(value);
  if (!architecture) return unsupported(value);
  fromArch_ = {*architecture};
  return {};
}

Status ArchitectureSet::addCode(const std::string &value) {
  if (!parseArchitecture(value)) return unsupported(value);
  codeGiven_ = true;
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
  const auto parsed = parseArchitecture(arch);
  if (!parsed) return unsupported(arch);
  for (const std::string &code : codes) {
    const auto target = parseArchitecture(code);
    if (!target) return unsupported(code);
    if (target->macro < parsed->macro)
      return Failure{"Incompatible code generation requested: arch='" + arch + "', code='" + code + "'"};
  }
  fromGenerateCode_.push_back(*parsed);
  return {};
}

Status ArchitectureSet::check() const {
  if (codeGiven_ && fromArch_.empty()) return Failure{"-arch option not specified"};
  return {};
}

std::vector<Architecture> ArchitectureSet::all() const {
  std::vector<Architecture> result = fromArch_;
  result.insert(result.end(), fromGenerateCode_.begin(), fromGenerateCode_.end());
  if (result.empty()) result.push_back(defaultArchitecture);
  std::sort(result.begin(), result.end());
  return result;
}

Architecture ArchitectureSet::target() const { return all().back(); }

std::vector<int> ArchitectureSet::list() const {
  std::vector<int> result;
  for (const Architecture &architecture : all())
    if (result.empty() || result.back() != architecture.macro) result.push_back(architecture.macro);
  return result;
}

}  // namespace hostwarp::driver
