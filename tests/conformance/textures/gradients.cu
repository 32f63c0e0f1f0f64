// Fetches whose level of detail comes from derivatives of the coordinates: layered one-dimensional textures and
// cubemaps, layered ones too [CUDA 5.5].
#include "../check.h"

constexpr int width = 32, levels = 5, layers = 3;

// Each slice of each level has one value.
static float valueOf(int level, int slice) { return static_cast<float>(100 * level + slice); }

struct Texture {
  // `height` is 0 for one dimension; `slices` are layers, or faces of cubes.
  Texture(int height, int slices, unsigned flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CUDA_OK(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(width, height, slices), levels, flags));
    for (int level = 0; level < levels; ++level) fill(level, height, slices);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmapped;
    cudaTextureDesc sampling{};
    sampling.normalizedCoords = 1;
    sampling.maxMipmapLevelClamp = levels - 1;
    CUDA_OK(cudaCreateTextureObject(&object, &resource, &sampling, nullptr));
  }
  ~Texture() {
    CUDA_OK(cudaDestroyTextureObject(object));
    CUDA_OK(cudaFreeMipmappedArray(mipmapped));
  }

  void fill(int level, int height, int slices) {
    const int w = width >> level, h = height ? height >> level : 1;
    std::vector<float> texels;
    for (int slice = 0; slice < slices; ++slice) texels.insert(texels.end(), w * h, valueOf(level, slice));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), w * sizeof(float), w, h);
    CUDA_OK(cudaGetMipmappedArrayLevel(&copy.dstArray, mipmapped, level));
    copy.extent = make_cudaExtent(w, h, slices);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_OK(cudaMemcpy3D(&copy));
  }

  cudaMipmappedArray_t mipmapped;
  cudaTextureObject_t object;
};

// stepOf(): moving by this part of the texture from pixel to pixel skips 2^level texels of the first level.
__device__ float stepOf(int level) { return static_cast<float>(1 << level) / width; }

__global__ void fetchLines(cudaTextureObject_t lines, float *out) {
  const int level = threadIdx.x, layer = threadIdx.y;
  const float step = stepOf(level), smaller = step / 4;
  float *mine = out + 2 * (layer * levels + level);
  mine[0] = tex1DLayeredGrad<float>(lines, 0.4f, layer, step, smaller);
  mine[1] = tex1DLayeredGrad<float>(lines, 0.4f, layer, -smaller, -step);
}

// A direction into the middle of a face, and a step along it: the face spans 2 where the direction is 1 long.
__device__ float4 alongAxis(int axis, float by) {
  return make_float4(axis == 0 ? by : 0, axis == 1 ? by : 0, axis == 2 ? by : 0, 0);
}

__global__ void fetchCubes(cudaTextureObject_t cube, cudaTextureObject_t cubes, float *out) {
  const int level = threadIdx.x, face = threadIdx.y, layer = threadIdx.z, axis = face / 2;
  const float4 to = alongAxis(axis, face % 2 ? -1.0f : 1.0f), step = alongAxis((axis + 1) % 3, 2 * stepOf(level));
  const float4 smaller = alongAxis((axis + 2) % 3, stepOf(level) / 2);
  float *mine = out + 2 * ((layer * 6 + face) * levels + level);
  mine[0] = texCubemapGrad<float>(cube, to.x, to.y, to.z, step, smaller);
  mine[1] = texCubemapLayeredGrad<float>(cubes, to.x, to.y, to.z, layer, smaller, step);
}

int main() {
  {
    const Texture lines(0, layers, cudaArrayLayered);
    check::DeviceArray<float> out(2 * layers * levels, -1.0f);
    fetchLines<<<1, dim3(levels, layers)>>>(lines.object, out.get());
    LAUNCH_OK();
    const std::vector<float> got = out.download();
    for (size_t i = 0; i < got.size(); ++i) {
      const int each = static_cast<int>(i / 2);
      CHECK_EQ(got[i], valueOf(each % levels, each / levels));
    }
  }
  const Texture cube(width, 6, cudaArrayCubemap), cubes(width, 6 * layers, cudaArrayCubemap | cudaArrayLayered);
  check::DeviceArray<float> out(2 * 6 * layers * levels, -1.0f);
  fetchCubes<<<1, dim3(levels, 6, layers)>>>(cube.object, cubes.object, out.get());
  LAUNCH_OK();
  const std::vector<float> got = out.download();
  for (size_t i = 0; i < got.size(); ++i) {
    const int each = static_cast<int>(i / 2), level = each % levels, slice = each / levels;
    CHECK_EQ(got[i], valueOf(level, i % 2 ? slice : slice % 6));
  }
  return check::finish();
}
