// The program's OpenGL, found when it is asked for: hostwarp itself is not linked with any.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPHICS_OPENGL_H
#define HOSTWARP_EMU_RUNTIME_GRAPHICS_OPENGL_H

#include <cstddef>

#include "emu_runtime/support/status.h"

namespace hostwarp::graphics {

// What is used of OpenGL: result, name without "gl", parameters.
#define HOSTWARP_OPENGL_FUNCTIONS(X)                                                                     \
  X(const unsigned char *, GetString, (unsigned name))                                                   \
  X(void, GetIntegerv, (unsigned name, int *value))                                                      \
  X(unsigned char, IsBuffer, (unsigned buffer))                                                          \
  X(void, BindBuffer, (unsigned target, unsigned buffer))                                                \
  X(void, GetBufferParameteriv, (unsigned target, unsigned name, int *value))                            \
  X(void, GetBufferSubData, (unsigned target, ptrdiff_t offset, ptrdiff_t bytes, void *data))            \
  X(void, BufferSubData, (unsigned target, ptrdiff_t offset, ptrdiff_t bytes, const void *data))         \
  X(unsigned char, IsTexture, (unsigned texture))                                                        \
  X(void, BindTexture, (unsigned target, unsigned texture))                                              \
  X(void, GetTexLevelParameteriv, (unsigned target, int level, unsigned name, int *value))               \
  X(void, GetTexImage, (unsigned target, int level, unsigned format, unsigned type, void *pixels))       \
  X(void, TexSubImage2D,                                                                                 \
    (unsigned target, int level, int x, int y, int width, int height, unsigned format, unsigned type,    \
     const void *pixels))                                                                                \
  X(void, TexSubImage3D,                                                                                 \
    (unsigned target, int level, int x, int y, int z, int width, int height, int depth, unsigned format, \
     unsigned type, const void *pixels))                                                                 \
  X(void, PixelStorei, (unsigned name, int value))

struct OpenGl {
#define HOSTWARP_OPENGL_MEMBER(Result, name, parameters) Result(*name) parameters = nullptr;
  HOSTWARP_OPENGL_FUNCTIONS(HOSTWARP_OPENGL_MEMBER)
#undef HOSTWARP_OPENGL_MEMBER
};

// openGl() is the OpenGL of the context that is current to the calling thread; cudaErrorInvalidGraphicsContext where
// there is none.
Expected<const OpenGl *> openGl();

}  // namespace hostwarp::graphics

#endif  // HOSTWARP_EMU_RUNTIME_GRAPHICS_OPENGL_H
