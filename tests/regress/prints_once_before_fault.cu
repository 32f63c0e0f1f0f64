// A kernel that prints and then faults prints once: kernels that print ran on fibers only, since the block is run again
// to name the thread at fault. What it prints then goes nowhere; each line says which thread has printed.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "../conformance/check.h"

constexpr int threads = 70;

__global__ void printThenFault(const int *in, int *nothing) {
  const int t = threadIdx.x;
  if (in[t] % 3 == 0) printf("thread %d sees %d\n", t, in[t]);
  __syncthreads();
  if (t == 37) *nothing = in[t];
}

// outputOf() runs the kernel in a child and returns what that prints.
static std::string outputOf() {
  int ends[2];
  if (pipe(ends) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    std::vector<int> values;
    for (int i = 0; i < threads; ++i) values.push_back(i * 7);
    check::DeviceArray<int> in(values);
    printThenFault<<<1, threads>>>(in.get(), nullptr);
    const cudaError_t error = cudaDeviceSynchronize();
    fflush(stdout);
    _exit(error == cudaErrorIllegalAddress ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, count);
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  return text;
}

static int count(const std::string &text, const std::string &what) {
  int found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

int main() {
  const std::string text = outputOf();
  for (int t = 0; t < threads; ++t)
    CHECK_EQ(count(text, "thread " + std::to_string(t) + " sees " + std::to_string(t * 7) + "\n"), t % 3 == 0 ? 1 : 0);
  CHECK(text.find("thread (37,0,0)") != std::string::npos);
  return check::finish();
}
