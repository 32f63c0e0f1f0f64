// cudaMemset fills bytes; only the lowest byte of the value counts; asynchronous forms keep stream order.
#include "../check.h"

int main() {
  check::DeviceArray<unsigned char> bytes(1003, 9);
  CUDA_OK(cudaMemset(bytes.get() + 1, 0xABCDEF12, 1000));
  std::vector<unsigned char> host = bytes.download();
  CHECK_EQ(host[0], 9);
  for (int i = 1; i <= 1000; ++i) CHECK_EQ(host[i], 0x12);
  CHECK_EQ(host[1001], 9);
  CUDA_OK(cudaMemset(bytes.get(), 1, 0));
  CHECK_EQ(bytes.download()[0], 9);

  check::DeviceArray<int> words(100);
  CUDA_OK(cudaMemset(words.get(), -1, words.bytes()));
  for (int w : words.download()) CHECK_EQ(w, -1);

  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  for (int i = 0; i < 20; ++i) CUDA_OK(cudaMemsetAsync(words.get(), i, words.bytes(), stream));
  CUDA_OK(cudaMemset2DAsync(words.get(), 40, 0x55, 4, 10, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  const std::vector<int> result = words.download();
  for (int i = 0; i < 100; ++i) CHECK_EQ(result[i], i % 10 == 0 ? 0x55555555 : 19 * 0x01010101);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
