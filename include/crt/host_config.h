// Which host compilers CUDA accepts: here, all that can compile the program.
#ifndef HOSTWARP_CRT_HOST_CONFIG_H
#define HOSTWARP_CRT_HOST_CONFIG_H
#define __HOST_CONFIG_H__
#if defined(__clang__) && defined(__CUDA_ARCH__)
#if __clang_major__ < 19
// Their device pass says that it has the type, and refuses it.
#undef __FLOAT128__
#undef __SIZEOF_FLOAT128__
#endif
#endif
#include <features.h>
#endif  // HOSTWARP_CRT_HOST_CONFIG_H
