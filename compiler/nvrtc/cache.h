// Compilations kept on disk.
#ifndef HOSTWARP_COMPILER_NVRTC_CACHE_H
#define HOSTWARP_COMPILER_NVRTC_CACHE_H

#include "compiler/nvrtc/compilation.h"

namespace hostwarp::nvrtc {

// findCached() fills `product` from an earlier compilation of an equal request by the same compiler, and returns false
// when there is none or a file that it included has changed since.
bool findCached(const Request &request, Product &product);

// keepCached() stores the product for later runs of any program of this user. A full or read-only disk is no error.
void keepCached(const Request &request, const Product &product);

}  // namespace hostwarp::nvrtc

#endif  // HOSTWARP_COMPILER_NVRTC_CACHE_H
