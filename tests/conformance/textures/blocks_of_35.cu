// Texels looked up by blocks whose last warp has three threads, which may look at bytes that others of their warp
// write.
#include "../check.h"

__global__ void lookUp(const unsigned *in, unsigned *out, unsigned char *bytes, cudaTextureObject_t plane,
                       cudaTextureObject_t line, unsigned offset) {
  const unsigned l = threadIdx.x + 5 * threadIdx.y, t = blockIdx.x * 35 + l;
  unsigned value = in[t & 255], byte = in[(t * 7 + 3) & 255] >> 3;
  __syncthreads();
  bytes[t * 2] = static_cast<unsigned char>(byte);
  byte += bytes[t * 2 + offset % 2];
  value += tex2D<unsigned>(plane, 4.5f, static_cast<float>(byte % 24u) - 2.5f);
  value ^= tex1Dfetch<unsigned>(line, value & 255);
  out[t] = value;
}

static cudaTextureObject_t makeTexture(const cudaResourceDesc &resource) {
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture = 0;
  CUDA_OK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  return texture;
}

int main() {
  const int blocks = 4, n = blocks * 35;
  std::vector<unsigned> in(256), texels(256);
  for (int i = 0; i < 256; ++i) in[i] = i * 2654435761u, texels[i] = i * 40503u + 7;
  std::vector<unsigned char> before(2 * n, 9);
  check::DeviceArray<unsigned> given(in), row(texels), out(n, 0);
  check::DeviceArray<unsigned char> bytes(before);
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
  CUDA_OK(cudaMallocArray(&array, &format, 16, 16));
  CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 64, 64, 16, cudaMemcpyHostToDevice));
  cudaResourceDesc ofArray{}, ofLine{};
  ofArray.resType = cudaResourceTypeArray;
  ofArray.res.array.array = array;
  ofLine.resType = cudaResourceTypeLinear;
  ofLine.res.linear = {row.get(), format, 1024};
  const cudaTextureObject_t plane = makeTexture(ofArray), line = makeTexture(ofLine);
  lookUp<<<blocks, dim3(5, 7)>>>(given.get(), out.get(), bytes.get(), plane, line, 3);
  LAUNCH_OK();
  const auto results = out.download();
  for (int t = 0; t < n; ++t) {
    const unsigned byte = (in[(t * 7 + 3) & 255] >> 3) + 9;
    const int y = static_cast<int>(std::floor(static_cast<float>(byte % 24u) - 2.5f));
    const unsigned value = in[t & 255] + texels[std::min(std::max(y, 0), 15) * 16 + 4];
    CHECK_EQ(results[t], value ^ texels[value & 255]);
  }
  CUDA_OK(cudaDestroyTextureObject(plane));
  CUDA_OK(cudaDestroyTextureObject(line));
  CUDA_OK(cudaFreeArray(array));
  return check::finish();
}
