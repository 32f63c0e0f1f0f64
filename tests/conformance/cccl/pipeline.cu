// cuda::pipeline: a thread's own, a block's with several stages, and one with producers and consumers.
// needs: cuda/pipeline
#include "../check.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int threads = 64, tiles = 7, n = threads * tiles;

__global__ void ownPipeline(const int *source, int *result) {
  __shared__ int stage[2][threads];
  auto pipeline = cuda::make_pipeline();
  const auto fetch = [&](int tile) {
    pipeline.producer_acquire();
    cuda::memcpy_async(&stage[tile % 2][threadIdx.x], &source[tile * threads + threadIdx.x], sizeof(int), pipeline);
    pipeline.producer_commit();
  };
  fetch(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) fetch(tile + 1);
    if (tile + 1 < tiles)
      cuda::pipeline_consumer_wait_prior<1>(pipeline);
    else
      cuda::pipeline_consumer_wait_prior<0>(pipeline);
    result[tile * threads + threadIdx.x] = stage[tile % 2][threadIdx.x] + 1;
    pipeline.consumer_release();
  }
}

__global__ void blockPipeline(const int *source, int *result) {
  constexpr int stages = 3;
  __shared__ int stage[stages][threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int fetched = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (; fetched < tiles && fetched < tile + stages; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, stage[fetched % stages], source + fetched * threads, sizeof(int) * threads, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    result[tile * threads + threadIdx.x] = stage[tile % stages][threads - 1 - threadIdx.x];
    pipeline.consumer_release();
  }
}

__global__ void producersAndConsumers(const int *source, int *result) {
  constexpr int stages = 2, producers = 32;
  __shared__ int stage[stages][threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  const bool produces = block.thread_rank() < producers;
  auto pipeline =
      cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int tile = 0; tile < tiles; ++tile) {
    if (produces) {
      pipeline.producer_acquire();
      for (int i = threadIdx.x; i < threads; i += producers)
        cuda::memcpy_async(&stage[tile % stages][i], &source[tile * threads + i], sizeof(int), pipeline);
      pipeline.producer_commit();
    } else {
      pipeline.consumer_wait();
      const int i = threadIdx.x - producers;
      result[tile * threads + i] = 2 * stage[tile % stages][i];
      pipeline.consumer_release();
    }
  }
}

int main() {
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = i * i;
  check::DeviceArray<int> source(numbers), result(n);

  ownPipeline<<<1, threads>>>(source.get(), result.get());
  LAUNCH_OK();
  auto values = result.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(values[i], i * i + 1);

#if defined(CCCL_VERSION)  // with libcu++ 1 a thread may fill a stage that another one still reads
  blockPipeline<<<1, threads>>>(source.get(), result.get());
  LAUNCH_OK();
  values = result.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(values[i], numbers[i / threads * threads + threads - 1 - i % threads]);
#endif

  producersAndConsumers<<<1, threads + 32>>>(source.get(), result.get());
  LAUNCH_OK();
  values = result.download();
  for (int i = 0; i < n; ++i) CHECK_EQ(values[i], 2 * i * i);
  return check::finish();
}
