// The C library's assert.h. Programs may include it several times, with and without NDEBUG, so it has no guard.
#if defined(__clang__) && defined(__CUDA__)
// __assert_fail() belongs to both sides, as with nvcc (hostwarp/c_library.h).
#pragma clang force_cuda_host_device begin
#include_next <assert.h>
#pragma clang force_cuda_host_device end
#else
#include_next <assert.h>
#endif
