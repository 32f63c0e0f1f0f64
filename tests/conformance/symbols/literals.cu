// Addresses of literals and tables of constants in device code are addresses of device memory, which the host copies
// from.
#include <cstring>
#include <string>

#include "../check.h"

struct Entry {
  const char *name;
  int number;
};

__device__ const char *chosen(int i) {
  switch (i) {
    case 0:
      return "none";
    case 1:
      return "the first";
    default:
      return "more than that";
  }
}

__global__ void store(const char **texts, const int **numbers, Entry *entry) {
  static const int squares[] = {0, 1, 4, 9, 16, 25};
  static const Entry entries[] = {{"zero", 0}, {"one", 1}, {"two", 2}};
  const int i = threadIdx.x;
  texts[i] = chosen(i);
  numbers[i] = squares + 2 * i;
  if (i == 2) {
    *entry = entries[blockDim.x - 1];
    texts[3] = __func__;
  }
}

static std::string download(const char *text, size_t length) {
  std::string copy(length, '\0');
  CUDA_OK(cudaMemcpy(&copy[0], text, length, cudaMemcpyDeviceToHost));
  return copy;
}

int main() {
  check::DeviceArray<const char *> texts(4);
  check::DeviceArray<const int *> numbers(3);
  check::DeviceArray<Entry> entry(1);
  store<<<1, 3>>>(texts.get(), numbers.get(), entry.get());
  LAUNCH_OK();
  const char *const expected[] = {"none", "the first", "more than that", "store"};
  for (int i = 0; i < 4; ++i) {
    const char *text = texts.download()[i];
    CHECK_EQ(download(text, strlen(expected[i])) == expected[i], true);
    cudaPointerAttributes attributes;
    CUDA_OK(cudaPointerGetAttributes(&attributes, text));
    CHECK_EQ(attributes.type, cudaMemoryTypeDevice);
    CHECK_EQ(attributes.devicePointer == text, true);
    // The same text of the host's is the host's.
    CUDA_OK(cudaPointerGetAttributes(&attributes, expected[i]));
    CHECK_EQ(attributes.type, cudaMemoryTypeUnregistered);
  }
  for (int i = 0; i < 3; ++i) {
    int pair[2] = {-1, -1};
    CUDA_OK(cudaMemcpy(pair, numbers.download()[i], sizeof pair, cudaMemcpyDefault));
    CHECK_EQ(pair[0], 4 * i * i);
    CHECK_EQ(pair[1], (2 * i + 1) * (2 * i + 1));
  }
  const Entry two = entry.download()[0];
  CHECK_EQ(two.number, 2);
  CHECK_EQ(download(two.name, 4) == std::string("two", 4), true);
  return check::finish();
}
