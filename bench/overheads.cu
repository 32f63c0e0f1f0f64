// What there is around a kernel: launching and waiting, queues and graphs, small copies, memory, empty blocks, the
// start of a process, and how much an idle process computes. Prints a table with the goals behind the figures.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>

#include "timing.h"

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                              \
    }                                                            \
  } while (0)

extern char **environ;

__global__ void countUp(int *counter) { atomicAdd(counter, 1); }
__global__ void nothing() {}

namespace {

constexpr int calls = 1000;
constexpr int runs = 21;
constexpr int blocks = 1 << 18;

// Figure is one line of the table.
struct Figure {
  const char *name, *what;
  double value;
  const char *unit;
  double goal;
};
std::vector<Figure> figures;

void add(const char *name, const char *what, double value, const char *unit, double goal) {
  bench::report(name, value, unit);
  figures.push_back({name, what, value, unit, goal});
}

// each() is microseconds for one of `calls` calls.
template <class Call>
double each(Call call) {
  return bench::seconds(
             [&] {
               for (int i = 0; i < calls; ++i) call();
             },
             runs) /
         calls * 1e6;
}

// queued() is microseconds for one of the kernels that `enqueue` adds to the stream, until all have ended.
template <class Enqueue>
double queued(cudaStream_t stream, Enqueue enqueue) {
  return bench::seconds(
             [&] {
               enqueue();
               CHECK(cudaStreamSynchronize(stream));
             },
             runs) /
         calls * 1e6;
}

void benchLaunches(cudaStream_t stream, int *counter) {
  add("launch_and_wait", "launch of a kernel, and waiting for it", each([&] {
        countUp<<<1, 1, 0, stream>>>(counter);
        CHECK(cudaStreamSynchronize(stream));
      }),
      "us", 3);
  const auto enqueue = [&] {
    for (int i = 0; i < calls; ++i) countUp<<<1, 1, 0, stream>>>(counter);
  };
  add("queued_launch", "launch behind others", queued(stream, enqueue), "us", 0.5);

  cudaGraph_t chain;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  enqueue();
  CHECK(cudaStreamEndCapture(stream, &chain));
  CHECK(cudaGraphInstantiate(&executable, chain, 0));
  add("graph_node", "node of a graph, in a chain", queued(stream, [&] { CHECK(cudaGraphLaunch(executable, stream)); }),
      "us", 0.2);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(chain));
}

void benchMemory() {
  void *memory;
  char few[64] = {};
  CHECK(cudaMalloc(&memory, sizeof few));
  add("copy_64", "cudaMemcpy of 64 bytes, nothing else running",
      each([&] { CHECK(cudaMemcpy(memory, few, sizeof few, cudaMemcpyHostToDevice)); }), "us", 0.5);
  CHECK(cudaFree(memory));
  const auto allocate = [&](size_t bytes) {
    return each([&] {
      CHECK(cudaMalloc(&memory, bytes));
      CHECK(cudaFree(memory));
    });
  };
  add("malloc_free_256", "cudaMalloc and cudaFree of 256 bytes", allocate(256), "us", 1);
  add("malloc_free_1M", "cudaMalloc and cudaFree of 1 MiB", allocate(size_t{1} << 20), "us", 1);
}

void benchBlocks() {
  const double time = bench::seconds(
      [] {
        nothing<<<blocks, 256>>>();
        CHECK(cudaDeviceSynchronize());
      },
      runs);
  add("empty_block", "empty block of 256 threads", time / blocks * 1e9, "ns", 5);
}

// run() is the time that a program takes to start and to end, when it is asked to do the least; negative if it fails.
double run(const std::string &program) {
  char least[] = "least";
  std::string path = program;
  char *const arguments[] = {path.data(), least, nullptr};
  const auto begin = std::chrono::steady_clock::now();
  pid_t child;
  int status = 0;
  if (posix_spawn(&child, path.c_str(), nullptr, nullptr, arguments, environ) != 0) return -1;
  if (waitpid(child, &status, 0) != child || status != 0) return -1;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// benchStart() compares this program with the plain one, in turn; false if either cannot be run.
bool benchStart() {
  char self[4096] = {};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return false;
  const std::string here = std::string(self).substr(0, std::string(self).rfind('/'));
  std::vector<double> over, plain;
  for (int i = 0; i < runs; ++i) {
    plain.push_back(run(here + "/reference_overheads"));
    const double own = run(self);
    if (plain.back() < 0 || own < 0) return false;
    over.push_back(own - plain.back());
  }
  std::sort(over.begin(), over.end());
  std::sort(plain.begin(), plain.end());
  bench::report("plain_process", plain[runs / 2] * 1e3, "ms");
  add("process_start", "process with one kernel, beyond a plain one", over[runs / 2] * 1e3, "ms", 1.5);
  return true;
}

// benchRest() looks at the processor's time while the program waits for nothing of the runtime's.
void benchRest() {
  using namespace std::chrono_literals;
  const auto used = [] {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  };
  std::this_thread::sleep_for(200ms);  // threads of the runtime look for work before they sleep
  const double before = used();
  std::this_thread::sleep_for(500ms);
  add("idle", "processor's time while idle", (used() - before) / 500 * 100, "%", 0.1);
}

// least() is what process_start runs.
int least() {
  nothing<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
  return 0;
}

}  // namespace

int main(int count, char **arguments) {
  if (count == 2 && std::strcmp(arguments[1], "least") == 0) return least();
  cudaStream_t stream;
  int *counter;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocManaged(&counter, sizeof(int)));
  *counter = 0;
  benchLaunches(stream, counter);
  benchMemory();
  benchBlocks();
  benchRest();
  if (!benchStart()) {
    std::printf("reference_overheads, or this program, cannot be run from here\n");
    return 1;
  }
  std::printf("\n| what | measured | goal |\n|---|---|---|\n");
  for (const Figure &each : figures)
    std::printf("| %s | %.3g %s | %g %s |\n", each.what, each.value, each.unit, each.goal, each.unit);
  return *counter == 3 * (runs + 1) * calls ? 0 : 1;
}
