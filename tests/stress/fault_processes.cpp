// Kernels that fault, processes that end and processes that fork, at any moment.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "tests/stress/faults.h"
#include "tests/stress/kernels.h"
#include "tests/stress/random.h"

namespace hostwarp::stress {
namespace {

constexpr int streamCount = 8;
constexpr int elements = 64;
constexpr size_t bytes = elements * sizeof(int);

// BusyDevice is streams with work in them, and what their memory will hold.
struct BusyDevice {
  std::vector<cudaStream_t> streams = std::vector<cudaStream_t>(streamCount);
  std::vector<int *> memory = std::vector<int *>(streamCount);
  int sum = 0;

  bool begin() {
    bool good = true;
    for (int i = 0; i < streamCount; ++i) {
      good = HOSTWARP_WORKS(cudaStreamCreate(&streams[i])) && good;
      good = HOSTWARP_WORKS(cudaMalloc(reinterpret_cast<void **>(&memory[i]), bytes)) && good;
      good = HOSTWARP_WORKS(cudaMemset(memory[i], 0, bytes)) && good;
    }
    return good;
  }
  // work() queues a little in every stream; errors are somebody else's.
  void work() {
    ++sum;
    for (int i = 0; i < streamCount; ++i) (void)launch(addInts, 2, 32, streams[i], memory[i], elements, 1);
  }
  bool end() {
    std::vector<int> back(elements);
    bool good = true;
    for (int i = 0; i < streamCount; ++i) {
      // The device cannot be waited for while another thread captures.
      good = HOSTWARP_WORKS(cudaStreamSynchronize(streams[i])) && good;
      good = HOSTWARP_WORKS(cudaMemcpy(back.data(), memory[i], bytes, cudaMemcpyDeviceToHost)) && good;
      good = HOSTWARP_EXPECTED(back == std::vector<int>(elements, sum)) && good;
      good = HOSTWARP_WORKS(cudaFree(memory[i])) && HOSTWARP_WORKS(cudaStreamDestroy(streams[i])) && good;
    }
    return good;
  }
};

cudaError_t faultIn(cudaStream_t stream, Random &random) {
  int *const nowhere[] = {nullptr, reinterpret_cast<int *>(8), reinterpret_cast<int *>(uint64_t{33} << 40)};
  if (random.oneIn(2)) return launch(trap, 2, 32, stream);
  return launch(storeInt, 1, 1, stream, random.of(nowhere), 1);
}

// One device faults, with other streams at work, while the other device goes on.
bool kernelFault(Random &random) {
  BusyDevice broken, sound;
  bool good = HOSTWARP_WORKS(cudaSetDevice(1)) && sound.begin();
  good = HOSTWARP_WORKS(cudaSetDevice(0)) && broken.begin() && good;
  const uint64_t moment = random.below(20);
  for (uint64_t i = 0; i < 20; ++i) {
    (void)cudaSetDevice(1);
    sound.work();
    (void)cudaSetDevice(0);
    if (i == moment) (void)faultIn(random.of(broken.streams), random);
    broken.work();
  }
  const cudaError_t error = cudaDeviceSynchronize();
  good = HOSTWARP_EXPECTED(error == cudaErrorLaunchFailure || error == cudaErrorIllegalAddress) && good;
  void *memory = nullptr;
  good = HOSTWARP_EXPECTED(cudaMalloc(&memory, 4) == error) && good;
  good = HOSTWARP_EXPECTED(cudaStreamSynchronize(broken.streams[0]) == error) && good;
  good = HOSTWARP_WORKS(cudaDeviceReset()) && worksStill() && good;
  return HOSTWARP_WORKS(cudaSetDevice(1)) && sound.end() && HOSTWARP_WORKS(cudaSetDevice(0)) && good;
}

// --- Processes ---

void callBack(void *) { (void)cudaGetLastError(); }

// BusyThread queues a little of everything and waits for it, again and again. Errors are somebody else's.
struct BusyThread {
  static constexpr size_t large = size_t{4} << 20;  // for threads of the runtime to copy
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  int *data = nullptr;
  void *pinned = nullptr, *target = nullptr;

  [[noreturn]] void run(int device) {
    (void)cudaSetDevice(device);
    (void)cudaMallocHost(&pinned, large);
    (void)cudaMalloc(&target, large);
    for (;;) turn();
  }

  void turn() {
    (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    (void)cudaEventCreate(&event);
    (void)cudaMallocAsync(reinterpret_cast<void **>(&data), bytes, stream);
    for (int k = 0; k < 4; ++k) (void)launch(addInts, 2, 32, stream, data, elements, 1);
    (void)cudaMemsetAsync(data, 0, bytes, stream);
    (void)cudaEventRecord(event, stream);
    (void)cudaMemcpyAsync(target, pinned, large, cudaMemcpyHostToDevice, stream);
    (void)cudaLaunchHostFunc(stream, callBack, nullptr);
    graph();
    (void)cudaFreeAsync(data, stream);
    (void)cudaEventSynchronize(event);
    (void)cudaStreamSynchronize(stream);
    (void)cudaEventDestroy(event);
    (void)cudaStreamDestroy(stream);
  }

  void graph() const {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    (void)cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    (void)launch(addInts, 2, 32, stream, data, elements, 1);
    (void)cudaLaunchHostFunc(stream, callBack, nullptr);
    (void)cudaStreamEndCapture(stream, &graph);
    (void)cudaGraphInstantiate(&executable, graph, 0);
    (void)cudaGraphLaunch(executable, stream);
    (void)cudaGraphExecDestroy(executable);
    (void)cudaGraphDestroy(graph);
  }
};

// keepBusy() starts threads that use both devices until the process is gone.
void keepBusy() {
  for (int i = 0; i < 4; ++i) std::thread([i] { BusyThread().run(i % 2); }).detach();
}

void pause(Random &random) { std::this_thread::sleep_for(std::chrono::microseconds(random.below(20000))); }

// The process that exitFaults() starts: ends in one of the ways that there are.
[[noreturn]] void endSomehow(uint64_t seed) {
  Random random(seed);
  keepBusy();
  pause(random);
  switch (random.below(4)) {
    case 0:
      (void)cudaDeviceReset();
      std::exit(7);
    case 1:
      std::quick_exit(7);
    case 2:
      _exit(7);
    default:
      std::exit(7);
  }
}

// endChild() is the rest of a forked child: it may not use CUDA, but become a program that does.
[[noreturn]] void endChild(bool becomeAnother) {
  void *memory = nullptr;
  const bool refused =
      cudaMalloc(&memory, 4) == cudaErrorInitializationError && cudaDeviceSynchronize() == cudaErrorInitializationError;
  if (refused && becomeAnother) execl("/proc/self/exe", "faults", "fork", "--child", "--seed", "0", nullptr);
  std::exit(refused ? 5 : 6);
}

// The process that forkFaults() starts: forks in the middle of work, and goes on. Seed 0 is that of children.
[[noreturn]] void forkSometimes(uint64_t seed) {
  if (seed == 0) std::exit(worksStill() ? 5 : 6);
  Random random(seed);
  BusyDevice own;
  bool good = own.begin();
  keepBusy();
  for (int i = 0; i < 4; ++i) {
    pause(random);
    own.work();
    const pid_t child = fork();
    if (child == 0) endChild(i % 2 == 1);
    int status = 0;
    good =
        HOSTWARP_EXPECTED(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5) && good;
  }
  good = own.end() && good;
  std::exit(good ? 7 : 8);
}

// startAgain() runs this program in a role and waits for it; one that takes too long is ended. True when it ended with
// status 7.
bool startAgain(const char *part, uint64_t seed) {
  const std::string number = std::to_string(seed);
  const pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "faults", part, "--child", "--seed", number.c_str(), nullptr);
    _exit(9);
  }
  int status = 0;
  // Turns, not time: a machine may stop all processes for a while.
  for (int turns = 0; waitpid(child, &status, WNOHANG) == 0; ++turns) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (turns == 12000) kill(child, SIGABRT);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 7) return true;
  std::printf("faults %s --child --seed %s: %s %d\n", part, number.c_str(),
              WIFEXITED(status) ? "ended with status" : "died of signal",
              WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  return false;
}

bool startOften(const char *part, const FaultOptions &options) {
  int failures = 0;
  for (int round = 0; round < options.rounds && failures < 10; ++round)
    if (!startAgain(part, options.seed + static_cast<uint64_t>(round))) ++failures;
  return failures == 0;
}

}  // namespace

bool kernelFaults(const FaultOptions &options) {
  Random random(options.seed);
  bool good = true;
  for (int round = 0; round < options.rounds && good; ++round) good = kernelFault(random);
  return good;
}

bool exitFaults(const FaultOptions &options) {
  if (options.isChild) endSomehow(options.seed);
  return startOften("exit", options);
}

bool forkFaults(const FaultOptions &options) {
  if (options.isChild) forkSometimes(options.seed);
  return startOften("fork", options);
}

}  // namespace hostwarp::stress
