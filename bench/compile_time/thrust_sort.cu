// Sorting with Thrust, as a program that has nothing else to compile: its compile time is compared with nvcc's.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <cstdio>

int main() {
  thrust::host_vector<int> numbers(1 << 16);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 2654435761u);
  thrust::device_vector<int> keys = numbers, values(numbers.size());
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  thrust::sort(values.begin(), values.end());
  std::printf("%d\n", static_cast<int>(values[17]));
}
