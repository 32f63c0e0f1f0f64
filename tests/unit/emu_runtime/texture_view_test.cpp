// What device code samples by itself (hostwarp/texture_view.h) must be, bit for bit, what the sampler gives.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "emu_runtime/texture/sampler.h"
#include "include/hostwarp/texture_view.h"

namespace hostwarp::texture {
namespace {

constexpr size_t width = 13, height = 7;

struct Case {
  cudaTextureAddressMode address;
  cudaTextureFilterMode filter;
  bool normalised;
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (auto address : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder})
    for (auto filter : {cudaFilterModePoint, cudaFilterModeLinear})
      for (bool normalised : {false, true}) result.push_back({address, filter, normalised});
  return result;
}

// coordinates() are inside of an axis, on its texels' edges and centres, outside of it, and no numbers.
std::vector<float> coordinates(size_t size, bool normalised) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> result = {0.0F, -0.0F, 1e-30F, -1e-30F, 3e8F, -3e12F, infinity, -infinity, std::nanf(""), 511.9F};
  std::minstd_rand random(7);
  std::uniform_real_distribution<float> anywhere(-2.0F, static_cast<float>(size) + 2);
  for (int i = 0; i < 60; ++i) result.push_back(anywhere(random));
  for (size_t i = 0; i <= 2 * size; ++i) result.push_back(static_cast<float>(i) / 2);
  for (float &each : result)
    if (normalised) each /= static_cast<float>(size);
  return result;
}

template <unsigned form, unsigned channels>
void compare(const TexelFormat &format, cudaTextureReadMode readMode) {
  std::minstd_rand random(1);
  std::vector<std::byte> bytes(width * height * format.bytes());
  for (std::byte &each : bytes) each = static_cast<std::byte>(random() >> 8);
  if (format.isFloat())  // ordinary numbers, and a few that are not
    for (size_t at = 0; at < bytes.size(); at += 4) {
      const float value =
          at % 116 == 0 ? std::numeric_limits<float>::infinity() : static_cast<float>(random() % 1000) / 7;
      std::memcpy(&bytes[at], &value, sizeof value);
    }
  const Image image{bytes.data(), format, width, height, 1, width * format.bytes(), bytes.size()};
  size_t answered = 0;
  for (const Case &each : cases()) {
    cudaTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = each.address;
    description.filterMode = each.filter;
    description.readMode = readMode;
    description.normalizedCoords = each.normalised;
    const Sampler sampler({image}, description, readMode == cudaReadModeElementType);
    ASSERT_EQ(sampler.view().form, form);
    ASSERT_EQ(sampler.view().channels, channels);
    for (const float x : coordinates(width, each.normalised))
      for (const float y : coordinates(height, each.normalised)) {
        hw_texel quick;
        if (!texture_detail::sampleView<form, channels>(sampler.view(), x, y, quick)) continue;
        ++answered;
        const Texel general = sampler.sample(Shape::TwoD, x, y, 0, 0, 0);
        ASSERT_EQ(std::memcmp(quick.bits, general.u.data(), sizeof quick.bits), 0)
            << "at " << x << ", " << y << " address mode " << each.address << " filter " << each.filter
            << " normalised " << each.normalised;
      }
  }
  EXPECT_GT(answered, 20000U);
}

TEST(TextureView, FloatsAreSampledAsByTheSampler) {
  compare<HW_TEXEL_32, 1>({TexelFormat::Kind::Float, 1, 4}, cudaReadModeElementType);
  compare<HW_TEXEL_32, 2>({TexelFormat::Kind::Float, 2, 4}, cudaReadModeElementType);
  compare<HW_TEXEL_32, 4>({TexelFormat::Kind::Float, 4, 4}, cudaReadModeElementType);
}

TEST(TextureView, IntegersAreReadAsByTheSampler) {
  compare<HW_TEXEL_32, 4>({TexelFormat::Kind::Signed, 4, 4}, cudaReadModeElementType);
  compare<HW_TEXEL_16, 2>({TexelFormat::Kind::Unsigned, 2, 2}, cudaReadModeElementType);
  compare<HW_TEXEL_8, 4>({TexelFormat::Kind::Unsigned, 4, 1}, cudaReadModeElementType);
}

TEST(TextureView, BytesAsFractionsAreFilteredAsByTheSampler) {
  compare<HW_TEXEL_UNORM_8, 1>({TexelFormat::Kind::Unsigned, 1, 1}, cudaReadModeNormalizedFloat);
  compare<HW_TEXEL_UNORM_8, 4>({TexelFormat::Kind::Unsigned, 4, 1}, cudaReadModeNormalizedFloat);
}

TEST(TextureView, WhatHasOtherFormsIsLeftToTheSampler) {
  std::vector<std::byte> bytes(width * height * 8);
  const auto formOf = [&](TexelFormat format, cudaTextureReadMode readMode, bool sRgb) {
    cudaTextureDesc description{};
    description.readMode = readMode;
    description.sRGB = sRgb;
    return Sampler({Image{bytes.data(), format, width, height, 1, width * format.bytes(), bytes.size()}}, description,
                   readMode == cudaReadModeElementType)
        .view()
        .form;
  };
  EXPECT_EQ(formOf({TexelFormat::Kind::Float, 1, 2}, cudaReadModeElementType, false), HW_TEXEL_OTHER);
  EXPECT_EQ(formOf({TexelFormat::Kind::Signed, 1, 1}, cudaReadModeNormalizedFloat, false), HW_TEXEL_OTHER);
  EXPECT_EQ(formOf({TexelFormat::Kind::Unsigned, 1, 2}, cudaReadModeNormalizedFloat, false), HW_TEXEL_OTHER);
  EXPECT_EQ(formOf({TexelFormat::Kind::Unsigned, 1, 1}, cudaReadModeNormalizedFloat, true), HW_TEXEL_OTHER);
}

}  // namespace
}  // namespace hostwarp::texture
