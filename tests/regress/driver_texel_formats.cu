// The driver API's formats that name their channels: arrays of fractions, and of compressed blocks.
// options: -lcuda
#include <cuda.h>

#include "../conformance/check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

__global__ void read(cudaTextureObject_t texture, float4 *out) {
  out[threadIdx.x] = tex2D<float4>(texture, threadIdx.x + 0.5f, 0.5f);
}

// textureOf() reads an array of 4x4 texels, whose memory is `rows` rows of `rowBytes`.
static CUtexObject textureOf(CUarray_format format, unsigned channels, const void *elements, size_t rowBytes,
                             size_t rows) {
  CUDA_ARRAY_DESCRIPTOR wanted = {4, 4, format, channels}, given = {};
  CUarray array = nullptr;
  CU(cuArrayCreate(&array, &wanted));
  CU(cuArrayGetDescriptor(&given, array));
  CHECK_EQ(given.Format, format);
  CHECK_EQ(given.NumChannels, channels);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = elements;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = rowBytes;
  copy.Height = rows;
  CU(cuMemcpy2D(&copy));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC sampling = {};
  CUtexObject texture = 0;
  CU(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  return texture;
}

// Compressed blocks are in arrays only.
static void linear() {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  CUDA_OK(cudaMalloc(&resource.res.linear.devPtr, 256));
  resource.res.linear.desc = {8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1};
  resource.res.linear.sizeInBytes = 256;
  cudaTextureDesc sampling = {};
  sampling.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture = 0;
  CHECK_EQ(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr), cudaErrorInvalidChannelDescriptor);
  cudaGetLastError();
}

int main() {
  linear();
  check::DeviceArray<float4> out(4);
  unsigned char fractions[64] = {255, 51, 0, 102};
  read<<<1, 4>>>(textureOf(CU_AD_FORMAT_UNORM_INT8X4, 4, fractions, 16, 4), out.get());
  LAUNCH_OK();
  const float4 first = out.download()[0];
  CHECK(first.x == 1.0f && first.y == 51 / 255.0f && first.z == 0.0f && first.w == 102 / 255.0f);
  // Red and blue; the first row has an index of each of the four colours.
  const unsigned char block[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0};
  read<<<1, 4>>>(textureOf(CU_AD_FORMAT_BC1_UNORM, 4, block, 8, 1), out.get());
  LAUNCH_OK();
  const std::vector<float4> colours = out.download();
  CHECK(colours[0].x == 1.0f && colours[0].z == 0.0f && colours[0].w == 1.0f);
  CHECK(colours[1].x == 0.0f && colours[1].z == 1.0f);
  CHECK(colours[2].x > 0.6f && colours[2].z < 0.4f);
  CHECK(colours[3].x < 0.4f && colours[3].z > 0.6f);
  return check::finish();
}
