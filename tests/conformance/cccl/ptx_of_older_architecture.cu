// CUB's and Thrust's algorithms compiled for an older architecture than the device's: its PTX runs.
// options: -arch=sm_80
// needs: cub/device/device_scan.cuh thrust/sort.h
#include "tuned_algorithms.h"

int main() {
  tuned::checkSort<unsigned char>(50021);
  return tuned::checkAll();
}
