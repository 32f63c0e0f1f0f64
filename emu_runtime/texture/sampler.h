// Texture fetching [CUDA 5.5 texture functions, appendix "texture fetching"]: coordinates to texels to a filtered
// value.
#ifndef HOSTWARP_EMU_RUNTIME_TEXTURE_SAMPLER_H
#define HOSTWARP_EMU_RUNTIME_TEXTURE_SAMPLER_H

#include <vector>

#include "emu_runtime/texture/image.h"
#include "include/hostwarp/device_abi.h"
#include "include/texture_types.h"

namespace hostwarp::texture {

enum class Shape : uint8_t { OneD, TwoD, ThreeD, Cube };

// Sampler reads one texture object. Immutable after construction; thread-safe.
class Sampler {
 public:
  // pre: levels is not empty and its images share a format. `description` has been validated. `readsIntegers`: narrow
  // integers are read as they are, else as fractions.
  Sampler(std::vector<Image> levels, const cudaTextureDesc &description, bool readsIntegers);

  // sample() fetches at (x, y, z), which the addressing modes bring into the image. `layer` picks the layer of a
  // layered texture (clamped); `lod` the mipmap level.
  Texel sample(Shape shape, float x, float y, float z, int layer, float lod) const;

  // sampleInside() is sample(), quickly, for most of the fetches there are: plain 2D images of 32-bit channels. False:
  // it is none of these.
  bool sampleInside(Shape shape, float x, float y, hw_texel &result) const;
  // view() is what device code needs to do the same.
  const hw_texture_view &view() const { return view_; }

  // fetch() reads texel `index` of linear memory, without filtering; outside of it the result is 0.
  Texel fetch(long long index) const;

  // load() reads the texel of these indices at a mipmap level, without filtering; outside of the image the result is 0.
  // A layer counts as z.
  Texel load(long long x, long long y, long long z, long long level) const;

  // gather() returns channel `component` of the four texels that bilinear filtering would mix, in CUDA's order
  // (0,1), (1,1), (1,0), (0,0).
  Texel gather(float x, float y, unsigned component) const;

  const Image &level(size_t index) const { return levels_[index]; }
  const cudaTextureDesc &description() const { return description_; }

 private:
  // Axis is a coordinate on one axis turned into two neighbouring texels and the weight of the second.
  struct Axis {
    long long first = 0, second = 0;
    float weight = 0;
  };

  hw_texel_form formOfView() const;
  hw_texture_view makeView() const;
  long long wrapIndex(long long index, size_t size, int axis) const;
  Axis locate(float coordinate, size_t size, int axis, bool linear) const;
  Texel read(const Image &image, long long x, long long y, long long z) const;
  Texel sampleLevel(const Image &image, Shape shape, float x, float y, float z, int layer) const;
  Texel border() const;

  std::vector<Image> levels_;
  cudaTextureDesc description_;
  cudaTextureAddressMode mode_[3];  // as it takes effect
  bool returnsFloat_, isLinear_;
  bool isRaw_;  // texels are returned as they lie in memory
  hw_texture_view view_;
};

}  // namespace hostwarp::texture

#endif  // HOSTWARP_EMU_RUNTIME_TEXTURE_SAMPLER_H
