// assert: a true one costs nothing; a false one names file, line, block and thread and ends the context with
// cudaErrorAssert.
#include "../check.h"
#include "../child.h"

#undef NDEBUG
#include <cassert>

__global__ void demand(int *runs, int limit) {
  atomicAdd(runs, 1);
  assert(threadIdx.x < limit && "limit");
}

static int body() {
  check::DeviceArray<int> runs(1, 0);
  demand<<<2, 40>>>(runs.get(), 40);
  LAUNCH_OK();
  CHECK_EQ(runs.download()[0], 80);
  demand<<<1, 40>>>(runs.get(), 39);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  CHECK_EQ(cudaGetLastError(), cudaErrorAssert);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  void *pointer = nullptr;
  CHECK_EQ(cudaMalloc(&pointer, 4), cudaErrorAssert);
  return check::failures;
}

int main() {
  const check::ChildResult child = check::runInChild(body);
  CHECK_EQ(child.exitCode, 0);
  // A line of its own, whose first word is the file as it was named to the compiler.
  const std::string file = __FILE__, line = "\n" + file + ":11: void demand(int *, int): block: [0,0,0], thread: " +
                                            "[39,0,0] Assertion `threadIdx.x < limit && \"limit\"` failed.\n";
  if (("\n" + child.output).find(line) == std::string::npos) check::fail(__FILE__, __LINE__, line.c_str());
  if (check::failures != 0) printf("%s\n", child.output.c_str());
  return check::finish();
}
