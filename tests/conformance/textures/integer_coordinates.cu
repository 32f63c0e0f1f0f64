// PTX's tex with integer coordinates: a texel by its indices, whatever the texture's sampling.
#include "../check.h"

#define FETCH(name, geometry, coordinates)                                              \
  __device__ float name(cudaTextureObject_t texture, int x, int y, int z) {             \
    float4 texel;                                                                       \
    asm volatile("tex." geometry ".v4.f32.s32 {%0, %1, %2, %3}, [%4, " coordinates "];" \
                 : "=f"(texel.x), "=f"(texel.y), "=f"(texel.z), "=f"(texel.w)           \
                 : "l"(texture), "r"(x), "r"(y), "r"(z));                               \
    return texel.x;                                                                     \
  }
FETCH(fetch1d, "1d", "{%5}")
FETCH(fetch2d, "2d", "{%5, %6}")
FETCH(fetch3d, "3d", "{%5, %6, %7, %7}")
FETCH(fetchLayered1d, "a1d", "{%7, %5}")
FETCH(fetchLayered2d, "a2d", "{%7, %5, %6, %6}")
#undef FETCH

__device__ float fetchLevel2d(cudaTextureObject_t texture, int x, int y, int level) {
  float4 texel;
  asm volatile("tex.level.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}], %7;"
               : "=f"(texel.x), "=f"(texel.y), "=f"(texel.z), "=f"(texel.w)
               : "l"(texture), "r"(x), "r"(y), "r"(level));
  return texel.x;
}

enum class Kind { OneD, TwoD, ThreeD, Layered1D, Layered2D, Level2D };

__global__ void fetch(cudaTextureObject_t texture, Kind kind, float *out) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  float *mine = out + (z * blockDim.y + y) * blockDim.x + x;
  switch (kind) {
    case Kind::OneD:
      *mine = fetch1d(texture, x, y, z);
      break;
    case Kind::TwoD:
      *mine = fetch2d(texture, x, y, z);
      break;
    case Kind::ThreeD:
      *mine = fetch3d(texture, x, y, z);
      break;
    case Kind::Layered1D:
      *mine = fetchLayered1d(texture, x, y, z);
      break;
    case Kind::Layered2D:
      *mine = fetchLayered2d(texture, x, y, z);
      break;
    case Kind::Level2D:
      *mine = fetchLevel2d(texture, x, y, z);
      break;
  }
}

static cudaTextureDesc description(bool normalized) {
  cudaTextureDesc result = {};
  for (auto &mode : result.addressMode) mode = cudaAddressModeClamp;
  result.filterMode = normalized ? cudaFilterModeLinear : cudaFilterModePoint;
  result.normalizedCoords = normalized;
  result.maxMipmapLevelClamp = 8;
  return result;
}

static void compare(const cudaResourceDesc &resource, Kind kind, dim3 size, const std::vector<float> &content) {
  for (bool normalized : {false, true}) {
    if (!normalized && kind == Kind::Level2D) continue;
    const cudaTextureDesc how = description(normalized);
    cudaTextureObject_t texture = 0;
    CUDA_OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    check::DeviceArray<float> out(content.size(), -1.0f);
    fetch<<<1, size>>>(texture, kind, out.get());
    LAUNCH_OK();
    CHECK(out.download() == content);
    CUDA_OK(cudaDestroyTextureObject(texture));
  }
}

static void testArray(Kind kind, cudaExtent extent, unsigned flags) {
  const dim3 size(extent.width, extent.height ? extent.height : 1, extent.depth ? extent.depth : 1);
  std::vector<float> content(size.x * size.y * size.z);
  for (size_t i = 0; i < content.size(); ++i) content[i] = 100.0f + i;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMalloc3DArray(&array, &format, extent, flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(content.data(), size.x * sizeof(float), size.x, size.y);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(size.x, size.y, size.z);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  compare(resource, kind, size, content);
  CUDA_OK(cudaFreeArray(array));
}

// testMemory(): GPUs read one-dimensional arrays by floating-point coordinates only.
static void testMemory() {
  std::vector<float> content(13);
  for (size_t i = 0; i < content.size(); ++i) content[i] = 100.0f + i;
  check::DeviceArray<float> memory(content);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory.get(), cudaCreateChannelDesc<float>(), content.size() * sizeof(float)};
  cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  CUDA_OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  check::DeviceArray<float> out(content.size(), -1.0f);
  fetch<<<1, 13>>>(texture, Kind::OneD, out.get());
  LAUNCH_OK();
  CHECK(out.download() == content);
  CUDA_OK(cudaDestroyTextureObject(texture));
}

static void testLevels() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t levels = nullptr;
  CUDA_OK(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(8, 4, 0), 3));
  // What is inside of all levels.
  std::vector<float> content;
  for (unsigned level = 0; level < 3; ++level) {
    const unsigned width = 8 >> level, height = 4 >> level;
    std::vector<float> texels(width * height);
    for (size_t i = 0; i < texels.size(); ++i) texels[i] = 1000.0f * (level + 1) + i;
    cudaArray_t array = nullptr;
    CUDA_OK(cudaGetMipmappedArrayLevel(&array, levels, level));
    CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float), width * sizeof(float), height,
                                cudaMemcpyHostToDevice));
    content.insert(content.end(), {texels[0], texels[1]});
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = levels;
  compare(resource, Kind::Level2D, dim3(2, 1, 3), content);
  CUDA_OK(cudaFreeMipmappedArray(levels));
}

int main() {
  testMemory();
  testArray(Kind::TwoD, make_cudaExtent(7, 5, 0), 0);
  testArray(Kind::ThreeD, make_cudaExtent(5, 3, 4), 0);
  testArray(Kind::Layered1D, make_cudaExtent(9, 0, 3), cudaArrayLayered);
  testArray(Kind::Layered2D, make_cudaExtent(6, 5, 3), cudaArrayLayered);
  testLevels();
  return check::finish();
}
