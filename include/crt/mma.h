// CUDA's own place for <mma.h>.
#ifndef HOSTWARP_CRT_MMA_H
#define HOSTWARP_CRT_MMA_H
#include "../mma.h"
#endif  // HOSTWARP_CRT_MMA_H
