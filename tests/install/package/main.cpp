#include <cstdio>
#include <vector>

#include "scale.h"

#ifndef FACTOR
#define FACTOR 2
#endif

int main() {
  std::vector<int> numbers(1000);
  for (int i = 0; i < 1000; i++) numbers[i] = i;
  if (!scale(numbers.data(), 1000, FACTOR)) return 1;
  for (int i = 0; i < 1000; i++)
    if (numbers[i] != FACTOR * i) return 2;
  std::puts("doubled 1000 numbers");
  return 0;
}
