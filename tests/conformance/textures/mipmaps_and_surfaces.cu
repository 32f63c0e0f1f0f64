// Mipmapped textures: which levels a level of detail mixes, with bias and clamps; surfaces that kernels write, in
// bytes, and what happens at their edges [CUDA 5.5].
#include <algorithm>

#include "../check.h"

constexpr int width = 32, height = 16, levels = 5, points = 256;

// Each level has one value, so that a fetch tells the levels that it mixes.
__global__ void fetchLevels(cudaTextureObject_t texture, const float *detail, float *out) {
  const int i = threadIdx.x;
  out[i] = tex2DLod<float>(texture, 0.3f, 0.7f, detail[i]);
}

static cudaMipmappedArray_t makeLevels() {
  cudaMipmappedArray_t mipmapped;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA_OK(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(width, height, 0), levels));
  for (int level = 0; level < levels; ++level) {
    cudaArray_t array;
    CUDA_OK(cudaGetMipmappedArrayLevel(&array, mipmapped, level));
    const int w = width >> level, h = height >> level;
    const std::vector<float> texels(w * h, static_cast<float>(level * 256));
    CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), w * sizeof(float), w * sizeof(float), h,
                                cudaMemcpyHostToDevice));
  }
  return mipmapped;
}

// in256ths(): levels of detail have 8 fractional bits.
static long long in256ths(float value) { return static_cast<long long>(value * 256); }

static void testLevels(bool linear, float bias, float lowest, float highest) {
  cudaMipmappedArray_t mipmapped = makeLevels();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmapped;
  cudaTextureDesc sampling{};
  sampling.normalizedCoords = 1;
  sampling.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
  sampling.mipmapLevelBias = bias;
  sampling.minMipmapLevelClamp = lowest;
  sampling.maxMipmapLevelClamp = highest;
  cudaTextureObject_t texture;
  CUDA_OK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  std::vector<float> detail(points);
  for (int i = 0; i < points; ++i) detail[i] = static_cast<float>(i) * 0.0277f - 1;
  check::DeviceArray<float> in(detail), out(std::vector<float>(points, -1));
  fetchLevels<<<1, points>>>(texture, in.get(), out.get());
  LAUNCH_OK();
  const std::vector<float> got = out.download();
  for (int i = 0; i < points; ++i) {
    long long level = in256ths(detail[i]) + in256ths(bias);
    level = std::max(in256ths(lowest), std::min(in256ths(highest), level));
    level = std::max(0LL, std::min((levels - 1) * 256LL, level));
    CHECK_EQ(got[i], linear ? level : (level + 128) / 256 * 256);
  }
  CUDA_OK(cudaDestroyTextureObject(texture));
  CUDA_OK(cudaFreeMipmappedArray(mipmapped));
}

__global__ void paint(cudaSurfaceObject_t surface, int w, int h) {
  const int x = threadIdx.x - 1, y = blockIdx.x - 1;  // one texel beyond each edge
  surf2Dwrite(make_int2(100 * y + x, -x), surface, x * static_cast<int>(sizeof(int2)), y, cudaBoundaryModeZero);
}

__global__ void look(cudaSurfaceObject_t surface, int2 *out) {
  const int x = threadIdx.x - 1, y = blockIdx.x - 1, bytes = x * static_cast<int>(sizeof(int2));
  int2 *row = out + blockIdx.x * blockDim.x;
  row[threadIdx.x] = blockIdx.x & 1 ? surf2Dread<int2>(surface, bytes, y, cudaBoundaryModeClamp)
                                    : surf2Dread<int2>(surface, bytes, y, cudaBoundaryModeZero);
}

static void testSurface() {
  const int w = 20, h = 9, columns = w + 2, rows = h + 2;
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
  CUDA_OK(cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CUDA_OK(cudaCreateSurfaceObject(&surface, &resource));
  check::DeviceArray<int2> out(std::vector<int2>(columns * rows, make_int2(-7, -7)));
  paint<<<rows, columns>>>(surface, w, h);
  look<<<rows, columns>>>(surface, out.get());
  LAUNCH_OK();
  const std::vector<int2> got = out.download();
  const auto clamped = [](int value, int size) { return value < 0 ? 0 : value >= size ? size - 1 : value; };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int x = column - 1, y = row - 1, cx = clamped(x, w), cy = clamped(y, h);
      const bool inside = x == cx && y == cy;
      const int2 texel = got[row * columns + column];
      if (row & 1) {
        CHECK_EQ(texel.x, 100 * cy + cx);
        CHECK_EQ(texel.y, -cx);
      } else {
        CHECK_EQ(texel.x, inside ? 100 * y + x : 0);
        CHECK_EQ(texel.y, inside ? -x : 0);
      }
    }
  CUDA_OK(cudaDestroySurfaceObject(surface));
  CUDA_OK(cudaFreeArray(array));
}

int main() {
  for (bool linear : {false, true}) {
    testLevels(linear, 0, 0, 10);
    testLevels(linear, 0.37f, 0, 10);
    testLevels(linear, -0.81f, 0.5f, 2.25f);
  }
  testSurface();
  return check::finish();
}
