// What becomes of device images once they are linked: a seal behind them, and a text in the place of PTX, since
// programs handle PTX as a string that ends with a zero byte.
#ifndef HOSTWARP_COMPILER_DRIVER_IMAGE_TEXT_H
#define HOSTWARP_COMPILER_DRIVER_IMAGE_TEXT_H

#include <string>
#include <string_view>

#include "compiler/driver/architectures.h"
#include "compiler/driver/result.h"

namespace hostwarp::driver {

// imageText() is the image as a text: what begins every PTX file, then a line "//HWIMAGE1 <bytes>" and the image in
// Base64, each line of it behind "//". emu_runtime/module/image_bytes.cpp reads it.
std::string imageText(const Architecture &target, std::string_view image);

// isImageText() tells whether the text is one of imageText()'s; imageOfText() is the image in it.
bool isImageText(std::string_view text);
Expected<std::string> imageOfText(std::string_view text);

// sealImage() puts the seal of include/hostwarp/image_seal.h behind the image in the file.
Status sealImage(const std::string &image);

// writeImageText() does imageText() with the file `image`.
Status writeImageText(const Architecture &target, const std::string &image, const std::string &output);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_IMAGE_TEXT_H
