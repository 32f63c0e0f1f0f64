// CUDA's function, variable and parameter annotations, for each way a file can be compiled: clang's CUDA mode (host and
// device pass) and plain C or C++ [CUDA 5.4 language extensions].
#ifndef HOSTWARP_HOST_DEFINES_H
#define HOSTWARP_HOST_DEFINES_H
#define __HOST_DEFINES_H__
#define __CRT_HOST_DEFINES_H__

#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDAAPI
#define CUDART_CB
#define CUDA_CB
#define __CUDA_DEPRECATED

#define __align__(...) __attribute__((aligned(__VA_ARGS__)))
#define __builtin_align__(...) __align__(__VA_ARGS__)
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __no_return__ __attribute__((noreturn))
// A limit of registers for one function; nothing allocates registers here.
#define __local_maxnreg__(...)
#define __thread__ __thread
#define __import__
#define __export__
#define __annotate__(a) __attribute__((a))
#define __location__(a) __annotate__(a)
#define __device_builtin__
#define __nv_pure__ __attribute__((pure))

// Questions about the architecture that code is compiled for: a feature of sm_90a, sm_100a itself, the family of
// sm_100f.
#define __CUDA_ARCH_HAS_FEATURE__(feature) __CUDA_ARCH_FEAT_##feature
#if defined(__CUDA_ARCH_SPECIFIC__)
#define __CUDA_HAS_ARCH_SPECIFIC(number) (__CUDA_ARCH_SPECIFIC__ == (number##0))
#else
#define __CUDA_HAS_ARCH_SPECIFIC(number) 0
#endif
#if defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
// A family has up to ten numbers from its first one on; 101 is one of its own.
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(number)                                                                    \
  (((number) == 101) == (__CUDA_ARCH_FAMILY_SPECIFIC__ == 1010) && __CUDA_ARCH_FAMILY_SPECIFIC__ >= (number##0) && \
   __CUDA_ARCH_FAMILY_SPECIFIC__ < (number##0) + 100)
#else
#define __CUDA_HAS_ARCH_FAMILY_SPECIFIC(number) 0
#endif

#if defined(__CUDA__) && defined(__clang__)

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#if defined(HOSTWARP_DEVICE_LAUNCHES)
// Where device code launches kernels, the device pass takes a kernel for a function that both sides may call; hwcc has
// rewritten the launches.
#define __global__ __attribute__((host)) __attribute__((device)) __attribute__((used, annotate("hostwarp.kernel")))
#define __launch_bounds__(...) __attribute__((annotate("hostwarp.launch_bounds", __VA_ARGS__)))
#else
#define __global__ __attribute__((global))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#endif
// hostwarp_uninitialized comes from hwcc's plugin.
#if __has_attribute(hostwarp_uninitialized)
#define __shared__ __attribute__((shared, hostwarp_uninitialized))
#else
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
// Clang keeps annotations of definitions alone; the host pass's plugin knows variables of other sources by the section.
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device)) __attribute__((annotate("hostwarp.managed")))
#else
#define __managed__ __attribute__((device)) __attribute__((annotate("hostwarp.managed"), section("hostwarp_managed")))
#endif
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))
// Runtime functions that kernels may call too [CUDA 4.18 dynamic parallelism].
#define __cudart_builtin__ __attribute__((device))
// Kernel properties clang has no attribute for travel as annotations with arguments; of __block_size__ those of both
// triples, the block's and the cluster's.
#define __cluster_dims__(...) __attribute__((annotate("hostwarp.cluster_dims" __VA_OPT__(, ) __VA_ARGS__)))
#define __block_size__(block, ...) \
  __attribute__((                  \
      annotate("hostwarp.block_size", HOSTWARP_TRIPLE_OF block __VA_OPT__(, HOSTWARP_TRIPLE_OF) __VA_ARGS__)))
#define HOSTWARP_TRIPLE_OF(x, y, z) x, y, z
#define __maxnreg__(count) __attribute__((annotate("hostwarp.maxnreg", count)))
#define __grid_constant__ __attribute__((annotate("hostwarp.grid_constant")))
// nvcc's questions about lambdas (<hostwarp/lambda_traits.h>).
#define __nv_is_extended_device_lambda_closure_type(...) (::hostwarp::LambdaTraits<__VA_ARGS__>::device)
#define __nv_is_extended_host_device_lambda_closure_type(...) (::hostwarp::LambdaTraits<__VA_ARGS__>::hostDevice)
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) \
  (::hostwarp::LambdaTraits<__VA_ARGS__>::preservedReturnType || ::hostwarp::fileNameHas(__FILE__, "/cuda/std/"))
// __noinline__ is one of clang's keywords in CUDA mode.

#else

#define __host__
#define __device__
#define __global__
#define __managed__
#define __launch_bounds__(...)
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define __grid_constant__
// Empty, because the standard library writes __attribute__((__noinline__)), which must go on working.
#define __noinline__

// __shared__ and __constant__ need storage per block here, so they come with the device headers.
#if defined(__cplusplus) && defined(__has_include)
#if __has_include("hostwarp/plain_cpp.h")
#include "hostwarp/plain_cpp.h"
#endif
#endif
#if !defined(__shared__)
#define __shared__ static
#endif
#if !defined(__constant__)
#define __constant__
#endif

#endif

#endif  // HOSTWARP_HOST_DEFINES_H
