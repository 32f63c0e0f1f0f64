#include "emu_runtime/module/specialised_code.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "emu_runtime/module/hwcc_process.h"
#include "emu_runtime/module/registry.h"

namespace hostwarp::modules {

namespace {

std::string describe(const hw_dim3 &block) {
  return std::to_string(block.x) + "," + std::to_string(block.y) + "," + std::to_string(block.z);
}

const Status unfit(cudaErrorInvalidKernelImage, "the specialised code is not the kernel's");

// lend() tells the code where the variables are that it uses; false: one of them is not known.
bool lend(const KernelSource &source, const hw_image &image) {
  for (const hw_variable &variable : std::span(image.variables, image.variableCount)) {
    if (variable.kind != HW_VARIABLE_BORROWED) continue;
    const auto own = source.variables.find(variable.name);
    if (own == source.variables.end()) return false;
    std::memcpy(variable.address, &own->second, sizeof own->second);
  }
  return true;
}

bool isFor(const hw_entry &entry, const hw_dim3 &block) {
  return entry.kind == HW_ENTRY_OF_BLOCK && entry.level <= hw_isa_level && entry.blockDim[0] == block.x &&
         entry.blockDim[1] == block.y && entry.blockDim[2] == block.z;
}

}  // namespace

KernelSource sourceOf(const hw_image &image, const hw_kernel &kernel) {
  KernelSource source{kernel.name,
                      {static_cast<const char *>(image.code), image.codeBytes},
                      {},
                      kernel.parameterCount,
                      kernel.staticSharedBytes};
  for (const hw_variable &variable : std::span(image.variables, image.variableCount))
    source.variables.emplace(variable.name, variable.address);
  return source;
}

Expected<std::string> SpecialisedCode::compile(const KernelSource &source, const hw_dim3 &block) {
  const TemporaryFolder folder;
  if (!folder.exists()) return noTemporaryFolder;
  const std::string code = folder.file("kernel.hwcode"), result = folder.file("kernel.cubin"), log = folder.file("log");
  if (!writeFile(code, source.code)) return noTemporaryFolder;
  const char *level = hw_isa_level >= HW_ISA_AVX512 ? "avx512" : "avx2";
  const auto status = runHwcc({"-dlink", "-cubin", "--build=specialised", "--kernel=" + source.name,
                               "--block=" + describe(block), std::string("--highest-isa=") + level, code, "-o", result},
                              log, Child::Nobodys);
  if (!status.ok()) return status.status();
  if (*status != 0) return Status(cudaErrorInvalidKernelImage, readFile(log));
  return readFile(result);
}

Expected<std::shared_ptr<const SpecialisedCode>> SpecialisedCode::load(const std::string &image,
                                                                       const KernelSource &source,
                                                                       const hw_dim3 &block) {
  const auto opened = openImage(image);
  if (!opened.ok()) return opened.status();
  std::shared_ptr<SpecialisedCode> made(new SpecialisedCode(*opened));
  HOSTWARP_TRY(made->findEntry(source, block));
  return std::shared_ptr<const SpecialisedCode>(std::move(made));
}

// A launch lays shared memory out by what the kernel's own image says of it.
Status SpecialisedCode::findEntry(const KernelSource &source, const hw_dim3 &block) {
  for (const hw_image *image : Registry::process().claimImages(opened_.object)) {
    if (!lend(source, *image)) return unfit;
    for (const hw_kernel &kernel : std::span(image->kernels, image->kernelCount)) {
      const bool isSame = kernel.name == source.name && kernel.parameterCount == source.parameterCount &&
                          kernel.staticSharedBytes == source.staticSharedBytes;
      for (const hw_entry &entry : std::span(kernel.entries, kernel.entryCount))
        if (isSame && isFor(entry, block)) code_ = &kernel, entry_ = &entry;
    }
  }
  return entry_ ? Status() : unfit;
}

SpecialisedCode::~SpecialisedCode() {
  Registry::process().removeImages(opened_.object);
  dlclose(opened_.handle);
  close(opened_.file);
}

}  // namespace hostwarp::modules
