// PTX's vmad: a product of words, halves or bytes and a sum, negated or rounded up, and scaled. Saturation is left out:
// GPUs differ from PTX's document in it.
#include "../check.h"

#define CASES(X)                                                        \
  X(0, "vmad.u32.u32.u32 %0, %1, %2, %3;", false, false, 0, 0, 0, 0)    \
  X(1, "vmad.s32.s32.s32 %0, %1, %2, %3;", true, true, 0, 0, 0, 0)      \
  X(2, "vmad.s32.s32.s32 %0, -%1, %2, %3;", true, true, -1, 0, 0, 0)    \
  X(3, "vmad.s32.u32.u32 %0, -%1, %2, %3;", false, false, -1, 0, 0, 0)  \
  X(4, "vmad.s32.u32.s32 %0, %1, -%2, %3;", false, true, -1, 0, 0, 0)   \
  X(5, "vmad.s32.u32.u32 %0, %1, %2, -%3;", false, false, 0, -1, 0, 0)  \
  X(6, "vmad.s32.s32.s32 %0, -%1, -%2, %3;", true, true, 0, 0, 0, 0)    \
  X(7, "vmad.u32.u32.u32.po %0, %1, %2, %3;", false, false, 0, 0, 1, 0) \
  X(8, "vmad.s32.s32.s32.po.shr15 %0, %1, %2, %3;", true, true, 0, 0, 1, 15)

constexpr int cases = 9;

__global__ void run(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
#define RUN(index, text, ...) asm(text : "=r"(out[index * count + i]) : "r"(a[i]), "r"(b[i]), "r"(c[i]));
    CASES(RUN)
#undef RUN
  }
}

static unsigned expected(unsigned a, unsigned b, unsigned c, bool signedA, bool signedB, int minusProduct, int minusC,
                         int plus, int shift) {
  const bool isSigned = signedA || signedB || minusProduct || minusC;
  const auto widen = [](unsigned value, bool asSigned) {
    return asSigned ? static_cast<__int128>(static_cast<int>(value)) : static_cast<__int128>(value);
  };
  __int128 product = widen(a, signedA) * widen(b, signedB);
  if (minusProduct) product = ~product;
  __int128 value = product + widen(minusC ? ~c : c, isSigned) + (minusProduct || minusC || plus);
  return static_cast<unsigned>(value >> shift);
}

__global__ void parts(unsigned a, unsigned b, unsigned c, unsigned *out) {
  asm("vmad.s32.s32.s32 %0, -%1.b3, %2.h1, %3;" : "=r"(out[0]) : "r"(a), "r"(b), "r"(c));
  asm("vmad.s32.u32.u32 %0, %1.b3, -%2.h0, %3;" : "=r"(out[1]) : "r"(a), "r"(b), "r"(c));
  asm("vmad.u32.u32.u32.po %0, %1.b0, %2.b1, %3;" : "=r"(out[2]) : "r"(a), "r"(b), "r"(c));
}

int main() {
  const std::vector<unsigned> edges{0,     1,          2,          127,        128,        32767,
                                    65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 123456789};
  std::vector<unsigned> a, b, c;
  for (unsigned x : edges)
    for (unsigned y : edges)
      for (unsigned z : edges) a.push_back(x), b.push_back(y), c.push_back(z);
  const int count = static_cast<int>(a.size());
  check::DeviceArray<unsigned> first(a), second(b), third(c), out(cases * a.size(), 0);
  run<<<1, 128>>>(first.get(), second.get(), third.get(), out.get(), count);
  LAUNCH_OK();
  const std::vector<unsigned> got = out.download();
  for (int i = 0; i < count; ++i) {
#define COMPARE(index, text, ...) CHECK_EQ(got[index * count + i], expected(a[i], b[i], c[i], __VA_ARGS__));
    CASES(COMPARE)
#undef COMPARE
  }
  parts<<<1, 1>>>(0xfd00000a, 0x0007c003, 1000, out.get());
  LAUNCH_OK();
  const std::vector<unsigned> some = out.download();
  CHECK_EQ(some[0], 1000 + 3 * 7);
  CHECK_EQ(static_cast<int>(some[1]), 1000 - 0xfd * 0xc003);
  CHECK_EQ(some[2], 1000 + 10 * 0xc0 + 1);
  return check::finish();
}
