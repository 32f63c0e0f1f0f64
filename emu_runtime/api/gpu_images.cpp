#include "emu_runtime/api/gpu_images.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>

#include "emu_runtime/module/image_bytes.h"
#include "emu_runtime/module/loaded_image.h"
#include "fibers/mutex.h"
#include "gpu_backend/gpu_code.h"
#include "gpu_backend/probe.h"

namespace hostwarp::api {

namespace {

using Code = Expected<std::optional<std::string>>;

// ptxOf() is PTX of the image that the content is, for the least of the GPUs; nothing where it is none of ours, or one
// that is still to be linked.
Code ptxOf(std::string_view content) {
  if (!modules::isComplete(content)) return std::optional<std::string>();
  auto bytes = modules::imageBytes(content);
  if (!bytes.ok()) return bytes.status();
  const gpu_backend::Machine &machine = gpu_backend::probeMachine();
  const int capability = std::ranges::min_element(machine.gpus, {}, &gpu_backend::Gpu::capability)->capability;
  auto loaded = modules::WholeImage::open(*bytes, capability, modules::formOf(content));
  if (!loaded.ok()) return loaded.status();
  auto all = gpu_backend::makeGpuCode((*loaded)->images(), capability, machine.driverVersion, true);
  if (!all.ok()) return all.status();
  if (all->size() != 1) return Status(cudaErrorNotSupported, "an image of several sources is one for emulated devices");
  return std::optional(std::move(all->front().text));
}

// keep() gives the text for as long as the process runs.
const char *keep(std::string text) {
  static Mutex mutex;
  static auto *kept = new std::deque<std::string>;
  const MutexLock lock(mutex);
  return kept->emplace_back(std::move(text)).c_str();
}

}  // namespace

void GpuImages::replace(const void *&code) {
  // What cannot be read is the GPU library's to refuse.
  const auto content = modules::contentAt(code);
  if (!content.ok()) return;
  Code ptx = ptxOf(*content);
  if (!ptx.ok()) {
    status_ = ptx.status();
  } else if (*ptx) {
    code = keep(*std::move(*ptx));
  }
}

void GpuLinkerInput::replace(size_t &size) {
  if (!*data_ || size == 0) return;
  Code ptx = ptxOf({static_cast<const char *>(*data_), size});
  if (!ptx.ok()) {
    status_ = ptx.status();
  } else if (*ptx) {
    size = (*ptx)->size() + 1;
    *data_ = const_cast<char *>(keep(*std::move(*ptx)));
    *type_ = CU_JIT_INPUT_PTX;
  }
}

void GpuImages::replace(const char *&file) {
  std::error_code ignored;
  if (!file || !std::filesystem::is_regular_file(file, ignored)) return;
  const Code ptx = ptxOf(modules::readFile(file));
  if (!ptx.ok()) {
    status_ = ptx.status();
  } else if (*ptx) {
    path_ = folder_.emplace().file("image.ptx");
    if (!folder_->exists() || !modules::writeFile(path_, **ptx)) {
      status_ = modules::noTemporaryFolder;
      return;
    }
    file = path_.c_str();
    if (type_) *type_ = CU_JIT_INPUT_PTX;
  }
}

}  // namespace hostwarp::api
