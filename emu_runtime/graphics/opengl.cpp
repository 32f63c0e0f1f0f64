#include "emu_runtime/graphics/opengl.h"

#include <dlfcn.h>

#include <optional>
#include <string>

namespace hostwarp::graphics {

namespace {

constexpr unsigned version = 0x1F02;  // GL_VERSION

using Lookup = void *(*)(const char *name);

// lookup() is how the program's OpenGL tells its functions; null while the program has none loaded. Some programs load
// it for themselves only.
Lookup lookup() {
  constexpr struct {
    const char *library, *function;
  } places[] = {{"libGL.so.1", "glXGetProcAddressARB"},
                {"libGLX.so.0", "glXGetProcAddressARB"},
                {"libEGL.so.1", "eglGetProcAddress"},
                {"libOSMesa.so.8", "OSMesaGetProcAddress"}};
  for (const auto &place : places)
    if (void *found = dlsym(RTLD_DEFAULT, place.function)) return reinterpret_cast<Lookup>(found);
  for (const auto &place : places) {
    void *library = dlopen(place.library, RTLD_LAZY | RTLD_NOLOAD);
    if (!library) continue;
    if (void *found = dlsym(library, place.function)) return reinterpret_cast<Lookup>(found);
  }
  return nullptr;
}

std::optional<OpenGl> load() {
  const Lookup find = lookup();
  if (!find) return std::nullopt;
  OpenGl gl;
  bool complete = true;
#define HOSTWARP_OPENGL_LOAD(Result, name, parameters)             \
  gl.name = reinterpret_cast<decltype(gl.name)>(find("gl" #name)); \
  complete = complete && gl.name;
  HOSTWARP_OPENGL_FUNCTIONS(HOSTWARP_OPENGL_LOAD)
#undef HOSTWARP_OPENGL_LOAD
  return complete ? std::optional(gl) : std::nullopt;
}

}  // namespace

Expected<const OpenGl *> openGl() {
  // What was found once stays; a program that has none yet may load it later.
  static thread_local std::optional<OpenGl> gl;
  if (!gl) gl = load();
  if (!gl) return Status(cudaErrorInvalidGraphicsContext, "the program has not loaded OpenGL");
  if (!gl->GetString(version))
    return Status(cudaErrorInvalidGraphicsContext, "no OpenGL context is current to the calling thread");
  return &*gl;
}

}  // namespace hostwarp::graphics
