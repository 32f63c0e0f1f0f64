// options: -lcuda
// Arrays, mipmapped arrays, texture and surface objects of the driver API.
#include <cuda.h>

#include "../check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

__global__ void fetch(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}
__global__ void fetchInteger(cudaTextureObject_t texture, unsigned *out) {
  out[threadIdx.x] = tex1Dfetch<uchar1>(texture, static_cast<int>(threadIdx.x)).x;
}
__global__ void fetchFraction(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, static_cast<int>(threadIdx.x));
}
__global__ void twice(cudaSurfaceObject_t surface) {
  float value;
  surf2Dread(&value, surface, static_cast<int>(threadIdx.x % 4 * sizeof(float)), static_cast<int>(threadIdx.x / 4));
  surf2Dwrite(2 * value, surface, static_cast<int>(threadIdx.x % 4 * sizeof(float)), static_cast<int>(threadIdx.x / 4));
}

static CUDA_MEMCPY2D between(const float *host, CUarray array) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = 4 * sizeof(float);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 4 * sizeof(float);
  copy.Height = 2;
  return copy;
}

static void arrays(float *out) {
  const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CUarray array = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR wanted = {};
  wanted.Width = 4;
  wanted.Height = 2;
  wanted.Format = CU_AD_FORMAT_FLOAT;
  wanted.NumChannels = 1;
  wanted.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CU(cuArray3DCreate(&array, &wanted));
  CUDA_ARRAY3D_DESCRIPTOR given = {};
  CU(cuArray3DGetDescriptor(&given, array));
  CHECK_EQ(given.Width, 4);
  CHECK_EQ(given.Height, 2);
  CHECK_EQ(given.Depth, 0);
  CHECK_EQ(given.Format, CU_AD_FORMAT_FLOAT);
  CHECK_EQ(given.NumChannels, 1);
  CHECK_EQ(given.Flags, CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_MEMCPY2D copy = between(values, array);
  CU(cuMemcpy2D(&copy));

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUsurfObject surface = 0;
  CU(cuSurfObjectCreate(&surface, &resource));
  twice<<<1, 8>>>(surface);
  CUDA_TEXTURE_DESC sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  sampling.filterMode = CU_TR_FILTER_MODE_POINT;
  CUtexObject texture = 0;
  CU(cuTexObjectCreate(&texture, &resource, &sampling, nullptr));
  CUDA_RESOURCE_DESC asked = {};
  CU(cuTexObjectGetResourceDesc(&asked, texture));
  CHECK_EQ(asked.resType, CU_RESOURCE_TYPE_ARRAY);
  CHECK_EQ(asked.res.array.hArray, array);
  CUDA_TEXTURE_DESC read = {};
  CU(cuTexObjectGetTextureDesc(&read, texture));
  CHECK_EQ(read.addressMode[0], CU_TR_ADDRESS_MODE_CLAMP);
  fetch<<<1, 8>>>(texture, out);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < 8; ++i) CHECK_EQ(out[i], 2 * values[i]);
  CU(cuTexObjectDestroy(texture));
  CU(cuSurfObjectDestroy(surface));

  float row[2] = {};
  CU(cuMemcpyAtoH(row, array, 2 * sizeof(float), sizeof row));
  CHECK_EQ(row[0], 6);
  CHECK_EQ(row[1], 8);
  CU(cuArrayDestroy(array));
}

// Bytes read as fractions of one, unless the texture reads them as integers.
static void linear(float *out) {
  CUdeviceptr memory = 0;
  CU(cuMemAlloc(&memory, 16));
  CU(cuMemsetD8(memory, 51, 16));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = memory;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT8;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = 16;
  CUDA_TEXTURE_DESC sampling = {};
  CUtexObject fractions = 0, integers = 0;
  CU(cuTexObjectCreate(&fractions, &resource, &sampling, nullptr));
  sampling.flags = CU_TRSF_READ_AS_INTEGER;
  CU(cuTexObjectCreate(&integers, &resource, &sampling, nullptr));
  fetchFraction<<<1, 1>>>(fractions, out);
  fetchInteger<<<1, 1>>>(integers, reinterpret_cast<unsigned *>(out) + 1);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  CHECK_EQ(out[0], 51 / 255.0f);
  CHECK_EQ(reinterpret_cast<unsigned *>(out)[1], 51);
  CU(cuTexObjectDestroy(fractions));
  CU(cuTexObjectDestroy(integers));
  CU(cuMemFree(memory));
}

static void levels() {
  CUDA_ARRAY3D_DESCRIPTOR wanted = {};
  wanted.Width = 8;
  wanted.Height = 4;
  wanted.Format = CU_AD_FORMAT_SIGNED_INT16;
  wanted.NumChannels = 2;
  CUmipmappedArray mipmapped = nullptr;
  CU(cuMipmappedArrayCreate(&mipmapped, &wanted, 3));
  CUarray level = nullptr;
  CU(cuMipmappedArrayGetLevel(&level, mipmapped, 1));
  CUDA_ARRAY_DESCRIPTOR given = {};
  CU(cuArrayGetDescriptor(&given, level));
  CHECK_EQ(given.Width, 4);
  CHECK_EQ(given.Height, 2);
  CHECK_EQ(given.Format, CU_AD_FORMAT_SIGNED_INT16);
  CHECK_EQ(given.NumChannels, 2);
  CHECK_EQ(cuMipmappedArrayGetLevel(&level, mipmapped, 3), CUDA_ERROR_INVALID_VALUE);
  CU(cuMipmappedArrayDestroy(mipmapped));
  CUarray none = nullptr;
  wanted.NumChannels = 3;
  CHECK_EQ(cuArray3DCreate(&none, &wanted), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  float *out = nullptr;
  CUDA_OK(cudaMallocManaged(&out, 8 * sizeof *out));
  arrays(out);
  linear(out);
  levels();
  CUDA_OK(cudaFree(out));
  return check::finish();
}
