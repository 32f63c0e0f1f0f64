// Source text as characters, for what has to be found before clang sees it.
#ifndef HOSTWARP_COMPILER_DRIVER_SOURCE_TEXT_H
#define HOSTWARP_COMPILER_DRIVER_SOURCE_TEXT_H

#include <string>
#include <string_view>

namespace hostwarp::driver {

// codeOf() is the text with blanks in place of comments and of what literals hold (strings, raw ones and characters);
// the quotes and the line breaks stay, so that each place in it is the same place in the text.
std::string codeOf(std::string_view text);

// isNameCharacter() tells what names of C++ are made of, but for the letters beyond ASCII.
bool isNameCharacter(char c);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_SOURCE_TEXT_H
