// What `hostwarp check` takes, for commands that hand options on to it.
#ifndef HOSTWARP_TOOLS_HOSTWARP_CHECK_OPTIONS_H
#define HOSTWARP_TOOLS_HOSTWARP_CHECK_OPTIONS_H

#include <string_view>

namespace hostwarp::tool {

enum class CheckOption { None, Flag, WithValue };

// checkOption() tells whether check has an option of this name, and whether a value belongs to it.
CheckOption checkOption(std::string_view name);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_CHECK_OPTIONS_H
