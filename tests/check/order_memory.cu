// Memory that is given out and back in the order of streams, and buffers of the host that are used again.
// options: -g
#include "operations.h"

// finds: use before allocation: that cudaMallocAsync() in stream 1 has allocated
HOST void racy_allocation() {
  int *memory;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  fill<<<16, 256, 0, two>>>(memory, 1);
  order(two, one);
  cudaFreeAsync(memory, one);
}
HOST void fixed_allocation() {
  int *memory;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  order(one, two);
  fill<<<16, 256, 0, two>>>(memory, 1);
  order(two, one);
  cudaFreeAsync(memory, one);
}

// finds: free of memory in use: that kernel fill(int*, int) in stream 2 has written
HOST void racy_free() {
  int *memory;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  order(one, two);
  fill<<<16, 256, 0, two>>>(memory, 1);
  cudaFreeAsync(memory, one);
}
HOST void fixed_free() {
  int *memory;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  order(one, two);
  fill<<<16, 256, 0, two>>>(memory, 1);
  cudaFreeAsync(memory, two);
}

// finds: use after free: that cudaFreeAsync() in stream 1 has freed
HOST void racy_freed() {
  int *memory;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  cudaFreeAsync(memory, one);
  fill<<<16, 256, 0, one>>>(memory, 1);
}
HOST void fixed_freed() {
  int *memory, *again;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  fill<<<16, 256, 0, one>>>(memory, 1);
  cudaFreeAsync(memory, one);
  cudaMallocAsync(reinterpret_cast<void **>(&again), bytes, one);
  fill<<<16, 256, 0, one>>>(again, 1);
  cudaFreeAsync(again, one);
}

// cudaFree() waits for nobody where the memory is of a pool.
// finds: free of memory in use: the host has not waited
HOST void racy_pool_free() {
  int *memory;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  fill<<<16, 256, 0, one>>>(memory, 1);
  cudaFree(memory);
}
HOST void fixed_pool_free() {
  int *memory;
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  fill<<<16, 256, 0, one>>>(memory, 1);
  cudaStreamSynchronize(one);
  cudaFree(memory);
  cudaMalloc(reinterpret_cast<void **>(&memory), bytes);
  fill<<<16, 256, 0, one>>>(memory, 1);
  cudaFree(memory);
  cudaMallocAsync(reinterpret_cast<void **>(&memory), bytes, one);
  cudaFree(memory);
}

// finds: free of memory in use: cudaFreeHost() in the host
HOST void racy_host_free() {
  int *buffer;
  cudaMallocHost(&buffer, bytes);
  cudaMemcpyAsync(buffer, device, bytes, cudaMemcpyDeviceToHost, one);  // HERE
  cudaFreeHost(buffer);                                                 // HERE
}
HOST void fixed_host_free() {
  int *buffer;
  cudaMallocHost(&buffer, bytes);
  cudaMemcpyAsync(buffer, device, bytes, cudaMemcpyDeviceToHost, one);
  cudaStreamSynchronize(one);
  cudaFreeHost(buffer);
}

// A buffer that the next copy fills while the last one is still read.
// finds: race between operations: cudaMemcpyAsync() in stream 2
HOST void racy_reuse() {
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, one);
  cudaMemcpyAsync(pinned, other, bytes, cudaMemcpyDeviceToHost, two);
}
HOST void fixed_reuse() {
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, one);
  order(one, two);
  cudaMemcpyAsync(pinned, other, bytes, cudaMemcpyDeviceToHost, two);
}

// Kernels reach mapped memory of the host.
// finds: race between operations: that kernel fill(int*, int) in stream 1 has written
HOST void racy_mapped() {
  fill<<<16, 256, 0, one>>>(pinned, 1);
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, two);
}
HOST void fixed_mapped() {
  fill<<<16, 256, 0, one>>>(pinned, 1);
  cudaStreamSynchronize(one);
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, two);
}

// Copies of pageable memory are done when the call returns, or at least have read it.
// finds: race between operations: cudaMemcpyAsync() in stream 2
HOST void racy_pageable() {
  static int buffer[count];
  take<<<16, 256, 0, one>>>(other, device);
  cudaMemcpyAsync(device, buffer, bytes, cudaMemcpyHostToDevice, two);
}
HOST void fixed_pageable() {
  static int buffer[count];
  cudaMemcpyAsync(device, buffer, bytes, cudaMemcpyHostToDevice, one);
  take<<<16, 256, 0, one>>>(other, device);
  cudaMemcpyAsync(buffer, other, bytes, cudaMemcpyDeviceToHost, one);
  cudaMemcpy(buffer, other, bytes, cudaMemcpyDeviceToHost);
}

// A buffer that the host writes before it has waited.
// finds: race with the host: that cudaMemcpyAsync() in stream 1 reads
HOST void racy_refill() {
  pinned[5] = 0;
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, one);  // HERE
  pinned[5] = 1;
  cudaStreamSynchronize(one);  // HERE
  pinned[5] = 2;
}
HOST void fixed_refill() {
  pinned[5] = 0;
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, one);
  cudaEventRecord(event, one);
  cudaMemcpyAsync(pinned, other, bytes, cudaMemcpyDeviceToHost, one);
  cudaEventSynchronize(event);
  cudaStreamSynchronize(one);
  pinned[5] = 1;
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, one);
  cudaStreamSynchronize(one);
  pinned[5] = 2;
}

// Managed memory that the host writes while a kernel reads it.
int *managed() {
  static int *memory = nullptr;
  if (!memory) cudaMallocManaged(&memory, bytes);
  return memory;
}
// finds: race with the host: has written 4 bytes
HOST void racy_managed() {
  int *memory = managed();
  memory[7] = 0x01010101;
  take<<<16, 256, 0, one>>>(device, memory);  // HERE
  memory[7] = 0x02020202;
  cudaDeviceSynchronize();  // HERE
  memory[7] = 0;
}
HOST void fixed_managed() {
  int *memory = managed();
  memory[7] = 1;
  take<<<8, 256, 0, one>>>(device, memory);
  memory[count - 1] = 2;
  cudaDeviceSynchronize();
  memory[7] = 3;
  take<<<16, 256, 0, one>>>(memory, memory);
  cudaDeviceSynchronize();
}

// A kernel that waits for the host.
__global__ void answers(volatile int *flags, int *data) {
  while (flags[0] == 0) {
  }
  __threadfence_system();
  data[0] = data[1];
  __threadfence_system();
  flags[1] = 1;
}
// finds: race with the host: of cudaMallocHost
HOST void racy_flags() {
  pinned[1] = 0;
  take<<<16, 256, 0, one>>>(device, pinned);  // HERE
  pinned[1] = 5;
  cudaStreamSynchronize(one);  // HERE
}
HOST void fixed_flags() {
  volatile int *flags;
  cudaMallocHost(&flags, bytes);
  flags[0] = flags[1] = 0;
  answers<<<1, 1, 0, one>>>(flags, pinned);
  pinned[1] = 5;
  flags[0] = 1;
  while (flags[1] == 0) {
  }
  pinned[1] = 6;
  cudaMemcpyAsync(device, pinned, 4, cudaMemcpyHostToDevice, two);
  cudaDeviceSynchronize();
  cudaFreeHost(const_cast<int *>(flags));
}

// Kernels only read constants, all lanes the same one or each its own; the host may still write there too early.
__constant__ int weights[2][64];
__global__ void weigh(int *out, int row) {
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += weights[row][i];
  out[threadIdx.x] = sum + weights[row][threadIdx.x];
}

// finds: race between operations: kernel weigh(int*, int) in stream 1 has read
HOST void racy_constants() {
  weigh<<<1, 64, 0, one>>>(device, 0);
  cudaMemcpyToSymbolAsync(weights, pinned, sizeof weights[0], 0, cudaMemcpyHostToDevice, two);
  cudaStreamSynchronize(two);
}
// The other row is nobody's yet.
HOST void fixed_constants() {
  weigh<<<1, 64, 0, one>>>(device, 0);
  cudaMemcpyToSymbolAsync(weights, pinned, sizeof weights[1], sizeof weights[0], cudaMemcpyHostToDevice, two);
  cudaStreamSynchronize(two);
}

int main() {
  prepare();
  PAIR(allocation);
  PAIR(free);
  PAIR(freed);
  PAIR(pool_free);
  PAIR(host_free);
  PAIR(reuse);
  PAIR(mapped);
  PAIR(pageable);
  PAIR(refill);
  PAIR(managed);
  PAIR(flags);
  PAIR(constants);
  return finish();
}
