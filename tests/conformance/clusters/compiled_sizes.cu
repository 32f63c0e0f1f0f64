// Sizes that a kernel is compiled with: __block_size__, whose launches count clusters and leave out the block, and
// __cluster_dims__ of constants and template parameters [CUDA 3.1.2.2 blocks as clusters].
#include "../check.h"

namespace {

struct Seen {
  int blocks, threads, gridDim, blockDim, lastRank;
};

__device__ void look(Seen *seen) {
  atomicAdd(&seen->threads, 1);
  if (threadIdx.x || threadIdx.y || threadIdx.z) return;
  atomicAdd(&seen->blocks, 1);
  atomicMax(&seen->lastRank, static_cast<int>(__clusterRelativeBlockRank()));
  if (blockIdx.x || blockIdx.y || blockIdx.z) return;
  seen->gridDim = gridDim.x * gridDim.y * gridDim.z;
  seen->blockDim = blockDim.x * blockDim.y * blockDim.z;
}

__block_size__((64, 2, 1), (2, 1, 1)) __global__ void clusters(Seen *seen) { look(seen); }
__block_size__((64, 1, 1)) __global__ void blocks(Seen *seen) { look(seen); }

template <unsigned Threads, class T>
__block_size__((Threads, sizeof(T), 1), (Threads / 16, 1, 1)) __global__ void ofTemplate(Seen *seen, T) {
  look(seen);
}

constexpr int width = 2;
__global__ void __cluster_dims__(width, 2 * width) constants(Seen *seen) { look(seen); }

template <int Width, class T>
__global__ void __cluster_dims__(Width, 1, sizeof(T)) parameters(Seen *seen, T) {
  look(seen);
}

__global__ void __cluster_dims__() given(Seen *seen) { look(seen); }

template <class Launch>
Seen after(Launch launch) {
  check::DeviceArray<Seen> seen(1, Seen{});
  launch(seen.get());
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaDeviceSynchronize());
  return seen.download()[0];
}

void blockSize() {
  Seen seen = after([](Seen *out) { clusters<<<dim3(4, 2, 1)>>>(out); });
  CHECK_EQ(seen.blocks, 16);
  CHECK_EQ(seen.gridDim, 16);
  CHECK_EQ(seen.blockDim, 128);
  CHECK_EQ(seen.threads, 16 * 128);
  CHECK_EQ(seen.lastRank, 1);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  seen = after([=](Seen *out) { clusters<<<3, 1, 0, stream>>>(out); });
  CHECK_EQ(seen.blocks, 6);
  CHECK_EQ(seen.threads, 6 * 128);
  CUDA_OK(cudaStreamDestroy(stream));
  seen = after([](Seen *out) { blocks<<<5>>>(out); });
  CHECK_EQ(seen.gridDim, 5);
  CHECK_EQ(seen.threads, 5 * 64);
  seen = after([](Seen *out) { ofTemplate<32><<<3>>>(out, 1.0f); });
  CHECK_EQ(seen.gridDim, 6);
  CHECK_EQ(seen.blockDim, 128);
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, clusters));
  CHECK_EQ(attributes.maxThreadsPerBlock, 1024);
  CHECK_EQ(attributes.clusterDimMustBeSet, 0);
  CHECK_EQ(attributes.requiredClusterWidth, 2);
}

void clusterDims() {
  Seen seen = after([](Seen *out) { constants<<<dim3(4, 4), 32>>>(out); });
  CHECK_EQ(seen.blocks, 16);
  CHECK_EQ(seen.lastRank, 7);
  seen = after([](Seen *out) { parameters<2><<<dim3(4, 1, 4), 32>>>(out, short(1)); });
  CHECK_EQ(seen.blocks, 16);
  CHECK_EQ(seen.lastRank, 3);
  parameters<2><<<dim3(3, 1, 2), 32>>>(nullptr, short(1));
  CHECK(cudaGetLastError() != cudaSuccess);
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, parameters<4, int>));
  CHECK_EQ(attributes.requiredClusterWidth, 4);
  CHECK_EQ(attributes.requiredClusterDepth, 4);
}

// Without numbers, each launch has to give them.
void givenAtLaunch() {
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, given));
  CHECK_EQ(attributes.clusterDimMustBeSet, 1);
  CHECK_EQ(attributes.requiredClusterWidth, 0);
  given<<<4, 32>>>(nullptr);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
  const Seen seen = after([](Seen *out) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(8);
    config.blockDim = dim3(32);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {4, 1, 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
    CUDA_OK(cudaLaunchKernelEx(&config, given, out));
  });
  CHECK_EQ(seen.blocks, 8);
  CHECK_EQ(seen.lastRank, 3);
}

}  // namespace

int main() {
  blockSize();
  clusterDims();
  givenAtLaunch();
  return check::finish();
}
