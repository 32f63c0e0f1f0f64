// __match_any_sync, __match_all_sync and the __reduce_*_sync family.
#include "../check.h"

template <class T>
__global__ void match(unsigned *any, unsigned *all, int *allPredicate, int divisor) {
  const int lane = threadIdx.x;
  const T value = static_cast<T>(lane / divisor * 1000003ll);
  any[lane] = __match_any_sync(0xFFFFFFFFu, value);
  all[lane] = __match_all_sync(0xFFFFFFFFu, value, &allPredicate[lane]);
}

template <class T>
static void testMatch() {
  check::DeviceArray<unsigned> any(32), all(32);
  check::DeviceArray<int> predicate(32);
  for (int divisor : {1, 3, 8, 32}) {
    match<T><<<1, 32>>>(any.get(), all.get(), predicate.get(), divisor);
    LAUNCH_OK();
    const std::vector<unsigned> a = any.download(), l = all.download();
    const std::vector<int> p = predicate.download();
    for (int i = 0; i < 32; ++i) {
      unsigned expected = 0;
      for (int k = 0; k < 32; ++k) expected |= unsigned(k / divisor == i / divisor) << k;
      CHECK_EQ(a[i], expected);
      CHECK_EQ(l[i], divisor == 32 ? ~0u : 0u);
      CHECK_EQ(p[i] != 0, divisor == 32);
    }
  }
}

struct Reduced {
  unsigned add, min, max, bitAnd, bitOr, bitXor;
  int signedMin, signedMax, signedAdd;
};

__global__ void reduce(Reduced *out, unsigned mask) {
  const int lane = threadIdx.x;
  if (!(mask >> lane & 1)) return;
  const unsigned value = lane * 0x9E3779B9u;
  const int number = lane % 2 ? -lane : lane;
  out[lane] = {__reduce_add_sync(mask, value),  __reduce_min_sync(mask, value),  __reduce_max_sync(mask, value),
               __reduce_and_sync(mask, value),  __reduce_or_sync(mask, value),   __reduce_xor_sync(mask, value),
               __reduce_min_sync(mask, number), __reduce_max_sync(mask, number), __reduce_add_sync(mask, number)};
}

static void testReduce(unsigned mask) {
  check::DeviceArray<Reduced> out(32, Reduced{});
  reduce<<<1, 32>>>(out.get(), mask);
  LAUNCH_OK();
  Reduced e{0, ~0u, 0, ~0u, 0, 0, 1 << 30, -(1 << 30), 0};
  for (int lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const unsigned value = lane * 0x9E3779B9u;
    const int number = lane % 2 ? -lane : lane;
    e.add += value;
    e.min = value < e.min ? value : e.min;
    e.max = value > e.max ? value : e.max;
    e.bitAnd &= value;
    e.bitOr |= value;
    e.bitXor ^= value;
    e.signedMin = number < e.signedMin ? number : e.signedMin;
    e.signedMax = number > e.signedMax ? number : e.signedMax;
    e.signedAdd += number;
  }
  const std::vector<Reduced> host = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    if (!(mask >> lane & 1)) continue;
    const Reduced &r = host[lane];
    CHECK_EQ(r.add, e.add);
    CHECK_EQ(r.min, e.min);
    CHECK_EQ(r.max, e.max);
    CHECK_EQ(r.bitAnd, e.bitAnd);
    CHECK_EQ(r.bitOr, e.bitOr);
    CHECK_EQ(r.bitXor, e.bitXor);
    CHECK_EQ(r.signedMin, e.signedMin);
    CHECK_EQ(r.signedMax, e.signedMax);
    CHECK_EQ(r.signedAdd, e.signedAdd);
  }
}

int main() {
  testMatch<int>();
  testMatch<unsigned>();
  testMatch<long long>();
  testMatch<unsigned long long>();
  testMatch<float>();
  testMatch<double>();
  for (unsigned mask : {~0u, 1u, 0x80000000u, 0x0F0F0F0Fu, 0x7FFFu}) testReduce(mask);
  return check::finish();
}
