#include "emu_runtime/graphics/resource.h"

#include "emu_runtime/api/api.h"
#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::graphics {

namespace {

constexpr unsigned copyReadBuffer = 0x8F36;  // GL_COPY_READ_BUFFER, and its binding
constexpr unsigned bufferSize = 0x8764;      // GL_BUFFER_SIZE

// BoundBuffer binds a buffer where OpenGL itself does not look, while it exists.
class BoundBuffer {
 public:
  BoundBuffer(const OpenGl &gl, unsigned buffer) : gl_(gl) {
    gl_.GetIntegerv(copyReadBuffer, &before_);
    gl_.BindBuffer(copyReadBuffer, buffer);
  }
  ~BoundBuffer() { gl_.BindBuffer(copyReadBuffer, static_cast<unsigned>(before_)); }
  BoundBuffer(const BoundBuffer &) = delete;
  BoundBuffer &operator=(const BoundBuffer &) = delete;

 private:
  const OpenGl &gl_;
  int before_ = 0;
};

class Buffer final : public Resource {
 public:
  Buffer(unsigned buffer, unsigned flags) : Resource(flags), buffer_(buffer) {}
  ~Buffer() override { release(); }

  Expected<Memory> memory() const override { return memory_; }

 private:
  Status allocate(const OpenGl &gl) override {
    const BoundBuffer bound(gl, buffer_);
    int bytes = 0;
    gl.GetBufferParameteriv(copyReadBuffer, bufferSize, &bytes);
    if (bytes <= 0) return {cudaErrorInvalidValue, "OpenGL's buffer has no memory"};
    memory_.bytes = static_cast<size_t>(bytes);
    return api::cudaMalloc(&memory_.data, memory_.bytes);
  }
  void fetch(const OpenGl &gl) override {
    const BoundBuffer bound(gl, buffer_);
    gl.GetBufferSubData(copyReadBuffer, 0, static_cast<ptrdiff_t>(memory_.bytes), memory_.data);
  }
  void giveBack(const OpenGl &gl) override {
    const BoundBuffer bound(gl, buffer_);
    if (memory::AllocationTable::process().find(memory_.data))  // a reset of the device frees it
      gl.BufferSubData(copyReadBuffer, 0, static_cast<ptrdiff_t>(memory_.bytes), memory_.data);
  }
  void release() override {
    if (memory_.data) (void)api::cudaFree(memory_.data);
    memory_ = {};
  }

  const unsigned buffer_;
  Memory memory_{};
};

}  // namespace

Status Resource::map(const OpenGl &gl) {
  HOSTWARP_TRY(allocate(gl));
  if (flags_ != cudaGraphicsMapFlagsWriteDiscard) fetch(gl);
  mapped_ = true;
  return {};
}

void Resource::unmap(const OpenGl &gl) {
  if (flags_ != cudaGraphicsMapFlagsReadOnly) giveBack(gl);
  release();
  mapped_ = false;
}

Expected<ResourceRef> bufferResource(const OpenGl &gl, unsigned buffer, unsigned flags) {
  if (!gl.IsBuffer(buffer)) return Status(cudaErrorInvalidValue, "OpenGL has no such buffer");
  return ResourceRef(std::make_shared<Buffer>(buffer, flags));
}

}  // namespace hostwarp::graphics
