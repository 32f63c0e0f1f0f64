// clock, clock64 and the global timer go forward; __nanosleep takes time and lets others work.
#include "../check.h"

__device__ unsigned long long globalTimer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__global__ void monotone(int *wrong) {
  long long last = clock64();
  unsigned long long lastTime = globalTimer();
  for (int i = 0; i < 1000; ++i) {
    const long long now = clock64();
    const unsigned long long time = globalTimer();
    if (now < last || time < lastTime) atomicAdd(wrong, 1);
    last = now;
    lastTime = time;
  }
  const clock_t start = clock();
  int sum = 0;
  for (int i = 0; i < 20000; ++i) sum += atomicAdd(wrong + 1, 1) & 1;
  if (clock() - start <= 0 && sum >= 0) atomicAdd(wrong, 1);
}

__global__ void sleepers(volatile int *flag, int *seen) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    for (int i = 0; i < 5; ++i) __nanosleep(1000);
    *flag = 1;
  } else {
    while (*flag == 0) __nanosleep(100);
    atomicAdd(seen, 1);
  }
  __nanosleep(0);
}

// A sleep may be shorter than what was asked for; not all twenty are shorter than a tenth of it.
__global__ void duration(int *wrong) {
  const unsigned long long start = globalTimer();
  for (int i = 0; i < 20; ++i) __nanosleep(100000);
  if (globalTimer() - start < 200000) atomicAdd(wrong, 1);
}

int main() {
  check::DeviceArray<int> wrong(2, 0), flag(1, 0), seen(1, 0);
  monotone<<<1, 3>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  sleepers<<<3, 40>>>(flag.get(), seen.get());
  LAUNCH_OK();
  CHECK_EQ(seen.download()[0], 119);
  check::DeviceArray<int> tooShort(1, 0);
  duration<<<2, 33>>>(tooShort.get());
  LAUNCH_OK();
  CHECK_EQ(tooShort.download()[0], 0);
  return check::finish();
}
