// faults PART [--rounds N] [--seed N]: see faults.h for the parts.
#include "tests/stress/faults.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "tests/stress/command_line.h"
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
  bool endsBusy = false;  // with threads at work: what a leak checker finds then is in use
};
constexpr Part parts[] = {{"device_memory", deviceMemoryFaults},
                          {"host_memory", hostMemoryFaults},
                          {"kernel", kernelFaults},
                          {"exit", exitFaults, true},
                          {"fork", forkFaults, true}};

}  // namespace
}  // namespace hostwarp::stress

int main(int argc, char **argv) {
  using namespace hostwarp::stress;
  FaultOptions options;
  const auto *part = std::find_if(std::begin(parts), std::end(parts),
                                  [&](const Part &each) { return argc > 1 && std::string_view(argv[1]) == each.name; });
  if (part == std::end(parts) ||
      !parseOptions({argv + 2, argv + argc},
                    {{"--rounds", &options.rounds}, {"--seed", &options.seed}, {"--child", &options.isChild}})) {
    std::fprintf(stderr, "usage: faults device_memory|host_memory|kernel|exit|fork [--rounds N] [--seed N]\n");
    return 2;
  }
  restartOnSmallDevices(argv, {{"LSAN_OPTIONS", part->endsBusy ? "detect_leaks=0" : ""}});
  const bool good = part->run(options);
  if (!options.isChild)
    std::printf("%s: %d rounds, %s\n", part->name, options.rounds, good ? "all as expected" : "FAILED");
  return good ? 0 : 1;
}
