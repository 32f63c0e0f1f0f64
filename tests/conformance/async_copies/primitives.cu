// The primitives of <cuda_pipeline.h> and <cuda_awbarrier_primitives.h>: copies of 4, 8 and 16 bytes, zeros at their
// ends, barriers that count arrivals and copies.
#include "../check.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

constexpr int threads = 64;

// Two batches in flight.
__global__ void batches(const int4 *in, int4 *out, int count) {
  __shared__ int4 stage[2][threads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(int4));
  __pipeline_commit();
  for (int i = 0; i < count; ++i) {
    if (i + 1 < count) __pipeline_memcpy_async(&stage[(i + 1) % 2][t], &in[(i + 1) * threads + t], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i * threads + t] = stage[i % 2][threads - 1 - t];
    __syncthreads();
  }
}

__global__ void sizes(const char *in, char *out) {
  __shared__ __align__(16) char bytes[64];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 64; ++i) bytes[i] = 'x';
    __pipeline_memcpy_async(bytes, in, 4);
    __pipeline_memcpy_async(bytes + 8, in + 8, 8, 3);
    __pipeline_memcpy_async(bytes + 16, in + 16, 16, 5);
    __pipeline_memcpy_async(bytes + 32, in + 32, 16, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int i = 0; i < 64; ++i) out[i] = bytes[i];
  }
}

// Each thread's copy arrives at the barrier beside the thread itself.
__global__ void barriers(const int *in, int *out, int *wrong) {
  __shared__ __mbarrier_t barrier;
  __shared__ int stage[threads];
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&barrier, threads);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    __pipeline_memcpy_async(&stage[t], &in[round * threads + t], sizeof(int));
    __pipeline_arrive_on(&barrier);
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
    out[round * threads + t] = stage[threads - 1 - t];
    const __mbarrier_token_t second = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, second, 1000)) {
    }
  }
  if (__mbarrier_maximum_count() != (1u << 14) - 1) atomicAdd(wrong, 1);
  if (t == 0) __mbarrier_arrive_and_drop(&barrier);
  if (t != 0) __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait_parity(&barrier, false)) {
  }
  __syncthreads();
  if (t != 0) {
    const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_test_wait(&barrier, token)) {
    }
  }
  __syncthreads();
  if (t == 0) {
    __mbarrier_inval(&barrier);
    __mbarrier_init(&barrier, 5);
    if (__mbarrier_token_pending_count(__mbarrier_arrive(&barrier)) != 5) atomicAdd(wrong, 1);
  }
}

int main() {
  const int count = 5;
  std::vector<int4> values(count * threads);
  for (int i = 0; i < count * threads; ++i) values[size_t(i)] = make_int4(i, i * 2, i * 3, -i);
  check::DeviceArray<int4> in(values), out(values.size());
  batches<<<1, threads>>>(in.get(), out.get(), count);
  LAUNCH_OK();
  const std::vector<int4> host = out.download();
  for (int i = 0; i < count * threads; ++i) {
    const int from = i / threads * threads + threads - 1 - i % threads;
    CHECK_EQ(host[size_t(i)].x, from);
    CHECK_EQ(host[size_t(i)].w, -from);
  }
  std::vector<char> text(64);
  for (int i = 0; i < 64; ++i) text[size_t(i)] = char('0' + i);
  check::DeviceArray<char> chars(text), copied(64, 0);
  sizes<<<1, 32>>>(chars.get(), copied.get());
  LAUNCH_OK();
  for (int i = 0; i < 64; ++i) {
    const bool taken = i < 4 || (i >= 8 && i < 13) || (i >= 16 && i < 27);
    const bool zero = (i >= 13 && i < 16) || (i >= 27 && i < 48);
    CHECK_EQ(copied.download()[size_t(i)], taken ? text[size_t(i)] : zero ? '\0' : 'x');
  }
  std::vector<int> numbers(3 * threads);
  for (int i = 0; i < 3 * threads; ++i) numbers[size_t(i)] = i * 9;
  check::DeviceArray<int> input(numbers), output(numbers.size(), -1), wrong(1, 0);
  barriers<<<1, threads>>>(input.get(), output.get(), wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  for (int i = 0; i < 3 * threads; ++i)
    CHECK_EQ(output.download()[size_t(i)], (i / threads * threads + threads - 1 - i % threads) * 9);
  return check::finish();
}
