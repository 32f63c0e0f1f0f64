// What programs hand over as a cubin, fat binary or PTX, as the shared object inside.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H
#define HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H

#include <string>
#include <string_view>

#include "emu_runtime/module/targets.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// anyDevice stands for a capability that no device is beyond.
inline constexpr int anyDevice = 9999;

// contentAt() copies what `data` points at: an ELF file of hwcc's (-cubin, -fatbin), a fat binary or the structure that
// stands for one, or a text that ends with a zero byte. Fails when memory ends before the file does.
Expected<std::string> contentAt(const void *data);

// Image is what an image's bytes are, found in one of its forms.
struct Image {
  enum class Kind {
    Loadable,  // a shared object, checked
    Object,    // an object that is still to be linked
    Ptx,       // text of another compiler, perhaps packed (fat_binary.h)
  };
  Kind kind = Kind::Loadable;
  std::string bytes;
  int architecture = 0;  // of PTX out of a fat binary
};

// findImage() finds it in a content, a text of hwcc -ptx included; of a fat binary it is the PTX that fits a device of
// this capability best. Fails with CUDA's codes for images of other compilers, and for what is damaged.
Expected<Image> findImage(std::string_view content, int capability = anyDevice);

// loadable() is the shared object that the image is, or that hwcc makes of it; imageBytes() that of a content.
Expected<std::string> loadable(Image image);
Expected<std::string> imageBytes(std::string_view content);

// formOf() tells whether the content counts as PTX. pre: imageBytes() has succeeded with it.
Form formOf(std::string_view content);

// isImageText() tells whether the text is what hwcc -ptx writes.
bool isImageText(std::string_view text);

// isComplete() tells whether the content, in one of these forms, is an image that needs no link: compiled without
// -rdc=true, or linked.
bool isComplete(std::string_view content);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H
