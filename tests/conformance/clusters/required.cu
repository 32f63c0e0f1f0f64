// The cluster that a kernel requires, by __cluster_dims__ or by attributes: what may be set, which launches fit it, and
// what the occupancy functions say of it.
#include "../check.h"

#include <climits>

__global__ void plain() {}
__global__ void __cluster_dims__(2, 1, 1) pairs() {}

using Kernel = void (*)();

static cudaError_t set(Kernel kernel, cudaFuncAttribute attribute, int value) {
  const cudaError_t error = cudaFuncSetAttribute(kernel, attribute, value);
  cudaGetLastError();
  return error;
}

static void require(int width, int height, int depth) {
  CUDA_OK(set(plain, cudaFuncAttributeRequiredClusterWidth, width));
  CUDA_OK(set(plain, cudaFuncAttributeRequiredClusterHeight, height));
  CUDA_OK(set(plain, cudaFuncAttributeRequiredClusterDepth, depth));
}

// fits() launches 96 blocks; 0 asks for no cluster. The occupancy functions have to agree.
static bool fits(Kernel kernel, unsigned width, unsigned blocks = 96) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = width;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = width ? 1 : 0;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(64);
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelEx(&config, kernel);
  CHECK(error == cudaSuccess || error == cudaErrorInvalidClusterSize);
  int clusters = -1, size = -1;
  CHECK_EQ(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config), error);
  CHECK_EQ(cudaOccupancyMaxPotentialClusterSize(&size, kernel, &config), error);
  cudaGetLastError();
  CUDA_OK(cudaDeviceSynchronize());
  CHECK(error != cudaSuccess || size == 8);
  return error == cudaSuccess;
}

static int active(Kernel kernel) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(96);
  config.blockDim = dim3(64);
  int clusters = -1;
  CUDA_OK(cudaOccupancyMaxActiveClusters(&clusters, kernel, &config));
  return clusters;
}

static void byAttributes() {
  CHECK_EQ(active(plain), 0);
  require(2, 1, 1);
  const int pairsAtOnce = active(plain);
  CHECK(pairsAtOnce > 0);
  CHECK(fits(plain, 0));
  CHECK(fits(plain, 2));
  CHECK(!fits(plain, 1));
  CHECK(!fits(plain, 4));
  CHECK(!fits(plain, 0, 7));
  require(4, 1, 1);
  CHECK(active(plain) < pairsAtOnce);
  require(2, 0, 0);  // all or none of the three
  CHECK(!fits(plain, 0));
  CHECK(fits(plain, 2));
  for (const int tooMany : {12, 48, INT_MAX}) {
    require(tooMany, 1, 1);
    CHECK(!fits(plain, 0));
  }
  require(0, 0, 0);
  CHECK(fits(plain, 0, 7));
  CHECK_EQ(set(plain, cudaFuncAttributeRequiredClusterWidth, -1), cudaErrorInvalidValue);
}

static void compiled() {
  CHECK(active(pairs) > 0);
  CHECK_EQ(set(pairs, cudaFuncAttributeRequiredClusterWidth, 2), cudaSuccess);
  CHECK_EQ(set(pairs, cudaFuncAttributeRequiredClusterHeight, 1), cudaSuccess);
  CHECK_EQ(set(pairs, cudaFuncAttributeRequiredClusterWidth, 4), cudaErrorInvalidValue);
  CHECK_EQ(set(pairs, cudaFuncAttributeRequiredClusterWidth, 0), cudaErrorInvalidValue);
  CHECK_EQ(set(pairs, cudaFuncAttributeClusterDimMustBeSet, 1), cudaErrorInvalidValue);
  CHECK(fits(pairs, 0));
  CHECK(!fits(pairs, 1));
  CHECK(!fits(pairs, 4));
}

static void nonPortable() {
  CUDA_OK(set(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, -50));
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, plain));
  CHECK_EQ(attributes.nonPortableClusterSizeAllowed, -50);
  require(24, 1, 1);
  CHECK_EQ(active(plain), 0);
  plain<<<96, 64>>>();
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
}

int main() {
  byAttributes();
  compiled();
  nonPortable();
  return check::finish();
}
