// Comparisons of half and bfloat16: one number and two, ordered and unordered, as truth, number and mask.
#include "sixteen_bits.h"

struct Row {
  bool one, both;
  unsigned mask;
  unsigned short low, high;
};
constexpr int kinds = 12;

template <class T>
__host__ __device__ void compare(Row *row, typename T::Pair a, typename T::Pair b) {
#define COMPARE(name)                                                                                                \
  {                                                                                                                  \
    const typename T::Pair truth = __h##name##2(a, b);                                                               \
    *row++ = {__h##name(T::low(a), T::low(b)), __hb##name##2(a, b), __h##name##2_mask(a, b), T::bits(T::low(truth)), \
              T::bits(T::high(truth))};                                                                              \
  }
  COMPARE(eq)
  COMPARE(ne)
  COMPARE(lt) COMPARE(le) COMPARE(gt) COMPARE(ge) COMPARE(equ) COMPARE(neu) COMPARE(ltu) COMPARE(leu) COMPARE(gtu)
      COMPARE(geu)
#undef COMPARE
}

static bool holds(int kind, double x, double y) {
  if (std::isnan(x) || std::isnan(y)) return kind >= 6;
  switch (kind % 6) {
    case 0:
      return x == y;
    case 1:
      return x != y;
    case 2:
      return x < y;
    case 3:
      return x <= y;
    case 4:
      return x > y;
    default:
      return x >= y;
  }
}

template <class T>
__global__ void compareAll(Row *rows, const ushort4 *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    compare<T>(rows + i * kinds, T::pair(T::make(in[i].x), T::make(in[i].y)),
               T::pair(T::make(in[i].z), T::make(in[i].w)));
}

template <class T>
__global__ void operators(int *out) {
  const typename T::Number a = T::fromFloat(1.5f), b = T::fromFloat(2.0f), nan = T::make(0x7fff);
  out[0] = (a == a) && !(a == b) && !(nan == nan);
  out[1] = (a != b) && !(a != a) && (nan != nan);
  out[2] = (a < b) && !(b < a) && !(nan < a) && (a <= a) && (b > a) && (b >= b) && !(a >= nan);
  out[3] = __hisnan(nan) && !__hisnan(a) && __hisinf(T::fromFloat(INFINITY)) == 1 &&
           __hisinf(T::fromFloat(-INFINITY)) == -1 && __hisinf(a) == 0 && __hisinf(nan) == 0;
  const typename T::Pair truth = __hisnan2(T::pair(nan, a));
  out[4] = T::toFloat(T::low(truth)) == 1.0f && T::toFloat(T::high(truth)) == 0.0f;
  out[5] = (T::pair(a, b) == T::pair(a, b)) && !(T::pair(a, b) == T::pair(a, a)) && (T::pair(a, a) < T::pair(b, b)) &&
           !(T::pair(a, b) < T::pair(b, b));
}

template <class T>
static void checkRows(const Row *rows, ushort4 in) {
  const double a = exact::valueOf(T::format, in.x), b = exact::valueOf(T::format, in.z);
  const double c = exact::valueOf(T::format, in.y), d = exact::valueOf(T::format, in.w);
  for (int kind = 0; kind < kinds; ++kind) {
    const bool low = holds(kind, a, b), high = holds(kind, c, d);
    CHECK_EQ(rows[kind].one, low);
    CHECK_EQ(rows[kind].both, low && high);
    CHECK_EQ(rows[kind].mask, (low ? 0xffffu : 0) | (high ? 0xffff0000u : 0));
    CHECK_EQ(rows[kind].low, exact::bitsOf(T::format, low));
    CHECK_EQ(rows[kind].high, exact::bitsOf(T::format, high));
  }
}

template <class T>
static void test() {
  std::vector<ushort4> in;
  exact::Random random;
  const unsigned short infinity = exact::bitsOf(T::format, INFINITY);
  const unsigned short special[] = {0,      0x8000, 1,     infinity, (unsigned short)(infinity | 0x8000),
                                    0x7fff, 0x3c00, 0xbc00};
  for (unsigned short a : special)
    for (unsigned short b : special) in.push_back({a, b, b, a});
  for (int i = 0; i < 2000; ++i)
    in.push_back(
        {(unsigned short)random(), (unsigned short)random(), (unsigned short)random(), (unsigned short)random()});
  const int n = int(in.size());
  check::DeviceArray<ushort4> device(in);
  check::DeviceArray<Row> out(in.size() * kinds);
  compareAll<T><<<(n + 127) / 128, 128>>>(out.get(), device.get(), n);
  LAUNCH_OK();
  const std::vector<Row> rows = out.download();
  for (int i = 0; i < n; ++i) {
    checkRows<T>(&rows[i * kinds], in[i]);
    Row onHost[kinds];
    compare<T>(onHost, T::pair(T::make(in[i].x), T::make(in[i].y)), T::pair(T::make(in[i].z), T::make(in[i].w)));
    checkRows<T>(onHost, in[i]);
  }
  check::DeviceArray<int> truths(6);
  operators<T><<<1, 1>>>(truths.get());
  LAUNCH_OK();
  for (int truth : truths.download()) CHECK(truth);
}

int main() {
  test<Half>();
  test<Brain>();
  return check::finish();
}
