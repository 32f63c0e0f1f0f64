// SIMD-within-a-word intrinsics: four bytes or two halfwords at a time, lane by lane against plain C.
#include "../check.h"

struct Results {
  unsigned add4, sub4, addus4, addss4, avgu4, maxu4, mins4, cmpeq4, cmpgtu4, abs4, sad4;
  unsigned add2, subss2, maxs2, avgs2, neg2, absdiffu2, cmplts2;
};

__global__ void run(Results *out, const unsigned *a, const unsigned *b, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const unsigned x = a[i], y = b[i];
  out[i] = {__vadd4(x, y),   __vsub4(x, y),   __vaddus4(x, y),  __vaddss4(x, y), __vavgu4(x, y),     __vmaxu4(x, y),
            __vmins4(x, y),  __vcmpeq4(x, y), __vcmpgtu4(x, y), __vabs4(x),      __vsadu4(x, y),     __vadd2(x, y),
            __vsubss2(x, y), __vmaxs2(x, y),  __vavgs2(x, y),   __vneg2(x),      __vabsdiffu2(x, y), __vcmplts2(x, y)};
}

template <class Lane, class Function>
static unsigned lanes(unsigned x, unsigned y, Function f) {
  const int bits = sizeof(Lane) * 8;
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += bits)
    result |=
        (static_cast<unsigned>(f(static_cast<Lane>(x >> shift), static_cast<Lane>(y >> shift))) & ((1u << bits) - 1))
        << shift;
  return result;
}
static int clampTo(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

static void judge(const Results &r, unsigned x, unsigned y) {
  using U8 = unsigned char;
  using S8 = signed char;
  using U16 = unsigned short;
  using S16 = short;
  CHECK_EQ(r.add4, lanes<U8>(x, y, [](int a, int b) { return a + b; }));
  CHECK_EQ(r.sub4, lanes<U8>(x, y, [](int a, int b) { return a - b; }));
  CHECK_EQ(r.addus4, lanes<U8>(x, y, [](int a, int b) { return clampTo(a + b, 0, 255); }));
  CHECK_EQ(r.addss4, lanes<S8>(x, y, [](int a, int b) { return clampTo(a + b, -128, 127); }));
  CHECK_EQ(r.avgu4, lanes<U8>(x, y, [](int a, int b) { return (a + b + 1) / 2; }));
  CHECK_EQ(r.maxu4, lanes<U8>(x, y, [](int a, int b) { return a > b ? a : b; }));
  CHECK_EQ(r.mins4, lanes<S8>(x, y, [](int a, int b) { return a < b ? a : b; }));
  CHECK_EQ(r.cmpeq4, lanes<U8>(x, y, [](int a, int b) { return a == b ? 255 : 0; }));
  CHECK_EQ(r.cmpgtu4, lanes<U8>(x, y, [](int a, int b) { return a > b ? 255 : 0; }));
  CHECK_EQ(r.abs4, lanes<S8>(x, y, [](int a, int) { return a < 0 ? -a : a; }));
  unsigned sad = 0;
  for (int s = 0; s < 32; s += 8) sad += abs(int(x >> s & 255) - int(y >> s & 255));
  CHECK_EQ(r.sad4, sad);
  CHECK_EQ(r.add2, lanes<U16>(x, y, [](int a, int b) { return a + b; }));
  CHECK_EQ(r.subss2, lanes<S16>(x, y, [](int a, int b) { return clampTo(a - b, -32768, 32767); }));
  CHECK_EQ(r.maxs2, lanes<S16>(x, y, [](int a, int b) { return a > b ? a : b; }));
  CHECK_EQ(r.avgs2, lanes<S16>(x, y, [](int a, int b) { return (a + b + ((a + b) >= 0)) >> 1; }));
  CHECK_EQ(r.neg2, lanes<S16>(x, y, [](int a, int) { return -a; }));
  CHECK_EQ(r.absdiffu2, lanes<U16>(x, y, [](int a, int b) { return a > b ? a - b : b - a; }));
  CHECK_EQ(r.cmplts2, lanes<S16>(x, y, [](int a, int b) { return a < b ? 0xFFFF : 0; }));
}

int main() {
  const std::vector<unsigned> a = {0, 0xFFFFFFFF, 0x7F80017F, 0x80008000, 0x12345678, 0x00FF00FF, 0x80FF7F01};
  std::vector<unsigned> x, y;
  for (unsigned i : a)
    for (unsigned k : a) {
      x.push_back(i);
      y.push_back(k);
    }
  check::DeviceArray<unsigned> dx(x), dy(y);
  check::DeviceArray<Results> out(x.size());
  run<<<1, 64>>>(out.get(), dx.get(), dy.get(), int(x.size()));
  LAUNCH_OK();
  const std::vector<Results> host = out.download();
  for (size_t i = 0; i < x.size(); ++i) judge(host[i], x[i], y[i]);
  return check::finish();
}
