// The definitions are where the declarations are.
#ifndef HOSTWARP_CUDA_FP4_HPP
#define HOSTWARP_CUDA_FP4_HPP
#include "cuda_fp4.h"
#endif  // HOSTWARP_CUDA_FP4_HPP
