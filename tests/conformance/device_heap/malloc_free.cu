// malloc and free in device code: aligned, disjoint, alive across kernels, freed by any thread.
#include "../check.h"

__global__ void allocate(int **blocks, int *wrong) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = i % 50 + 1;
  int *block = static_cast<int *>(malloc(n * sizeof(int)));
  if (block == nullptr || reinterpret_cast<size_t>(block) % 16 != 0)
    atomicAdd(wrong, 1);
  else
    for (int k = 0; k < n; ++k) block[k] = i * 100 + k;
  blocks[i] = block;
}
__global__ void verifyAndFree(int **blocks, int *wrong, int total) {
  // Another thread than the one that allocated it.
  const int i = total - 1 - (blockIdx.x * blockDim.x + threadIdx.x), n = i % 50 + 1;
  for (int k = 0; k < n; ++k)
    if (blocks[i][k] != i * 100 + k) atomicAdd(wrong, 1);
  free(blocks[i]);
}

// One thread allocates for its block; all use it.
__global__ void perBlock(int *out) {
  __shared__ int *shared;
  if (threadIdx.x == 0) shared = static_cast<int *>(malloc(blockDim.x * sizeof(int)));
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x * 3;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(shared);
}

struct Node {
  int value;
  Node *next;
};
struct Base {
  int tag;
  __device__ explicit Base(int t) : tag(t) {}
  __device__ virtual int id() const { return tag; }
  __device__ virtual ~Base() {}
};
struct Derived : Base {
  int extra;
  __device__ explicit Derived(int t) : Base(t), extra(t * 2) {}
  __device__ int id() const override { return tag + extra; }
};
__global__ void objects(int *out) {
  Node *list = nullptr;
  for (int i = 0; i < 20; ++i) list = new Node{i, list};
  int sum = 0;
  while (list != nullptr) {
    Node *next = list->next;
    sum += list->value;
    delete list;
    list = next;
  }
  Base *object = threadIdx.x % 2 ? new Derived(5) : new Base(7);
  sum += 1000 * object->id();
  delete object;
  double *array = new double[threadIdx.x + 1];
  array[threadIdx.x] = 0.5;
  sum += 100000 * (array[threadIdx.x] == 0.5);
  delete[] array;
  free(nullptr);
  delete static_cast<Node *>(nullptr);
  out[threadIdx.x] = sum;
}

int main() {
  const int total = 6 * 50;
  check::DeviceArray<int *> blocks(total);
  check::DeviceArray<int> wrong(1, 0), out(4 * 60);
  for (int round = 0; round < 3; ++round) {
    allocate<<<6, 50>>>(blocks.get(), wrong.get());
    LAUNCH_OK();
    verifyAndFree<<<6, 50>>>(blocks.get(), wrong.get(), total);
    LAUNCH_OK();
  }
  CHECK_EQ(wrong.download()[0], 0);
  perBlock<<<4, 60>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 240; ++i) CHECK_EQ(out.download()[i], (59 - i % 60) * 3);
  objects<<<1, 40>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 40; ++i) CHECK_EQ(out.download()[i], 190 + (i % 2 ? 15000 : 7000) + 100000);
  return check::finish();
}
