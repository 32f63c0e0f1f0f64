#include <string>
#include <thread>
#include <vector>

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::tests {
namespace {

using LaunchTest = RuntimeTest;

TEST_F(LaunchTest, EveryThreadRunsOnce) {
  constexpr int count = 10000;
  int *data = deviceInts(count, 1);
  ASSERT_EQ(launch(addOne, (count + 127) / 128, 128, nullptr, data, count), cudaSuccess);
  std::vector<int> back(count);
  EXPECT_EQ(cudaMemcpy(back.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, std::vector<int>(count, 2));
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(LaunchTest, ArgumentsAreCopiedAtTheCall) {
  int *out = deviceInts(1, 0);
  std::atomic<int> flag{0};
  ASSERT_EQ(launch(waitForFlag, 1, 1, nullptr, &flag), cudaSuccess);
  char a = 1;
  double b = 20;
  short c = 300;
  void *arguments[] = {&a, &b, &c, &out};
  EXPECT_EQ(cudaLaunchKernel(manyArguments, dim3(1, 1, 1), dim3(1, 1, 1), arguments, 0, nullptr), cudaSuccess);
  a = 0, b = 0, c = 0;
  flag = 1;
  int sum = 0;
  EXPECT_EQ(cudaMemcpy(&sum, out, sizeof(sum), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(sum, 321);
  EXPECT_EQ(cudaFree(out), cudaSuccess);
}

TEST_F(LaunchTest, InvalidConfigurationsAreRefused) {
  int *data = nullptr;
  int count = 0;
  void *arguments[] = {&data, &count};
  auto code = [&](const void *kernel, dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
    const cudaError_t error = cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
    EXPECT_EQ(cudaGetLastError(), error);
    return error;
  };
  EXPECT_EQ(code(&count, {1, 1, 1}, {1, 1, 1}, 0, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(code(nullptr, {1, 1, 1}, {1, 1, 1}, 0, nullptr), cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(code(addOne, {0, 1, 1}, {1, 1, 1}, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(code(addOne, {1, 70000, 1}, {1, 1, 1}, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(code(addOne, {1, 1, 1}, {2048, 1, 1}, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(code(addOne, {1, 1, 1}, {1, 1, 65}, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(code(addOne, {1, 1, 1}, {1, 1, 1}, 49153, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(code(bounded, {1, 1, 1}, {65, 1, 1}, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(code(addOne, {1, 1, 1}, {1, 1, 1}, 0, reinterpret_cast<cudaStream_t>(&count)),
            cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaLaunchCooperativeKernel(addOne, dim3(1 << 20, 1, 1), dim3(32, 1, 1), arguments, 0, nullptr),
            cudaErrorCooperativeLaunchTooLarge);
}

TEST_F(LaunchTest, MoreSharedMemoryNeedsTheOptIn) {
  int *data = nullptr;
  int count = 0;
  void *arguments[] = {&data, &count};
  ASSERT_EQ(cudaFuncSetAttribute(addOne, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(addOne, dim3(1, 1, 1), dim3(1, 1, 1), arguments, 65536, nullptr), cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(addOne, dim3(1, 1, 1), dim3(1, 1, 1), arguments, 65537, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(addOne, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 30), cudaErrorInvalidValue);
  cudaFuncAttributes attributes{};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, addOne), cudaSuccess);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, 65536);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, bounded), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 64);
}

TEST_F(LaunchTest, AttributesOfALaunch) {
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = -2;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1, 1, 1);
  config.blockDim = dim3(32, 1, 1);
  config.attrs = attributes;
  config.numAttrs = 2;
  int *data = deviceInts(32, 0);
  int count = 32;
  void *arguments[] = {&data, &count};
  EXPECT_EQ(cudaLaunchKernelExC(&config, addOne, arguments), cudaSuccess);
  attributes[1].id = static_cast<cudaLaunchAttributeID>(99);
  EXPECT_EQ(cudaLaunchKernelExC(&config, addOne, arguments), cudaErrorInvalidValue);
  EXPECT_EQ(cudaLaunchKernelExC(nullptr, addOne, arguments), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(LaunchTest, ManyHostThreadsLaunchAtOnce) {
  constexpr int threads = 8, launches = 200;
  int *data = deviceInts(threads, 0);
  std::vector<std::thread> hosts;
  for (int i = 0; i < threads; ++i) {
    hosts.emplace_back([=] {
      cudaStream_t stream = nullptr;
      ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
      for (int k = 0; k < launches; ++k) ASSERT_EQ(launch(addOne, 1, 1, stream, data + i, 1), cudaSuccess);
      EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    });
  }
  for (std::thread &host : hosts) host.join();
  std::vector<int> back(threads);
  EXPECT_EQ(cudaMemcpy(back.data(), data, threads * sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, std::vector<int>(threads, launches));
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(LaunchTest, TheDeviceHeapLivesAcrossKernels) {
  int **out = nullptr;
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void **>(&out), 2 * sizeof(int *), cudaMemAttachGlobal), cudaSuccess);
  ASSERT_EQ(launch(heapTwice, 1, 1, nullptr, out), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_NE(out[0], nullptr);
  EXPECT_NE(out[1], nullptr);
  EXPECT_NE(out[0], out[1]);
  out[1][15] = 3;  // still allocated
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(out), cudaSuccess);
}

TEST_F(LaunchTest, OccupancyComesFromTheModel) {
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, addOne, 1024, 0), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, addOne, 0, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &blocks, 32, 0), cudaErrorInvalidResourceHandle);
}

TEST_F(LaunchTest, StreamOfAnotherDeviceTakesCopiesButNoKernels) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  int *data = deviceInts(4, 0);
  EXPECT_EQ(launch(addOne, 1, 4, stream, data, 4), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
  EXPECT_EQ(cudaMemsetAsync(data, 1, 16, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(data), cudaSuccess);
}

TEST_F(LaunchTest, OneKernelOnSeveralDevices) {
  cudaStream_t streams[2];
  int *data[2], count = 4;
  cudaLaunchParams list[2];
  void *arguments[2][2];
  for (int device = 1; device >= 0; --device) {
    ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&streams[device]), cudaSuccess);
    data[device] = deviceInts(count, 10 * device);
    arguments[device][0] = &data[device];
    arguments[device][1] = &count;
    list[device] = {const_cast<char *>(addOne), dim3(1, 1, 1), dim3(4, 1, 1), arguments[device], 0, streams[device]};
  }
  EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(list, 2, 0), cudaSuccess);
  for (int device = 0; device < 2; ++device) {
    int back[4] = {};
    EXPECT_EQ(cudaStreamSynchronize(streams[device]), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(back, data[device], sizeof(back), cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(back[3], 10 * device + 1);
    EXPECT_EQ(cudaStreamDestroy(streams[device]), cudaSuccess);
    EXPECT_EQ(cudaFree(data[device]), cudaSuccess);
  }
  list[1].stream = nullptr;
  EXPECT_EQ(cudaLaunchCooperativeKernelMultiDevice(list, 2, 0), cudaErrorInvalidResourceHandle);
  (void)cudaGetLastError();
}

TEST_F(LaunchTest, VariablesOfASecondDeviceAreItsOwn) {
  const int changed[4] = {9, 9, 9, 9};
  const int original[4] = {1, 2, 3, 4};
  auto read = [](int *out, int *back) {
    ASSERT_EQ(launch(readVariable, 1, 1, nullptr, out), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(back, out, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  };
  ASSERT_EQ(cudaMemcpyToSymbol(plainVariable, changed, 16, 0, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(1), cudaSuccess);
  int *out = deviceInts(4, 0), back[4];
  read(out, back);
  EXPECT_EQ(std::vector(back, back + 4), std::vector(original, original + 4));
  EXPECT_EQ(cudaFree(out), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  out = deviceInts(4, 0);
  read(out, back);
  EXPECT_EQ(std::vector(back, back + 4), std::vector(changed, changed + 4));
  EXPECT_EQ(cudaMemcpyToSymbol(plainVariable, original, 16, 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaFree(out), cudaSuccess);
}

}  // namespace
}  // namespace hostwarp::tests
