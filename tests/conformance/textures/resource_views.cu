// Views of arrays: elements in another format of the same size, some of the layers and levels. And kinds of channels
// that are read as fractions only.
#include "../check.h"

#include <cmath>

__global__ void readFloats(cudaTextureObject_t texture, float4 *out) {
  out[threadIdx.x] = tex2D<float4>(texture, threadIdx.x + 0.5f, 0.5f);
}
__global__ void readWords(cudaTextureObject_t texture, uint4 *out) {
  out[threadIdx.x] = tex2D<uint4>(texture, threadIdx.x + 0.5f, 0.5f);
}
__global__ void readLayers(cudaTextureObject_t texture, float4 *out) {
  out[threadIdx.x] = tex2DLayered<float4>(texture, 0.5f, 0.5f, threadIdx.x);
}
__global__ void readLevels(cudaTextureObject_t texture, float4 *out) {
  out[threadIdx.x] = tex2DLod<float4>(texture, 0.5f, 0.5f, threadIdx.x);
}

static cudaResourceDesc resourceOf(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

static cudaResourceViewDesc viewOf(cudaResourceViewFormat format, size_t width, size_t height, size_t depth = 0) {
  cudaResourceViewDesc view = {};
  view.format = format;
  view.width = width;
  view.height = height;
  view.depth = depth;
  return view;
}

static cudaError_t make(cudaTextureObject_t *texture, const cudaResourceDesc &resource,
                        const cudaResourceViewDesc *view, cudaTextureReadMode mode = cudaReadModeElementType,
                        cudaTextureFilterMode filter = cudaFilterModePoint, bool normalisedCoordinates = false) {
  cudaTextureDesc sampling = {};
  sampling.readMode = mode;
  sampling.filterMode = filter;
  sampling.normalizedCoords = normalisedCoordinates;
  sampling.maxMipmapLevelClamp = 10;
  const cudaError_t error = cudaCreateTextureObject(texture, &resource, &sampling, view);
  cudaGetLastError();
  return error;
}

template <typename Element>
static cudaArray_t arrayOf(const Element (&elements)[4]) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<Element>();
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 4, 1));
  CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, elements, sizeof elements, sizeof elements, 1, cudaMemcpyHostToDevice));
  return array;
}

static void floatsAsOthers() {
  const float elements[4] = {1.0f, -2.0f, 0.5f, 3.0f};
  cudaArray_t array = arrayOf(elements);
  const cudaResourceDesc resource = resourceOf(array);
  cudaTextureObject_t texture = 0;
  check::DeviceArray<uint4> words(4);
  check::DeviceArray<float4> floats(4);
  cudaResourceViewDesc view = viewOf(cudaResViewFormatUnsignedInt1, 4, 1), asked = {};
  CUDA_OK(make(&texture, resource, nullptr));
  CUDA_OK(cudaGetTextureObjectResourceViewDesc(&asked, texture));
  CUDA_OK(cudaDestroyTextureObject(texture));
  CUDA_OK(make(&texture, resource, &view));
  CUDA_OK(cudaGetTextureObjectResourceViewDesc(&asked, texture));
  CHECK_EQ(asked.format, view.format);
  CHECK_EQ(asked.width, 4u);
  readWords<<<1, 4>>>(texture, words.get());
  LAUNCH_OK();
  CHECK_EQ(words.download()[0].x, 0x3f800000u);
  CHECK_EQ(words.download()[1].x, 0xc0000000u);
  CUDA_OK(cudaDestroyTextureObject(texture));
  // Narrow integers in an array of floats are read as fractions.
  view.format = cudaResViewFormatUnsignedChar4;
  CUDA_OK(make(&texture, resource, &view));
  readFloats<<<1, 4>>>(texture, floats.get());
  LAUNCH_OK();
  CHECK(std::abs(floats.download()[0].z - 0x80 / 255.0) < 1e-6);
  CHECK(std::abs(floats.download()[0].w - 0x3f / 255.0) < 1e-6);
  CUDA_OK(cudaDestroyTextureObject(texture));
  CUDA_OK(cudaFreeArray(array));
}

static void wordsAsOthers() {
  const uint2 elements[4] = {{0x40003c00u, 0x7fff8001u}, {0, 0}, {0x3c00u, 0}, {0, 0}};
  cudaArray_t array = arrayOf(elements);
  cudaTextureObject_t texture = 0;
  check::DeviceArray<float4> floats(4);
  cudaResourceViewDesc view = viewOf(cudaResViewFormatHalf4, 4, 1);
  CUDA_OK(make(&texture, resourceOf(array), &view));
  readFloats<<<1, 4>>>(texture, floats.get());
  LAUNCH_OK();
  CHECK_EQ(floats.download()[0].x, 1.0f);
  CHECK_EQ(floats.download()[0].y, 2.0f);
  CHECK_EQ(floats.download()[2].x, 1.0f);
  CUDA_OK(cudaDestroyTextureObject(texture));
  view.format = cudaResViewFormatSignedShort4;
  CUDA_OK(make(&texture, resourceOf(array), &view));
  readFloats<<<1, 4>>>(texture, floats.get());
  LAUNCH_OK();
  CHECK_EQ(floats.download()[0].z, -1.0f);
  CHECK_EQ(floats.download()[0].w, 1.0f);
  CUDA_OK(cudaDestroyTextureObject(texture));
  CHECK_EQ(make(&texture, resourceOf(array), &view, cudaReadModeElementType, cudaFilterModeLinear),
           cudaErrorInvalidFilterSetting);
  CUDA_OK(cudaFreeArray(array));
}

static void refused() {
  const float elements[4] = {};
  cudaArray_t array = arrayOf(elements);
  const cudaResourceDesc resource = resourceOf(array);
  cudaTextureObject_t texture = 0;
  const auto refuses = [&](cudaResourceViewDesc view) {
    CHECK_EQ(make(&texture, resource, &view), cudaErrorInvalidValue);
  };
  refuses(viewOf(cudaResViewFormatNone, 4, 1));
  refuses(viewOf(cudaResViewFormatFloat2, 4, 1));
  refuses(viewOf(cudaResViewFormatUnsignedShort1, 4, 1));
  refuses(viewOf(cudaResViewFormatFloat1, 2, 1));
  refuses(viewOf(cudaResViewFormatFloat1, 4, 1, 1));
  refuses(viewOf(static_cast<cudaResourceViewFormat>(0x23), 4, 1));
  cudaResourceViewDesc view = viewOf(cudaResViewFormatFloat1, 4, 1);
  view.lastLayer = 1;
  refuses(view);
  view.lastLayer = 0;
  view.lastMipmapLevel = 1;
  refuses(view);
  CUDA_OK(cudaFreeArray(array));
}

static void layers() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(1, 1, 5), cudaArrayLayered));
  float4 elements[5] = {{0, 0, 0, 0}, {1, 0, 0, 0}, {2, 0, 0, 0}, {3, 0, 0, 0}, {4, 0, 0, 0}};
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(elements, sizeof(float4), 1, 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(1, 1, 5);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&copy));
  cudaTextureObject_t texture = 0;
  check::DeviceArray<float4> out(4);
  cudaResourceViewDesc view = viewOf(cudaResViewFormatFloat4, 1, 1, 5);
  view.firstLayer = 1;
  view.lastLayer = 2;
  CUDA_OK(make(&texture, resourceOf(array), &view));
  readLayers<<<1, 4>>>(texture, out.get());
  LAUNCH_OK();
  const float expected[] = {1, 2, 2, 2};
  for (int i = 0; i < 4; ++i) CHECK_EQ(out.download()[i].x, expected[i]);
  CUDA_OK(cudaDestroyTextureObject(texture));
  view.lastLayer = 0;
  CHECK_EQ(make(&texture, resourceOf(array), &view), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeArray(array));
}

static void levels() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
  cudaMipmappedArray_t mipmapped = nullptr;
  CUDA_OK(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(8, 8, 0), 4));
  for (unsigned level = 0; level < 4; ++level) {
    cudaArray_t array = nullptr;
    CUDA_OK(cudaGetMipmappedArrayLevel(&array, mipmapped, level));
    const std::vector<float4> texels(64, make_float4(float(level), 0, 0, 0));
    const size_t side = 8 >> level;
    CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), side * 16, side * 16, side, cudaMemcpyHostToDevice));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmapped;
  cudaResourceViewDesc view = viewOf(cudaResViewFormatFloat4, 8, 8);
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  cudaTextureObject_t texture = 0;
  check::DeviceArray<float4> out(4);
  CUDA_OK(make(&texture, resource, &view, cudaReadModeElementType, cudaFilterModePoint, true));
  readLevels<<<1, 4>>>(texture, out.get());
  LAUNCH_OK();
  const float expected[] = {1, 2, 2, 2};
  for (int i = 0; i < 4; ++i) CHECK_EQ(out.download()[i].x, expected[i]);
  CUDA_OK(cudaDestroyTextureObject(texture));
  CUDA_OK(cudaFreeMipmappedArray(mipmapped));
}

static void fractions() {
  const cudaChannelFormatDesc format = {8, 8, 8, 8, cudaChannelFormatKindSignedNormalized8X4};
  const signed char bytes[4][4] = {{127, -127, -128, 0}, {64, 1, -1, -64}};
  cudaArray_t array = nullptr;
  CUDA_OK(cudaMallocArray(&array, &format, 4, 1));
  CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, bytes, 16, 16, 1, cudaMemcpyHostToDevice));
  cudaTextureObject_t texture = 0;
  CHECK_EQ(make(&texture, resourceOf(array), nullptr), cudaErrorInvalidNormSetting);
  CUDA_OK(make(&texture, resourceOf(array), nullptr, cudaReadModeNormalizedFloat));
  check::DeviceArray<float4> out(4);
  readFloats<<<1, 4>>>(texture, out.get());
  LAUNCH_OK();
  CHECK(out.download()[0].x == 1.0f && out.download()[0].y == -1.0f && out.download()[0].z == -1.0f);
  CHECK(std::abs(out.download()[1].x - 64 / 127.0) < 1e-6);
  CUDA_OK(cudaDestroyTextureObject(texture));
  cudaChannelFormatDesc back = {};
  CUDA_OK(cudaGetChannelDesc(&back, array));
  CHECK_EQ(back.f, cudaChannelFormatKindSignedNormalized8X4);
  CUDA_OK(cudaFreeArray(array));
  const cudaChannelFormatDesc mismatched = {8, 8, 0, 0, cudaChannelFormatKindSignedNormalized8X4};
  CHECK_EQ(cudaMallocArray(&array, &mismatched, 4, 1), cudaErrorInvalidChannelDescriptor);
  (void)cudaGetLastError();
}

int main() {
  floatsAsOthers();
  wordsAsOthers();
  refused();
  layers();
  levels();
  fractions();
  return check::finish();
}
