// Which state space an address belongs to, by CUDA's functions and by PTX, and __grid_constant__ parameters: one object
// for all threads of a grid.
#include "../check.h"

struct Table {
  int values[40];
  double last;
};

__constant__ int constantWord = 11;
__constant__ Table constantTable;
__constant__ const float constantConst = 2.5f;
__device__ int deviceWord;

enum Space { Global = 1, Shared = 2, Local = 4, Constant = 8, GridConstant = 16 };

__device__ int spacesOf(const void *address) {
  return (__isGlobal(address) ? Global : 0) | (__isShared(address) ? Shared : 0) | (__isLocal(address) ? Local : 0) |
         (__isConstant(address) ? Constant : 0) | (__isGridConstant(address) ? GridConstant : 0);
}

__device__ int spacesByPtx(const void *address) {
  int result;
  asm("{ .reg .pred c, p; .reg .u32 a, b;\n"
      "isspacep.const c, %1;\n"
      "isspacep.param p, %1;\n"
      "selp.u32 a, 8, 0, c; selp.u32 b, 16, 0, p; or.b32 %0, a, b;\n"
      "isspacep.shared c, %1;\n"
      "isspacep.local p, %1;\n"
      "selp.u32 a, 2, 0, c; selp.u32 b, 4, 0, p; or.b32 %0, %0, a; or.b32 %0, %0, b; }"
      : "=&r"(result)
      : "l"(address));
  return result;
}

// Each thread has variables of its own, also where the compiler keeps them for a whole block.
__global__ void askForOwn(int *answers, int which) {
  int own[4] = {static_cast<int>(threadIdx.x)};
  own[which] = threadIdx.x;
  answers[threadIdx.x] = spacesOf(&own[which]) + 100 * spacesByPtx(&own[which]);
}

__global__ void ask(int *answers, int *byPtx) {
  __shared__ int sharedWord;
  int localWord = threadIdx.x;
  static __constant__ short functionsConstant[3] = {1, 2, 3};
  const char *const table = reinterpret_cast<const char *>(&constantTable);
  const void *const places[] = {&constantWord,
                                table,
                                table + sizeof(Table) - 1,
                                &constantConst,
                                functionsConstant + 2,
                                &deviceWord,
                                &sharedWord,
                                &localWord,
                                answers + 1};
  for (int i = 0; i < 9; ++i) {
    answers[i] = spacesOf(places[i]);
    byPtx[i] = spacesByPtx(places[i]);
  }
}

static void testSpaces() {
  check::DeviceArray<int> answers(9, -1), byPtx(9, -1);
  ask<<<1, 1>>>(answers.get(), byPtx.get());
  LAUNCH_OK();
  const std::vector<int> spaces = answers.download(), ptx = byPtx.download();
  for (int i = 0; i < 5; ++i) CHECK_EQ(spaces[i], Constant);
  CHECK_EQ(spaces[5], Global);
  CHECK_EQ(spaces[6], Shared);
  CHECK_EQ(spaces[7], Local);
  CHECK_EQ(spaces[8], Global);
  for (int i = 0; i < 9; ++i) CHECK_EQ(ptx[i], spaces[i] == Global ? 0 : spaces[i]);
  check::DeviceArray<int> own(70, -1);
  askForOwn<<<1, 70>>>(own.get(), 2);
  LAUNCH_OK();
  for (int answer : own.download()) CHECK_EQ(answer, Local + 100 * Local);
}

struct Seen {
  const void *address[4];
  int spaces[4];
  bool converts[4];
  long long sum;
};

__device__ long long throughPointer(const Table *table, const int *number, const bool *flag, const double *real) {
  long long sum = *number + *flag + static_cast<long long>(*real + table->last);
  for (int i = 0; i < 40; ++i) sum += table->values[i];
  return sum;
}

__global__ void look(const __grid_constant__ Table table, const __grid_constant__ int number,
                     __grid_constant__ const bool flag, const __grid_constant__ double real, int plain, Seen *seen) {
  Seen &mine = seen[blockIdx.x * blockDim.x + threadIdx.x];
  const void *const places[] = {&table.values[39], &number, &flag, &real};
  for (int i = 0; i < 4; ++i) {
    mine.address[i] = places[i];
    mine.spaces[i] = spacesOf(places[i]) & ~Global;
    mine.converts[i] = __cvta_grid_constant_to_generic(__cvta_generic_to_grid_constant(places[i])) == places[i];
    unsigned long long generic;
    asm("{ .reg .u64 p; cvta.to.param.u64 p, %1; cvta.param.u64 %0, p; }" : "=l"(generic) : "l"(places[i]));
    mine.converts[i] &= generic == reinterpret_cast<unsigned long long>(places[i]);
  }
  mine.sum = throughPointer(&table, &number, &flag, &real) + plain;
}

// The address serves other threads of the grid as well.
__global__ void exchange(const __grid_constant__ Table table, int *sums) {
  __shared__ const int *place;
  if (threadIdx.x == 5) place = table.values;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 40; ++i) sum += place[i];
  sums[threadIdx.x] = sum;
}

template <class T>
__global__ void copyTo(const __grid_constant__ T value, T *out) {
  const T *address = &value;
  out[threadIdx.x] = *address;
}

static void testGridConstants() {
  constexpr int blocks = 3, threads = 40;
  Table table;
  for (int i = 0; i < 40; ++i) table.values[i] = i;
  table.last = 1.5;
  check::DeviceArray<Seen> seen(blocks * threads);
  look<<<blocks, threads>>>(table, 1000, true, 2.5, 50000, seen.get());
  LAUNCH_OK();
  const std::vector<Seen> all = seen.download();
  for (const Seen &each : all) {
    for (int i = 0; i < 4; ++i) {
      CHECK(each.address[i] == all[0].address[i]);
      CHECK_EQ(each.spaces[i], GridConstant);
      CHECK(each.converts[i]);
    }
    CHECK_EQ(each.sum, 780 + 1000 + 1 + 4 + 50000);
  }
  check::DeviceArray<int> sums(threads, 0);
  exchange<<<1, threads>>>(table, sums.get());
  LAUNCH_OK();
  for (int sum : sums.download()) CHECK_EQ(sum, 780);
  check::DeviceArray<short> shorts(threads, 0);
  copyTo<<<1, threads>>>(short(-7), shorts.get());
  LAUNCH_OK();
  for (short value : shorts.download()) CHECK_EQ(value, -7);
}

int main() {
  testSpaces();
  testGridConstants();
  return check::finish();
}
