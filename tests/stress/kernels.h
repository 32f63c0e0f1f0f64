// A hand-made module with kernels and variables, for programs that are built without hwcc and use the shared libraries.
#ifndef HOSTWARP_TESTS_STRESS_KERNELS_H
#define HOSTWARP_TESTS_STRESS_KERNELS_H

#include <cuda_runtime_api.h>

namespace hostwarp::stress {

// The kernels' handles; parameters in brackets.
extern const char addInts[];      // [int *data, int count, int value] data[i] += value
extern const char copyInts[];     // [int *to, const int *from, int count]
extern const char storeInt[];     // [int *where, int value]
extern const char waitForFlag[];  // [const int *flag] returns once *flag is not 0
extern const char trap[];         // [] ends with an error

// The variables' handles.
extern char plainVariable[];     // int[4]
extern char constantVariable[];  // int[4]
extern int *managedPointer;      // int[2]

// launch() launches a kernel with the given arguments.
template <typename... Arguments>
cudaError_t launch(const void *kernel, unsigned blocks, unsigned threads, cudaStream_t stream, Arguments... arguments) {
  void *list[] = {&arguments..., nullptr};
  return cudaLaunchKernel(kernel, dim3(blocks, 1, 1), dim3(threads, 1, 1), list, 0, stream);
}

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_KERNELS_H
