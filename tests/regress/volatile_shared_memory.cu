// Volatile accesses of shared memory, with barriers and without: the lanes of a warp stay in step around the stores
// wherever one lane could see another's, and the accesses may be fast where none can.
#include "../conformance/check.h"

constexpr int threads = 128;

// Each store has a barrier around it, but for the last one, which the exit of the loop looks behind.
__global__ void scan(const int *in, int *out) {
  __shared__ volatile int s[2 * threads];
  int place = threadIdx.x;
  s[place] = 0;
  place += threads;
  s[place] = in[threadIdx.x];
  for (int distance = 1; distance < threads; distance *= 2) {
    __syncthreads();
    const int sum = s[place] + s[place - distance];
    __syncthreads();
    s[place] = sum;
  }
  out[threadIdx.x] = s[place ^ 1];
}

// The second store of a lane must come behind the first store of all.
__global__ void scanInWarp(const int *in, int *out) {
  __shared__ volatile int s[threads / 32][48];
  volatile int *row = s[threadIdx.x / 32];
  const int lane = threadIdx.x % 32;
  row[lane] = 0;
  row[lane + 16] = in[threadIdx.x];
  for (int distance = 1; distance <= 16; distance *= 2) row[lane + 16] += row[lane + 16 - distance];
  out[threadIdx.x] = row[lane + 16];
}

__device__ void reduceWarp(volatile int *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void reduce(const int *in, int *out) {
  extern __shared__ int dynamic[];
  const int t = threadIdx.x;
  dynamic[t] = in[t];
  __syncthreads();
  if (t < 64) dynamic[t] += dynamic[t + 64];
  __syncthreads();
  if (t < 32) reduceWarp(dynamic, t);
  if (t == 0) *out = dynamic[0];
}

// Neighbours swap what they have, again and again, through memory that two pointers reach.
__global__ void swap(int *out, int turns) {
  __shared__ int s[threads];
  volatile int *mine = &s[threadIdx.x], *other = &s[threadIdx.x ^ 1];
  *mine = threadIdx.x;
  for (int i = 0; i < turns; ++i) {
    const int theirs = *other;
    *mine = theirs + 1;
  }
  out[threadIdx.x] = *other;
}

// A warp waits for the flag of another one.
__global__ void handOver(int *out) {
  __shared__ volatile int flag, value;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    value = 17;
    __threadfence_block();
    flag = 1;
  }
  if (threadIdx.x == 0) {
    while (flag == 0) continue;
    *out = value;
  }
}

int main() {
  std::vector<int> numbers(threads);
  for (int i = 0; i < threads; ++i) numbers[i] = i * i % 31 + 1;
  check::DeviceArray<int> in(numbers), out(threads, 0);

  scan<<<1, threads>>>(in.get(), out.get());
  const std::vector<int> scanned = out.download();
  scanInWarp<<<1, threads>>>(in.get(), out.get());
  const std::vector<int> inWarps = out.download();
  int sum = 0, sumInWarp = 0;
  for (int i = 0; i < threads; ++i) {
    sum += numbers[i];
    sumInWarp = i % 32 == 0 ? numbers[i] : sumInWarp + numbers[i];
    CHECK_EQ(scanned[i ^ 1], sum);
    CHECK_EQ(inWarps[i], sumInWarp);
  }

  reduce<<<1, threads, threads * sizeof(int)>>>(in.get(), out.get());
  CHECK_EQ(out.download()[0], sum);

  for (int turns : {0, 1, 6, 7}) {
    swap<<<1, threads>>>(out.get(), turns);
    const std::vector<int> swapped = out.download();
    for (int i = 0; i < threads; ++i) CHECK_EQ(swapped[i], (turns % 2 == 0 ? i ^ 1 : i) + turns);
  }

  handOver<<<1, threads>>>(out.get());
  CHECK_EQ(out.download()[0], 17);
  return check::finish();
}
