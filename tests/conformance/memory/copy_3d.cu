// cudaMalloc3D, cudaMemcpy3D (with positions) and cudaMemset3D on pitched memory.
#include "../check.h"

__global__ void addIndex(cudaPitchedPtr volume, int width, int height, int depth) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  if (x >= width || y >= height || z >= depth) return;
  char *slice = static_cast<char *>(volume.ptr) + z * volume.pitch * height;
  reinterpret_cast<int *>(slice + y * volume.pitch)[x] += x + 100 * y + 10000 * z;
}

// Each side is either memory or an array.
static void eitherMemoryOrArray(cudaMemcpy3DParms copy) {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  CUDA_OK(cudaMallocArray(&array, &format, 8, 8));
  copy.dstArray = array;
  copy.extent = make_cudaExtent(1, 1, 1);
  CHECK_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA_OK(cudaFreeArray(array));
}

int main() {
  const int width = 19, height = 7, depth = 5;
  cudaPitchedPtr volume;
  CUDA_OK(cudaMalloc3D(&volume, make_cudaExtent(width * sizeof(int), height, depth)));
  CHECK(volume.pitch >= width * sizeof(int));
  CHECK_EQ(volume.xsize, width * sizeof(int));
  CHECK_EQ(volume.ysize, height);
  CUDA_OK(cudaMemset3D(volume, 0x01, make_cudaExtent(width * sizeof(int), height, depth)));
  addIndex<<<dim3(height, depth), 32>>>(volume, width, height, depth);
  LAUNCH_OK();

  std::vector<int> host(width * height * depth, -1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume;
  copy.dstPtr = make_cudaPitchedPtr(host.data(), width * sizeof(int), width, height);
  copy.extent = make_cudaExtent(width * sizeof(int), height, depth);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaMemcpy3D(&copy));
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        CHECK_EQ(host[(z * height + y) * width + x], 0x01010101 + x + 100 * y + 10000 * z);

  // A box of 4 x 3 x 2 integers from (2,1,3) to (1,2,0) of the host volume.
  std::vector<int> box(width * height * depth, -5);
  copy.srcPos = make_cudaPos(2 * sizeof(int), 1, 3);
  copy.dstPos = make_cudaPos(1 * sizeof(int), 2, 0);
  copy.dstPtr = make_cudaPitchedPtr(box.data(), width * sizeof(int), width, height);
  copy.extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  CUDA_OK(cudaMemcpy3D(&copy));
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool inside = x >= 1 && x < 5 && y >= 2 && y < 5 && z < 2;
        const int from = ((z + 3) * height + (y - 1)) * width + x + 1;
        CHECK_EQ(box[(z * height + y) * width + x], inside ? host[from] : -5);
      }

  // And back up to the device.
  copy.srcPtr = make_cudaPitchedPtr(box.data(), width * sizeof(int), width, height);
  copy.srcPos = make_cudaPos(0, 0, 0);
  copy.dstPtr = volume;
  copy.dstPos = make_cudaPos(0, 0, 0);
  copy.extent = make_cudaExtent(width * sizeof(int), height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3DAsync(&copy, nullptr));
  std::vector<int> again(width * height * depth);
  copy.srcPtr = volume;
  copy.dstPtr = make_cudaPitchedPtr(again.data(), width * sizeof(int), width, height);
  copy.kind = cudaMemcpyDefault;
  CUDA_OK(cudaMemcpy3D(&copy));
  CHECK(again == box);
  eitherMemoryOrArray(copy);
  CUDA_OK(cudaFree(volume.ptr));
  return check::finish();
}
