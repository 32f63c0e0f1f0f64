// How our own device functions are declared in the three ways a file can be compiled:
//   clang's CUDA mode, device pass (__CUDA_ARCH__ is defined), clang's CUDA mode, host pass, and plain C++.
#ifndef HOSTWARP_DEVICE_QUALIFIERS_H
#define HOSTWARP_DEVICE_QUALIFIERS_H

#if defined(__CUDA__) && defined(__clang__)
#define HOSTWARP_CUDA_MODE 1
#else
#define HOSTWARP_CUDA_MODE 0
#endif

// HOSTWARP_NODEBUG keeps debuggers from stepping into one-line wrappers.
#if defined(__clang__)
#define HOSTWARP_NODEBUG __attribute__((nodebug))
#else
#define HOSTWARP_NODEBUG __attribute__((artificial))
#endif

#define HOSTWARP_ALWAYS_INLINE inline __attribute__((always_inline)) HOSTWARP_NODEBUG

// HOSTWARP_DEVICE and HOSTWARP_HOST_DEVICE begin the definition of a small function; HOSTWARP_DEVICE_FUNCTION that of
// one too large to be copied into every caller. HOSTWARP_DEVICE_C and HOSTWARP_HOST_DEVICE_C declare a library
// function.
#if HOSTWARP_CUDA_MODE
#define HOSTWARP_DEVICE __attribute__((device)) HOSTWARP_ALWAYS_INLINE
#define HOSTWARP_DEVICE_FUNCTION __attribute__((device)) inline
#define HOSTWARP_HOST_DEVICE __attribute__((host)) __attribute__((device)) HOSTWARP_ALWAYS_INLINE
#define HOSTWARP_DEVICE_C extern "C" __attribute__((device))
#define HOSTWARP_HOST_DEVICE_C extern "C" __attribute__((host)) __attribute__((device))
#else
#define HOSTWARP_DEVICE HOSTWARP_ALWAYS_INLINE
#define HOSTWARP_DEVICE_FUNCTION inline
#define HOSTWARP_HOST_DEVICE HOSTWARP_ALWAYS_INLINE
#define HOSTWARP_DEVICE_C extern "C"
#define HOSTWARP_HOST_DEVICE_C extern "C"
#endif

// HOSTWARP_OWN_NAME precedes functions whose names a host program may well define itself (min, rsqrt, atomicAdd). In
// plain C++ they are templates, so a program's own function of the same name is neither a redefinition nor ambiguous:
// overload resolution prefers it.
#if HOSTWARP_CUDA_MODE
#define HOSTWARP_OWN_NAME
#else
#define HOSTWARP_OWN_NAME template <class = void>
#endif

// HOSTWARP_PURE: the result depends on the operands alone.
#define HOSTWARP_PURE __attribute__((const))

#if __cplusplus >= 201103L
#define HOSTWARP_NOEXCEPT noexcept
#else
#define HOSTWARP_NOEXCEPT throw()
#endif

#endif  // HOSTWARP_DEVICE_QUALIFIERS_H
