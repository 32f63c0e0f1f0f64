// faults PART [--rounds N] [--seed N]: see faults.h for the parts.
#include "tests/stress/faults.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "tests/stress/kernels.h"

namespace hostwarp::stress {

bool worksStill() {
  constexpr int count = 100;
  int *data = nullptr;
  std::vector<int> back(count, 0);
  bool good = HOSTWARP_WORKS(cudaMalloc(reinterpret_cast<void **>(&data), count * sizeof(int))) &&
              HOSTWARP_WORKS(cudaMemset(data, 0, count * sizeof(int))) &&
              HOSTWARP_WORKS(launch(addInts, 4, 32, nullptr, data, count, 7)) &&
              HOSTWARP_WORKS(cudaMemcpy(back.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost));
  for (int value : back) good = good && HOSTWARP_EXPECTED(value == 7);
  return HOSTWARP_WORKS(cudaFree(data)) && good;
}

namespace {

struct Part {
  const char *name;
  bool (*run)(const FaultOptions &options);
};
constexpr Part parts[] = {{"device_memory", deviceMemoryFaults},
                          {"host_memory", hostMemoryFaults},
                          {"kernel", kernelFaults},
                          {"exit", exitFaults},
                          {"fork", forkFaults}};

// Two small devices. Some of it is read before main(), so the program starts again.
void setEnvironment(char **argv) {
  const char *const settings[][2] = {{"HOSTWARP_DEVICES", "h100,a100"},
                                     {"HOSTWARP_MEMORY_LIMIT", "64M"},
                                     {"HOSTWARP_QUIET", "1"},
                                     {"HOSTWARP_FAULTS", "1"}};
  if (std::getenv("HOSTWARP_FAULTS")) return;
  for (const auto &[name, value] : settings) setenv(name, value, 0);
  execv("/proc/self/exe", argv);
}

}  // namespace
}  // namespace hostwarp::stress

int main(int argc, char **argv) {
  using namespace hostwarp::stress;
  FaultOptions options;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--rounds") options.rounds = std::atoi(argv[i + 1]);
    if (option == "--seed") options.seed = std::strtoull(argv[i + 1], nullptr, 0);
    if (option == "--role") options.role = argv[i + 1];
  }
  setEnvironment(argv);
  for (const Part &part : parts) {
    if (argc < 2 || std::string_view(argv[1]) != part.name) continue;
    const bool good = part.run(options);
    if (!options.role)
      std::printf("%s: %d rounds, %s\n", part.name, options.rounds, good ? "all as expected" : "FAILED");
    return good ? 0 : 1;
  }
  std::fprintf(stderr, "usage: faults device_memory|host_memory|kernel|exit|fork [--rounds N] [--seed N]\n");
  return 2;
}
