// Linking device code at run time: the inputs are kept until the link is completed; hwcc does the work.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/modules.h"
#include "emu_runtime/module/image_bytes.h"
#include "emu_runtime/module/ptx_compiler.h"

namespace hostwarp::driver_api {

namespace {

struct Link {
  std::vector<modules::LinkInput> inputs;
  std::string image;
  JitLog log;
  bool isOver = false;  // it was tried to complete it
};
using LinkRef = std::shared_ptr<Link>;
using LinkTable = device::HandleTable<CUlinkState, LinkRef>;

LinkTable &linkTable() {
  static auto *table = new LinkTable;
  return *table;
}

bool isLibrary(const std::string &content) { return content.starts_with("!<arch>"); }

// inputOf() is the content as it will be linked: PTX of other compilers is compiled now, since what is wrong with it is
// this call's error.
Expected<std::string> inputOf(CUjitInputType type, std::string content, unsigned mostRegisters) {
  if (type == CU_JIT_INPUT_NVVM)
    return Status(cudaErrorNotSupported, "there is no link-time optimisation here; add PTX or an image");
  if (isLibrary(content) || content.starts_with("\177ELF") || modules::isImageText(content.c_str())) return content;
  if (content.find(".version") != std::string::npos) return modules::compileForLink(content.c_str(), mostRegisters);
  return Status(type == CU_JIT_INPUT_PTX ? cudaErrorInvalidPtx : cudaErrorInvalidKernelImage,
                "the input is neither PTX, an image, an object nor a library");
}

Status add(CUlinkState state, CUjitInputType type, std::string content, const char *name) {
  auto link = linkTable().find(state);
  if (!link) return cudaErrorInvalidResourceHandle;
  if ((*link)->isOver) return {cudaErrorInvalidValue, "nothing can be added to a link that was completed"};
  auto input = inputOf(type, std::move(content), (*link)->log.number(CU_JIT_MAX_REGISTERS));
  if (!input.ok()) return (*link)->log.finish(input.status());
  (*link)->inputs.push_back({name ? name : "", *std::move(input)});
  return {};
}

// asSource(): what is wrong with an image to be loaded is wrong with the source of one to be linked.
Expected<std::string> asSource(Expected<std::string> image) {
  if (image.ok() || image.status().code() != cudaErrorInvalidKernelImage) return image;
  return Status(cudaErrorInvalidSource, image.status().message());
}

// completed() is the image of all inputs. Libraries add nothing to an image that is complete.
Expected<std::string> completed(const std::vector<modules::LinkInput> &inputs) {
  std::vector<const std::string *> images;
  for (const modules::LinkInput &input : inputs)
    if (!isLibrary(input.content)) images.push_back(&input.content);
  if (images.empty()) return modules::emptyImage();
  if (std::ranges::none_of(images, [](const auto *image) { return modules::isComplete(*image); }))
    return asSource(modules::linkImages(inputs));
  if (images.size() == 1) return modules::imageBytes(*images.front());
  return Status(cudaErrorInvalidKernelImage,
                "an input was compiled without -rdc=true (NVRTC: --relocatable-device-code=true), so that it cannot be "
                "linked with others");
}

}  // namespace

Status cuLinkCreate_v2(unsigned numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut) {
  if (!stateOut || (numOptions && (!options || !optionValues))) return cudaErrorInvalidValue;
  *stateOut = linkTable().add(std::make_shared<Link>(Link{{}, {}, JitLog(numOptions, options, optionValues), false}));
  return {};
}

Status cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned,
                        CUjit_option *, void **) {
  if (!data || !size || type >= CU_JIT_NUM_INPUT_TYPES) return cudaErrorInvalidValue;
  return add(state, type, std::string(static_cast<const char *>(data), size), name);
}

Status cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned, CUjit_option *, void **) {
  if (type >= CU_JIT_NUM_INPUT_TYPES) return cudaErrorInvalidValue;
  auto bytes = readImageFile(path);
  return bytes.ok() ? add(state, type, *std::move(bytes), path) : bytes.status();
}

Status cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut) {
  if (!cubinOut) return cudaErrorInvalidValue;
  auto link = linkTable().find(state);
  if (!link || !(*link)->image.empty()) return cudaErrorInvalidResourceHandle;
  (*link)->isOver = true;
  auto image = completed((*link)->inputs);
  if (!image.ok()) return (*link)->log.finish(image.status());
  (*link)->image = *std::move(image);
  *cubinOut = (*link)->image.data();
  if (sizeOut) *sizeOut = (*link)->image.size();
  return (*link)->log.finish({});
}

Status cuLinkDestroy(CUlinkState state) {
  return linkTable().take(state) ? Status() : Status(cudaErrorInvalidResourceHandle);
}

}  // namespace hostwarp::driver_api
