// nvJitLink's functions. PTX is compiled by hwcc, all texts as one module; an image of hwcc or NVRTC is complete, so a
// link of one is that image. Several images cannot be joined yet.
#include <nvJitLink.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/hwcc_path.h"
#include "compiler/driver/temp_files.h"
#include "include/hostwarp/device_abi.h"

struct nvJitLink {
  std::vector<std::string> images;
  std::string ptx;
  std::string linked;
  std::string errors;
};

namespace {

using Link = nvJitLink;

// Options that change nothing here, as they are spelled up to their value.
constexpr std::string_view known[] = {"-maxrregcount=",
                                      "-time",
                                      "-verbose",
                                      "-g",
                                      "-lineinfo",
                                      "-O0",
                                      "-O1",
                                      "-O2",
                                      "-O3",
                                      "-Xptxas=",
                                      "-split-compile=",
                                      "-split-compile-extended=",
                                      "-ftz=",
                                      "-prec-div=",
                                      "-prec-sqrt=",
                                      "-fma=",
                                      "-kernels-used=",
                                      "-variables-used=",
                                      "-optimize-unused-variables",
                                      "-no-cache",
                                      "-device-stack-protector="};

bool isKnown(std::string_view option) {
  return std::ranges::any_of(
      known, [&](std::string_view each) { return each.ends_with('=') ? option.starts_with(each) : option == each; });
}

nvJitLinkResult failed(Link &link, nvJitLinkResult result, const std::string &why) {
  link.errors += why + "\n";
  return result;
}

nvJitLinkResult add(Link &link, nvJitLinkInputType type, std::string data) {
  if (data.empty()) return NVJITLINK_ERROR_INVALID_INPUT;
  if (type == NVJITLINK_INPUT_LTOIR)
    return failed(link, NVJITLINK_ERROR_LTO_NOT_ENABLED,
                  "there is no link-time optimisation here; add PTX or an image");
  const bool elf = data.starts_with("\177ELF");
  if (elf || data.find("//" HW_IMAGE_MAGIC " ") != std::string::npos) {
    link.images.push_back(std::move(data));
    return NVJITLINK_SUCCESS;
  }
  if (data.find(".version") == std::string::npos)
    return failed(link, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, "the input is neither PTX nor an image that hwcc wrote");
  link.ptx += data.c_str();  // up to the zero byte that programs add
  link.ptx += "\n";
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult compile(Link &link) {
  hostwarp::driver::TempFiles temps;
  if (const auto status = temps.open(); !status.ok()) return failed(link, NVJITLINK_ERROR_INTERNAL, status.message());
  const std::string source = temps.path("linked", ".ptx"), image = temps.path("linked", ".cubin");
  std::ofstream(source, std::ios::binary) << link.ptx;
  if (!hostwarp::driver::runCompiler({hostwarp::driver::hwccPath(), "-cubin", source, "-o", image}, link.errors))
    return NVJITLINK_ERROR_PTX_COMPILE;
  std::ifstream file(image, std::ios::binary);
  link.linked.assign(std::istreambuf_iterator<char>(file), {});
  return link.linked.empty() ? NVJITLINK_ERROR_INTERNAL : NVJITLINK_SUCCESS;
}

nvJitLinkResult complete(Link &link) {
  const size_t parts = link.images.size() + (link.ptx.empty() ? 0 : 1);
  if (parts == 0) return failed(link, NVJITLINK_ERROR_INVALID_INPUT, "nothing was added to the link");
  if (parts > 1)
    return failed(link, NVJITLINK_ERROR_INTERNAL,
                  "linking several images at run time is not there yet; put the code into one source, or add PTX only");
  if (!link.ptx.empty()) return compile(link);
  link.linked = link.images.front();
  return NVJITLINK_SUCCESS;
}

// give() hands out a text with the zero byte at its end; giveSize() its size with that.
nvJitLinkResult give(nvJitLinkHandle handle, char *out, const std::string &text) {
  if (!handle || !out) return NVJITLINK_ERROR_NULL_INPUT;
  std::memcpy(out, text.c_str(), text.size() + 1);
  return NVJITLINK_SUCCESS;
}
nvJitLinkResult giveSize(nvJitLinkHandle handle, size_t *size, size_t bytes) {
  if (!handle || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = bytes;
  return NVJITLINK_SUCCESS;
}

}  // namespace

#define HOSTWARP_EXPORT extern "C" __attribute__((visibility("default"))) nvJitLinkResult

HOSTWARP_EXPORT nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions, const char **options) {
  if (!handle || (numOptions && !options)) return NVJITLINK_ERROR_NULL_INPUT;
  bool architecture = false;
  for (uint32_t i = 0; i < numOptions; ++i) {
    const std::string_view option = options[i] ? options[i] : "";
    if (option.starts_with("-arch=")) {
      if (!option.starts_with("-arch=sm_") && !option.starts_with("-arch=compute_"))
        return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
      architecture = true;
    } else if (option == "-lto" || option == "-ptx") {
      return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;  // there is no LTO, and so no PTX that comes out of it
    } else if (!isKnown(option)) {
      return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    }
  }
  if (!architecture) return NVJITLINK_ERROR_MISSING_ARCH;
  *handle = new Link;
  return NVJITLINK_SUCCESS;
}

HOSTWARP_EXPORT nvJitLinkDestroy(nvJitLinkHandle *handle) {
  if (!handle) return NVJITLINK_ERROR_NULL_INPUT;
  delete *handle;
  *handle = nullptr;
  return NVJITLINK_SUCCESS;
}

HOSTWARP_EXPORT nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data, size_t size,
                                 const char *) {
  if (!handle || !data) return NVJITLINK_ERROR_NULL_INPUT;
  return add(*handle, inputType, std::string(static_cast<const char *>(data), size));
}

HOSTWARP_EXPORT nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType inputType, const char *fileName) {
  if (!handle || !fileName) return NVJITLINK_ERROR_NULL_INPUT;
  std::ifstream file(fileName, std::ios::binary);
  return add(*handle, inputType, std::string(std::istreambuf_iterator<char>(file), {}));
}

HOSTWARP_EXPORT nvJitLinkComplete(nvJitLinkHandle handle) {
  return handle ? complete(*handle) : NVJITLINK_ERROR_NULL_INPUT;
}

HOSTWARP_EXPORT nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size) {
  return giveSize(handle, size, handle ? handle->linked.size() : 0);
}

HOSTWARP_EXPORT nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin) {
  if (!handle || !cubin) return NVJITLINK_ERROR_NULL_INPUT;
  std::memcpy(cubin, handle->linked.data(), handle->linked.size());
  return NVJITLINK_SUCCESS;
}

HOSTWARP_EXPORT nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *) {
  return handle ? NVJITLINK_ERROR_LTO_NOT_ENABLED : NVJITLINK_ERROR_NULL_INPUT;
}
HOSTWARP_EXPORT nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *) {
  return handle ? NVJITLINK_ERROR_LTO_NOT_ENABLED : NVJITLINK_ERROR_NULL_INPUT;
}

HOSTWARP_EXPORT nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size) {
  return giveSize(handle, size, handle ? handle->errors.size() + 1 : 0);
}
HOSTWARP_EXPORT nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log) {
  return give(handle, log, handle ? handle->errors : std::string());
}
HOSTWARP_EXPORT nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size) { return giveSize(handle, size, 1); }
HOSTWARP_EXPORT nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log) { return give(handle, log, ""); }

HOSTWARP_EXPORT nvJitLinkVersion(unsigned *major, unsigned *minor) {
  if (!major || !minor) return NVJITLINK_ERROR_NULL_INPUT;
  *major = 13;
  *minor = 0;
  return NVJITLINK_SUCCESS;
}
