// Warp matrix functions: nvcuda::wmma [CUDA 5.6 warp matrix functions].
#ifndef HOSTWARP_MMA_H
#define HOSTWARP_MMA_H
#define __CUDA_MMA_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus)

#include "hostwarp/wmma_fragments.h"
#include "hostwarp/wmma_functions.h"
#include "hostwarp/wmma_products.h"

#endif

#endif  // HOSTWARP_MMA_H
