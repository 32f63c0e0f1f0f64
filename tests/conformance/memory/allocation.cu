// Allocations are aligned to 256 bytes, disjoint, reusable after cudaFree, and counted by cudaMemGetInfo.
#include "../check.h"

#include <algorithm>

int main() {
  std::vector<std::pair<char *, size_t>> blocks;
  for (size_t size = 1; size < 100000; size = size * 3 + 1) {
    char *pointer = nullptr;
    CUDA_OK(cudaMalloc(&pointer, size));
    CHECK_EQ(reinterpret_cast<size_t>(pointer) % 256, 0u);
    CUDA_OK(cudaMemset(pointer, static_cast<int>(blocks.size()), size));
    blocks.push_back({pointer, size});
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    std::vector<char> host(blocks[i].second);
    CUDA_OK(cudaMemcpy(host.data(), blocks[i].first, host.size(), cudaMemcpyDeviceToHost));
    for (char c : host) CHECK_EQ(c, static_cast<char>(i));
  }
  std::sort(blocks.begin(), blocks.end());
  for (size_t i = 1; i < blocks.size(); ++i) CHECK(blocks[i - 1].first + blocks[i - 1].second <= blocks[i].first);
  for (auto &block : blocks) CUDA_OK(cudaFree(block.first));

  size_t freeBefore = 0, freeDuring = 0, total = 0;
  CUDA_OK(cudaMemGetInfo(&freeBefore, &total));
  CHECK(freeBefore <= total);
  void *big = nullptr;
  CUDA_OK(cudaMalloc(&big, size_t(256) << 20));
  CUDA_OK(cudaMemGetInfo(&freeDuring, &total));
  CHECK(freeDuring + (size_t(200) << 20) <= freeBefore);
  CUDA_OK(cudaFree(big));

  // Far more memory in turn than the device has at once.
  for (int i = 0; i < 400; ++i) {
    CUDA_OK(cudaMalloc(&big, size_t(1) << 30));
    CUDA_OK(cudaFree(big));
  }
  return check::finish();
}
