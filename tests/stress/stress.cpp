// Many host threads with many streams and events do random work whose result is known: kernels, copies, fills, memory
// in stream order, host functions, events between streams, graphs. What memory holds is compared again and again.
#include <cuda_runtime_api.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/stress/command_line.h"
#include "tests/stress/kernels.h"
#include "tests/stress/random.h"

namespace hostwarp::stress {
namespace {

struct Options {
  uint64_t seed = 1;
  double seconds = 5;
  int threads = 64;
  int streams = 256;
  int events = 10000;
};

constexpr int elements = 256;
constexpr size_t bytes = elements * sizeof(int);

// What is counted, in the order in which it is printed.
enum Step { Kernel, Copy, Fill, Temporary, HostFunction, Across, Graph, Events, Renewal, Comparison, stepCount };
constexpr const char *stepNames[stepCount] = {"kernels",        "copies", "fills",  "temporaries",     "host functions",
                                              "across streams", "graphs", "events", "streams renewed", "comparisons"};

std::atomic<uint64_t> done[stepCount];
std::atomic<uint64_t> hostCalls;
std::atomic<bool> failed{false};
std::vector<cudaEvent_t> sharedEvents;  // of all threads: any of them may be waited for

bool isGood(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return true;
  if (!failed.exchange(true)) std::printf("FAILED: %s: %s\n", what, cudaGetErrorString(error));
  return false;
}
#define HOSTWARP_GOOD(call) isGood(call, #call)

// Lane is a stream with memory that only it writes, and what the memory will hold once the stream is idle.
struct Lane {
  cudaStream_t stream = nullptr;
  int *memory = nullptr;
  std::vector<int> expected = std::vector<int>(elements, 0);
};

void countCall(void *) { ++hostCalls; }

// Player is one host thread's part.
class Player {
 public:
  Player(uint64_t seed, int lanes, cudaEvent_t *events, size_t eventCount)
      : random_(seed), lanes_(static_cast<size_t>(lanes)), events_(events), eventCount_(eventCount) {}

  void play(double end) {
    begin();
    while (!failed && now() < end) step();
    for (Lane &lane : lanes_) compare(lane);
    finish();
  }

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  uint64_t hostFunctions() const { return hostFunctions_; }

 private:
  void begin() {
    HOSTWARP_GOOD(cudaMallocHost(reinterpret_cast<void **>(&back_), bytes));
    for (Lane &lane : lanes_) {
      HOSTWARP_GOOD(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
      HOSTWARP_GOOD(cudaMalloc(reinterpret_cast<void **>(&lane.memory), bytes));
      HOSTWARP_GOOD(cudaMemsetAsync(lane.memory, 0, bytes, lane.stream));
    }
  }

  void finish() {
    for (Lane &lane : lanes_) {
      HOSTWARP_GOOD(cudaFree(lane.memory));
      HOSTWARP_GOOD(cudaStreamDestroy(lane.stream));
    }
    HOSTWARP_GOOD(cudaFreeHost(back_));
  }

  void step() {
    Lane &lane = lanes_[random_.below(lanes_.size())];
    const auto kind = static_cast<Step>(random_.below(stepCount));
    using Action = void (Player::*)(Lane &);
    constexpr Action actions[stepCount] = {&Player::kernel, &Player::copy,   &Player::fill,  &Player::temporary,
                                           &Player::host,   &Player::across, &Player::graph, &Player::event,
                                           &Player::renew,  &Player::compare};
    // Comparing and making new streams are slow.
    if ((kind == Renewal || kind == Comparison) && !random_.oneIn(4)) return;
    (this->*actions[kind])(lane);
    ++done[kind];
  }

  void kernel(Lane &lane) {
    const int value = number();
    HOSTWARP_GOOD(launch(addInts, elements / 64, 64, lane.stream, lane.memory, elements, value));
    add(lane, value);
  }

  // From ordinary memory, which may change as soon as the call returns.
  void copy(Lane &lane) {
    std::vector<int> source(elements);
    for (int &element : source) element = number();
    HOSTWARP_GOOD(cudaMemcpyAsync(lane.memory, source.data(), bytes, cudaMemcpyHostToDevice, lane.stream));
    lane.expected = source;
  }

  void fill(Lane &lane) {
    const auto value = static_cast<unsigned char>(random_.next());
    const auto count = static_cast<size_t>(random_.below(elements + 1));
    HOSTWARP_GOOD(cudaMemsetAsync(lane.memory, value, count * sizeof(int), lane.stream));
    std::memset(lane.expected.data(), value, count * sizeof(int));
  }

  void temporary(Lane &lane) {
    int *memory = nullptr;
    const int value = number();
    if (!HOSTWARP_GOOD(cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, lane.stream))) return;
    HOSTWARP_GOOD(launch(copyInts, 1, elements, lane.stream, memory, lane.memory, elements));
    HOSTWARP_GOOD(launch(addInts, 1, elements, lane.stream, memory, elements, value));
    HOSTWARP_GOOD(cudaMemcpyAsync(lane.memory, memory, bytes, cudaMemcpyDefault, lane.stream));
    HOSTWARP_GOOD(cudaFreeAsync(memory, lane.stream));
    add(lane, value);
  }

  void host(Lane &lane) {
    HOSTWARP_GOOD(cudaLaunchHostFunc(lane.stream, countCall, nullptr));
    ++hostFunctions_;
  }

  // Another lane takes over what this one holds; this one goes on when that has happened.
  void across(Lane &from) {
    Lane &to = lanes_[random_.below(lanes_.size())];
    if (&to == &from) return;
    cudaEvent_t ready = ownEvent(), taken = ownEvent();
    HOSTWARP_GOOD(cudaEventRecord(ready, from.stream));
    HOSTWARP_GOOD(cudaStreamWaitEvent(to.stream, ready, 0));
    HOSTWARP_GOOD(launch(copyInts, 4, 64, to.stream, to.memory, from.memory, elements));
    HOSTWARP_GOOD(cudaEventRecord(taken, to.stream));
    HOSTWARP_GOOD(cudaStreamWaitEvent(from.stream, taken, 0));
    to.expected = from.expected;
  }

  // The graph is captured, runs some times, and is gone before it has run.
  void graph(Lane &lane) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    const int value = number();
    const auto times = static_cast<int>(random_.below(3)) + 1;
    HOSTWARP_GOOD(cudaStreamBeginCapture(lane.stream, cudaStreamCaptureModeThreadLocal));
    HOSTWARP_GOOD(launch(addInts, 2, 128, lane.stream, lane.memory, elements, value));
    HOSTWARP_GOOD(cudaLaunchHostFunc(lane.stream, countCall, nullptr));
    HOSTWARP_GOOD(launch(addInts, 1, 256, lane.stream, lane.memory, elements, 1));
    if (!HOSTWARP_GOOD(cudaStreamEndCapture(lane.stream, &graph))) return;
    if (!HOSTWARP_GOOD(cudaGraphInstantiate(&executable, graph, 0))) return;
    for (int i = 0; i < times; ++i) HOSTWARP_GOOD(cudaGraphLaunch(executable, lane.stream));
    HOSTWARP_GOOD(cudaGraphExecDestroy(executable));
    HOSTWARP_GOOD(cudaGraphDestroy(graph));
    hostFunctions_ += static_cast<uint64_t>(times);
    for (int i = 0; i < times; ++i) add(lane, value), add(lane, 1);
  }

  void event(Lane &lane) {
    cudaEvent_t &own = ownEvent();
    switch (random_.below(4)) {
      case 0:
        HOSTWARP_GOOD(cudaStreamWaitEvent(lane.stream, random_.of(sharedEvents), 0));
        break;
      case 1:
        HOSTWARP_GOOD(cudaEventRecord(random_.of(sharedEvents), lane.stream));
        break;
      case 2:
        // A stream that waits for an event waits for its record, even when the event is gone.
        HOSTWARP_GOOD(cudaEventRecord(own, lane.stream));
        HOSTWARP_GOOD(cudaStreamWaitEvent(lanes_[random_.below(lanes_.size())].stream, own, 0));
        HOSTWARP_GOOD(cudaEventDestroy(own));
        HOSTWARP_GOOD(cudaEventCreateWithFlags(&own, cudaEventDisableTiming));
        break;
      default:
        if (cudaError_t error = cudaEventQuery(own); error != cudaErrorNotReady) isGood(error, "cudaEventQuery");
        if (random_.oneIn(8)) HOSTWARP_GOOD(cudaEventSynchronize(own));
    }
  }

  // What is queued in a stream runs although the stream is destroyed.
  void renew(Lane &lane) {
    cudaEvent_t last = ownEvent();
    HOSTWARP_GOOD(cudaEventRecord(last, lane.stream));
    HOSTWARP_GOOD(cudaStreamDestroy(lane.stream));
    HOSTWARP_GOOD(
        cudaStreamCreateWithPriority(&lane.stream, cudaStreamNonBlocking, -static_cast<int>(random_.below(3))));
    HOSTWARP_GOOD(cudaStreamWaitEvent(lane.stream, last, 0));
  }

  void compare(Lane &lane) {
    HOSTWARP_GOOD(cudaMemcpyAsync(back_, lane.memory, bytes, cudaMemcpyDeviceToHost, lane.stream));
    if (!HOSTWARP_GOOD(cudaStreamSynchronize(lane.stream)) || failed) return;
    if (std::memcmp(back_, lane.expected.data(), bytes) == 0) return;
    if (!failed.exchange(true)) std::printf("FAILED: memory does not hold what it should\n");
  }

  static void add(Lane &lane, int value) {
    for (int &element : lane.expected)
      element = static_cast<int>(static_cast<unsigned>(element) + static_cast<unsigned>(value));
  }

  int number() { return static_cast<int>(random_.below(1000)); }
  cudaEvent_t &ownEvent() { return events_[random_.below(eventCount_)]; }

  Random random_;
  std::vector<Lane> lanes_;
  cudaEvent_t *events_;
  size_t eventCount_;
  int *back_ = nullptr;
  uint64_t hostFunctions_ = 0;
};

void makeEvents(std::vector<cudaEvent_t> &events) {
  for (cudaEvent_t &event : events) HOSTWARP_GOOD(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
}

// Nothing of the device's memory may be lost.
size_t freeMemory() {
  size_t free = 0, total = 0;
  cudaMemPool_t pool = nullptr;
  HOSTWARP_GOOD(cudaDeviceSynchronize());
  HOSTWARP_GOOD(cudaDeviceGetDefaultMemPool(&pool, 0));
  HOSTWARP_GOOD(cudaMemPoolTrimTo(pool, 0));
  HOSTWARP_GOOD(cudaMemGetInfo(&free, &total));
  return free;
}

void run(const Options &options) {
  const size_t before = freeMemory();
  const auto threadCount = static_cast<size_t>(options.threads);
  std::vector<cudaEvent_t> events(static_cast<size_t>(options.events));
  makeEvents(events);
  // Each thread has events of its own; what does not divide evenly is everybody's.
  const size_t own = events.size() * 9 / 10 / threadCount;
  sharedEvents.assign(events.begin() + static_cast<ptrdiff_t>(own * threadCount), events.end());
  std::vector<Player> players;
  for (size_t i = 0; i < threadCount; ++i)
    players.emplace_back(options.seed + i, options.streams / options.threads, events.data() + i * own, own);
  const double end = Player::now() + options.seconds;
  std::vector<std::thread> threads;
  for (Player &player : players) threads.emplace_back([&player, end] { player.play(end); });
  for (std::thread &thread : threads) thread.join();
  for (cudaEvent_t event : events) HOSTWARP_GOOD(cudaEventDestroy(event));
  uint64_t hostFunctions = 0;
  for (const Player &player : players) hostFunctions += player.hostFunctions();
  const size_t after = freeMemory();
  if (!failed && hostFunctions != hostCalls)
    isGood(cudaErrorUnknown, "host functions ran as often as they were queued");
  if (!failed && before != after) isGood(cudaErrorUnknown, "all memory came back");
}

bool parse(Options &options, int argc, char **argv) {
  return parseOptions({argv + 1, argv + argc}, {{"--seed", &options.seed},
                                                {"--seconds", &options.seconds},
                                                {"--threads", &options.threads},
                                                {"--streams", &options.streams},
                                                {"--events", &options.events}}) &&
         options.threads > 0 && options.streams >= options.threads && options.events >= 4 * options.threads;
}

}  // namespace
}  // namespace hostwarp::stress

// limitMemory() leaves devices so little memory that what is left of it does not depend on other programs. The runtime
// has made its devices before main() begins, so that the program begins again.
static void limitMemory(char **argv) {
  if (std::getenv("HOSTWARP_MEMORY_LIMIT") != nullptr) return;
  setenv("HOSTWARP_MEMORY_LIMIT", "1G", 1);
  execv("/proc/self/exe", argv);
  std::perror("execv");
}

int main(int argc, char **argv) {
  using namespace hostwarp::stress;
  Options options;
  if (!parse(options, argc, argv)) {
    std::fprintf(stderr, "usage: stress [--seed N] [--seconds S] [--threads N] [--streams N] [--events N]\n");
    return 2;
  }
  limitMemory(argv);
  run(options);
  for (int i = 0; i < stepCount; ++i)
    std::printf("%llu %s%s", static_cast<unsigned long long>(done[i]), stepNames[i], i + 1 < stepCount ? ", " : "\n");
  std::printf("%s\n", failed ? "FAILED" : "all as expected");
  return failed ? 1 : 0;
}
