// cudaMallocPitch, cudaMemcpy2D and cudaMemset2D: rows keep their pitch, bytes outside the rectangle stay untouched.
#include "../check.h"

__global__ void doubleEach(float *base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float *row = reinterpret_cast<float *>(reinterpret_cast<char *>(base) + y * pitch);
  row[x] *= 2;
}

static void throughPitched(int width, int height) {
  float *device = nullptr;
  size_t pitch = 0;
  CUDA_OK(cudaMallocPitch(&device, &pitch, width * sizeof(float), height));
  CHECK(pitch >= width * sizeof(float));
  CHECK_EQ(pitch % 32, 0u);
  CHECK_EQ(reinterpret_cast<size_t>(device) % 256, 0u);
  std::vector<float> in(width * height), out(width * height, -1);
  for (int i = 0; i < width * height; ++i) in[i] = static_cast<float>(i);
  const size_t rowBytes = width * sizeof(float);
  CUDA_OK(cudaMemcpy2D(device, pitch, in.data(), rowBytes, rowBytes, height, cudaMemcpyHostToDevice));
  doubleEach<<<dim3((width + 15) / 16, (height + 3) / 4), dim3(16, 4)>>>(device, pitch, width, height);
  CUDA_OK(cudaMemcpy2D(out.data(), rowBytes, device, pitch, rowBytes, height, cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; ++i) CHECK_EQ(out[i], 2.0f * i);
  CUDA_OK(cudaFree(device));
}

static void emptyOrImpossible() {
  char *device = nullptr;
  for (const size_t width : {size_t(0), size_t(64)}) {
    size_t pitch = 7;
    CUDA_OK(cudaMallocPitch(&device, &pitch, width, width == 0 ? 64 : 0));
    CHECK(device == nullptr);
    CHECK_EQ(pitch, 0u);
  }
  cudaPitchedPtr box;
  CUDA_OK(cudaMalloc3D(&box, make_cudaExtent(64, 64, 0)));
  CHECK(box.ptr == nullptr);
  CHECK_EQ(box.pitch, 0u);
  CHECK_EQ(box.xsize, 64u);
  size_t pitch = 0;
  CHECK_EQ(cudaMallocPitch(&device, &pitch, size_t(1) << 40, 64), cudaErrorMemoryAllocation);
  CHECK_EQ(cudaMallocPitch(&device, &pitch, ~size_t(0), 64), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

static void subRectangle() {
  const int width = 37, height = 11;
  check::DeviceArray<unsigned char> device(width * height, 0x11);
  CUDA_OK(cudaMemset2D(device.get() + 2 * width + 5, width, 0x77, 9, 4));
  std::vector<unsigned char> host = device.download();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) CHECK_EQ(host[y * width + x], x >= 5 && x < 14 && y >= 2 && y < 6 ? 0x77 : 0x11);

  std::vector<unsigned char> out(20 * 6, 0x22);
  CUDA_OK(cudaMemcpy2D(out.data() + 21, 20, device.get() + 2 * width + 5, width, 9, 4, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 6; ++y)
    for (int x = 0; x < 20; ++x) CHECK_EQ(out[y * 20 + x], y >= 1 && y < 5 && x >= 1 && x < 10 ? 0x77 : 0x22);

  check::DeviceArray<unsigned char> other(64 * 4, 0x33);
  CUDA_OK(cudaMemcpy2D(other.get(), 64, device.get() + 2 * width + 5, width, 9, 4, cudaMemcpyDeviceToDevice));
  host = other.download();
  for (int i = 0; i < 64 * 4; ++i) CHECK_EQ(host[i], i % 64 < 9 ? 0x77 : 0x33);

  // A width beyond a pitch is refused; an empty rectangle is not.
  CHECK_EQ(cudaMemcpy2D(out.data(), 8, device.get(), width, 9, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidPitchValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidPitchValue);
  CUDA_OK(cudaMemcpy2D(out.data(), 20, device.get(), width, 0, 4, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaMemcpy2D(out.data(), 20, device.get(), width, 9, 0, cudaMemcpyDeviceToHost));
}

int main() {
  throughPitched(1, 1);
  throughPitched(33, 17);
  throughPitched(128, 5);
  throughPitched(1000, 3);
  subRectangle();
  emptyOrImpossible();
  return check::finish();
}
