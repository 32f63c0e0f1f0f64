#include "emu_runtime/module/other_builds.h"

#include <string_view>
#include <utility>
#include <vector>

#include "emu_runtime/module/hwcc_process.h"
#include "emu_runtime/support/findings_file.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::modules {

namespace {

std::string firstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

Status writeCode(const hw_image &image, const std::string &path) {
  if (image.code == nullptr)
    return {cudaErrorNoKernelImageForDevice,
            std::string(image.source) + " was compiled with --no-device-source: there is nothing to build it from"};
  return writeFile(path, {static_cast<const char *>(image.code), image.codeBytes}) ? Status() : noTemporaryFolder;
}

// buildName() is what hwcc calls the build.
std::string buildName() {
  const std::string &build = optionText(Option::BUILD);
  const std::string &init = optionText(Option::CHECK_INIT);
  if (build != "checked" || init.empty()) return build;
  return init == "use" ? "followed" : "inplace";
}

}  // namespace

bool wantsOtherBuild() { return !optionText(Option::BUILD).empty(); }

Expected<std::string> makeOtherBuild(std::span<const hw_image *const> images, Managed managed) {
  const TemporaryFolder folder;
  if (!folder.exists()) return noTemporaryFolder;
  std::vector<std::string> words = {
      "-rdc=true", "-dlink", "-cubin", "--threads=0", "--highest-isa=native", "--build=" + buildName()};
  if (managed == Managed::OfImages) words.emplace_back("--borrow-managed");
  for (size_t i = 0; i < images.size(); ++i) {
    words.push_back(folder.file((std::to_string(i) + ".hwcode").c_str()));
    HOSTWARP_TRY(writeCode(*images[i], words.back()));
  }
  const std::string result = folder.file("build.cubin"), log = folder.file("log");
  words.insert(words.end(), {"-o", result});
  const auto status = runHwcc(std::move(words), log);
  if (!status.ok()) return status.status();
  if (*status != 0) return Status(cudaErrorInvalidKernelImage, "hwcc fails: " + firstLine(readFile(log)));
  return readFile(result);
}

void tellOfMissingBuild(std::span<const hw_image *const> images, const Status &why) {
  std::string sources;
  for (const hw_image *image : images) sources += (sources.empty() ? "" : ", ") + std::string(image->source);
  noteIncomplete("kernels of " + sources);
  logLine("kernels of " + sources + " run as they were compiled, since their " + optionText(Option::BUILD) +
          " build could not be made: " + why.message());
}

}  // namespace hostwarp::modules
