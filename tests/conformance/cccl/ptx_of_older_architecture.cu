// Thrust's radix sort compiled for an older architecture than the device's: its PTX runs. CUB tunes it for the key's
// size. options: -arch=sm_80 needs: thrust/sort.h
#include "tuned_algorithms.h"

int main() {
  tuned::checkSort<unsigned char>(50021);
  return check::finish();
}
