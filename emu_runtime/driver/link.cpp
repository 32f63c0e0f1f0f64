// Linking device code at run time. An image is complete as hwcc makes it, so a link of one image is that image; code
// that lies in several images and calls from one to the other cannot be joined yet.
#include <memory>
#include <string>

#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/driver/driver.h"
#include "emu_runtime/driver/modules.h"
#include "emu_runtime/module/image_bytes.h"

namespace hostwarp::driver_api {

namespace {

struct Link {
  std::string image;
  JitLog log;
};
using LinkRef = std::shared_ptr<Link>;
using LinkTable = device::HandleTable<CUlinkState, LinkRef>;

LinkTable &linkTable() {
  static auto *table = new LinkTable;
  return *table;
}

Status addImage(CUlinkState state, const std::string &data) {
  auto link = linkTable().find(state);
  if (!link) return cudaErrorInvalidResourceHandle;
  auto bytes = modules::imageBytes(data.c_str());
  if (!bytes.ok()) return (*link)->log.finish(bytes.status());
  if (!(*link)->image.empty()) {
    return (*link)->log.finish(
        {cudaErrorNotSupported, "linking several images at run time is not there yet; put the code into one source"});
  }
  (*link)->image = *std::move(bytes);
  return {};
}

}  // namespace

Status cuLinkCreate_v2(unsigned numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut) {
  if (!stateOut || (numOptions && (!options || !optionValues))) return cudaErrorInvalidValue;
  *stateOut = linkTable().add(std::make_shared<Link>(Link{{}, JitLog(numOptions, options, optionValues)}));
  return {};
}

Status cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *, unsigned,
                        CUjit_option *, void **) {
  if (!data || !size || type >= CU_JIT_NUM_INPUT_TYPES) return cudaErrorInvalidValue;
  return addImage(state, std::string(static_cast<const char *>(data), size));
}

Status cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned, CUjit_option *, void **) {
  if (type >= CU_JIT_NUM_INPUT_TYPES) return cudaErrorInvalidValue;
  auto bytes = readImageFile(path);
  return bytes.ok() ? addImage(state, *bytes) : bytes.status();
}

Status cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut) {
  if (!cubinOut) return cudaErrorInvalidValue;
  auto link = linkTable().find(state);
  if (!link) return cudaErrorInvalidResourceHandle;
  if ((*link)->image.empty()) return (*link)->log.finish({cudaErrorInvalidValue, "nothing was added to the link"});
  *cubinOut = (*link)->image.data();
  if (sizeOut) *sizeOut = (*link)->image.size();
  return (*link)->log.finish({});
}

Status cuLinkDestroy(CUlinkState state) {
  return linkTable().take(state) ? Status() : Status(cudaErrorInvalidResourceHandle);
}

}  // namespace hostwarp::driver_api
