#include "kernels.h"

#include <cuda_runtime.h>

#include <stdexcept>

namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

// DeviceArray is memory of the device, freed with it.
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<float> &values) : bytes_(values.size() * sizeof(float)) {
    check(cudaMalloc(&data_, bytes_));
    check(cudaMemcpy(data_, values.data(), bytes_, cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  float *data() const { return data_; }
  void copyTo(std::vector<float> &values) const {
    check(cudaMemcpy(values.data(), data_, bytes_, cudaMemcpyDeviceToHost));
  }

 private:
  float *data_ = nullptr;
  size_t bytes_;
};

__global__ void saxpyKernel(size_t n, float a, const float *x, float *y) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

}  // namespace

std::vector<float> saxpy(float a, const std::vector<float> &x, const std::vector<float> &y) {
  std::vector<float> result(y.size());
  if (y.empty()) return result;
  const DeviceArray deviceX(x), deviceY(y);
  const unsigned threads = 256, blocks = unsigned((y.size() + threads - 1) / threads);
  saxpyKernel<<<blocks, threads>>>(y.size(), a, deviceX.data(), deviceY.data());
  check(cudaGetLastError());
  deviceY.copyTo(result);
  return result;
}
