// The one cryptographic hash.
#ifndef HOSTWARP_COMPILER_HASH_SHA256_H
#define HOSTWARP_COMPILER_HASH_SHA256_H

#include <string>
#include <string_view>

namespace hostwarp::hash {

// sha256() is the hash of the text as 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace hostwarp::hash

#endif  // HOSTWARP_COMPILER_HASH_SHA256_H
