// A product of half or bfloat16 and its sum, which are one operation and round once.
// unoptimised: no
//
// So it is by operators, by functions without _rn and in inline PTX without .rn; not where a rounding is asked for, nor
// where something else needs the product. Nothing is fused with -G. GPUs before compute capability 9.0 compute with
// bfloat16 by fma.rn, which asks for it, and __hadd_sat() and __hsub_sat() of bfloat16 are always made of that.
#include "sixteen_bits.h"

#include <type_traits>
#include <utility>

enum Expression {
  sum,
  difference,
  reversed,
  negated,
  assigned,
  subtracted,
  called,
  saturated,
  saturatedDifference,
  inPtx,
  inTwoSums,
  pair,
  reversedPair,
  calledPair,
  inPtxPair,
  rounded,  // from here on two operations
  roundedSum,
  roundedProduct,
  inPtxRounded,
  stored,
  inLoop,
  expressions
};
constexpr int turns = 3;

#define PTX(suffix, type)                                                                    \
  asm("{ .reg .b16 p; mul" suffix "." type " p, %1, %2; add" suffix "." type " %0, p, %3; }" \
      : "=h"(result)                                                                         \
      : "h"(a), "h"(b), "h"(c))
__device__ unsigned short ptxSum(Half, unsigned short a, unsigned short b, unsigned short c) {
  unsigned short result;
  PTX("", "f16");
  return result;
}
__device__ unsigned short ptxSum(Brain, unsigned short a, unsigned short b, unsigned short c) {
  unsigned short result;
  PTX("", "bf16");
  return result;
}
__device__ unsigned short ptxRounded(Half, unsigned short a, unsigned short b, unsigned short c) {
  unsigned short result;
  PTX(".rn", "f16");
  return result;
}
__device__ unsigned short ptxRounded(Brain, unsigned short a, unsigned short b, unsigned short c) {
  unsigned short result;
  PTX(".rn", "bf16");
  return result;
}
#define PTX_PAIR(type)                                                   \
  asm("{ .reg .b32 p; mul." type " p, %1, %2; sub." type " %0, p, %3; }" \
      : "=r"(result)                                                     \
      : "r"(a | b << 16), "r"(b | a << 16), "r"(c | c << 16))
__device__ unsigned ptxPair(Half, unsigned a, unsigned b, unsigned c) {
  unsigned result;
  PTX_PAIR("f16x2");
  return result;
}
__device__ unsigned ptxPair(Brain, unsigned a, unsigned b, unsigned c) {
  unsigned result;
  PTX_PAIR("bf16x2");
  return result;
}

// compute() does one expression: in others the product would have more uses. Pairs have the same numbers in both
// halves.
template <class T, int which>
__global__ void compute(unsigned short *out, const ushort3 *in, int n, int many) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const typename T::Number a = T::make(in[i].x), b = T::make(in[i].y), c = T::make(in[i].z);
  const typename T::Pair ab = T::pair(a, b), ba = T::pair(b, a), cc = T::pair(c, c);
  typename T::Number r = c;
  typename T::Pair both = cc;
  if (which == sum) r = a * b + c;
  if (which == difference) r = a * b - c;
  if (which == reversed) r = c - a * b;
  if (which == negated) r = -(a * b) + c;
  if (which == assigned) r += a * b;
  if (which == subtracted) r -= a * b;
  if (which == called) r = __hadd(__hmul(a, b), c);
  if (which == saturated) r = __hadd_sat(__hmul(a, b), c);
  if (which == saturatedDifference) r = __hsub_sat(c, __hmul(a, b));
  if (which == inPtx) r = T::make(ptxSum(T(), in[i].x, in[i].y, in[i].z));
  if (which == pair) both = ab * ba + cc;
  if (which == reversedPair) both = cc - ab * ba;
  if (which == calledPair) both = __hsub2(__hmul2(ab, ba), cc);
  if (which == rounded) r = __hadd_rn(__hmul_rn(a, b), c);
  if (which == roundedSum) r = __hadd_rn(__hmul(a, b), c);
  if (which == roundedProduct) r = __hmul_rn(a, b) + c;
  if (which == inPtxRounded) r = T::make(ptxRounded(T(), in[i].x, in[i].y, in[i].z));
  if (which == inPtxPair) {
    const unsigned bits = ptxPair(T(), in[i].x, in[i].y, in[i].z);
    both = T::pair(T::make(static_cast<unsigned short>(bits)), T::make(static_cast<unsigned short>(bits >> 16)));
  }
  if (which == inTwoSums || which == stored) {
    const typename T::Number product = a * b;
    r = product + c;
    out[i + n] = T::bits(which == stored ? product : c + product);
  }
  if (which == inLoop) {
    const typename T::Number product = a * b;
#pragma unroll 1
    for (int turn = 0; turn < many; ++turn) r = product + r;
  }
  const bool isPair = which == pair || which == reversedPair || which == calledPair || which == inPtxPair;
  out[i] = T::bits(isPair ? T::low(both) : r);
  if (isPair) out[i + n] = T::bits(T::high(both));
}

template <class T>
__host__ __device__ bool isFused(int which, bool isOf90) {
  if (which >= rounded) return false;
  if (std::is_same<T, Half>::value || which == inPtx || which == inPtxPair) return true;
  return isOf90 && which != saturated && which != saturatedDifference;
}

// expect() does the same by functions that say how they round.
template <class T>
__global__ void expect(unsigned short *out, const ushort3 *in, int n, int which, bool fuses) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  typename T::Number a = T::make(in[i].x), c = T::make(in[i].z);
  const typename T::Number b = T::make(in[i].y);
  if (which == reversed || which == negated || which == subtracted || which == saturatedDifference ||
      which == reversedPair)
    a = __hneg(a);
  if (which == difference || which == calledPair || which == inPtxPair) c = __hneg(c);
  const bool isSaturated = which == saturated || which == saturatedDifference;
  const typename T::Number once = isSaturated ? __hfma_sat(a, b, c) : __hfma(a, b, c), product = __hmul_rn(a, b);
  typename T::Number twice = __hadd_rn(product, c);
  for (int turn = 1; which == inLoop && turn < turns; ++turn) twice = __hadd_rn(product, twice);
  if (isSaturated) twice = __hfma_sat(product, T::fromFloat(1), c);
  out[i] = T::bits(fuses ? once : twice);
}

// Numbers of all digits, whose products' last ones decide how sums are rounded: near the product's negative, or not.
template <class T>
static std::vector<ushort3> operands() {
  std::vector<ushort3> all;
  exact::Random random;
  const auto number = [&](double largest) { return exact::roundTo(T::format, (random() / 0x1p31 - 1) * largest); };
  for (int i = 0; i < 5000; ++i) {
    const double a = number(2), b = number(2), near = exact::roundTo(T::format, -a * b);
    const double c = i % 3 == 0 ? near : i % 3 == 1 ? number(4) : number(0.125);
    all.push_back({exact::bitsOf(T::format, a), exact::bitsOf(T::format, b), exact::bitsOf(T::format, c)});
  }
  return all;
}

// Zeros that saturation gives may have any sign.
static unsigned short positiveZero(unsigned short bits) { return bits == 0x8000 ? 0 : bits; }

template <class T, int which>
static void test(const std::vector<ushort3> &in) {
  const int n = int(in.size()), blocks = (n + 127) / 128;
  const check::DeviceArray<ushort3> device(in);
  const check::DeviceArray<unsigned short> out(2 * in.size(), 0), once(in.size()), twice(in.size());
  compute<T, which><<<blocks, 128>>>(out.get(), device.get(), n, turns);
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, compute<T, which>));
  const bool fuses = isFused<T>(which, attributes.ptxVersion >= 90);
  expect<T><<<blocks, 128>>>(once.get(), device.get(), n, which, fuses);
  expect<T><<<blocks, 128>>>(twice.get(), device.get(), n, which, false);
  LAUNCH_OK();
  const std::vector<unsigned short> results = out.download(), expected = once.download(), other = twice.download();
  int wrong = 0, wrongHigh = 0, differing = 0;
  for (int i = 0; i < n; ++i) {
    wrong += positiveZero(results[i]) != positiveZero(expected[i]);
    wrongHigh += results[i + n] != expected[i];
    differing += expected[i] != other[i];
  }
  CHECK_EQ(wrong, 0);
  if (wrong) printf("expression %d\n", which);
  if (which == pair || which == reversedPair || which == calledPair || which == inPtxPair || which == inTwoSums)
    CHECK_EQ(wrongHigh, 0);
  if (fuses) CHECK(differing > n / 100);
}

template <class T, int... which>
static void testAll(std::integer_sequence<int, which...>) {
  const std::vector<ushort3> in = operands<T>();
  (test<T, which>(in), ...);
}

int main() {
  testAll<Half>(std::make_integer_sequence<int, expressions>());
  testAll<Brain>(std::make_integer_sequence<int, expressions>());
  return check::finish();
}
