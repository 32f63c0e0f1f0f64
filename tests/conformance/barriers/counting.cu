// __syncthreads_count, _and and _or give every thread the same reduction over the threads that have not exited.
#include "../check.h"

struct Result {
  int count, all, any;
};

__global__ void reduce(Result *results, int modulus, int leavers) {
  const int i = threadIdx.x;
  if (i < leavers) return;
  const int predicate = i % modulus == 0 ? i + 1 : 0;
  const int count = __syncthreads_count(predicate);
  const int all = __syncthreads_and(predicate);
  const int any = __syncthreads_or(predicate);
  results[i] = {count, all != 0, any != 0};
}

static void run(int threads, int modulus, int leavers) {
  check::DeviceArray<Result> results(threads, Result{-1, -1, -1});
  reduce<<<1, threads>>>(results.get(), modulus, leavers);
  LAUNCH_OK();
  int count = 0;
  for (int i = leavers; i < threads; ++i) count += i % modulus == 0;
  const std::vector<Result> host = results.download();
  for (int i = 0; i < threads; ++i) {
    CHECK_EQ(host[i].count, i < leavers ? -1 : count);
    CHECK_EQ(host[i].all, i < leavers ? -1 : count == threads - leavers);
    CHECK_EQ(host[i].any, i < leavers ? -1 : count > 0);
  }
}

// Many rounds with changing predicates: no round mixes with the next.
__global__ void rounds(int *wrong) {
  for (int r = 0; r < 200; ++r) {
    const int expected = (int)blockDim.x < r ? blockDim.x : r;
    if (__syncthreads_count((int)threadIdx.x < r) != expected) atomicAdd(wrong, 1);
  }
}

int main() {
  for (int threads : {1, 31, 32, 33, 100, 257, 1024})
    for (int modulus : {1, 2, 7, 5000}) run(threads, modulus, 0);
  run(100, 3, 1);
  run(100, 1, 40);
  run(1024, 1000, 992);
  run(64, 5000, 1);
  check::DeviceArray<int> wrong(1, 0);
  rounds<<<4, 75>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  return check::finish();
}
