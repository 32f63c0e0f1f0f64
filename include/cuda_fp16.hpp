// The definitions are where the declarations are.
#ifndef HOSTWARP_CUDA_FP16_HPP
#define HOSTWARP_CUDA_FP16_HPP
#include "cuda_fp16.h"
#endif  // HOSTWARP_CUDA_FP16_HPP
