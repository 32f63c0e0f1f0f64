// Templates launch kernels that are declared after them: the namespaces of the arguments are looked through where a
// template is instantiated.
#include "../check.h"

#define LAUNCH(kernel, ...) kernel<<<1, 2>>>(__VA_ARGS__)

namespace library {
template <class Task>
void run(Task task) {
  work<<<1, 4>>>(task);
}
template <class Task>
struct Runner {
  Task task;
  void runTwice() {
    auto again = [this] { LAUNCH(step, task, 1); };
    LAUNCH(step, task, 0);
    again();
  }
};
}  // namespace library

namespace user {
struct Task {
  int *out;
  int base;
};
struct Other {
  int *out;
};
__global__ void work(Task task) { task.out[threadIdx.x] = task.base + threadIdx.x; }
__global__ void work(Other other) { other.out[threadIdx.x] += 100; }
template <class Any>
__global__ void step(Any any, int number) {
  any.out[4 + 2 * number + threadIdx.x] = number;
}
}  // namespace user

int main() {
  int *out = nullptr;
  CUDA_OK(cudaMallocManaged(&out, 8 * sizeof(int)));
  library::run(user::Task{out, 5});
  library::run(user::Other{out});
  library::Runner<user::Task>{{out, 0}}.runTwice();
  CUDA_OK(cudaDeviceSynchronize());
  const int expected[] = {105, 106, 107, 108, 0, 0, 1, 1};
  for (int i = 0; i < 8; ++i) CHECK_EQ(out[i], expected[i]);
  CUDA_OK(cudaFree(out));
  return check::finish();
}
