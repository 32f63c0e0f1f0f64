// CUB's and Thrust's algorithms in a program for several architectures: on devices of these, and on one for its PTX.
// options: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=[sm_90,compute_90]
// unoptimised: no
// needs: cub/device/device_scan.cuh thrust/sort.h
// device: t4 h100 b200
#include "tuned_algorithms.h"

int main() { return tuned::checkAll(); }
