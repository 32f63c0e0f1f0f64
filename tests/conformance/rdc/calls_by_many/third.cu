// What a function that main.cu calls calls itself.
#include "shared.h"

__device__ int third(int value) { return 3 * value + static_cast<int>(threadIdx.x); }
