// Texture objects over arrays: address modes, filtering, normalised coordinates and reads, layers, borders
// [CUDA 5.5, texture fetching]. Point sampling must be exact, linear filtering within the precision of its weights.
#include <cmath>

#include "../check.h"

constexpr int width = 13, height = 7, depth = 5, points = 512;

static float value(int x, int y, int z) {
  return static_cast<float>((x * 7919 + y * 104729 + z * 1299709) % 1009) / 16;
}

struct Fetch {
  int shape;  // 1, 2, 3 dimensions; 4: 2D with layers
  bool normalised, linear;
  cudaTextureAddressMode mode;
};

__global__ void fetchAll(cudaTextureObject_t texture, int shape, const float4 *at, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 p = at[i];
  if (shape == 1) out[i] = tex1D<float>(texture, p.x);
  if (shape == 2) out[i] = tex2D<float>(texture, p.x, p.y);
  if (shape == 3) out[i] = tex3D<float>(texture, p.x, p.y, p.z);
  if (shape == 4) out[i] = tex2DLayered<float>(texture, p.x, p.y, static_cast<int>(p.w));
}

// wrapped() is the texel that an index stands for, -1 for the border.
static long long wrapped(long long index, int size, const Fetch &fetch) {
  const bool inside = index >= 0 && index < size;
  if (inside) return index;
  if (fetch.mode == cudaAddressModeBorder) return -1;
  if (fetch.normalised && fetch.mode == cudaAddressModeWrap) return (index % size + size) % size;
  if (fetch.normalised && fetch.mode == cudaAddressModeMirror) {
    const long long folded = (index % (2 * size) + 2 * size) % (2 * size);
    return folded < size ? folded : 2 * size - 1 - folded;
  }
  return index < 0 ? 0 : size - 1;
}

struct Axis {
  long long first, second;
  double weight;
};

// Normalised coordinates have 21 fractional bits; the weights of linear filtering 8.
static Axis axis(float coordinate, int size, const Fetch &fetch) {
  double position = coordinate;
  if (fetch.normalised) position = std::floor(position * (1 << 21)) / (1 << 21) * size;
  if (!fetch.linear) return {wrapped(static_cast<long long>(std::floor(position)), size, fetch), 0, 0};
  const auto fixed = static_cast<long long>(std::floor(position * 256 + 0.5)) - 128;
  const long long index = static_cast<long long>(std::floor(fixed / 256.0));
  return {wrapped(index, size, fetch), wrapped(index + 1, size, fetch), (fixed - 256 * index) / 256.0};
}

constexpr float border = 3.25f;

static double expected(const Fetch &fetch, const float4 &p) {
  const Axis none{0, 0, 0};
  const Axis x = axis(p.x, width, fetch), y = fetch.shape == 1 ? none : axis(p.y, height, fetch),
             z = fetch.shape == 3 ? axis(p.z, depth, fetch) : none;
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const bool right = corner & 1, lower = corner & 2, back = corner & 4;
    const double weight =
        (right ? x.weight : 1 - x.weight) * (lower ? y.weight : 1 - y.weight) * (back ? z.weight : 1 - z.weight);
    if (weight == 0) continue;
    const long long tx = right ? x.second : x.first, ty = lower ? y.second : y.first, tz = back ? z.second : z.first;
    const int layer = fetch.shape == 4 ? static_cast<int>(p.w) : static_cast<int>(tz);
    sum += weight * (tx < 0 || ty < 0 || tz < 0 ? border : value(static_cast<int>(tx), static_cast<int>(ty), layer));
  }
  return sum;
}

static std::vector<float4> coordinates(bool normalised) {
  std::vector<float4> at(points);
  unsigned seed = 1;
  const auto random = [&] { return static_cast<float>((seed = seed * 1664525 + 1013904223) >> 8) / 16777216; };
  const auto coordinate = [&](int kind, int size) {
    float c = random() * static_cast<float>(size);
    if (kind == 0) c = std::floor(c) + 0.5f;
    if (kind == 2) c = (random() * 4 - 1.5f) * static_cast<float>(size);
    if (kind == 3) c = std::floor(2 * c);
    return normalised ? c / static_cast<float>(size) : c;
  };
  for (int i = 0; i < points; ++i)
    at[i] = {coordinate(i % 4, width), coordinate((i + 1) % 4, height), coordinate((i + 2) % 4, depth),
             static_cast<float>(i % depth)};
  return at;
}

static cudaArray_t makeArray(int shape) {
  const int w = width, h = shape == 1 ? 0 : height, d = shape >= 3 ? depth : 0;
  const int rows = shape == 1 ? 1 : h, slices = shape >= 3 ? d : 1;
  std::vector<float> texels;
  for (int z = 0; z < slices; ++z)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < w; ++x) texels.push_back(value(x, y, z));
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CUDA_OK(
      cudaMalloc3DArray(&array, &format, make_cudaExtent(w, h, d), shape == 4 ? cudaArrayLayered : cudaArrayDefault));
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), w * sizeof(float), w, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, rows, slices);
  copy.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&copy));
  return array;
}

static cudaTextureObject_t makeTexture(cudaArray_t array, const Fetch &fetch) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling{};
  // The border of a texture without layers that has one dimension is one of two dimensions: not looked at here.
  const int axes = fetch.shape == 1 ? 1 : 3;
  for (int i = 0; i < axes; ++i) sampling.addressMode[i] = fetch.mode;
  sampling.filterMode = fetch.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  sampling.normalizedCoords = fetch.normalised;
  for (float &channel : sampling.borderColor) channel = border;
  cudaTextureObject_t texture;
  CUDA_OK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

static void testFetch(const Fetch &fetch) {
  cudaArray_t array = makeArray(fetch.shape);
  cudaTextureObject_t texture = makeTexture(array, fetch);
  const std::vector<float4> at = coordinates(fetch.normalised);
  check::DeviceArray<float4> places(at);
  check::DeviceArray<float> out(std::vector<float>(points, -1));
  fetchAll<<<points / 64, 64>>>(texture, fetch.shape, places.get(), out.get());
  LAUNCH_OK();
  const std::vector<float> got = out.download();
  // The products of weights may be rounded to 8 bits too.
  const double allowed = fetch.linear ? 63.0 * (fetch.shape == 3 ? 4 : 2) / 256 : 0;
  for (int i = 0; i < points; ++i) CHECK(std::fabs(got[i] - expected(fetch, at[i])) <= allowed);
  CUDA_OK(cudaDestroyTextureObject(texture));
  CUDA_OK(cudaFreeArray(array));
}

__global__ void fetchBytes(cudaTextureObject_t raw, cudaTextureObject_t normalised, uchar4 *bytes, float4 *floats) {
  const float x = static_cast<float>(threadIdx.x) - 1;  // the first and the last lie outside
  bytes[threadIdx.x] = tex2D<uchar4>(raw, x, 0.0f);
  floats[threadIdx.x] = tex2D<float4>(normalised, x, 0.0f);
}

static void testReadModes() {
  std::vector<uchar4> texels(16);
  for (unsigned i = 0; i < 16; ++i) texels[i] = make_uchar4(i, 255 - i, 16 * i, 100);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  CUDA_OK(cudaMallocArray(&array, &format, 16, 1));
  CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 64, 64, 1, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling{};
  for (cudaTextureAddressMode &mode : sampling.addressMode) mode = cudaAddressModeBorder;
  sampling.borderColor[0] = 0.25f;
  sampling.borderColor[1] = -3;
  sampling.borderColor[2] = 1.5f;
  sampling.borderColor[3] = 0.5f;  // between 127 and 128 of 255
  cudaTextureObject_t raw, normalised, none;
  CUDA_OK(cudaCreateTextureObject(&raw, &resource, &sampling, nullptr));
  sampling.readMode = cudaReadModeNormalizedFloat;
  CUDA_OK(cudaCreateTextureObject(&normalised, &resource, &sampling, nullptr));
  check::DeviceArray<uchar4> bytes(std::vector<uchar4>(18, uchar4{}));
  check::DeviceArray<float4> floats(std::vector<float4>(18, float4{}));
  fetchBytes<<<1, 18>>>(raw, normalised, bytes.get(), floats.get());
  LAUNCH_OK();
  const std::vector<uchar4> b = bytes.download();
  const std::vector<float4> f = floats.download();
  for (int i = 1; i < 17; ++i) {
    CHECK_EQ(b[i].x, texels[i - 1].x);
    CHECK_EQ(b[i].z, texels[i - 1].z);
    CHECK(std::fabs(f[i].y - texels[i - 1].y / 255.0f) < 1e-6f);
    CHECK(std::fabs(f[i].w - 100 / 255.0f) < 1e-6f);
  }
  // The border of a normalised texture is a colour that its texels could have.
  CHECK(std::fabs(f[0].x - 64 / 255.0f) < 1e-6f && f[0].y == 0 && f[0].z == 1);
  CHECK(std::fabs(f[0].w - 127 / 255.0f) < 1e-6f);
  sampling.readMode = cudaReadModeElementType;
  sampling.filterMode = cudaFilterModeLinear;
  CHECK_EQ(cudaCreateTextureObject(&none, &resource, &sampling, nullptr), cudaErrorInvalidFilterSetting);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidFilterSetting);
  CUDA_OK(cudaDestroyTextureObject(raw));
  CUDA_OK(cudaDestroyTextureObject(normalised));
  CUDA_OK(cudaFreeArray(array));
}

__global__ void gatherOutside(cudaTextureObject_t texture, float4 *out) {
  out[0] = tex2Dgather<float4>(texture, -4, 0.5f, 0);
  out[1] = tex2Dgather<float4>(texture, -4, 0.5f, 1);
}

// What a texture has no channel for is zero, in the border, too.
static void testGatheredBorder() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  CUDA_OK(cudaMallocArray(&resource.res.array.array, &format, 4, 4, cudaArrayTextureGather));
  cudaTextureDesc sampling{};
  for (cudaTextureAddressMode &mode : sampling.addressMode) mode = cudaAddressModeBorder;
  for (float &channel : sampling.borderColor) channel = border;
  cudaTextureObject_t texture;
  CUDA_OK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  check::DeviceArray<float4> out(std::vector<float4>(2, float4{}));
  gatherOutside<<<1, 1>>>(texture, out.get());
  LAUNCH_OK();
  CHECK(out.download()[0].x == border);
  CHECK(out.download()[1].x == 0);
  CUDA_OK(cudaDestroyTextureObject(texture));
  CUDA_OK(cudaFreeArray(resource.res.array.array));
}

int main() {
  const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
                                          cudaAddressModeBorder};
  for (int shape : {1, 2, 3, 4})
    for (bool normalised : {false, true})
      for (bool linear : {false, true})
        for (cudaTextureAddressMode mode : modes) testFetch({shape, normalised, linear, mode});
  testReadModes();
  testGatheredBorder();
  return check::finish();
}
