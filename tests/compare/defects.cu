// Programs that compute different things in two runs, each beside the same without the defect: ./defects NAME bad|good.
// run.py knows what is to be found; a comment `// HERE: NAME` marks where the memory that differs is allocated.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static bool isBad;

template <typename T>
T *zeroed(T *memory, size_t count) {
  cudaMemset(memory, 0, count * sizeof(T));
  return memory;
}

// --- Races ---

__global__ void neighbour(int *out, bool bad) {
  __shared__ int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  if (!bad) __syncthreads();
  out[threadIdx.x] = tile[(threadIdx.x + 77) % 256];
}
void runNeighbour() {
  int *out;
  cudaMalloc(&out, 256 * sizeof(int));  // HERE: neighbour
  neighbour<<<1, 256>>>(out, isBad);
}

__global__ void tree(int *out, bool bad) {
  __shared__ int sums[256];
  sums[threadIdx.x] = threadIdx.x + 1;
  for (int step = 128; step > 0; step /= 2) {
    if (!bad) __syncthreads();
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
  }
  if (threadIdx.x == 0) *out = sums[0];
}
void runTree() {
  int *out;
  cudaMalloc(&out, sizeof(int));  // HERE: tree
  tree<<<1, 256>>>(out, isBad);
}

__global__ void lastWriter(int *winner, bool bad) {
  if (bad || threadIdx.x + blockIdx.x == 0) *winner = blockIdx.x * blockDim.x + threadIdx.x;
}
void runLastWriter() {
  int *winner;
  cudaMalloc(&winner, sizeof(int));  // HERE: lastWriter
  lastWriter<<<8, 64>>>(winner, isBad);
}

__global__ void chain(int *values, bool bad) {
  const int block = blockIdx.x;
  values[block] = block && bad ? values[block - 1] + 1 : block;
}
void runChain() {
  int *values;
  cudaMalloc(&values, 64 * sizeof(int));  // HERE: chain
  chain<<<64, 1>>>(zeroed(values, 64), isBad);
}

__global__ void inPlace(double *values, bool bad) {
  const int i = threadIdx.x;
  const double left = values[(i + 255) % 256];
  if (!bad) __syncthreads();
  values[i] = left + 1;
}
void runInPlace() {
  double *values;
  cudaMalloc(&values, 256 * sizeof(double));  // HERE: inPlace
  inPlace<<<1, 256>>>(zeroed(values, 256), isBad);
}

// --- Memory that nobody has written ---

__global__ void accumulate(float *sums) { sums[threadIdx.x] += threadIdx.x; }
void runAccumulate() {
  float *sums;
  cudaMalloc(&sums, 64 * sizeof(float));  // HERE: accumulate
  accumulate<<<1, 64>>>(isBad ? sums : zeroed(sums, 64));
}

__global__ void histogram(unsigned *bins) { atomicAdd(&bins[threadIdx.x % 7], 1u); }
void runHistogram() {
  unsigned *bins;
  cudaMalloc(&bins, 7 * sizeof(unsigned));  // HERE: histogram
  histogram<<<1, 64>>>(isBad ? bins : zeroed(bins, 7));
}

__global__ void stencil(const double *in, double *out, int n) {
  const int i = threadIdx.x;
  out[i] = in[i] + in[i + 1] + in[i + 2];
}
void runStencil() {
  double *in, *out;
  cudaMalloc(&in, 66 * sizeof(double));
  cudaMalloc(&out, 64 * sizeof(double));  // HERE: stencil
  const std::vector<double> ones(66, 1);
  if (isBad) cudaMemcpy(in + 1, ones.data(), 64 * sizeof(double), cudaMemcpyHostToDevice);
  else cudaMemcpy(in, ones.data(), 66 * sizeof(double), cudaMemcpyHostToDevice);
  stencil<<<1, 64>>>(in, out, 64);
}

__device__ int found;
__global__ void search(const int *keys, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (keys[i] > 5) atomicAdd(&found, 1);
}
void runSearch() {
  int *keys;
  cudaMalloc(&keys, 64 * sizeof(int));
  search<<<1, 32>>>(zeroed(keys, 32), isBad ? 64 : 32);
}

// --- Sums in the order in which threads come ---

__global__ void sum(float *out, bool bad) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out, bad ? (i % 2 ? 1e8f : -1e8f) + i : 1.0f);
}
void runSum() {
  float *out;
  cudaMalloc(&out, sizeof(float));  // HERE: sum
  sum<<<8, 64>>>(zeroed(out, 1), isBad);
}

__global__ void sumOfDoubles(double *out, bool bad) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(out, bad ? 1.0 / (i + 1) : 0.5);
}
void runSumOfDoubles() {
  double *out;
  cudaMalloc(&out, sizeof(double));  // HERE: sumOfDoubles
  sumOfDoubles<<<8, 64>>>(zeroed(out, 1), isBad);
}

__global__ void compact(int *out, unsigned *count, bool bad) {
  const unsigned place = bad ? atomicAdd(count, 1u) : threadIdx.x + blockIdx.x * blockDim.x;
  out[place] = threadIdx.x + blockIdx.x * blockDim.x;
}
void runCompact() {
  int *out;
  unsigned *count;
  cudaMalloc(&out, 512 * sizeof(int));  // HERE: compact
  cudaMalloc(&count, sizeof(unsigned));
  compact<<<8, 64>>>(out, zeroed(count, 1), isBad);
}

// --- Warps that are taken to run in step ---

__global__ void warpSum(int *out, bool bad) {
  __shared__ int sums[64];
  sums[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  for (int step = 32; step > 0; step /= 2) {
    if (!bad) __syncwarp();
    const int other = sums[threadIdx.x + step];
    if (!bad) __syncwarp();
    sums[threadIdx.x] = sums[threadIdx.x] + other;
  }
  if (threadIdx.x == 0) *out = sums[0];
}
void runWarpSum() {
  int *out;
  cudaMalloc(&out, sizeof(int));  // HERE: warpSum
  warpSum<<<1, 64>>>(out, isBad);
}

__global__ void leader(int *out, bool bad) {
  __shared__ int value;
  if (threadIdx.x == 17) value = 42;
  if (!bad) __syncwarp();
  out[threadIdx.x] = value;
}
void runLeader() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));  // HERE: leader
  leader<<<1, 32>>>(out, isBad);
}

__global__ void rotate(short *values, bool bad) {
  const int lane = threadIdx.x % 32;
  for (int round = 0; round < 3; ++round) {
    const short other = values[(lane + 1) % 32];
    if (!bad) __syncwarp();
    values[lane] = other;
    if (!bad) __syncwarp();
  }
}
void runRotate() {
  short host[32], *values;
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMalloc(&values, sizeof host);  // HERE: rotate
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  rotate<<<1, 32>>>(values, isBad);
}

// --- Random numbers ---

__global__ void scale(float *values, float factor) { values[threadIdx.x] *= factor; }
void runSeed() {
  srand(isBad ? getpid() : 1);
  std::vector<float> host(64);
  for (float &value : host) value = rand() % 1000;
  float *values;
  cudaMalloc(&values, 64 * sizeof(float));  // HERE: seed
  cudaMemcpy(values, host.data(), 64 * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, 64>>>(values, 2);
}

__global__ void generate(unsigned *out, unsigned seed) {
  unsigned x = seed + threadIdx.x * 2654435761u;
  for (int i = 0; i < 4; ++i) x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  out[threadIdx.x] = x;
}
void runGenerate() {
  unsigned *out;
  cudaMalloc(&out, 64 * sizeof(unsigned));  // HERE: generate
  generate<<<1, 64>>>(out, isBad ? getpid() : 7);
}

__global__ void usePinned(int *out, const int *in) { out[threadIdx.x] = in[threadIdx.x]; }
void runManaged() {
  int *in, *out;
  cudaMallocManaged(&in, 32 * sizeof(int));  // HERE: managed
  cudaMalloc(&out, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) in[i] = isBad ? getpid() + i : i;
  usePinned<<<1, 32>>>(out, in);
}

// --- What is no difference ---

struct Node {
  Node *next;
  int value;  // and four bytes that nobody writes
};
__global__ void link(Node *nodes, Node **last, int n) {
  const int i = threadIdx.x;
  nodes[i].next = i + 1 < n ? &nodes[i + 1] : nullptr;
  nodes[i].value = i;
  if (i == 0) *last = nodes + n;
}
void runPointers() {
  Node *nodes, **last;
  // In the two runs the nodes lie at different places.
  cudaArray_t gap;
  const auto format = cudaCreateChannelDesc<float>();
  if (std::getenv("COMPARE_GAP")) cudaMallocArray(&gap, &format, 4096);
  cudaMalloc(&nodes, 65 * sizeof(Node));
  cudaMalloc(&last, sizeof *last);
  link<<<1, 64>>>(nodes, last, 64);
  std::vector<Node> host(64);
  cudaMemcpy(host.data(), nodes, 64 * sizeof(Node), cudaMemcpyDeviceToHost);
}

// --- Other sequences ---

__global__ void nothing(int) {}
void runGrid() { nothing<<<isBad ? 1 + getpid() % 1000 : 5, 32>>>(0); }
void runSizes() {
  void *memory;
  cudaMalloc(&memory, isBad ? 4 * getpid() : 64);
  nothing<<<1, 1>>>(0);
}
void runStatus() {
  nothing<<<1, 1>>>(0);
  if (isBad) std::exit(std::getenv("COMPARE_STATUS") ? 3 : 0);
}

struct Defect {
  const char *name;
  void (*run)();
};
static const Defect defects[] = {{"neighbour", runNeighbour},
                                 {"tree", runTree},
                                 {"lastWriter", runLastWriter},
                                 {"chain", runChain},
                                 {"inPlace", runInPlace},
                                 {"accumulate", runAccumulate},
                                 {"histogram", runHistogram},
                                 {"stencil", runStencil},
                                 {"search", runSearch},
                                 {"sum", runSum},
                                 {"sumOfDoubles", runSumOfDoubles},
                                 {"compact", runCompact},
                                 {"warpSum", runWarpSum},
                                 {"leader", runLeader},
                                 {"rotate", runRotate},
                                 {"seed", runSeed},
                                 {"generate", runGenerate},
                                 {"managed", runManaged},
                                 {"pointers", runPointers},
                                 {"grid", runGrid},
                                 {"sizes", runSizes},
                                 {"status", runStatus}};

int main(int argc, char **argv) {
  isBad = argc > 2 && std::strcmp(argv[2], "bad") == 0;
  for (const Defect &defect : defects)
    if (argc > 1 && std::strcmp(defect.name, argv[1]) == 0) {
      defect.run();
      return cudaDeviceSynchronize();
    }
  return std::puts("there is no such defect"), 2;
}
