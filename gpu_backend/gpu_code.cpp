#include "gpu_backend/gpu_code.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "emu_runtime/module/hwcc_process.h"

namespace hostwarp::gpu_backend {

namespace {

// ptxVersion() is the one that came with the driver's CUDA, as hwcc-device numbers them: 85 is 8.5, of CUDA 12.5.
int ptxVersion(int driverVersion) {
  const int major = driverVersion / 1000, minor = driverVersion % 1000 / 10;
  return major >= 13 ? 90 + minor : major == 12 ? 80 + std::min(minor, 9) : 70 + std::min(minor, 8);
}

Status writeCode(const hw_image &image, const std::string &path) {
  if (image.code == nullptr)
    return {cudaErrorNoKernelImageForDevice,
            std::string(image.source) + " was compiled with --no-device-source: there is nothing to make GPU code of"};
  const std::string_view code(static_cast<const char *>(image.code), image.codeBytes);
  return modules::writeFile(path, code) ? Status() : modules::noTemporaryFolder;
}

}  // namespace

std::vector<Ptx> readBundle(std::string_view bundle) {
  std::vector<Ptx> all;
  while (!bundle.empty()) {
    const size_t end = bundle.find('\n');
    if (end == std::string_view::npos) return {};
    std::istringstream line{std::string(bundle.substr(0, end))};
    std::string word;
    size_t bytes = 0;
    Ptx ptx;
    if (!(line >> word >> bytes) || word != "module" || bytes > bundle.size() - end - 1) return {};
    for (size_t image; line >> image;) ptx.images.push_back(image);
    ptx.text = bundle.substr(end + 1, bytes);
    bundle.remove_prefix(end + 1 + bytes);
    all.push_back(std::move(ptx));
  }
  return all;
}

Expected<std::vector<Ptx>> makeGpuCode(std::span<const hw_image *const> images, int capability, int driverVersion,
                                       bool areLoaded) {
  const modules::TemporaryFolder folder;
  if (!folder.exists()) return modules::noTemporaryFolder;
  std::vector<std::string> words = {"-rdc=true", "-dlink", "-cubin",
                                    "--gpu=sm_" + std::to_string(capability) + ":ptx" +
                                        std::to_string(ptxVersion(driverVersion)) + (areLoaded ? ":loaded" : "")};
  for (size_t i = 0; i < images.size(); ++i) {
    words.push_back(folder.file((std::to_string(i) + ".hwcode").c_str()));
    HOSTWARP_TRY(writeCode(*images[i], words.back()));
  }
  const std::string result = folder.file("gpu.ptx"), log = folder.file("log");
  words.insert(words.end(), {"-o", result});
  const auto status = modules::runHwcc(std::move(words), log);
  if (!status.ok()) return status.status();
  const std::string said = modules::readFile(log);
  if (*status != 0) return Status(cudaErrorNoKernelImageForDevice, said.substr(0, said.find('\n')));
  std::vector<Ptx> all = readBundle(modules::readFile(result));
  if (all.empty()) return Status(cudaErrorInvalidPtx, "hwcc has written no code for the GPU");
  return all;
}

}  // namespace hostwarp::gpu_backend
