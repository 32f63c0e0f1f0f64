// Bytes as text, by RFC 4648.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_BASE64_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_BASE64_H

#include <string>
#include <string_view>

namespace hostwarp::tool::compare {

std::string toBase64(std::string_view bytes);
// fromBase64() ends at what is no such text.
std::string fromBase64(std::string_view text);

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_BASE64_H
