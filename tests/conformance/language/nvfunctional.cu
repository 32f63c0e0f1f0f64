// nvstd::function in host and device code: what it may hold, copies, moves, and being empty.
#include <nvfunctional>

#include "../check.h"

namespace {

__device__ int twice(int x) { return 2 * x; }

struct Polynomial {
  int factors[9];  // too much to be held in place
  __host__ __device__ int operator()(int x) const {
    int sum = 0;
    for (int factor : factors) sum = sum * x + factor;
    return sum;
  }
};

struct Counter {
  int count = 0;
  __host__ __device__ int operator()(int by) { return count += by; }
};

// useful() is 0 where all is as it should be, or the number of the first that is not.
__host__ __device__ int wrong() {
  using Function = nvstd::function<int(int)>;
  Function empty, fromNull = nullptr;
  if (empty || fromNull || empty != nullptr || !(nullptr == fromNull)) return 1;
  const int offset = 3;
  Function shift = [offset](int x) { return x + offset; };
  if (!shift || shift(4) != 7) return 2;
  Function large = Polynomial{{1, 0, 0, 0, 0, 0, 0, 0, 5}};
  if (large(2) != 261) return 3;
  Function copy = large;
  large = shift;
  if (copy(1) != 6 || large(1) != 4) return 4;
  Function moved = static_cast<Function &&>(copy);
  if (copy || moved(2) != 261) return 5;
  swap(moved, shift);
  if (moved(1) != 4 || shift(1) != 6) return 6;
  Function counting = Counter{};
  Function another = counting;
  if (counting(2) != 2 || counting(5) != 7 || another(1) != 1) return 7;
  counting = nullptr;
  if (counting) return 8;
  const Function nested = another;
  Function outer = nested;
  if (outer(1) != 2 || nested(1) != 2) return 9;
  nvstd::function<void(int &)> sets = [](int &x) { x = 42; };
  int value = 0;
  sets(value);
  if (value != 42) return 10;
  nvstd::function<long(int, float)> two = [](int x, float y) { return static_cast<long>(x * y); };
  if (two(3, 1.5f) != 4) return 11;
  moved = moved;
  return moved(1) == 4 ? 0 : 12;
}

__device__ int applied(const nvstd::function<int(int)> &function, int x) { return function(x); }

__global__ void inKernel(int *out) {
  out[2 * threadIdx.x] = wrong();
  nvstd::function<int(int)> chosen = twice;
  if (threadIdx.x % 3 == 1) chosen = [](int x) { return x - static_cast<int>(threadIdx.x); };
  if (threadIdx.x % 3 == 2) chosen = Polynomial{{0, 0, 0, 0, 0, 0, 1, 0, 1}};
  out[2 * threadIdx.x + 1] = applied(chosen, 10);
}

}  // namespace

int main() {
  CHECK_EQ(wrong(), 0);
  check::DeviceArray<int> out(2 * 64);
  inKernel<<<1, 64>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> found = out.download();
  for (int t = 0; t < 64; ++t) {
    CHECK_EQ(found[2 * t], 0);
    CHECK_EQ(found[2 * t + 1], t % 3 == 0 ? 20 : t % 3 == 1 ? 10 - t : 101);
  }
  return check::finish();
}
