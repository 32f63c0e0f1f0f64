// What a kernel's name says of its parameters.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_SIGNATURE_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_SIGNATURE_H

#include <string>
#include <string_view>
#include <vector>

namespace hostwarp::digests {

// parametersOf() are the types in "void scale<float>(float const*, int)": "float const*" and "int".
std::vector<std::string> parametersOf(std::string_view kernel);

// pointeeOf() is what a pointer's type points to, without const and the like: "float". Empty: it is no pointer.
std::string pointeeOf(std::string_view type);

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_SIGNATURE_H
