// Resource: a buffer or an image of OpenGL that kernels use in turns with it.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPHICS_RESOURCE_H
#define HOSTWARP_EMU_RUNTIME_GRAPHICS_RESOURCE_H

#include <driver_types.h>

#include <memory>

#include "emu_runtime/graphics/opengl.h"
#include "emu_runtime/support/status.h"
#include "emu_runtime/texture/array.h"

namespace hostwarp::graphics {

// Resource has memory of the device while it is mapped: what OpenGL holds is copied there, and back when it is
// unmapped. pre for all: OpenGL's context is current to the calling thread, which programs have to see to.
class Resource {
 public:
  explicit Resource(unsigned flags) : flags_(flags) {}
  virtual ~Resource() = default;
  Resource(const Resource &) = delete;
  Resource &operator=(const Resource &) = delete;

  // map() and unmap() move the contents, as far as the flags (cudaGraphicsMapFlags) do not say that nobody looks at
  // them. pre for unmap(): nothing on the device uses the memory any more.
  Status map(const OpenGl &gl);
  void unmap(const OpenGl &gl);
  bool mapped() const { return mapped_; }
  void setFlags(unsigned flags) { flags_ = flags; }

  // What is mapped; each kind of resource has one of them.
  struct Memory {
    void *data;
    size_t bytes;
  };
  virtual Expected<Memory> memory() const { return cudaErrorNotMappedAsPointer; }
  virtual Expected<cudaArray_t> array() const { return cudaErrorNotMappedAsArray; }

 protected:
  // allocate() makes the device's memory; fetch() and giveBack() copy; release() frees the memory.
  virtual Status allocate(const OpenGl &gl) = 0;
  virtual void fetch(const OpenGl &gl) = 0;
  virtual void giveBack(const OpenGl &gl) = 0;
  virtual void release() = 0;

 private:
  unsigned flags_;
  bool mapped_ = false;
};
using ResourceRef = std::shared_ptr<Resource>;

// Both fail for what OpenGL does not know, or what cannot be shared.
Expected<ResourceRef> bufferResource(const OpenGl &gl, unsigned buffer, unsigned flags);
Expected<ResourceRef> imageResource(const OpenGl &gl, unsigned image, unsigned target, unsigned flags);

}  // namespace hostwarp::graphics

#endif  // HOSTWARP_EMU_RUNTIME_GRAPHICS_RESOURCE_H
