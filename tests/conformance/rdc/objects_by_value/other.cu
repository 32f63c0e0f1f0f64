#include "shared.h"

__device__ int sum(Counted object, Copied words) {
  words.words[0] += 1000;
  return object.self == &object ? object.value + words.words[8] : -1;
}
__device__ int (*sumByPointer())(Counted, Copied) { return sum; }
