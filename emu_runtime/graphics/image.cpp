// Images of OpenGL as arrays.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/graphics/resource.h"
#include "emu_runtime/memory/allocation_table.h"

namespace hostwarp::graphics {

namespace {

constexpr unsigned textureWidth = 0x1000, textureHeight = 0x1001, internalFormat = 0x1003, textureDepth = 0x8071;

// Target is a kind of image, the name of its binding, and how arrays call it. A GPU's rectangles are plain.
struct Target {
  unsigned target, binding;
  bool deep;
  unsigned arrayFlags;
};
constexpr Target targets[] = {{0x0DE1, 0x8069, false, 0},                 // GL_TEXTURE_2D
                              {0x84F5, 0x84F6, false, 0},                 // GL_TEXTURE_RECTANGLE
                              {0x806F, 0x806A, true, 0},                  // GL_TEXTURE_3D
                              {0x8C1A, 0x8C1D, true, cudaArrayLayered}};  // GL_TEXTURE_2D_ARRAY

enum class Kind { Normalised, Signed, Unsigned, Float };

// Format is an image's texels: as arrays have them, and as OpenGL moves them.
struct Format {
  cudaChannelFormatDesc channels;
  unsigned format, type;
};

unsigned movedFormat(int channels, bool integers) {
  switch (channels) {
    case 1:
      return integers ? 0x8D94 : 0x1903;  // GL_RED_INTEGER, GL_RED
    case 2:
      return integers ? 0x8228 : 0x8227;  // GL_RG_INTEGER, GL_RG
    default:
      return integers ? 0x8D99 : 0x1908;  // GL_RGBA_INTEGER, GL_RGBA
  }
}

unsigned movedType(int bits, Kind kind) {
  if (kind == Kind::Float) return bits == 16 ? 0x140B : 0x1406;  // GL_HALF_FLOAT, GL_FLOAT
  const unsigned isUnsigned = kind == Kind::Signed ? 0 : 1;
  return (bits == 8 ? 0x1400 : bits == 16 ? 0x1402 : 0x1404) + isUnsigned;  // GL_BYTE, GL_SHORT, GL_INT
}

Format formatOf(int channels, int bits, Kind kind) {
  const auto arrayKind = kind == Kind::Float    ? cudaChannelFormatKindFloat
                         : kind == Kind::Signed ? cudaChannelFormatKindSigned
                                                : cudaChannelFormatKindUnsigned;
  auto width = [&](int channel) { return channel < channels ? bits : 0; };
  const bool integers = kind == Kind::Signed || kind == Kind::Unsigned;
  return {{width(0), width(1), width(2), width(3), arrayKind}, movedFormat(channels, integers), movedType(bits, kind)};
}

std::optional<Format> formatOf(unsigned internal) {
  switch (internal) {
#define HOSTWARP_IMAGE_FORMAT(number, channels, bits, kind) \
  case number:                                              \
    return formatOf(channels, bits, Kind::kind);
#include "emu_runtime/graphics/image_formats.def"
#undef HOSTWARP_IMAGE_FORMAT
    default:
      return std::nullopt;
  }
}

class BoundTexture {
 public:
  BoundTexture(const OpenGl &gl, const Target &target, unsigned image) : gl_(gl), target_(target.target) {
    gl_.GetIntegerv(target.binding, &before_);
    gl_.BindTexture(target_, image);
  }
  ~BoundTexture() { gl_.BindTexture(target_, static_cast<unsigned>(before_)); }
  BoundTexture(const BoundTexture &) = delete;
  BoundTexture &operator=(const BoundTexture &) = delete;

 private:
  const OpenGl &gl_;
  const unsigned target_;
  int before_ = 0;
};

// PixelLayout tells OpenGL how pixels lie in an array, while it exists. What the program has set comes back.
class PixelLayout {
 public:
  // Direction is which of OpenGL's two sets of settings is meant: for reading images, or for writing them.
  struct Direction {
    unsigned alignment, rowLength, imageHeight;
    unsigned zeros[5];
    unsigned buffer, binding;
  };
  static constexpr Direction pack{0x0D05, 0x0D02, 0x806C, {0x0D03, 0x0D04, 0x0D00, 0x806B, 0x0D01}, 0x88EB, 0x88ED};
  static constexpr Direction unpack{0x0CF5, 0x0CF2, 0x806E, {0x0CF3, 0x0CF4, 0x0CF0, 0x806D, 0x0CF1}, 0x88EC, 0x88EF};

  PixelLayout(const OpenGl &gl, const Direction &direction, const texture::Image &image)
      : gl_(gl), direction_(direction) {
    gl_.GetIntegerv(direction.binding, &buffer_);
    gl_.BindBuffer(direction.buffer, 0);
    set(direction.alignment, 1);
    set(direction.rowLength, static_cast<int>(image.rowBytes / image.format.bytes()));
    set(direction.imageHeight, static_cast<int>(image.height));
    for (unsigned each : direction.zeros) set(each, 0);
  }
  ~PixelLayout() {
    for (size_t i = 0; i < count_; ++i) gl_.PixelStorei(changed_[i].name, changed_[i].before);
    gl_.BindBuffer(direction_.buffer, static_cast<unsigned>(buffer_));
  }
  PixelLayout(const PixelLayout &) = delete;
  PixelLayout &operator=(const PixelLayout &) = delete;

 private:
  struct Setting {
    unsigned name;
    int before;
  };

  void set(unsigned name, int value) {
    Setting &setting = changed_[count_++];
    setting.name = name;
    gl_.GetIntegerv(name, &setting.before);
    gl_.PixelStorei(name, value);
  }

  const OpenGl &gl_;
  const Direction &direction_;
  Setting changed_[8] = {};
  size_t count_ = 0;
  int buffer_ = 0;
};

class Image final : public Resource {
 public:
  Image(unsigned image, const Target &target, unsigned mapFlags, unsigned arrayFlags)
      : Resource(mapFlags), image_(image), target_(target), arrayFlags_(arrayFlags | target.arrayFlags) {}
  ~Image() override { release(); }

  Expected<cudaArray_t> array() const override { return handle_; }

  // describe() asks OpenGL for size and format.
  Status describe(const OpenGl &gl) {
    const BoundTexture bound(gl, target_, image_);
    auto ask = [&](unsigned name) {
      int value = 0;
      gl.GetTexLevelParameteriv(target_.target, 0, name, &value);
      return static_cast<unsigned>(value);
    };
    extent_ = {ask(textureWidth), ask(textureHeight), target_.deep ? ask(textureDepth) : 0};
    if (extent_.width == 0) return {cudaErrorInvalidValue, "OpenGL's image has no pixels"};
    auto format = formatOf(ask(internalFormat));
    if (!format) return {cudaErrorInvalidValue, "arrays do not have the format of OpenGL's image"};
    format_ = *format;
    return {};
  }

 private:
  Status allocate(const OpenGl &gl) override {
    HOSTWARP_TRY(describe(gl));
    auto made = texture::Array::create(format_.channels, extent_, arrayFlags_);
    if (!made.ok()) return made.status();
    array_ = *made;
    handle_ = texture::addArray(array_);
    return {};
  }
  void fetch(const OpenGl &gl) override {
    const BoundTexture bound(gl, target_, image_);
    const PixelLayout layout(gl, PixelLayout::pack, array_->image());
    gl.GetTexImage(target_.target, 0, format_.format, format_.type, array_->image().data);
  }
  void giveBack(const OpenGl &gl) override {
    const texture::Image &from = array_->image();
    if (!memory::AllocationTable::process().find(from.data)) return;  // a reset of the device frees it
    const BoundTexture bound(gl, target_, image_);
    const PixelLayout layout(gl, PixelLayout::unpack, from);
    const auto width = static_cast<int>(from.width), height = static_cast<int>(from.height);
    if (target_.deep)
      gl.TexSubImage3D(target_.target, 0, 0, 0, 0, width, height, static_cast<int>(from.depth), format_.format,
                       format_.type, from.data);
    else
      gl.TexSubImage2D(target_.target, 0, 0, 0, width, height, format_.format, format_.type, from.data);
  }
  void release() override {
    if (handle_) (void)texture::takeArray(handle_);
    handle_ = nullptr;
    array_.reset();
  }

  const unsigned image_;
  const Target &target_;
  const unsigned arrayFlags_;
  cudaExtent extent_{};
  Format format_{};
  texture::ArrayRef array_;
  cudaArray_t handle_ = nullptr;
};

}  // namespace

Expected<ResourceRef> imageResource(const OpenGl &gl, unsigned image, unsigned target, unsigned flags) {
  const auto *known = std::find_if(std::begin(targets), std::end(targets),
                                   [target](const Target &each) { return each.target == target; });
  if (known == std::end(targets))
    return Status(cudaErrorNotSupported,
                  "of OpenGL's images, those of two and three dimensions and their layers can be shared");
  if (!gl.IsTexture(image)) return Status(cudaErrorInvalidValue, "OpenGL has no such image");
  unsigned arrayFlags = 0;
  if (flags & cudaGraphicsRegisterFlagsSurfaceLoadStore) arrayFlags |= cudaArraySurfaceLoadStore;
  if (flags & cudaGraphicsRegisterFlagsTextureGather) arrayFlags |= cudaArrayTextureGather;
  constexpr unsigned mapFlags = cudaGraphicsRegisterFlagsReadOnly | cudaGraphicsRegisterFlagsWriteDiscard;
  auto resource = std::make_shared<Image>(image, *known, flags & mapFlags, arrayFlags);
  HOSTWARP_TRY(resource->describe(gl));
  return ResourceRef(std::move(resource));
}

}  // namespace hostwarp::graphics
