// Sampling of the images that most textures are: two dimensions, one level. Device code does it without a call of the
// runtime, which does it in the same way for code from PTX. The arithmetic is that of a GPU: normalised coordinates
// have 21 fractional bits, weights 8 [CUDA 5.5 texture fetching].
#ifndef HOSTWARP_TEXTURE_VIEW_H
#define HOSTWARP_TEXTURE_VIEW_H

#include "device_abi.h"
#include "device_qualifiers.h"

namespace hostwarp {
namespace texture_detail {

// floorOf() is exact. pre: the value is within the range of int.
HOSTWARP_DEVICE int floorOf(float value) {
#ifdef __CUDA_ARCH__
  return hw_int_of(__builtin_floorf(value));
#else
  // std::floor() is a call of the C library on processors of the baseline.
  const int truncated = static_cast<int>(value);
  return truncated - (static_cast<float>(truncated) > value);
#endif
}

// Coordinates beyond these are left to the runtime, which counts with more bits. Not-a-numbers are too.
template <bool normalised>
HOSTWARP_DEVICE bool isNear(float coordinate) {
  const float limit = normalised ? 512.0f : 1e6f;
  return __builtin_fabsf(coordinate) < limit;
}

// inTexels() has 8 fractional bits with linear filtering, where the half of a bit is added before it is cut off, and
// none without. The factors are powers of two, so the products are exact. pre: isNear<normalised>(coordinate).
template <bool normalised, bool linear>
HOSTWARP_DEVICE int inTexels(float coordinate, unsigned size) {
  if (!normalised) return linear ? ((floorOf(coordinate * 512.0f) + 1) >> 1) - 128 : floorOf(coordinate);
  const long long scaled = static_cast<long long>(floorOf(coordinate * 2097152.0f)) * static_cast<long long>(size);
  return linear ? static_cast<int>((scaled + 4096) >> 13) - 128 : static_cast<int>(scaled >> 21);
}

// bringInside() is false for what the runtime has to answer.
HOSTWARP_DEVICE bool bringInside(int &index, unsigned size, unsigned clamps) {
  if (static_cast<unsigned>(index) < size) return true;
  index = index < 0 ? 0 : static_cast<int>(size) - 1;
  return clamps != 0;
}

// Neighbours are the texels that a coordinate lies between; one without weight is not looked at: it may be infinite.
struct Neighbours {
  int first, second;
  float weight;
};

template <bool normalised, bool linear>
HOSTWARP_DEVICE bool neighboursOf(float coordinate, unsigned size, unsigned clamps, Neighbours &result) {
  const int place = inTexels<normalised, linear>(coordinate, size);
  result.weight = linear ? static_cast<float>(place & 255) / 256.0f : 0.0f;
  result.first = linear ? place >> 8 : place;
  result.second = linear && (place & 255) ? result.first + 1 : result.first;
  return bringInside(result.first, size, clamps) && (!linear || bringInside(result.second, size, clamps));
}

// channelOf() reads a channel as its fetch returns it.
template <unsigned form>
HOSTWARP_DEVICE unsigned channelOf(const char *texel, unsigned channel) {
  if (form == HW_TEXEL_32) {
    unsigned value;
    __builtin_memcpy(&value, texel + channel * 4, 4);
    return value;
  }
  if (form == HW_TEXEL_16) {
    unsigned short value;
    __builtin_memcpy(&value, texel + channel * 2, 2);
    return value;
  }
  const unsigned char byte = static_cast<unsigned char>(texel[channel]);
  return form == HW_TEXEL_UNORM_8 ? __builtin_bit_cast(unsigned, static_cast<float>(byte * (1.0 / 255))) : byte;
}

template <unsigned form>
HOSTWARP_DEVICE unsigned bytesOf(unsigned channels) {
  return channels * (form == HW_TEXEL_32 ? 4U : form == HW_TEXEL_16 ? 2U : 1U);
}

// mixed() rounds each product and the sum: a contraction would give other bits than the runtime's.
HOSTWARP_DEVICE float mixed(float first, float second, float weight) {
#ifdef __clang__
#pragma clang fp contract(off)
#endif
  return weight > 0 ? first * (1.0f - weight) + second * weight : first;
}

template <unsigned form>
HOSTWARP_DEVICE float filtered(const char *const rows[2], const uint64_t columns[2], const float weights[2],
                               unsigned channel) {
  const auto value = [&](int row, int column) {
    return __builtin_bit_cast(float, channelOf<form>(rows[row] + columns[column], channel));
  };
  const float upper = mixed(value(0, 0), value(0, 1), weights[0]), lower = mixed(value(1, 0), value(1, 1), weights[0]);
  return mixed(upper, lower, weights[1]);
}

template <unsigned form, unsigned channels, bool normalised, bool linear>
HOSTWARP_DEVICE bool sampleViewAs(const hw_texture_view &view, float x, float y, hw_texel &result) {
  Neighbours column, row;
  if (!isNear<normalised>(x) || !isNear<normalised>(y)) return false;
  if (!neighboursOf<normalised, linear>(x, view.width, view.flags & HW_TEXTURE_CLAMPS_X, column) ||
      !neighboursOf<normalised, linear>(y, view.height, view.flags & HW_TEXTURE_CLAMPS_Y, row))
    return false;
  const char *const rows[2] = {view.data + static_cast<uint64_t>(row.first) * view.rowBytes,
                               view.data + static_cast<uint64_t>(row.second) * view.rowBytes};
  const uint64_t size = bytesOf<form>(channels);
  const uint64_t columns[2] = {static_cast<uint64_t>(column.first) * size, static_cast<uint64_t>(column.second) * size};
  const float weights[2] = {column.weight, row.weight};
  for (unsigned i = 0; i < channels; ++i)
    result.bits[i] = linear ? __builtin_bit_cast(unsigned, filtered<form>(rows, columns, weights, i))
                            : channelOf<form>(rows[0] + columns[0], i);
  for (unsigned i = channels; i < 4; ++i) result.bits[i] = 0;
  return true;
}

// sampleView() fetches at (x, y); false: the runtime has to. pre: the view has that form and number of channels.
template <unsigned form, unsigned channels>
HOSTWARP_DEVICE bool sampleView(const hw_texture_view &view, float x, float y, hw_texel &result) {
  switch (view.flags & (HW_TEXTURE_NORMALISED | HW_TEXTURE_LINEAR)) {
    case 0:
      return sampleViewAs<form, channels, false, false>(view, x, y, result);
    case HW_TEXTURE_NORMALISED:
      return sampleViewAs<form, channels, true, false>(view, x, y, result);
    case HW_TEXTURE_LINEAR:
      return sampleViewAs<form, channels, false, true>(view, x, y, result);
    default:
      return sampleViewAs<form, channels, true, true>(view, x, y, result);
  }
}

}  // namespace texture_detail
}  // namespace hostwarp

#endif  // HOSTWARP_TEXTURE_VIEW_H
