// The definitions are where the declarations are.
#ifndef HOSTWARP_CUDA_FP6_HPP
#define HOSTWARP_CUDA_FP6_HPP
#include "cuda_fp6.h"
#endif  // HOSTWARP_CUDA_FP6_HPP
