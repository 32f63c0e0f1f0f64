// What an input file is, by its name and -x.
#ifndef HOSTWARP_COMPILER_DRIVER_INPUT_KIND_H
#define HOSTWARP_COMPILER_DRIVER_INPUT_KIND_H

#include <optional>
#include <string>

#include "compiler/driver/invocation.h"

namespace hostwarp::driver {

// languageOf() is how `path` is treated. -x overrides the suffix, except that of object files and libraries.
std::optional<Language> languageOf(const std::string &path, const std::string &forcedLanguage);

// isCompiled() tells whether a file of this language goes through a compiler.
bool isCompiled(Language language);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_INPUT_KIND_H
