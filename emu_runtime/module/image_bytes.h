// What programs hand over as a cubin, fat binary or PTX, as the shared object inside.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H
#define HOSTWARP_EMU_RUNTIME_MODULE_IMAGE_BYTES_H

#include <string>
#include <string_view>

#include "emu_runtime/module/targets.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::modules {

// contentAt() copies what `data` points at: an ELF file of hwcc's (-cubin, -fatbin), or a text that ends with a zero
// byte. Fails when memory ends before the file does.
Expected<std::string> contentAt(const void *data);

// Image is what an image's bytes are, found in one of its forms.
struct Image {
  enum class Kind {
    Loadable,  // a shared object, checked
    Object,    // an object that is still to be linked
    Ptx,       // text of another compiler
  };
  Kind kind = Kind::Loadable;
  std::string bytes;
};

// findImage() finds it in a content, a text of hwcc -ptx included. Fails with CUDA's codes for images of other
// compilers, and for what is damaged.
Expected<Image> findImage(std::string_view content);

// imageBytes() gives the shared object that is in the content or that hwcc makes of it.
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
