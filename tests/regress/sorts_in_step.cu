// A warp sorts without __syncwarp(), and counts on going in step in the loops of a sort, too: several sorts between two
// waits are more code than what is looked at for exchanges elsewhere. Fibers take one thread after the other.
// unoptimised: no
// forms: block
#include <algorithm>

#include "../conformance/check.h"

__device__ __forceinline__ void step(double *a, long begin, long end, int lane, long size, long width) {
  for (long j = lane; j < (end - begin) / 2; j += 32) {
    const long at = j + (j & -width);
    const double low = a[begin + at], high = a[begin + at + width];
    if (at & size ? low < high : low > high) {
      a[begin + at] = high;
      a[begin + at + width] = low;
    }
  }
}

__device__ __forceinline__ void sort(double *a, long begin, long end, int lane) {
  for (long size = 2; size <= end - begin; size *= 2)
    for (long width = size / 2; width >= 1; width /= 2) step(a, begin, end, lane, size, width);
}

// keepLowest() leaves the lower half of two arrays in the first, sorted.
__device__ __forceinline__ void keepLowest(double *a, long first, long second, int count, int lane) {
  for (int i = lane; i < count; i += 32) {
    const double low = a[first + count - 1 - i], other = a[second + i];
    if (low > other) {
      a[first + count - 1 - i] = other;
      a[second + i] = low;
    }
  }
  for (long width = count / 2; width >= 1; width /= 2) step(a, first, first + count, lane, count, width);
}

// lowest(): each warp has `arrays` arrays of `count` numbers, of which the first gets the lowest.
__global__ void lowest(double *data, long numbers, long warps, int arrays, int count) {
  const long thread = long(blockIdx.x) * blockDim.x + threadIdx.x, begin = thread / 32 * numbers / warps;
  const int lane = thread % 32;
  sort(data, begin, begin + count, lane);
  for (int i = 1; __any_sync(~0u, i < arrays); i += 2) {
    const long next = begin + long(i) * count, last = next + count;
    sort(data, next, last, lane);
    sort(data, last, last + count, lane);
    keepLowest(data, next, last, count, lane);
    keepLowest(data, begin, next, count, lane);
  }
}

int main() {
  constexpr int blocks = 5, arrays = 7, length = 128;
  std::vector<double> data(blocks * arrays * length);
  unsigned number = 7;
  for (double &each : data) each = (number = number * 1664525 + 1013904223) >> 12;
  check::DeviceArray<double> device(data);
  lowest<<<blocks, 32>>>(device.get(), long(data.size()), blocks, arrays, length);
  LAUNCH_OK();
  const std::vector<double> found = device.download();
  for (int block = 0; block < blocks; ++block) {
    const auto begin = data.begin() + block * arrays * length;
    std::sort(begin, begin + arrays * length);
    for (int i = 0; i < length; ++i) CHECK_EQ(found[block * arrays * length + i], begin[i]);
  }
  return check::finish();
}
