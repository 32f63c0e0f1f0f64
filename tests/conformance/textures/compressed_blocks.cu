// Block-compressed textures: views of integer arrays, and arrays of compressed kinds. What the random blocks decode to
// was read on a GPU.
#include "../check.h"

#include <cmath>
#include <cstring>

static unsigned char blocks[4096];

static void fillBlocks() {
  unsigned seed = 12345;
  for (unsigned char &byte : blocks) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<unsigned char>(seed >> 8);
  }
}

__global__ void readAll(cudaTextureObject_t texture, int side, float4 *out) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[y * side + x] = tex2D<float4>(texture, x + 0.5f, y + 0.5f);
}

static std::vector<float4> texelsOf(cudaTextureObject_t texture) {
  check::DeviceArray<float4> out(256);
  readAll<<<1, dim3(16, 16)>>>(texture, 16, out.get());
  LAUNCH_OK();
  return out.download();
}

// hashOf() is FNV-1a over the bits of the floats.
static unsigned long long hashOf(const std::vector<float4> &texels) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  for (const float4 &texel : texels) {
    unsigned char bytes[sizeof texel];
    std::memcpy(bytes, &texel, sizeof texel);
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3ull;
  }
  return hash;
}

static double sumOf(const std::vector<float4> &texels) {
  double sum = 0;
  for (const float4 &t : texels) sum += double(t.x) + t.y + t.z + t.w;
  return sum;
}

static cudaArray_t arrayOf(const cudaChannelFormatDesc &format, size_t side, size_t blockBytes) {
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, side, side));
  CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, blocks, 4 * blockBytes, 4 * blockBytes, 4, cudaMemcpyHostToDevice));
  return array;
}

static cudaError_t make(cudaTextureObject_t *texture, cudaArray_t array, cudaTextureReadMode mode, bool sRgb,
                        const cudaResourceViewDesc *view) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  sampling.readMode = mode;
  sampling.sRGB = sRgb;
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
  const cudaError_t error = cudaCreateTextureObject(texture, &resource, &sampling, view);
  cudaGetLastError();
  return error;
}

static std::vector<float4> viewed(cudaResourceViewFormat format, size_t blockBytes) {
  cudaArray_t array =
      blockBytes == 8 ? arrayOf(cudaCreateChannelDesc<uint2>(), 4, 8) : arrayOf(cudaCreateChannelDesc<uint4>(), 4, 16);
  cudaResourceViewDesc view = {};
  view.format = format;
  view.width = view.height = 16;
  cudaTextureObject_t texture = 0;
  CUDA_OK(make(&texture, array, cudaReadModeElementType, false, &view));
  std::vector<float4> texels = texelsOf(texture);
  CUDA_OK(cudaDestroyTextureObject(texture));
  view.width = 15;
  CHECK_EQ(make(&texture, array, cudaReadModeElementType, false, &view), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeArray(array));
  return texels;
}

static void views() {
  CHECK_EQ(hashOf(viewed(cudaResViewFormatUnsignedBlockCompressed1, 8)), 0xa7578e88a957db21ull);
  CHECK_EQ(hashOf(viewed(cudaResViewFormatUnsignedBlockCompressed2, 16)), 0xd57fbf3f759041ceull);
  CHECK_EQ(hashOf(viewed(cudaResViewFormatUnsignedBlockCompressed4, 8)), 0xb5f4d736ef5dd6c8ull);
  CHECK_EQ(hashOf(viewed(cudaResViewFormatUnsignedBlockCompressed5, 16)), 0x34e1fb6a8171678bull);
  CHECK_EQ(hashOf(viewed(cudaResViewFormatUnsignedBlockCompressed6H, 16)), 0x93d4bd0ab1ec5c9dull);
  CHECK_EQ(hashOf(viewed(cudaResViewFormatSignedBlockCompressed6H, 16)), 0x36541055ac167e6dull);
  CHECK_EQ(hashOf(viewed(cudaResViewFormatUnsignedBlockCompressed7, 16)), 0xe6e3c3b0f5cd58bbull);
  CHECK(std::abs(sumOf(viewed(cudaResViewFormatUnsignedBlockCompressed3, 16)) - 510.8902) < 0.05);
  CHECK(std::abs(sumOf(viewed(cudaResViewFormatSignedBlockCompressed4, 8)) - 62.8293) < 0.01);
  CHECK(std::abs(sumOf(viewed(cudaResViewFormatSignedBlockCompressed5, 16)) - 87.1067) < 0.01);
}

// Arrays of compressed texels count texels, copies to them bytes and rows of blocks.
static void kinds() {
  const cudaChannelFormatDesc bc1 = {8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1};
  const cudaChannelFormatDesc bc6h = {16, 16, 16, 0, cudaChannelFormatKindUnsignedBlockCompressed6H};
  const cudaChannelFormatDesc bc7Srgb = {8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed7SRGB};
  cudaTextureObject_t texture = 0;
  cudaArray_t array = arrayOf(bc1, 16, 8);
  CHECK_EQ(make(&texture, array, cudaReadModeElementType, false, nullptr), cudaErrorInvalidNormSetting);
  CUDA_OK(make(&texture, array, cudaReadModeNormalizedFloat, false, nullptr));
  CHECK_EQ(hashOf(texelsOf(texture)), 0xa7578e88a957db21ull);
  CUDA_OK(cudaDestroyTextureObject(texture));
  CHECK_EQ(cudaMemcpy2DToArray(array, 0, 0, blocks, 32, 32, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeArray(array));

  array = arrayOf(bc6h, 16, 16);
  CUDA_OK(make(&texture, array, cudaReadModeElementType, false, nullptr));
  for (const float4 &texel : texelsOf(texture)) CHECK_EQ(texel.w, 1.0f);
  CUDA_OK(cudaDestroyTextureObject(texture));
  CHECK_EQ(cudaMemcpy2DToArray(array, 0, 0, blocks, 64, 8, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeArray(array));

  array = arrayOf(bc7Srgb, 16, 16);
  CHECK_EQ(make(&texture, array, cudaReadModeNormalizedFloat, false, nullptr), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeArray(array));
  (void)cudaGetLastError();
}

int main() {
  fillBlocks();
  views();
  kinds();
  return check::finish();
}
