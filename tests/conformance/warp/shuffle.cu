// All four shuffles, every width, every type; a lane whose source lies outside its segment keeps its own value.
#include "../check.h"

template <class T>
__global__ void shuffles(T *out, int argument, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T mine = static_cast<T>(threadIdx.x * 3 + 1);
  T *row = out + 4 * i;
  row[0] = __shfl_sync(0xFFFFFFFFu, mine, argument, width);
  row[1] = __shfl_up_sync(0xFFFFFFFFu, mine, argument, width);
  row[2] = __shfl_down_sync(0xFFFFFFFFu, mine, argument, width);
  row[3] = __shfl_xor_sync(0xFFFFFFFFu, mine, argument, width);
}

static int source(int kind, int lane, int argument, int width) {
  const int base = lane / width * width, inside = lane % width;
  if (kind == 0) return base + (argument & (width - 1));
  if (kind == 1) return inside - argument >= 0 ? lane - argument : lane;
  if (kind == 2) return inside + argument < width ? lane + argument : lane;
  const int other = lane ^ argument;
  return other < base + width ? other : lane;  // lower segments may be read
}

template <class T>
static void test() {
  const int threads = 96;
  check::DeviceArray<T> out(threads * 4);
  for (int width = 1; width <= 32; width *= 2)
    for (int argument : {0, 1, 2, 5, 16, 31}) {
      shuffles<<<1, threads>>>(out.get(), argument, width);
      LAUNCH_OK();
      const std::vector<T> host = out.download();
      for (int i = 0; i < threads; ++i)
        for (int kind = 0; kind < 4; ++kind) {
          const int from = i / 32 * 32 + source(kind, i % 32, argument, width);
          CHECK_EQ(host[4 * i + kind], static_cast<T>(from * 3 + 1));
        }
    }
}

int main() {
  test<int>();
  test<unsigned>();
  test<long>();
  test<unsigned long long>();
  test<float>();
  test<double>();
  return check::finish();
}
