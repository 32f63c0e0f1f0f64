// Every thread's line comes out once and whole; output appears at synchronisation; printf returns its argument count.
#include "../check.h"
#include "../child.h"

#include <set>
#include <sstream>

__global__ void speak(int *returned) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int n = printf("thread %d of block %d says %f\n", (int)threadIdx.x, (int)blockIdx.x, i * 0.5);
  returned[i] = n * 100 + printf("%s", "") * 10 + printf("");
}
__global__ void quiet(int *returned) {
  if (threadIdx.x == 70) returned[0] = printf("only one\n");
}

int main() {
  const int blocks = 5, threads = 77;
  const check::ChildResult child = check::runInChild([] {
    check::DeviceArray<int> returned(blocks * threads);
    speak<<<blocks, threads>>>(returned.get());
    LAUNCH_OK();
    for (int r : returned.download()) CHECK_EQ(r, 310);
    quiet<<<1, 77>>>(returned.get());
    LAUNCH_OK();
    CHECK_EQ(returned.download()[0], 0);
    return check::failures;
  });
  CHECK_EQ(child.exitCode, 0);
  std::multiset<std::string> lines, expected{"only one"};
  std::istringstream stream(child.output);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < threads; ++t) {
      char line[100];
      snprintf(line, sizeof line, "thread %d of block %d says %f", t, b, (b * threads + t) * 0.5);
      expected.insert(line);
    }
  CHECK_EQ(lines.size(), expected.size());
  CHECK(lines == expected);
  if (check::failures != 0) printf("%.2000s\n", child.output.c_str());
  return check::finish();
}
