// nvJitLink's functions. hwcc compiles PTX and links; an image that is complete is the link of it alone.
#include <nvJitLink.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/architectures.h"
#include "compiler/driver/hwcc_path.h"
#include "compiler/driver/image_text.h"
#include "compiler/driver/temp_files.h"
#include "compiler/nvjitlink/linked_ptx.h"

struct nvJitLink {
  hostwarp::driver::ArchitectureSet architectures;
  std::vector<std::string> forPtx = {"-rdc=true", "-cubin"};  // how PTX is compiled
  bool givesPtx = false;
  std::vector<std::string> inputs;  // objects, images and libraries
  std::vector<std::string> texts;   // the PTX that objects of them were made of
  std::string linked;
  std::string errors;
};

namespace {

using Link = nvJitLink;

// Options that change nothing here, as they are spelled up to their value.
constexpr std::string_view known[] = {"-maxrregcount=",
                                      "-lto",
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

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// runHwcc() runs hwcc with these words and gives the file that it writes, empty if it refuses.
std::string runHwcc(Link &link, hostwarp::driver::TempFiles &temps, std::vector<std::string> words) {
  const std::string image = temps.path("linked", ".cubin");
  words.insert(words.end(), {"-o", image});
  return hostwarp::driver::runHwcc(std::move(words), link.errors) ? contentOf(image) : std::string();
}

// compile() makes PTX of other compilers an object: what is wrong with it is the error of the call that adds it.
nvJitLinkResult compile(Link &link, const std::string &text) {
  hostwarp::driver::TempFiles temps;
  if (const auto status = temps.open(); !status.ok()) return failed(link, NVJITLINK_ERROR_INTERNAL, status.message());
  const std::string source = temps.path("input", ".ptx");
  std::ofstream(source, std::ios::binary) << text;
  std::vector<std::string> words = link.forPtx;
  words.push_back(source);
  std::string object = runHwcc(link, temps, std::move(words));
  if (object.empty()) return NVJITLINK_ERROR_PTX_COMPILE;
  link.inputs.push_back(std::move(object));
  link.texts.push_back(text);
  return NVJITLINK_SUCCESS;
}

bool isElf(std::string_view data) { return data.starts_with("\177ELF"); }
bool isLibrary(std::string_view data) { return data.starts_with("!<arch>"); }
// isComplete() tells whether the ELF file is a shared object, to which nothing can be linked.
bool isComplete(std::string_view data) {
  constexpr size_t typeAt = 16;
  constexpr char sharedObject = 3;
  return isElf(data) && data.size() > typeAt && data[typeAt] == sharedObject;
}

nvJitLinkResult add(Link &link, nvJitLinkInputType type, std::string data) {
  using hostwarp::driver::imageOfText, hostwarp::driver::isImageText;
  if (data.empty()) return NVJITLINK_ERROR_INVALID_INPUT;
  // What our NVVM gives for -gen-lto is PTX, and NVRTC's -dlto makes an image.
  if (type == NVJITLINK_INPUT_LTOIR && !isElf(data) && data.find(".version") == std::string::npos)
    return failed(link, NVJITLINK_ERROR_LTO_NOT_ENABLED,
                  "the input is another compiler's LTO IR; add PTX, an image or what hostwarp's NVVM makes");
  if (isElf(data) || isLibrary(data)) {
    link.inputs.push_back(std::move(data));
    return NVJITLINK_SUCCESS;
  }
  if (isImageText(data)) {
    auto image = imageOfText(data);
    if (!image.ok()) return failed(link, NVJITLINK_ERROR_INVALID_INPUT, image.message());
    link.inputs.push_back(*std::move(image));
    return NVJITLINK_SUCCESS;
  }
  if (data.find(".version") == std::string::npos)
    return failed(link, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, "the input is neither PTX nor an image that hwcc wrote");
  return compile(link, data.c_str());  // up to the zero byte that programs add
}

// completePtx() makes PTX of what was linked: of PTX alone the one that has all of it, else the image as a text.
nvJitLinkResult completePtx(Link &link) {
  link.linked = link.texts.size() == link.inputs.size()
                    ? hostwarp::nvjitlink::linkedPtx(link.texts)
                    : hostwarp::driver::imageText(link.architectures.target(), link.linked);
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult link(Link &link) {
  const auto images = std::ranges::count_if(link.inputs, [](const std::string &each) { return !isLibrary(each); });
  if (images == 0) return failed(link, NVJITLINK_ERROR_INVALID_INPUT, "nothing was added to the link");
  const auto whole = std::ranges::find_if(link.inputs, isComplete);
  if (whole != link.inputs.end()) {
    if (images > 1)
      return failed(
          link, NVJITLINK_ERROR_INVALID_INPUT,
          "an input was compiled without -rdc=true (NVRTC: --relocatable-device-code=true), so that it cannot "
          "be linked with others");
    link.linked = *whole;
    return NVJITLINK_SUCCESS;
  }
  hostwarp::driver::TempFiles temps;
  if (const auto status = temps.open(); !status.ok()) return failed(link, NVJITLINK_ERROR_INTERNAL, status.message());
  std::vector<std::string> words = {"-rdc=true", "-dlink", "-cubin"};
  for (const std::string &input : link.inputs) {
    words.push_back(temps.path("input", isLibrary(input) ? ".a" : ".o"));
    std::ofstream(words.back(), std::ios::binary) << input;
  }
  link.linked = runHwcc(link, temps, std::move(words));
  return link.linked.empty() ? NVJITLINK_ERROR_FINALIZE : NVJITLINK_SUCCESS;
}

nvJitLinkResult complete(Link &all) {
  const nvJitLinkResult result = link(all);
  return result == NVJITLINK_SUCCESS && all.givesPtx ? completePtx(all) : result;
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
  auto made = std::make_unique<Link>();
  bool hasArchitecture = false, optimises = false;
  for (uint32_t i = 0; i < numOptions; ++i) {
    const std::string_view option = options[i] ? options[i] : "";
    if (option.starts_with("-arch=")) {
      if (!made->architectures.setArchitecture(std::string(option.substr(6))).ok())
        return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
      hasArchitecture = true;
    } else if (option == "-ptx") {
      made->givesPtx = true;
    } else if (!isKnown(option)) {
      return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    }
    optimises |= option == "-lto";
    if (option.starts_with("-maxrregcount=")) made->forPtx.emplace_back(option);
  }
  if (!hasArchitecture) return NVJITLINK_ERROR_MISSING_ARCH;
  if (made->givesPtx && !optimises) return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
  *handle = made.release();
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

// A link gives one of the two forms, as its options say.
HOSTWARP_EXPORT nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size) {
  if (handle && handle->givesPtx) return NVJITLINK_ERROR_INVALID_INPUT;
  return giveSize(handle, size, handle ? handle->linked.size() : 0);
}

HOSTWARP_EXPORT nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin) {
  if (!handle || !cubin) return NVJITLINK_ERROR_NULL_INPUT;
  if (handle->givesPtx) return NVJITLINK_ERROR_INVALID_INPUT;
  std::memcpy(cubin, handle->linked.data(), handle->linked.size());
  return NVJITLINK_SUCCESS;
}

HOSTWARP_EXPORT nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size) {
  if (handle && !handle->givesPtx) return NVJITLINK_ERROR_INVALID_INPUT;
  return giveSize(handle, size, handle ? handle->linked.size() + 1 : 0);
}
HOSTWARP_EXPORT nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx) {
  if (handle && !handle->givesPtx) return NVJITLINK_ERROR_INVALID_INPUT;
  return give(handle, ptx, handle ? handle->linked : std::string());
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
