// Texture objects: the GPU's own units fetch.
#include "compiler/gpu_library/source/interface.h"

// No image is one that code may sample by itself.
static __attribute__((device)) const hw_texture_view noView = {nullptr, 0, 0, 0, HW_TEXEL_OTHER, 0, 0};

GPU_FUNCTION __attribute__((always_inline)) const hw_texture_view *hw_texture_view_of(uint64_t) noexcept {
  return &noView;
}

#define TEXELS "{%0, %1, %2, %3}"
#define RESULT "=r"(result->bits[0]), "=r"(result->bits[1]), "=r"(result->bits[2]), "=r"(result->bits[3])

#define FETCH(shape, place, ...) \
  asm volatile("tex." shape ".v4.u32.f32 " TEXELS ", [%4, " place "];" : RESULT : "l"(object), __VA_ARGS__)
#define FETCH_LEVEL(shape, place, level, ...)                                           \
  asm volatile("tex.level." shape ".v4.u32.f32 " TEXELS ", [%4, " place "], " level ";" \
               : RESULT                                                                 \
               : "l"(object), __VA_ARGS__)

GPU_INLINE void sampleLayer(uint64_t object, const hw_texture_point &p, hw_texel *result) {
  switch (p.shape) {
    case HW_TEXTURE_1D:
      FETCH_LEVEL("a1d", "{%5, %6}", "%7", "r"(p.layer), "f"(p.x), "f"(p.lod));
      break;
    case HW_TEXTURE_CUBE:
      FETCH_LEVEL("acube", "{%5, %6, %7, %8}", "%9", "r"(p.layer), "f"(p.x), "f"(p.y), "f"(p.z), "f"(p.lod));
      break;
    default:
      FETCH_LEVEL("a2d", "{%5, %6, %7, %7}", "%8", "r"(p.layer), "f"(p.x), "f"(p.y), "f"(p.lod));
  }
}

GPU_INLINE void samplePlain(uint64_t object, const hw_texture_point &p, hw_texel *result) {
  switch (p.shape) {
    case HW_TEXTURE_1D:
      FETCH("1d", "{%5}", "f"(p.x));
      break;
    case HW_TEXTURE_2D:
      FETCH("2d", "{%5, %6}", "f"(p.x), "f"(p.y));
      break;
    case HW_TEXTURE_3D:
      FETCH("3d", "{%5, %6, %7, %7}", "f"(p.x), "f"(p.y), "f"(p.z));
      break;
    default:
      FETCH("cube", "{%5, %6, %7, %7}", "f"(p.x), "f"(p.y), "f"(p.z));
  }
}

GPU_INLINE void sampleLevel(uint64_t object, const hw_texture_point &p, hw_texel *result) {
  switch (p.shape) {
    case HW_TEXTURE_1D:
      FETCH_LEVEL("1d", "{%5}", "%6", "f"(p.x), "f"(p.lod));
      break;
    case HW_TEXTURE_2D:
      FETCH_LEVEL("2d", "{%5, %6}", "%7", "f"(p.x), "f"(p.y), "f"(p.lod));
      break;
    case HW_TEXTURE_3D:
      FETCH_LEVEL("3d", "{%5, %6, %7, %7}", "%8", "f"(p.x), "f"(p.y), "f"(p.z), "f"(p.lod));
      break;
    default:
      FETCH_LEVEL("cube", "{%5, %6, %7, %7}", "%8", "f"(p.x), "f"(p.y), "f"(p.z), "f"(p.lod));
  }
}

#define IS_ZERO(value) (__builtin_constant_p(value) && (value) == 0)

// Functions for images without layers pass layer 0, those for images of one level level 0.
GPU_FUNCTION __attribute__((always_inline)) void hw_texture_sample(uint64_t object, const hw_texture_point *point,
                                                                   hw_texel *result) noexcept {
  if (!IS_ZERO(point->layer))
    sampleLayer(object, *point, result);
  else if (IS_ZERO(point->lod))
    samplePlain(object, *point, result);
  else
    sampleLevel(object, *point, result);
}

GPU_FUNCTION __attribute__((always_inline)) void hw_texture_fetch(uint64_t object, int32_t index,
                                                                  hw_texel *result) noexcept {
  asm volatile("tex.1d.v4.u32.s32 " TEXELS ", [%4, {%5}];" : RESULT : "l"(object), "r"(index));
}

#define GATHER(component) \
  asm volatile("tld4." component ".2d.v4.u32.f32 " TEXELS ", [%4, {%5, %6}];" : RESULT : "l"(object), "f"(x), "f"(y))

GPU_FUNCTION __attribute__((always_inline)) void hw_texture_gather(uint64_t object, float x, float y,
                                                                   uint32_t component, hw_texel *result) noexcept {
  switch (component) {
    case 0:
      GATHER("r");
      break;
    case 1:
      GATHER("g");
      break;
    case 2:
      GATHER("b");
      break;
    default:
      GATHER("a");
  }
}

// --- What the header does in several steps ---

#define FETCH_GRADIENT(shape, place, dx, dy, ...)                                           \
  asm volatile("tex.grad." shape ".v4.u32.f32 " TEXELS ", [%4, " place "], " dx ", " dy ";" \
               : RESULT                                                                     \
               : "l"(object), __VA_ARGS__)

#define ALONG_1(d) "f"(d.dx[0]), "f"(d.dy[0])
#define ALONG_2(d) "f"(d.dx[0]), "f"(d.dx[1]), "f"(d.dy[0]), "f"(d.dy[1])
#define ALONG_3(d) "f"(d.dx[0]), "f"(d.dx[1]), "f"(d.dx[2]), "f"(d.dy[0]), "f"(d.dy[1]), "f"(d.dy[2])

namespace hostwarp {
namespace texture_detail {

struct Derivatives {
  float dx[3], dy[3];
};

__attribute__((device, always_inline)) void sampleLayer(unsigned long long object, const hw_texture_point &point,
                                                        hw_texel &texel) {
  ::sampleLayer(object, point, &texel);
}

__attribute__((device, always_inline)) void sampleGradient(unsigned long long object, const hw_texture_point &p,
                                                           const Derivatives &d, hw_texel &texel) {
  hw_texel *const result = &texel;
  switch (p.shape) {
    case HW_TEXTURE_1D:
      FETCH_GRADIENT("1d", "{%5}", "{%6}", "{%7}", "f"(p.x), ALONG_1(d));
      break;
    case HW_TEXTURE_2D:
      FETCH_GRADIENT("2d", "{%5, %6}", "{%7, %8}", "{%9, %10}", "f"(p.x), "f"(p.y), ALONG_2(d));
      break;
    case HW_TEXTURE_3D:
      FETCH_GRADIENT("3d", "{%5, %6, %7, %7}", "{%8, %9, %10, %10}", "{%11, %12, %13, %13}", "f"(p.x), "f"(p.y),
                     "f"(p.z), ALONG_3(d));
      break;
    default:
      FETCH_GRADIENT("cube", "{%5, %6, %7, %7}", "{%8, %9, %10, %10}", "{%11, %12, %13, %13}", "f"(p.x), "f"(p.y),
                     "f"(p.z), ALONG_3(d));
  }
}

__attribute__((device, always_inline)) void sampleLayerGradient(unsigned long long object, const hw_texture_point &p,
                                                                const Derivatives &d, hw_texel &texel) {
  hw_texel *const result = &texel;
  switch (p.shape) {
    case HW_TEXTURE_1D:
      FETCH_GRADIENT("a1d", "{%5, %6}", "{%7}", "{%8}", "r"(p.layer), "f"(p.x), ALONG_1(d));
      break;
    case HW_TEXTURE_CUBE:
      FETCH_GRADIENT("acube", "{%5, %6, %7, %8}", "{%9, %10, %11, %11}", "{%12, %13, %14, %14}", "r"(p.layer), "f"(p.x),
                     "f"(p.y), "f"(p.z), ALONG_3(d));
      break;
    default:
      FETCH_GRADIENT("a2d", "{%5, %6, %7, %7}", "{%8, %9}", "{%10, %11}", "r"(p.layer), "f"(p.x), "f"(p.y), ALONG_2(d));
  }
}

}  // namespace texture_detail
}  // namespace hostwarp
