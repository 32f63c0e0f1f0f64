// Streams of two devices, and what their default streams wait for.
// options: -g
// devices: rtx3060,rtx3060
#include "operations.h"

cudaStream_t far;
int *remote;

// finds: race between operations: stream 1 of device 1
HOST void racy_peers() {
  fill<<<16, 256, 0, one>>>(device, 1);
  cudaMemcpyPeerAsync(remote, 1, device, 0, bytes, far);
}
HOST void fixed_peers() {
  fill<<<16, 256, 0, one>>>(device, 1);
  order(one, far);
  cudaMemcpyPeerAsync(remote, 1, device, 0, bytes, far);
}

// finds: race between operations: the default stream of a device waits for that device's streams only
HOST void racy_defaults() {
  fill<<<16, 256>>>(device, 1);
  cudaSetDevice(1);
  take<<<16, 256>>>(remote, device);
  cudaSetDevice(0);
}
HOST void fixed_defaults() {
  fill<<<16, 256>>>(device, 1);
  cudaDeviceSynchronize();
  cudaSetDevice(1);
  take<<<16, 256>>>(remote, device);
  cudaSetDevice(0);
}

// cudaDeviceSynchronize() waits for one device.
// finds: race between operations: stream 1 of device 1
HOST void racy_other_device() {
  cudaSetDevice(1);
  fill<<<16, 256, 0, far>>>(remote, 1);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  take<<<16, 256, 0, one>>>(device, remote);
}
HOST void fixed_other_device() {
  cudaSetDevice(1);
  fill<<<16, 256, 0, far>>>(remote, 1);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  take<<<16, 256, 0, one>>>(device, remote);
}

int main() {
  prepare();
  cudaDeviceEnablePeerAccess(1, 0);
  cudaSetDevice(1);
  cudaDeviceEnablePeerAccess(0, 0);
  cudaStreamCreate(&far);
  cudaMalloc(&remote, bytes);
  cudaSetDevice(0);
  PAIR(peers);
  PAIR(defaults);
  PAIR(other_device);
  return finish();
}
