#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tools/hostwarp/captured_run.h"
#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/diagnosis.h"

namespace hostwarp::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char *program = R"(#include <cstdio>
#include <vector>
__global__ void addOne(int *x) { x[threadIdx.x] += 1; }
int main() {
  std::vector<int> host(32, 41);
  int *device = nullptr;
  const size_t size = host.size() * sizeof(int);
  cudaError_t error = cudaMalloc(&device, size);
  if (error == cudaSuccess) error = cudaMemcpy(device, host.data(), size, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) addOne<<<1, 32>>>(device);
  if (error == cudaSuccess) error = cudaMemcpy(host.data(), device, size, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) return std::printf("%s\n", cudaGetErrorString(error)), 1;
#if __has_include(<cub/version.cuh>) && __has_include(<thrust/version.h>) && __has_include(<cuda/std/type_traits>)
  std::puts("has cccl");
#endif
#if __has_include(<omp.h>)
  std::puts("has openmp");
#endif
  return std::printf("answer %d\n", host[31]) < 0;
}
)";

// ScratchFolder goes with everything in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "hostwarp-doctor-XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;

  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

// firstWordsOfCommands() is what hwcc would run: each program once, in order.
std::string firstWordsOfCommands(const std::string &dryRun) {
  std::string programs;
  size_t start = 0;
  while ((start = dryRun.find("#$ /", start)) != std::string::npos) {
    start += 3;
    const std::string word = dryRun.substr(start, dryRun.find_first_of(" \n", start) - start);
    if (!word.starts_with(installationRoot() + "/bin/") && programs.find(word) == std::string::npos)
      programs += (programs.empty() ? "" : ", ") + word;
  }
  return programs;
}

void reportOptional(Diagnoses &found, const std::string &output) {
  if (output.find("has cccl") == std::string::npos)
    found.push_back({Health::Note, "CCCL", "Thrust, CUB or libcu++ are not there, for programs that include them",
                     "apt install libthrust-dev libcub-dev libcu++-dev, or HOSTWARP_CCCL=/folder/of/CCCL"});
  if (output.find("has openmp") == std::string::npos)
    found.push_back({Health::Note, "OpenMP", "is not there, for programs with -fopenmp", "apt install libomp-19-dev"});
}

void runKernel(Diagnoses &found, const std::string &folder, double secondsToCompile) {
  const CapturedRun run = captureRun({"./doctor"}, folder);
  const bool isRight = run.status == 0 && run.output.find("answer 42") != std::string::npos;
  if (!isRight) {
    found.push_back(explainOutput("kernel", "a program does not run", run.output));
    return;
  }
  char text[64];
  std::snprintf(text, sizeof text, "compiled in %.1f s, ran, and came to the right result", secondsToCompile);
  found.push_back({Health::Good, "kernel", text, ""});
  reportOptional(found, run.output);
}

}  // namespace

void checkKernel(Diagnoses &found) {
  const ScratchFolder scratch;
  const std::string hwcc = installationRoot() + "/bin/hwcc";
  if (scratch.path().empty()) {
    found.push_back({Health::Wrong, "temporary", "there is no folder for temporary files: TMPDIR, or /tmp",
                     "export TMPDIR=/a/folder/that/can/be/written/to"});
    return;
  }
  std::ofstream(scratch.path() + "/doctor.cu") << program;
  const CapturedRun plan = captureRun({hwcc, "--dryrun", "doctor.cu", "-o", "doctor"}, scratch.path());
  if (plan.status != 0) {
    found.push_back(explainOutput("compilers", "hwcc lacks something", plan.output));
    return;
  }
  found.push_back({Health::Good, "compilers", firstWordsOfCommands(plan.output), ""});
  const auto start = std::chrono::steady_clock::now();
  const CapturedRun compiled = captureRun({hwcc, "doctor.cu", "-o", "doctor"}, scratch.path());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (compiled.status != 0) {
    found.push_back(explainOutput("kernel", "hwcc does not compile", compiled.output));
    return;
  }
  runKernel(found, scratch.path(), seconds.count());
}

}  // namespace hostwarp::tool
