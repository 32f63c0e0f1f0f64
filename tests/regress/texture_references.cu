// Programs written before CUDA 12 read memory through texture<> references at file scope; CUDA 12 dropped their header.
#include "../conformance/check.h"

#if __has_include(<cuda_texture_types.h>)

texture<float, 1, cudaReadModeElementType> linear;
static texture<float4, 2, cudaReadModeElementType> pitched;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> bytes;
texture<float, cudaTextureType1D> line;
texture<int2> pairs;
texture<float, cudaTextureType3D> volume;
texture<float, cudaTextureType2DLayered> layers;
texture<float, cudaTextureType2D, cudaReadModeElementType> mipmapped;
surface<void, 2> picture;

__global__ void readLinear(float *out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex1Dfetch(linear, i);
}

template <class T>
__device__ T rowSum(texture<float4, 2, cudaReadModeElementType> from, int row) {
  T sum = 0;
  for (int x = 0; x < 3; ++x) {
    const float4 v = tex2D(from, x + 0.5f, row + 0.5f);
    sum += v.x + v.y + v.z + v.w;
  }
  return sum;
}
__global__ void readPitched(float *out) { out[threadIdx.x] = rowSum<float>(pitched, threadIdx.x); }
__global__ void readBytes(float *out) { out[threadIdx.x] = tex2D(bytes, (threadIdx.x + 0.5f) / 4, 0.5f); }
__global__ void readLine(float *out, float x) { out[0] = tex1D(line, x); }
__global__ void readPairs(double *out) {
  const int2 v = tex1Dfetch(pairs, threadIdx.x);
  out[threadIdx.x] = __hiloint2double(v.y, v.x);
}
__global__ void readVolume(float *out) {
  out[threadIdx.x] = tex3D(volume, threadIdx.x + 0.5f, 1.5f, 1.5f);
  out[2 + threadIdx.x] = tex2DLayered(layers, threadIdx.x + 0.5f, 0.5f, 1);
}
__global__ void readLevels(float *out) { out[threadIdx.x] = tex2DLod(mipmapped, 0.5f, 0.5f, float(threadIdx.x)); }
__global__ void invert() {
  int v;
  surf2Dread(&v, picture, threadIdx.x * 4, threadIdx.y);
  surf2Dwrite(-surf2Dread<int>(picture, threadIdx.x * 4, threadIdx.y) + 0 * v, picture, threadIdx.x * 4, threadIdx.y);
}

void memoryTextures() {
  std::vector<float> values(200);
  for (int i = 0; i < 200; ++i) values[i] = float(i);
  check::DeviceArray<float> in(values), out(128, -1.0f);
  size_t offset = 99;
  CUDA_OK(cudaBindTexture(&offset, linear, in.get(), 100 * sizeof(float)));
  CHECK_EQ(offset, 0u);
  readLinear<<<1, 128>>>(out.get(), 128);
  // What a launched kernel reads is decided at its launch.
  CUDA_OK(cudaBindTexture(nullptr, linear, out.get()));
  CUDA_OK(cudaBindTexture(&offset, linear, in.get() + 4, 16 * sizeof(float)));
  LAUNCH_OK();
  CHECK_EQ(out.download()[99], 99.0f);
  CHECK_EQ(out.download()[100], 0.0f);
  CHECK_EQ(offset, 4 * sizeof(float));
  size_t again = 0;
  CUDA_OK(cudaGetTextureAlignmentOffset(&again, linear));
  CHECK_EQ(again, offset);
  CHECK_EQ(cudaBindTexture(nullptr, linear, in.get() + 4), cudaErrorInvalidValue);
  cudaGetLastError();

  const textureReference *untyped = nullptr;
  CUDA_OK(cudaGetTextureReference(&untyped, &linear));
  CHECK(untyped == &linear);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  CUDA_OK(cudaBindTexture(&offset, untyped, in.get() + 128, &floats, 128 * sizeof(float)));
  readLinear<<<1, 64>>>(out.get(), 64);
  LAUNCH_OK();
  CHECK_EQ(out.download()[10], 138.0f);
  CUDA_OK(cudaUnbindTexture(linear));
  CUDA_OK(cudaUnbindTexture(linear));

  check::DeviceArray<double> doubles(std::vector<double>{1.25, -3.5}), back(2, 0.0);
  CUDA_OK(cudaBindTexture(0, pairs, doubles.get(), doubles.bytes()));
  readPairs<<<1, 2>>>(back.get());
  LAUNCH_OK();
  CHECK_EQ(back.download()[1], -3.5);
}

void pitchedTextures() {
  float4 *memory;
  size_t pitch;
  CUDA_OK(cudaMallocPitch(&memory, &pitch, 3 * sizeof(float4), 2));
  std::vector<float> rows(24);
  for (int i = 0; i < 24; ++i) rows[i] = float(i);
  CUDA_OK(cudaMemcpy2D(memory, pitch, rows.data(), 48, 48, 2, cudaMemcpyHostToDevice));
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float4>();
  CUDA_OK(cudaBindTexture2D(0, pitched, memory, desc, 3, 2, pitch));
  check::DeviceArray<float> out(2);
  readPitched<<<1, 2>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 66.0f);
  CHECK_EQ(out.download()[1], 210.0f);
  CUDA_OK(cudaFree(memory));
}

cudaArray_t arrayOf(const cudaChannelFormatDesc &desc, const void *data, size_t width, size_t height, size_t rowBytes) {
  cudaArray_t array;
  CUDA_OK(cudaMallocArray(&array, &desc, width, height, cudaArraySurfaceLoadStore));
  CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, data, rowBytes, rowBytes, height ? height : 1, cudaMemcpyHostToDevice));
  return array;
}

void arrayTextures() {
  const unsigned char content[4] = {0, 51, 102, 255};
  cudaArray_t array = arrayOf(cudaCreateChannelDesc<unsigned char>(), content, 4, 1, 4);
  bytes.normalized = true;
  bytes.filterMode = cudaFilterModePoint;
  bytes.addressMode[0] = cudaAddressModeWrap;
  CUDA_OK(cudaBindTextureToArray(bytes, array));
  check::DeviceArray<float> out(8);
  readBytes<<<1, 8>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[3], 1.0f);
  CHECK_EQ(out.download()[5], 0.2f);
  CUDA_OK(cudaFreeArray(array));

  const float points[4] = {0, 10, 20, 30};
  array = arrayOf(cudaCreateChannelDesc<float>(), points, 4, 0, sizeof points);
  line.filterMode = cudaFilterModeLinear;
  line.addressMode[0] = cudaAddressModeClamp;
  CUDA_OK(cudaBindTextureToArray(line, array, line.channelDesc));
  readLine<<<1, 1>>>(out.get(), 2.0f);
  line.filterMode = cudaFilterModePoint;
  CUDA_OK(cudaBindTextureToArray(line, array));
  readLine<<<1, 1>>>(out.get() + 1, 2.0f);
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 15.0f);
  CHECK_EQ(out.download()[1], 20.0f);
  CUDA_OK(cudaFreeArray(array));
}

void solidTextures() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  std::vector<float> values(8);
  for (int i = 0; i < 8; ++i) values[i] = float(i);
  cudaArray_t arrays[2];
  for (int layered = 0; layered < 2; ++layered) {
    CUDA_OK(cudaMalloc3DArray(&arrays[layered], &desc, make_cudaExtent(2, 2, 2), layered ? cudaArrayLayered : 0));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), 8, 2, 2);
    copy.dstArray = arrays[layered];
    copy.extent = make_cudaExtent(2, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_OK(cudaMemcpy3D(&copy));
  }
  CUDA_OK(cudaBindTextureToArray(volume, arrays[0]));
  CUDA_OK(cudaBindTextureToArray(layers, arrays[1]));
  check::DeviceArray<float> out(4);
  readVolume<<<1, 2>>>(out.get());
  LAUNCH_OK();
  const std::vector<float> got = out.download();
  CHECK(got == (std::vector<float>{6, 7, 4, 5}));
}

void mipmaps() {
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  CUDA_OK(cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(2, 2, 0), 2));
  for (int level = 0; level < 2; ++level) {
    cudaArray_t part;
    CUDA_OK(cudaGetMipmappedArrayLevel(&part, array, level));
    const float values[4] = {level + 5.0f, 0, 0, 0};
    CUDA_OK(cudaMemcpy2DToArray(part, 0, 0, values, 8 >> level, 8 >> level, 2 >> level, cudaMemcpyHostToDevice));
  }
  mipmapped.normalized = 1;
  mipmapped.maxMipmapLevelClamp = 1;
  CUDA_OK(cudaBindTextureToMipmappedArray(mipmapped, array));
  mipmapped.normalized = 0;
  check::DeviceArray<float> out(2);
  readLevels<<<1, 2>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[1], 6.0f);
}

void surfaces() {
  const int values[4] = {1, 2, 3, 4};
  cudaArray_t array = arrayOf(cudaCreateChannelDesc<int>(), values, 2, 2, 8);
  CUDA_OK(cudaBindSurfaceToArray(picture, array));
  invert<<<1, dim3(2, 2)>>>();
  LAUNCH_OK();
  int back[4];
  CUDA_OK(cudaMemcpy2DFromArray(back, 8, array, 0, 0, 8, 2, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) CHECK_EQ(back[i], -values[i]);
}

int main() {
  memoryTextures();
  pitchedTextures();
  arrayTextures();
  solidTextures();
  mipmaps();
  surfaces();
  return check::finish();
}

#else
int main() { return check::finish(); }
#endif
