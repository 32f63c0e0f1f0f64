// A hand-made module, as hwcc would embed it: kernels and variables for tests that need no compiler.
#ifndef HOSTWARP_TESTS_UNIT_EMU_RUNTIME_TEST_MODULE_H
#define HOSTWARP_TESTS_UNIT_EMU_RUNTIME_TEST_MODULE_H

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>

namespace hostwarp::tests {

// The kernels' handles; launch them with cudaLaunchKernel(). Parameters in brackets.
extern const char addOne[];         // [int *data, int count] data[i] += 1
extern const char waitForFlag[];    // [std::atomic<int> *flag] returns once *flag is not 0
extern const char storeInt[];       // [int *where, int value]
extern const char divergeTrap[];    // [] traps
extern const char heapTwice[];      // [int **out] out[0], out[1] = malloc(64); frees out[0]
extern const char setCondition[];   // [uint64_t handle, std::atomic<int> *flag] sets *flag once it is not 0
extern const char bounded[];        // [] __launch_bounds__(64)
extern const char manyArguments[];  // [char, double, short, int *out] *out = sum

// The variables' handles.
extern char plainVariable[];     // int[4], initially 1, 2, 3, 4
extern char constantVariable[];  // int[4]
extern int *managedPointer;      // int[2]

// readVariableKernel: [int *out] out[i] = plainVariable[i] of the device that runs it.
extern const char readVariable[];

// launch() launches a kernel with the given arguments.
template <typename... Arguments>
cudaError_t launch(const void *kernel, unsigned blocks, unsigned threads, cudaStream_t stream, Arguments... arguments) {
  void *list[] = {&arguments..., nullptr};
  return cudaLaunchKernel(kernel, dim3(blocks, 1, 1), dim3(threads, 1, 1), list, 0, stream);
}

// RuntimeTest starts each test with sound contexts and checks at its end that nothing is left over.
class RuntimeTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // fill() makes device memory of `count` ints with these values; freed by the test.
  static int *deviceInts(int count, int value);
};

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_UNIT_EMU_RUNTIME_TEST_MODULE_H
