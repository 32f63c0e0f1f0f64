// The definitions are where the declarations are.
#ifndef HOSTWARP_CUDA_FP8_HPP
#define HOSTWARP_CUDA_FP8_HPP
#include "cuda_fp8.h"
#endif  // HOSTWARP_CUDA_FP8_HPP
