// Kernels, copies and fills in streams that nothing orders.
// options: -g
#include "operations.h"

// finds: race between operations: kernel take(int*, int const*) in stream 2
HOST void racy_kernels() {
  fill<<<16, 256, 0, one>>>(device, 1);
  take<<<16, 256, 0, two>>>(other, device);
}
HOST void fixed_kernels() {
  fill<<<16, 256, 0, one>>>(device, 1);
  order(one, two);
  take<<<16, 256, 0, two>>>(other, device);
}

// finds: race between operations: that cudaMemcpyAsync() in stream 1 has written
HOST void racy_copies() {
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, one);  // HERE
  cudaMemcpyAsync(more, device, bytes, cudaMemcpyDeviceToHost, two);    // HERE
}
HOST void fixed_copies() {
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, one);
  cudaStreamSynchronize(one);
  cudaMemcpyAsync(more, device, bytes, cudaMemcpyDeviceToHost, two);
}

// finds: race between operations: cudaMemsetAsync()
HOST void racy_fill() {
  cudaMemsetAsync(device, 1, bytes, one);
  take<<<16, 256, 0, two>>>(other, device);
}
HOST void fixed_fill() {
  cudaMemsetAsync(device, 1, bytes, one);
  cudaEventRecord(event, one);
  cudaEventSynchronize(event);
  take<<<16, 256, 0, two>>>(other, device);
}

// One byte too many.
// finds: race between operations: writes 1 byte
HOST void racy_byte() {
  cudaMemsetAsync(device, 1, 101, one);
  cudaMemsetAsync(reinterpret_cast<char *>(device) + 100, 1, 100, two);
}
HOST void fixed_byte() {
  cudaMemsetAsync(device, 1, 100, one);
  cudaMemsetAsync(reinterpret_cast<char *>(device) + 100, 1, 100, two);
}

// Columns of an image: the rows of one lie between those of the other.
// finds: race between operations: cudaMemcpy2DAsync()
HOST void racy_columns() {
  cudaMemcpy2DAsync(device, 256, pinned, 256, 132, 16, cudaMemcpyHostToDevice, one);
  cudaMemcpy2DAsync(device + 32, 256, more, 256, 128, 16, cudaMemcpyHostToDevice, two);
}
HOST void fixed_columns() {
  cudaMemcpy2DAsync(device, 256, pinned, 256, 128, 16, cudaMemcpyHostToDevice, one);
  cudaMemcpy2DAsync(device + 32, 256, more, 256, 128, 16, cudaMemcpyHostToDevice, two);
}

// The default stream does not wait for a stream that does not block.
// finds: race between operations: cudaStreamNonBlocking
HOST void racy_default() {
  fill<<<16, 256, 0, free1>>>(device, 1);
  take<<<16, 256>>>(other, device);
}
HOST void fixed_default() {
  fill<<<16, 256, 0, one>>>(device, 1);
  take<<<16, 256>>>(other, device);
  fill<<<16, 256, 0, two>>>(other, 1);
}

// A function without "Async" waits for the default stream only.
// finds: race between operations: cudaMemcpy() in the default stream
HOST void racy_blocking_copy() {
  fill<<<16, 256, 0, free1>>>(device, 1);
  cudaMemcpy(more, device, bytes, cudaMemcpyDeviceToHost);
}
HOST void fixed_blocking_copy() {
  fill<<<16, 256, 0, free1>>>(device, 1);
  cudaStreamSynchronize(free1);
  cudaMemcpy(more, device, bytes, cudaMemcpyDeviceToHost);
  take<<<16, 256, 0, free2>>>(other, device);
}

// An event that is recorded again stands for the last time.
// finds: race between operations: cudaStreamWaitEvent()
HOST void racy_event() {
  cudaEventRecord(event, one);
  fill<<<16, 256, 0, one>>>(device, 1);
  cudaStreamWaitEvent(two, event);
  take<<<16, 256, 0, two>>>(other, device);
}
HOST void fixed_event() {
  cudaEventRecord(event, one);
  fill<<<16, 256, 0, one>>>(device, 1);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event);
  take<<<16, 256, 0, two>>>(other, device);
}

// finds: race between operations: that kernel fill(int*, int) in stream 1 has written
HOST void racy_query() {
  fill<<<16, 256, 0, one>>>(device, 1);
  (void)cudaStreamQuery(two);
  take<<<16, 256, 0, two>>>(other, device);
}
HOST void fixed_query() {
  fill<<<16, 256, 0, one>>>(device, 1);
  while (cudaStreamQuery(one) == cudaErrorNotReady) {
  }
  take<<<16, 256, 0, two>>>(other, device);
}

// Order goes from stream to stream.
// finds: race between operations: that kernel fill(int*, int) in stream 1 has written
HOST void racy_three() {
  fill<<<16, 256, 0, one>>>(device, 1);
  order(one, free1);
  order(free2, two);
  take<<<16, 256, 0, two>>>(other, device);
}
HOST void fixed_three() {
  fill<<<16, 256, 0, one>>>(device, 1);
  order(one, free1);
  order(free1, two);
  take<<<16, 256, 0, two>>>(other, device);
}

// Streams that are gone have left their work behind.
// finds: race between operations: that kernel fill(int*, int) in stream
HOST void racy_destroyed() {
  cudaStream_t brief;
  cudaStreamCreate(&brief);
  fill<<<16, 256, 0, brief>>>(device, 1);
  cudaStreamDestroy(brief);
  take<<<16, 256, 0, two>>>(other, device);
}
HOST void fixed_destroyed() {
  cudaStream_t brief;
  cudaStreamCreate(&brief);
  fill<<<16, 256, 0, brief>>>(device, 1);
  cudaStreamDestroy(brief);
  take<<<16, 256>>>(other, device);
}

// Kernels may count in one place.
__device__ int total;
__global__ void counts() { atomicAdd(&total, 1); }
__global__ void resets() { total = 0; }
// finds: race between operations: kernel resets() in stream 2
HOST void racy_counter() {
  counts<<<16, 256, 0, one>>>();
  resets<<<1, 1, 0, two>>>();
}
HOST void fixed_counter() {
  counts<<<16, 256, 0, one>>>();
  counts<<<16, 256, 0, two>>>();
}

// A kernel that waits for another one, by a flag, comes after what that has done before.
__global__ void tells(int *data, int *flag) {
  *data = 1;
  __threadfence();
  atomicExch(flag, 1);
}
__global__ void waits(int *out, int *data, int *flag, bool forFlag) {
  while (forFlag && atomicAdd(flag, 0) == 0) {
  }
  __threadfence();
  *out = *data;
}
// finds: race between operations: kernel waits(int*, int*, int*, bool) in stream 2
HOST void racy_flag() {
  cudaMemset(other, 0, bytes);
  cudaDeviceSynchronize();
  tells<<<1, 1, 0, one>>>(device, other);
  waits<<<1, 1, 0, two>>>(other + 1, device, other, false);
}
HOST void fixed_flag() {
  cudaMemset(other, 0, bytes);
  cudaDeviceSynchronize();
  tells<<<1, 1, 0, one>>>(device, other);
  waits<<<1, 1, 0, two>>>(other + 1, device, other, true);
}

// What a host function follows is not ordered with other streams.
// finds: race between operations: that kernel fill(int*, int) in stream 1 has written
HOST void racy_function() {
  fill<<<16, 256, 0, one>>>(device, 1);
  take<<<16, 256, 0, two>>>(other, device);
  cudaLaunchHostFunc(one, [](void *) {}, nullptr);
}
HOST void fixed_function() {
  fill<<<16, 256, 0, one>>>(device, 1);
  cudaLaunchHostFunc(one, [](void *) {}, nullptr);
  order(one, two);
  take<<<16, 256, 0, two>>>(other, device);
}

int main() {
  prepare();
  PAIR(kernels);
  PAIR(copies);
  PAIR(fill);
  PAIR(byte);
  PAIR(columns);
  PAIR(default);
  PAIR(blocking_copy);
  PAIR(event);
  PAIR(query);
  PAIR(three);
  PAIR(destroyed);
  PAIR(counter);
  PAIR(flag);
  PAIR(function);
  return finish();
}
