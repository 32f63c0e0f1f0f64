// The definitions are where the declarations are.
#ifndef HOSTWARP_CUDA_BF16_HPP
#define HOSTWARP_CUDA_BF16_HPP
#include "cuda_bf16.h"
#endif  // HOSTWARP_CUDA_BF16_HPP
