// CUB's and Thrust's algorithms in a program for several architectures, on a device of the highest that it is for.
// options: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
// needs: cub/device/device_scan.cuh thrust/sort.h
#include "tuned_algorithms.h"

int main() { return tuned::checkAll(); }
