// What the thread engine costs: a switch, a barrier, a collective, an empty thread, a launch.
#include <benchmark/benchmark.h>

#include <string>

#include "fibers/context.h"
#include "fibers/engine.h"

namespace hostwarp::fibers {
namespace {

Engine &engineWith(unsigned workers) {
  static Engine one([] {
    EngineOptions options;
    options.workers = 1;
    return options;
  }());
  static Engine two([] {
    EngineOptions options;
    options.workers = 2;
    return options;
  }());
  return workers == 1 ? one : two;
}

void runGrid(benchmark::State &state, unsigned workers, hw_kernel_entry entry, hw_dim3 grid, hw_dim3 block) {
  GridRequest request;
  request.entry = entry;
  request.kernelName = "bench";
  request.grid = grid;
  request.block = block;
  request.residentBlocks = 16;
  request.dynamicSharedBytes = 4096;
  const GridOutcome outcome = engineWith(workers).run(request);
  if (outcome.fault != Fault::None) state.SkipWithError(outcome.diagnosis.c_str());
}

void emptyKernel(void *const *) {}

constexpr int kRounds = 1000;

void barrierKernel(void *const *) {
  for (int i = 0; i < kRounds; ++i) hw_barrier(0, 0);
}

void shuffleKernel(void *const *) {
  uint64_t value = hw_self()->laneId;
  for (int i = 0; i < kRounds; ++i) value += hw_shuffle(~0u, HW_SHFL_BFLY, value, 1, 32, nullptr);
  benchmark::DoNotOptimize(value);
}

void oneBarrierKernel(void *const *) { hw_barrier(0, 0); }

Context caller;
Context callee;

void pong() {
  for (;;) switchContext(callee, caller);
}

// contextSwitch: one switch, there or back.
void contextSwitch(benchmark::State &state) {
  static char stack[64 * 1024];
  prepareContext<pong>(callee, stack, stack + sizeof stack);
  for (auto _ : state) switchContext(caller, callee);
  state.SetItemsProcessed(state.iterations() * 2);
}
BENCHMARK(contextSwitch);

// Arguments of the following: threads per block, workers. Items are threads times rounds.
void barrierPerThread(benchmark::State &state) {
  const auto threads = static_cast<uint32_t>(state.range(0));
  for (auto _ : state) runGrid(state, 1, barrierKernel, {1, 1, 1}, {threads, 1, 1});
  state.SetItemsProcessed(state.iterations() * threads * kRounds);
}
BENCHMARK(barrierPerThread)->Arg(32)->Arg(128)->Arg(256)->Arg(1024)->MeasureProcessCPUTime()->UseRealTime();

void shufflePerLane(benchmark::State &state) {
  const auto threads = static_cast<uint32_t>(state.range(0));
  for (auto _ : state) runGrid(state, 1, shuffleKernel, {1, 1, 1}, {threads, 1, 1});
  state.SetItemsProcessed(state.iterations() * threads * kRounds);
}
BENCHMARK(shufflePerLane)->Arg(32)->Arg(256)->MeasureProcessCPUTime()->UseRealTime();

void emptyThreads(benchmark::State &state) {
  const auto threads = static_cast<uint32_t>(state.range(0));
  const auto workers = static_cast<unsigned>(state.range(1));
  const uint32_t blocks = (1u << 22) / threads;
  for (auto _ : state) runGrid(state, workers, emptyKernel, {blocks, 1, 1}, {threads, 1, 1});
  state.SetItemsProcessed(state.iterations() * blocks * threads);
}
BENCHMARK(emptyThreads)
    ->Args({32, 1})
    ->Args({256, 1})
    ->Args({256, 2})
    ->Args({1024, 2})
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// threadsWithOneBarrier: start, one barrier, end; each thread needs a fiber of its own.
void threadsWithOneBarrier(benchmark::State &state) {
  const auto threads = static_cast<uint32_t>(state.range(0));
  const uint32_t blocks = (1u << 18) / threads;
  for (auto _ : state) runGrid(state, 1, oneBarrierKernel, {blocks, 1, 1}, {threads, 1, 1});
  state.SetItemsProcessed(state.iterations() * blocks * threads);
}
BENCHMARK(threadsWithOneBarrier)->Arg(256)->Arg(1024)->MeasureProcessCPUTime()->UseRealTime();

// launchLatency: submit one thread and wait for it, again and again.
void launchLatency(benchmark::State &state) {
  const auto workers = static_cast<unsigned>(state.range(0));
  for (auto _ : state) runGrid(state, workers, emptyKernel, {1, 1, 1}, {1, 1, 1});
}
BENCHMARK(launchLatency)->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace
}  // namespace hostwarp::fibers

BENCHMARK_MAIN();
