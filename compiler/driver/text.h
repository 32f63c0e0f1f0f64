// Splitting and quoting of command-line text.
#ifndef HOSTWARP_COMPILER_DRIVER_TEXT_H
#define HOSTWARP_COMPILER_DRIVER_TEXT_H

#include <string>
#include <string_view>
#include <vector>

namespace hostwarp::driver {

// splitList() splits nvcc's comma-separated values: a backslash or double quotes protect a comma, and quotes stay.
// splitList("a,\"b,c\"") is {"a", "\"b,c\""}.
std::vector<std::string> splitList(std::string_view text);

// withoutEscapes() drops the backslashes before quotes and backslashes: nvcc takes -DNAME=\"text\" as a shell leaves it
// and as build systems pass it without one.
std::string withoutEscapes(std::string_view text);

// splitWords() splits at blanks as a shell would, removing quotes and backslashes.
std::vector<std::string> splitWords(std::string_view text);

// quoteForShell() is `argument` in a form that a shell reads back as one word.
std::string quoteForShell(std::string_view argument);

// join() writes `parts` with `separator` between them.
std::string join(const std::vector<std::string> &parts, std::string_view separator);

// fileStem() and fileSuffix() split the last component of a path at its last dot: "d/a.b.cu" is "a.b" and ".cu".
std::string fileStem(std::string_view path);
std::string fileSuffix(std::string_view path);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_TEXT_H
