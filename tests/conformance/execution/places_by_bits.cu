// specialised: no
// Places that threads compute from the bits of their numbers and from constants: the way from one thread's place to the
// next one's is no constant, but the same in every group of threads. Loaded and stored by all, and by some.
#include <cstdint>
#include <utility>
#include <vector>

#include "../check.h"

constexpr int forms = 19, most = 256;

template <int form>
__host__ __device__ int place(int t) {
  if constexpr (form == 0) return 2 * t - (t & 1);
  if constexpr (form == 1) return 2 * t - (t & 3) + 4;
  if constexpr (form == 2) return 2 * t - (t & 15) + 16;
  if constexpr (form == 3) return t ^ 1;
  if constexpr (form == 4) return t ^ 5;
  if constexpr (form == 5) return t ^ 31;
  if constexpr (form == 6) return (t & ~7) | (7 - (t & 7));
  if constexpr (form == 7) return t >> 1;
  if constexpr (form == 8) return (t >> 2) * 3 + (t & 1);
  if constexpr (form == 9) return 2 * t + 1;
  if constexpr (form == 10) return t + (t & 1) + 3;
  if constexpr (form == 11) return ((t & 6) << 1 | (t & 1)) + (t & ~7) * 2;
  if constexpr (form == 12) return (t & ~31) + ((t * 3) & 31);
  if constexpr (form == 13) return t ^ 48;
  if constexpr (form == 14) return static_cast<unsigned char>(t * 2) + (t & 128);
  if constexpr (form == 15) return static_cast<short>(3 - (t & 3)) + t / 4 * 4;
  if constexpr (form == 16) return (t + 5) | 32;
  if constexpr (form == 17) return (t + 7) >> 2;
  if constexpr (form == 18) return (t + 9) ^ 40;
}

// isOneToOne(): no two threads have one place.
template <int form>
constexpr bool isOneToOne = form != 7 && form != 8 && form != 10 && form != 14 && form != 16 && form != 17;

constexpr int room = 2 * most + 32;

template <class T, int form>
__global__ void move(const T *in, const T *again, T *loaded, T *stored, T *swapped, T *some, int n) {
  __shared__ T s[room];
  const int t = threadIdx.x, at = place<form>(t), all = blockIdx.x * room;
  in += all;
  const T own = in[at];
  loaded[all + t] = own;
  T mine = in[t];
  if (mine < T(40)) mine = again[all + at] + T(1);
  some[all + t] = mine;
  for (int i = t; i < room; i += blockDim.x) s[i] = in[i];
  __syncthreads();
  if constexpr (isOneToOne<form>) {
    stored[all + at] = in[t];
    if (own > T(n)) s[at] = own - T(n);
  }
  __syncthreads();
  for (int i = t; i < room; i += blockDim.x) swapped[all + i] = s[i];
}

template <class T>
struct Results {
  std::vector<T> loaded, stored, swapped, some;
};

template <class T, int form>
static void expect(const std::vector<T> &in, Results<T> &results, int threads, int blocks, int n) {
  auto &[loaded, stored, swapped, some] = results;
  swapped = in;
  for (int block = 0; block < blocks; ++block)
    for (int t = 0; t < threads; ++t) {
      const int all = block * room, at = all + place<form>(t);
      loaded[all + t] = in[at];
      some[all + t] = in[all + t] < T(40) ? T(in[at] + T(1)) : in[all + t];
      if (!isOneToOne<form>) continue;
      stored[at] = in[all + t];
      if (in[at] > T(n)) swapped[at] = in[at] - T(n);
    }
}

template <class T, int form>
static void test(int threads) {
  constexpr int blocks = 3, n = 60;
  std::vector<T> in(blocks * room);
  unsigned state = 12345 + form;
  for (T &each : in) each = T((state = state * 1664525 + 1013904223) >> 24) / T(2);
  const std::vector<T> none(in.size(), T(0));
  Results<T> wanted{none, none, none, none};
  check::DeviceArray<T> from(in), again(in), loaded(none), stored(none), swapped(none), some(none);
  move<T, form><<<blocks, threads>>>(from.get(), again.get(), loaded.get(), stored.get(), swapped.get(), some.get(), n);
  LAUNCH_OK();
  expect<T, form>(in, wanted, threads, blocks, n);
  CHECK(loaded.download() == wanted.loaded);
  CHECK(stored.download() == wanted.stored);
  CHECK(swapped.download() == wanted.swapped);
  CHECK(some.download() == wanted.some);
}

template <class T, int... form>
static void testAll(std::integer_sequence<int, form...>) {
  (test<T, form>(most), ...);
  (test<T, form>(104), ...);
  (test<T, form>(31), ...);
  (test<T, form>(16), ...);
}

int main() {
  const auto all = std::make_integer_sequence<int, forms>();
  testAll<int>(all);
  testAll<double>(all);
  testAll<uint8_t>(all);
  testAll<short>(all);
  return check::finish();
}
