// What findings say beyond the two places: the variable or the allocation that is meant, the values, the source.
// options: -g
// check: --init=load
#include "pairs.h"

#define HOST __attribute__((noinline))

// finds: race within a block
// says: memory  tile[1][2] of __shared__ tile[4][8], 4 bytes each
// says: thread (0,0,0) has written 7, this writes -8 | thread (32,0,0) has written -8, this writes 7
// says: if (threadIdx.x == 0) tile[1][2] = 7;
// says: if (threadIdx.x == 32) tile[1][2] = -8;
__global__ void racy_element(int *out) {
  __shared__ int first[5], tile[4][8];
  first[threadIdx.x % 5] = 1;
  if (threadIdx.x == 0) tile[1][2] = 7;    // HERE
  if (threadIdx.x == 32) tile[1][2] = -8;  // HERE
  __syncthreads();
  out[0] = tile[1][2] + first[0];
}
__global__ void fixed_element(int *out) {
  __shared__ int first[5], tile[4][8];
  first[threadIdx.x % 5] = 1;
  if (threadIdx.x == 0) tile[1][2] = 7;
  __syncthreads();
  if (threadIdx.x == 32) tile[1][2] = -8;
  __syncthreads();
  out[0] = tile[1][2] + first[0];
}

// finds: race within a block
// says: memory  sums[40] of __shared__ float sums[64]
// says: thread (40,0,0) has written 20.5, which this reads | thread (0,0,0) has read 0, this writes 20.5
__global__ void racy_sums(int *out) {
  __shared__ float sums[64];
  sums[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 40) sums[threadIdx.x] = 20.5f;           // HERE
  if (threadIdx.x == 0) out[0] = static_cast<int>(sums[40]);  // HERE
}
__global__ void fixed_sums(int *out) {
  __shared__ float sums[64];
  sums[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x == 40) sums[threadIdx.x] = 20.5f;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<int>(sums[40]);
}

// An array whose size the launch decides about, and a function that is part of its caller.
__device__ double partOf(unsigned index) {
  extern __shared__ double part[];
  return part[index];
}

// finds: race within a block
// says: memory  part[3] of extern __shared__ double part[]
// says: called
// says: return part[index];
__global__ void racy_part(int *out) {
  extern __shared__ double part[];
  if (threadIdx.x == 0) part[3] = 0.125;
  if (threadIdx.x == 63) out[0] = partOf(3) > 0;
}
__global__ void fixed_part(int *out) {
  extern __shared__ double part[];
  if (threadIdx.x == 0) part[3] = 0.125;
  __syncthreads();
  if (threadIdx.x == 63) out[0] = partOf(3) > 0;
}

struct Node {
  int key, next;
};
__device__ Node nodes[16];

// finds: race between blocks
// says: memory  nodes[5] + 4 bytes of __device__ nodes[16], 8 bytes each
__global__ void racy_nodes(int *) {
  if (threadIdx.x == 0) nodes[5].next = blockIdx.x;  // HERE
}
__global__ void fixed_nodes(int *) {
  if (threadIdx.x == 0) nodes[blockIdx.x].next = blockIdx.x;
}

__managed__ int most;

// finds: race between blocks
// says: memory  __managed__ most
// says: has written 5, this writes 6 | has written 6, this writes 5
__global__ void racy_most(int *) {
  if (threadIdx.x == 0) most = 5 + blockIdx.x;  // HERE
}
__global__ void fixed_most(int *) {
  if (threadIdx.x == 0) atomicMax(&most, 5 + blockIdx.x);
}

// A part of what the other has written, and what atomic functions have changed since, are nobody's.
// finds: race within a block
// says: thread (0,0,0) has written 4 bytes; memory holds 1, which this reads | has read 1 byte; this writes 257
__global__ void racy_bytes(int *out) {
  __shared__ int whole;
  if (threadIdx.x == 0) whole = 257;                                                   // HERE
  if (threadIdx.x == 32) out[0] = reinterpret_cast<const volatile char *>(&whole)[1];  // HERE
}
__global__ void fixed_bytes(int *out) {
  __shared__ int whole;
  if (threadIdx.x == 0) whole = 257;
  __syncthreads();
  if (threadIdx.x == 32) out[0] = reinterpret_cast<const volatile char *>(&whole)[1];
}

// finds: out of bounds
// says: memory  bins[16] of __shared__ bins[16], 4 bytes each
__global__ void racy_bins(int *out) {
  __shared__ int bins[16];
  for (unsigned i = threadIdx.x; i <= 16; i += blockDim.x) bins[i] = 0;  // HERE
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 16];
}
__global__ void fixed_bins(int *out) {
  __shared__ int bins[16];
  for (unsigned i = threadIdx.x; i < 16; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x % 16];
}

__global__ void read(int *out, const int *in) { out[0] = in[1]; }
__global__ void touch(int *p, int index) {
  if (threadIdx.x == 0) p[index] = 1;
}

int *makeBuffer(size_t bytes) {
  int *made = nullptr;
  cudaMalloc(&made, bytes);
  return made;
}

// finds: out of bounds: right behind the 400 bytes of cudaMalloc
// says: in makeBuffer(unsigned long)
// says: in racy_bound()
// says: cudaMalloc(&made, bytes);
HOST void racy_bound() {
  int *const p = makeBuffer(400);
  touch<<<1, 1>>>(p, 100);
  cudaDeviceSynchronize();
  cudaFree(p);
}
HOST void fixed_bound() {
  int *const p = makeBuffer(400);
  touch<<<1, 1>>>(p, 99);
  cudaDeviceSynchronize();
  cudaFree(p);
}

// finds: uninitialised read
// says: in makeBuffer(unsigned long)
// says: cudaMalloc(&made, bytes);

HOST void racy_unset() {
  int *const p = makeBuffer(64);
  read<<<1, 1>>>(p, p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
HOST void fixed_unset() {
  int *const p = makeBuffer(64);
  cudaMemset(p, 0, 64);
  read<<<1, 1>>>(p, p);
  cudaDeviceSynchronize();
  cudaFree(p);
}

// Which launch it is, from where, and into which stream; each kernel has one launch, so that its stub is inlined there.
__global__ void inStream(int *p, int index) {
  if (threadIdx.x == 70) p[index] = 1;
}
__global__ void inGraph(int *p, int index) {
  if (threadIdx.x == 3) p[index] = 1;
}

// finds: out of bounds
// says: in stream 1, warp 2
// says: from
// says: inStream<<<1, 96, 0, stream>>>(p, index);
HOST void racy_stream(int index = 16) {
  int *const p = makeBuffer(64);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  inStream<<<1, 96, 0, stream>>>(p, index);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(p);
}
HOST void fixed_stream() {
  int *const p = makeBuffer(64);
  touch<<<1, 96>>>(p, 15);
  cudaDeviceSynchronize();
  cudaFree(p);
}

// finds: out of bounds
// says: in the default stream, a node of a graph, warp 0
// says: cudaGraphLaunch(executable, nullptr);
HOST void racy_graph(int index = 16) {
  int *const p = makeBuffer(64);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t node;
  cudaGraphCreate(&graph, 0);
  void *arguments[] = {const_cast<int **>(&p), &index};
  cudaKernelNodeParams parameters{};
  parameters.func = reinterpret_cast<void *>(inGraph);
  parameters.gridDim = 1;
  parameters.blockDim = 32;
  parameters.kernelParams = arguments;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, nullptr);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaFree(p);
}
HOST void fixed_graph() { fixed_stream(); }

// finds: use after free
// says: made
// says: freed
// says: in makeBuffer(unsigned long)
// says: cudaFree(stale);
HOST void racy_stale() {
  int *const stale = makeBuffer(64);
  cudaFree(stale);
  touch<<<1, 1>>>(stale, 3);
}
HOST void fixed_stale() {
  int *const stale = makeBuffer(64);
  touch<<<1, 1>>>(stale, 3);
  cudaFree(stale);
}

int main() {
  PAIR(element, 1, 64);
  PAIR(sums, 1, 64);
  PAIR(part, 1, 64);
  PAIR(nodes, 2, 32);
  PAIR(most, 2, 32);
  PAIR(bytes, 1, 64);
  PAIR(bins, 1, 16);
  racy_bound();
  fixed_bound();
  racy_unset();
  fixed_unset();
  racy_stream();
  fixed_stream();
  racy_graph();
  fixed_graph();
  fixed_stale();
  racy_stale();  // ends the kernel
  return finish();
}
