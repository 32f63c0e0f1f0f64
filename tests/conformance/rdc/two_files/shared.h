#ifndef HOSTWARP_CONFORMANCE_RDC_SHARED_H
#define HOSTWARP_CONFORMANCE_RDC_SHARED_H

struct Item {
  int key;
  float weight;
};

extern __device__ int counter;
extern __device__ Item items[8];
extern __constant__ float factors[4];

__device__ int square(int value);
__device__ int recursive(int n);
__device__ int blockSum(int value);  // has shared memory and barriers of its own
template <class T>
__device__ T half(T value) {
  return value / 2;
}

struct Base {
  __device__ virtual int id() const = 0;
};
__device__ Base *makeOther();

int launchOther(int *device, int n);
int ownStatic();

#endif
