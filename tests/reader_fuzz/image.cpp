// Device images as programs hand them over: cubins, fat binaries and texts. The input lies at the end of what can be
// read, because nobody tells the runtime how large an image is.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "compiler/driver/image_text.h"
#include "emu_runtime/module/image_bytes.h"
#include "include/hostwarp/image_seal.h"
#include "tests/reader_fuzz/reader.h"

namespace {

// LastBytes are the input and a zero byte, behind which there is a page that cannot be read.
class LastBytes {
 public:
  explicit LastBytes(std::string_view input) : page_(static_cast<size_t>(getpagesize())) {
    bytes_ = (input.size() / page_ + 2) * page_;
    start_ = static_cast<char *>(mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (start_ == MAP_FAILED) hostwarp::tests::complain("no memory");
    char *const end = start_ + bytes_ - page_;
    mprotect(end, page_, PROT_NONE);
    data_ = end - input.size() - 1;
    std::memcpy(data_, input.data(), input.size());
  }
  ~LastBytes() { munmap(start_, bytes_); }
  LastBytes(const LastBytes &) = delete;
  LastBytes &operator=(const LastBytes &) = delete;

  const void *data() const { return data_; }

 private:
  size_t page_, bytes_;
  char *start_, *data_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace hostwarp;
  const std::string_view input(reinterpret_cast<const char *>(data), size);
  (void)modules::findImage(input);
  (void)modules::isComplete(input);
  if (driver::isImageText(input)) (void)driver::imageOfText(input);
  const LastBytes memory(input);
  const auto content = modules::contentAt(memory.data());
  if (!content.ok()) return 0;
  const auto image = modules::findImage(*content);
  if (image.ok() && image->kind == modules::Image::Kind::Loadable &&
      image->bytes.find(imageSealMark) == std::string::npos)
    tests::complain("an image without a seal would be loaded");
  return 0;
}
