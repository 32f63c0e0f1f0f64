// What cluster launches are refused, and what the occupancy functions say of clusters.
#include "../check.h"

__global__ void plain() {}
__global__ void __cluster_dims__(2, 1, 1) pairs() {}

cudaError_t launch(dim3 grid, dim3 cluster) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelEx(&config, plain);
  cudaGetLastError();
  CUDA_OK(cudaDeviceSynchronize());
  return error;
}

int main() {
  CHECK_EQ(launch(dim3(8), dim3(8)), cudaSuccess);
  CHECK_EQ(launch(dim3(4, 4, 4), dim3(2, 2, 2)), cudaSuccess);
  CHECK(launch(dim3(16), dim3(16)) != cudaSuccess);  // portable clusters have 8 blocks
  CHECK(launch(dim3(9), dim3(2)) != cudaSuccess);    // the grid is no multiple
  pairs<<<3, 32>>>();
  CHECK(cudaGetLastError() != cudaSuccess);
  pairs<<<4, 32>>>();
  LAUNCH_OK();

  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, pairs));
  CHECK_EQ(attributes.requiredClusterWidth, 2);
  CHECK_EQ(attributes.requiredClusterHeight, 1);

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(64);
  config.blockDim = dim3(128);
  int size = 0, clusters = 0;
  CUDA_OK(cudaOccupancyMaxPotentialClusterSize(&size, plain, &config));
  CHECK_EQ(size, 8);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_OK(cudaOccupancyMaxActiveClusters(&clusters, plain, &config));
  CHECK(clusters > 0);
  config.gridDim = dim3(63);  // no launch could have such clusters
  CHECK_EQ(cudaOccupancyMaxActiveClusters(&clusters, plain, &config), cudaErrorInvalidClusterSize);
  config.gridDim = dim3(64);
  attribute.val.clusterDim.x = 16;
  CHECK_EQ(cudaOccupancyMaxActiveClusters(&clusters, plain, &config), cudaErrorInvalidClusterSize);
  (void)cudaGetLastError();
  CUDA_OK(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  config.numAttrs = 0;
  CUDA_OK(cudaOccupancyMaxPotentialClusterSize(&size, plain, &config));
  CHECK_EQ(size, 16);
  CHECK_EQ(launch(dim3(16), dim3(16)), cudaSuccess);
  return check::finish();
}
