// CUB's and Thrust's algorithms in a program for several architectures, on a device of the lowest.
// options: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=[sm_90,compute_90]
// needs: cub/device/device_scan.cuh thrust/sort.h
// device: t4
#include "tuned_algorithms.h"

int main() { return tuned::checkAll(); }
