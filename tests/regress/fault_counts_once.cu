// What a kernel that faults has added to memory of the host is added once: a block that ran as a whole was run again in
// place, thread by thread, to name the thread. The report names it still.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "../conformance/check.h"

__global__ void countThenFault(int *counts, int *nothing) {
  atomicAdd(&counts[0], 1);
  counts[1 + threadIdx.x] += 1;
  __syncthreads();
  if (threadIdx.x == 37) *nothing = counts[0];
}

// reportOf() runs the kernel in a child, which shares the counts with us, and returns what it says on stderr.
static const char *reportOf(int *counts, bool hostAllocated) {
  static char report[8192];
  int ends[2];
  if (pipe(ends) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    int *seen = counts;
    if (hostAllocated) cudaHostAlloc(reinterpret_cast<void **>(&seen), 65 * sizeof(int), cudaHostAllocMapped);
    if (hostAllocated)
      memset(seen, 0, 65 * sizeof(int));
    else
      cudaHostRegister(counts, 4096, cudaHostRegisterMapped);
    countThenFault<<<1, 64>>>(seen, nullptr);
    const cudaError_t error = cudaDeviceSynchronize();
    if (hostAllocated) memcpy(counts, seen, 65 * sizeof(int));
    _exit(error == cudaErrorIllegalAddress ? 0 : 1);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t count; (count = read(ends[0], report + length, sizeof report - 1 - length)) > 0;) length += count;
  report[length] = 0;
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  return report;
}

int main() {
  int *counts = static_cast<int *>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (const bool hostAllocated : {true, false}) {
    memset(counts, 0, 4096);
    const char *report = reportOf(counts, hostAllocated);
    CHECK(strstr(report, "thread (37,0,0)") != nullptr);
    CHECK(counts[0] == 64);
    int threadsOnce = 0;
    for (int i = 0; i < 64; ++i) threadsOnce += counts[1 + i] == 1;
    CHECK(threadsOnce == 64);
    if (counts[0] != 64) printf("%d additions: %s\n", counts[0], report);
  }
  return check::finish();
}
