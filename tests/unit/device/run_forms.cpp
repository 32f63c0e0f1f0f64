// Compiles a file of IR, runs a kernel of it in all of its forms and compares what they leave in memory:
//   run_forms <hwcc-device> <file.ll> <image.so> <kernel> [block=x,y,z] [grid=x,y,z] [n=number] [shared=bytes]
//   [print=count] [whole=no]
// The kernel is void (int *out, int *in, int n). in[i] is a hash of i below 1024; out begins as -1. The forms are one
// thread after the other, threads in random order, and the block entries, for any shape of block and made for this one,
// of each ISA level that this machine has; with whole=no the kernel has to have no block entry. print= writes the first
// elements of out.
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "fibers/engine.h"

using namespace hostwarp::fibers;

static const hw_image *image = nullptr;

// What the device object refers to of the runtime.
extern "C" {
__attribute__((visibility("default"))) uint32_t hw_isa_level = HW_ISA_BASELINE;
__attribute__((visibility("default"))) void hw_register_image(const hw_image *registered) noexcept {
  image = registered;
}
}

namespace {

constexpr size_t elements = 4096;
using Memory = std::vector<int32_t>;

struct Launch {
  std::string compiler, source, image, kernel;
  hw_dim3 block{64, 1, 1}, grid{2, 1, 1};
  int32_t n = 5;
  size_t shared = 0, print = 0;
  bool whole = true;
};

[[noreturn]] void give_up(const std::string &what) {
  std::printf("run_forms: %s\n", what.c_str());
  std::exit(1);
}

hw_dim3 dimensions(const char *text) {
  hw_dim3 result{1, 1, 1};
  std::sscanf(text, "%u,%u,%u", &result.x, &result.y, &result.z);
  return result;
}

Launch readLaunch(int argc, char **argv) {
  if (argc < 5) give_up("which compiler, file, image, kernel?");
  Launch launch{argv[1], argv[2], argv[3], argv[4]};
  for (int i = 5; i < argc; ++i) {
    const std::string option = argv[i];
    const size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    const char *value = equals == std::string::npos ? "" : argv[i] + equals + 1;
    if (name == "block")
      launch.block = dimensions(value);
    else if (name == "grid")
      launch.grid = dimensions(value);
    else if (name == "n")
      launch.n = std::atoi(value);
    else if (name == "shared")
      launch.shared = std::strtoul(value, nullptr, 10);
    else if (name == "print")
      launch.print = std::strtoul(value, nullptr, 10);
    else if (option == "whole=no")
      launch.whole = false;
    else
      give_up("unknown option " + option);
  }
  return launch;
}

void compile(const Launch &launch) {
  const auto &[x, y, z] = launch.block;
  const std::string object = launch.image + ".o",
                    block = std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z);
  const std::string compile = launch.compiler + " -O2 --image-id=1 --expected-block=" + block + " " + launch.source;
  if (std::system((compile + " -o " + object + " && ld -shared -o " + launch.image + " " + object).c_str()) != 0)
    give_up("it does not compile");
}

const hw_kernel &findKernel(const Launch &launch) {
  if (!dlopen(launch.image.c_str(), RTLD_NOW | RTLD_GLOBAL)) give_up(dlerror());
  if (!image) give_up("the object registers no image");
  for (uint64_t i = 0; i < image->kernelCount; ++i)
    if (image->kernels[i].name == launch.kernel) return image->kernels[i];
  give_up("no kernel " + launch.kernel);
}

// levelOfMachine() is the highest ISA level that this machine can run.
uint32_t levelOfMachine() {
  if (__builtin_cpu_supports("x86-64-v4")) return HW_ISA_AVX512;
  return __builtin_cpu_supports("x86-64-v3") ? HW_ISA_AVX2 : HW_ISA_BASELINE;
}

struct Form {
  std::string name;
  const hw_entry *whole = nullptr;  // null: thread by thread
  bool seeded = false;
};

std::span<const hw_entry> entriesOf(const hw_kernel &kernel) { return {kernel.entries, kernel.entryCount}; }

bool runs(const hw_entry &entry, const hw_dim3 &block) {
  const auto &[x, y, z] = entry.blockDim;
  return entry.kind == HW_ENTRY_OF_BLOCK && (x == 0 || (x == block.x && y == block.y && z == block.z));
}

std::vector<Form> formsOf(const hw_kernel &kernel, const hw_dim3 &block) {
  static const char *const names[] = {"baseline", "avx2", "avx512"};
  std::vector<Form> forms{{.name = "threads"}, {.name = "random", .seeded = true}};
  for (const hw_entry &entry : entriesOf(kernel))
    if (runs(entry, block) && entry.level <= levelOfMachine())
      forms.push_back({.name = std::string(entry.blockDim[0] ? "shaped." : "") + names[entry.level], .whole = &entry});
  return forms;
}

// run() returns what the kernel leaves in both arrays.
Memory run(const Launch &launch, const hw_kernel &kernel, const Form &form) {
  Memory memory(2 * elements, -1);
  int32_t *out = memory.data(), *in = out + elements, n = launch.n;
  for (uint32_t i = 0; i < elements; ++i) in[i] = static_cast<int32_t>((i * 2654435761u) >> 22);
  void *args[] = {&out, &in, &n};
  GridRequest request;
  request.entry = kernel.entries[0].run.thread;
  if (form.whole) {
    request.blockEntry = form.whole->run.block;
    request.frameBytes = form.whole->frameBytes;
  }
  request.args = args;
  request.kernelName = kernel.name;
  request.grid = launch.grid;
  request.block = launch.block;
  request.staticSharedBytes = kernel.staticSharedBytes;
  request.dynamicSharedBytes = launch.shared;
  request.sharedAlignment = kernel.sharedAlignment;
  request.residentBlocks = 16;
  EngineOptions options;
  options.workers = 1;
  options.seed = form.seeded ? 7 : 0;
  options.timeoutSeconds = 20;
  const GridOutcome outcome = Engine(options).run(request);
  if (outcome.fault != Fault::None) give_up(form.name + ": " + outcome.diagnosis);
  return memory;
}

void compare(const Memory &expected, const Memory &found, const Form &form) {
  const auto [at, other] = std::ranges::mismatch(expected, found);
  if (at == expected.end()) return;
  const size_t place = at - expected.begin();
  give_up(form.name + ": " + (place < elements ? "out" : "in") + "[" + std::to_string(place % elements) + "] is " +
          std::to_string(*other) + ", with a fiber for each thread " + std::to_string(*at));
}

}  // namespace

int main(int argc, char **argv) {
  const Launch launch = readLaunch(argc, argv);
  compile(launch);
  const hw_kernel &kernel = findKernel(launch);
  const std::vector<Form> forms = formsOf(kernel, launch.block);
  const bool isWhole = std::ranges::any_of(forms, [](const Form &form) { return form.whole != nullptr; });
  if (isWhole != launch.whole) give_up(isWhole ? "there is a block entry" : "there is no block entry");
  const Memory expected = run(launch, kernel, forms[0]);
  for (const Form &form : forms) compare(expected, run(launch, kernel, form), form);
  std::printf("equal:");
  for (const Form &form : forms) std::printf(" %s", form.name.c_str());
  std::printf("\nout:");
  for (size_t i = 0; i < std::min(launch.print, elements); ++i) std::printf(" %d", expected[i]);
  std::printf("\n");
  return 0;
}
