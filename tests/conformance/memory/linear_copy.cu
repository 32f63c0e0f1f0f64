// cudaMemcpy in every direction, at odd offsets and sizes, and of zero bytes.
#include "../check.h"

#include <cstring>
#include <numeric>

static std::vector<unsigned char> pattern(size_t n, int seed) {
  std::vector<unsigned char> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<unsigned char>(i * 7 + seed);
  return v;
}

static void roundTrip(size_t n, size_t offset, cudaMemcpyKind up, cudaMemcpyKind across, cudaMemcpyKind down) {
  const std::vector<unsigned char> in = pattern(n, 3);
  check::DeviceArray<unsigned char> a(n + 16, 0xAA), b(n + 16, 0xBB);
  std::vector<unsigned char> out(n + 2, 0xCC);
  CUDA_OK(cudaMemcpy(a.get() + offset, in.data(), n, up));
  CUDA_OK(cudaMemcpy(b.get() + 1, a.get() + offset, n, across));
  CUDA_OK(cudaMemcpy(out.data() + 1, b.get() + 1, n, down));
  CHECK(memcmp(out.data() + 1, in.data(), n) == 0);
  CHECK_EQ(out[0], 0xCC);
  CHECK_EQ(out[n + 1], 0xCC);
  const std::vector<unsigned char> aAfter = a.download(), bAfter = b.download();
  for (size_t i = 0; i < offset; ++i) CHECK_EQ(aAfter[i], 0xAA);
  CHECK_EQ(aAfter[offset + n], 0xAA);
  CHECK_EQ(bAfter[0], 0xBB);
  CHECK_EQ(bAfter[n + 1], 0xBB);
}

int main() {
  for (size_t n : {size_t(0), size_t(1), size_t(255), size_t(4099), size_t(1) << 20})
    for (size_t offset : {0, 1, 7}) {
      roundTrip(n, offset, cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice, cudaMemcpyDeviceToHost);
      roundTrip(n, offset, cudaMemcpyDefault, cudaMemcpyDefault, cudaMemcpyDefault);
    }
  const std::vector<unsigned char> in = pattern(1000, 5);
  std::vector<unsigned char> out(1000);
  CUDA_OK(cudaMemcpy(out.data(), in.data(), in.size(), cudaMemcpyHostToHost));
  CHECK(out == in);
  CUDA_OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));

  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  check::DeviceArray<unsigned char> device(1000);
  out.assign(1000, 0);
  CUDA_OK(cudaMemcpyAsync(device.get(), in.data(), 1000, cudaMemcpyHostToDevice, stream));
  CUDA_OK(cudaMemcpyAsync(out.data(), device.get(), 1000, cudaMemcpyDeviceToHost, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK(out == in);
  CUDA_OK(cudaStreamDestroy(stream));
  return check::finish();
}
