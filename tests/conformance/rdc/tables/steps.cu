__device__ int increment(int value) { return value + 1; }
__device__ int twice(int value) { return value * 2; }
__device__ int negate(int value) { return -value; }
