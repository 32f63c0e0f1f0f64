#include "compiler/driver/input_kind.h"

#include <string_view>

#include "compiler/driver/text.h"

namespace hostwarp::driver {
namespace {

struct Suffix {
  std::string_view text;
  Language language;
};

constexpr Suffix suffixes[] = {
    {".cu", Language::Cuda},
    {".ptx", Language::Cuda},
    {".hwcode", Language::Cuda},
    {".cpp", Language::Cxx},
    {".cc", Language::Cxx},
    {".cxx", Language::Cxx},
    {".c++", Language::Cxx},
    {".C", Language::Cxx},
    {".CPP", Language::Cxx},
    {".c", Language::C},
    {".ii", Language::PreprocessedCxx},
    {".i", Language::PreprocessedC},
    {".o", Language::Object},
    {".cubin", Language::Object},
    {".fatbin", Language::Object},
    {".obj", Language::Object},
    {".a", Language::Object},
    {".so", Language::Object},
    {".lib", Language::Object},
    {".dylib", Language::Object},
};

std::optional<Language> bySuffix(const std::string &path) {
  const std::string suffix = fileSuffix(path);
  for (const Suffix &known : suffixes)
    if (suffix == known.text) return known.language;
  // libfoo.so.1.2 is a library too.
  if (path.find(".so.") != std::string::npos) return Language::Object;
  return std::nullopt;
}

}  // namespace

std::optional<Language> languageOf(const std::string &path, const std::string &forcedLanguage) {
  const std::optional<Language> language = bySuffix(path);
  if (forcedLanguage.empty() || language == Language::Object) return language;
  if (forcedLanguage == "cu") return Language::Cuda;
  return forcedLanguage == "c" ? Language::C : Language::Cxx;
}

bool isCompiled(Language language) { return language != Language::Object; }

}  // namespace hostwarp::driver
