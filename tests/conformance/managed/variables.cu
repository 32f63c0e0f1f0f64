// __managed__ variables: one object for host and device, initialised, arrays and structures.
#include "../check.h"

struct State {
  int count;
  double sum;
  int *list;
};

__managed__ int number = 5;
__managed__ int squares[100];
__managed__ State state = {1, 0.5, nullptr};
static __managed__ float ownOfFile = 1.25f;

static int *fourth = squares + 3;
static struct {
  const char *name;
  State *state;
} table[] = {{"state", &state}};

__global__ void update(int n) {
  const int i = threadIdx.x;
  if (i < n) squares[i] = i * i + number;
  if (i == 0) {
    state.count += 10;
    state.sum *= 3;
    if (state.list) state.list[2] = 99;
    ownOfFile += 1;
  }
}

int main() {
  CHECK_EQ(number, 5);
  CHECK_EQ(state.sum, 0.5);
  number = 1000;
  update<<<1, 100>>>(100);
  LAUNCH_OK();
  for (int i = 0; i < 100; ++i) CHECK_EQ(squares[i], i * i + 1000);
  CHECK_EQ(state.count, 11);
  CHECK_EQ(fourth, &squares[3]);
  CHECK_EQ(*fourth, 1009);
  CHECK_EQ(table[0].state->count, 11);
  CHECK_EQ(ownOfFile, 2.25f);

  CUDA_OK(cudaMallocManaged(&state.list, 4 * sizeof(int)));
  state.list[2] = 1;
  update<<<1, 1>>>(0);
  LAUNCH_OK();
  CHECK_EQ(state.list[2], 99);
  CHECK_EQ(state.sum, 4.5);
  CUDA_OK(cudaFree(state.list));

  void *address = nullptr;
  CUDA_OK(cudaGetSymbolAddress(&address, squares));
  CHECK_EQ(address, static_cast<void *>(squares));
  int copy = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&copy, number, sizeof copy));
  CHECK_EQ(copy, 1000);
  return check::finish();
}
