// What clang's code for OpenMP calls and the libomp of other releases lacks.
#ifndef HOSTWARP_OPENMP_H
#define HOSTWARP_OPENMP_H

#if defined(_OPENMP) && !defined(__CUDA_ARCH__)
// clang 19 calls it at the end of loops with a schedule; libomp has it from 19 on, where it does nothing on a host.
extern "C" __attribute__((weak)) void __kmpc_dispatch_deinit(void *, int) {}
#endif

#endif  // HOSTWARP_OPENMP_H
