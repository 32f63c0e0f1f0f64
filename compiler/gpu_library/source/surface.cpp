// Surface objects: the GPU's loads and stores of bytes, instead of the header's own through an address.
#include "compiler/gpu_library/source/interface.h"

namespace hostwarp {
namespace texture_detail {

// As the header has them.
enum SurfaceShape { Surface1D, Surface2D, Surface3D, Surface1DLayered, Surface2DLayered };
struct SurfacePlace {
  int shape, x, y, z, boundary;
};

}  // namespace texture_detail
}  // namespace hostwarp

namespace {

using namespace hostwarp::texture_detail;

typedef unsigned char __attribute__((may_alias)) Byte;
typedef unsigned short __attribute__((may_alias)) Short;
typedef unsigned __attribute__((may_alias)) Word;

#define PLACE [object] "l"(object), [x] "r"(place.x), [y] "r"(place.y), [z] "r"(place.z)

#define LOAD(form, at, registers, ...) \
  asm volatile("suld.b." form " {" registers "}, [%[object], {" at "}];" : __VA_ARGS__ : PLACE : "memory")
#define STORE(form, at, registers, ...) \
  asm volatile("sust.b." form " [%[object], {" at "}], {" registers "};" : : PLACE, __VA_ARGS__ : "memory")

#define ONE "%[a]"
#define TWO "%[a], %[b]"
#define FOUR "%[a], %[b], %[c], %[d]"
#define TWO_OF(sign, words) [a] sign(words[0]), [b] sign(words[1])
#define FOUR_OF(sign, words) TWO_OF(sign, words), [c] sign(words[2]), [d] sign(words[3])

// A function for each shape and boundary mode, with an instruction for each number of bytes.
#define SHAPE_AND_MODE(name, mode, at)                                                                             \
  GPU_INLINE void load_##name##_##mode(unsigned long long object, const SurfacePlace &place, unsigned bytes,       \
                                       void *value) {                                                              \
    unsigned short narrow = 0;                                                                                     \
    Word *const words = static_cast<Word *>(value);                                                                \
    if (bytes == 1) {                                                                                              \
      LOAD(#name ".b8." #mode, at, ONE, [a] "=h"(narrow));                                                         \
      *static_cast<Byte *>(value) = static_cast<unsigned char>(narrow);                                            \
    } else if (bytes == 2) {                                                                                       \
      LOAD(#name ".b16." #mode, at, ONE, [a] "=h"(narrow));                                                        \
      *static_cast<Short *>(value) = narrow;                                                                       \
    } else if (bytes == 4) {                                                                                       \
      LOAD(#name ".b32." #mode, at, ONE, [a] "=r"(words[0]));                                                      \
    } else if (bytes == 8) {                                                                                       \
      LOAD(#name ".v2.b32." #mode, at, TWO, TWO_OF("=r", words));                                                  \
    } else if (bytes == 16) {                                                                                      \
      LOAD(#name ".v4.b32." #mode, at, FOUR, FOUR_OF("=r", words));                                                \
    } else {                                                                                                       \
      __builtin_trap();                                                                                            \
    }                                                                                                              \
  }                                                                                                                \
  GPU_INLINE void store_##name##_##mode(unsigned long long object, const SurfacePlace &place, unsigned bytes,      \
                                        const void *value) {                                                       \
    const Word *const words = static_cast<const Word *>(value);                                                    \
    if (bytes == 1)                                                                                                \
      STORE(#name ".b8." #mode, at, ONE, [a] "h"(static_cast<unsigned short>(*static_cast<const Byte *>(value)))); \
    else if (bytes == 2)                                                                                           \
      STORE(#name ".b16." #mode, at, ONE, [a] "h"(*static_cast<const Short *>(value)));                            \
    else if (bytes == 4)                                                                                           \
      STORE(#name ".b32." #mode, at, ONE, [a] "r"(words[0]));                                                      \
    else if (bytes == 8)                                                                                           \
      STORE(#name ".v2.b32." #mode, at, TWO, TWO_OF("r", words));                                                  \
    else if (bytes == 16)                                                                                          \
      STORE(#name ".v4.b32." #mode, at, FOUR, FOUR_OF("r", words));                                                \
    else                                                                                                           \
      __builtin_trap();                                                                                            \
  }
#define SHAPE(name, at)           \
  SHAPE_AND_MODE(name, zero, at)  \
  SHAPE_AND_MODE(name, clamp, at) \
  SHAPE_AND_MODE(name, trap, at)
SHAPE(1d, "%[x]")
SHAPE(2d, "%[x], %[y]")
SHAPE(3d, "%[x], %[y], %[z], %[z]")
SHAPE(a1d, "%[z], %[x]")
SHAPE(a2d, "%[z], %[x], %[y], %[y]")

}  // namespace

// The boundary modes are cudaSurfaceBoundaryMode's.
#define IN_MODE(access, name)                             \
  if (place.boundary == 0)                                \
    access##_##name##_zero(object, place, bytes, value);  \
  else if (place.boundary == 1)                           \
    access##_##name##_clamp(object, place, bytes, value); \
  else                                                    \
    access##_##name##_trap(object, place, bytes, value);  \
  break;
#define IN_SHAPE(access)   \
  switch (place.shape) {   \
    case Surface1D:        \
      IN_MODE(access, 1d)  \
    case Surface2D:        \
      IN_MODE(access, 2d)  \
    case Surface3D:        \
      IN_MODE(access, 3d)  \
    case Surface1DLayered: \
      IN_MODE(access, a1d) \
    case Surface2DLayered: \
      IN_MODE(access, a2d) \
  }

namespace hostwarp {
namespace texture_detail {

__attribute__((device, always_inline)) void loadSurface(unsigned long long object, const SurfacePlace &place,
                                                        unsigned bytes, void *value) {
  IN_SHAPE(load)
}
__attribute__((device, always_inline)) void storeSurface(unsigned long long object, const SurfacePlace &place,
                                                         unsigned bytes, const void *value) {
  IN_SHAPE(store)
}

}  // namespace texture_detail
}  // namespace hostwarp
