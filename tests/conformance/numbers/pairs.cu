// Pairs of half and bfloat16: building and taking apart, operators, shuffles, cached loads and stores, atomics, and
// uses in shared, volatile and constant memory.
#include "sixteen_bits.h"

template <class T>
__device__ bool same(typename T::Number a, float x) {
  return T::toFloat(a) == x;
}
template <class T>
__device__ bool same(typename T::Pair a, float low, float high) {
  return same<T>(T::low(a), low) && same<T>(T::high(a), high);
}

__device__ __half2 broadcast(__half a) { return __half2half2(a); }
__device__ __nv_bfloat162 broadcast(__nv_bfloat16 a) { return __bfloat162bfloat162(a); }
__device__ __half2 mixed(__half2 a, __half2 b, bool high) { return high ? __highs2half2(a, b) : __lows2half2(a, b); }
__device__ __nv_bfloat162 mixed(__nv_bfloat162 a, __nv_bfloat162 b, bool high) {
  return high ? __highs2bfloat162(a, b) : __lows2bfloat162(a, b);
}

template <class T>
__global__ void pieces(int *out) {
  using Pair = typename T::Pair;
  const typename T::Number a = T::fromFloat(1.5f), b = T::fromFloat(-2.0f);
  const Pair ab = T::pair(a, b), cd(T::fromFloat(3.0f), T::fromFloat(4.0f));
  *out++ = same<T>(ab, 1.5f, -2.0f) && __low2float(ab) == 1.5f && __high2float(ab) == -2.0f;
  *out++ = same<T>(__lowhigh2highlow(ab), -2.0f, 1.5f);
  *out++ = same<T>(broadcast(a), 1.5f, 1.5f);
  *out++ = same<T>(mixed(ab, cd, false), 1.5f, 3.0f) && same<T>(mixed(ab, cd, true), -2.0f, 4.0f);
  *out++ = same<T>(ab + cd, 4.5f, 2.0f) && same<T>(ab - cd, -1.5f, -6.0f) && same<T>(ab * cd, 4.5f, -8.0f) &&
           same<T>(ab / cd, 0.5f, -0.5f) && same<T>(-ab, -1.5f, 2.0f);
  Pair stepped = ab;
  *out++ = same<T>(stepped++, 1.5f, -2.0f) && same<T>(--stepped, 1.5f, -2.0f);
  stepped += cd;
  *out++ = same<T>(stepped, 4.5f, 2.0f);
  *out++ = same<T>(__hfma2(ab, cd, ab), 6.0f, -10.0f) && same<T>(__habs2(ab), 1.5f, 2.0f);
  *out++ = same<T>(__hmax2(ab, cd), 3.0f, 4.0f) && same<T>(__hmin2(ab, cd), 1.5f, -2.0f);
  *out++ = same<T>(__hadd2_sat(ab, ab), 1.0f, 0.0f) && same<T>(__hfma2_relu(ab, cd, ab), 6.0f, 0.0f);
  *out++ = same<T>(__hcmadd(ab, cd, ab), 4.5f + 8.0f + 1.5f, 6.0f - 6.0f - 2.0f);
  typename T::Number n = a;
  n += b;
  n *= T::fromFloat(3.0f);
  *out++ = same<T>(n, -1.5f) && same<T>(n++, -1.5f) && same<T>(n, -0.5f) && same<T>(+n, -0.5f) && float(n) == -0.5f;
  *out++ = same<T>(n = 7, 7.0f) && same<T>(n = 2.5, 2.5f) && same<T>(n = -4ll, -4.0f);
}

template <class T>
__global__ void exchange(float *out, typename T::Number *numbers, typename T::Pair *pairs) {
  __shared__ typename T::Number shared[32];
  __shared__ volatile typename T::Number watched[1];
  const int lane = threadIdx.x;
  const typename T::Number mine = T::fromFloat(float(lane));
  const typename T::Pair both = T::pair(mine, T::fromFloat(float(-lane)));
  shared[lane] = mine;
  if (lane == 0) watched[0] = mine;
  __syncwarp();
  float *row = out + lane * 12;
  row[0] = T::toFloat(__shfl_sync(~0u, mine, 5));
  row[1] = T::toFloat(__shfl_up_sync(~0u, mine, 2));
  row[2] = T::toFloat(__shfl_down_sync(~0u, mine, 2, 8));
  row[3] = T::toFloat(__shfl_xor_sync(~0u, mine, 1));
  const typename T::Pair moved = __shfl_xor_sync(~0u, both, 16), other = __shfl_sync(~0u, both, lane + 1);
  row[4] = __low2float(moved);
  row[5] = __high2float(moved);
  row[6] = __high2float(other);
  row[7] = T::toFloat(shared[31 - lane]);
  row[8] = T::toFloat(__ldg(numbers)) + T::toFloat(__ldcg(numbers)) + T::toFloat(__ldcs(numbers)) +
           T::toFloat(__ldca(numbers));
  row[9] = __high2float(__ldg(pairs)) + __high2float(__ldcv(pairs)) + __high2float(__ldlu(pairs));
  __syncwarp();
  __stcg(numbers + 1 + lane, mine);
  __stwt(pairs + 1 + lane, both);
  row[10] = T::toFloat(numbers[1 + lane]);
  row[11] = __high2float(pairs[1 + lane]);
}

template <class T>
static void testExchange() {
  check::DeviceArray<float> out(32 * 12);
  check::DeviceArray<typename T::Number> numbers(33, T::fromFloat(2.5f));
  check::DeviceArray<typename T::Pair> pairs(33, T::pair(T::fromFloat(1.0f), T::fromFloat(3.0f)));
  exchange<T><<<1, 32>>>(out.get(), numbers.get(), pairs.get());
  LAUNCH_OK();
  const std::vector<float> rows = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    const float expected[12] = {5,
                                float(lane < 2 ? lane : lane - 2),
                                float(lane % 8 < 6 ? lane + 2 : lane),
                                float(lane ^ 1),
                                float(lane ^ 16),
                                float(-(lane ^ 16)),
                                float(-((lane + 1) % 32)),
                                float(31 - lane),
                                10,
                                9,
                                float(lane),
                                float(-lane)};
    for (int i = 0; i < 12; ++i) CHECK_EQ(rows[lane * 12 + i], expected[i]);
  }
}

template <class T>
__global__ void accumulate(typename T::Number *number, typename T::Pair *pair) {
  atomicAdd(number, T::fromFloat(1.0f));
  atomicAdd(pair, T::pair(T::fromFloat(2.0f), T::fromFloat(-1.0f)));
}

template <class T>
static void testAtomics() {
  check::DeviceArray<typename T::Number> number(2, T::fromFloat(0.0f));
  check::DeviceArray<typename T::Pair> pair(1, T::pair(T::fromFloat(0.0f), T::fromFloat(0.0f)));
  accumulate<T><<<4, 32>>>(number.get() + 1, pair.get());
  LAUNCH_OK();
  CHECK_EQ(T::toFloat(number.download()[1]), 128.0f);
  CHECK_EQ(T::toFloat(number.download()[0]), 0.0f);
  CHECK_EQ(T::toFloat(T::low(pair.download()[0])), 256.0f);
  CHECK_EQ(T::toFloat(T::high(pair.download()[0])), -128.0f);
}

template <class T>
static void test() {
  check::DeviceArray<int> out(13, 0);
  pieces<T><<<1, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> results = out.download();
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i]) check::fail(__FILE__, int(i), "a line of pieces()");
  testExchange<T>();
  testAtomics<T>();
}

// What both headers promise at compile time and between each other.
constexpr __half oneHalf = __half_raw{0x3c00};
constexpr __half2 twoHalves(oneHalf, oneHalf);
static_assert(sizeof(half) == 2 && alignof(half2) == 4 && bool(oneHalf));
static_assert(std::is_trivially_default_constructible_v<half>);
constexpr __nv_bfloat16 oneBrain = __nv_bfloat16_raw{0x3f80};
__constant__ __half table[2] = {__half_raw{0x3c00}, __half_raw{0x4000}};

__global__ void constants(int *out) {
  out[0] = float(table[1]) == 2.0f && __half2float(CUDART_ONE_FP16) == 1.0f && __hisinf(CUDART_INF_FP16) == 1 &&
           __hisnan(CUDART_NAN_FP16) && __half2float(CUDART_MAX_NORMAL_FP16) == 65504.0f &&
           __half2float(CUDART_MIN_DENORM_FP16) == 0x1p-24f && __half_as_ushort(CUDART_NEG_ZERO_FP16) == 0x8000;
  out[1] = __bfloat162float(CUDART_MAX_NORMAL_BF16) == 0x1.fep127f && __bfloat162float(CUDART_ONE_BF16) == 1.0f;
  out[2] = __half2float(static_cast<__half>(__float2bfloat16(1.5f))) == 1.5f &&
           __bfloat162float(static_cast<__nv_bfloat16>(__float2half(-65504.0f))) == -65536.0f;
  out[3] = __half2float(twoHalves.x) == 1.0f && __bfloat162float(oneBrain) == 1.0f;
  const float2 both = __half22float2(__float22half2_rn(make_float2(1.0f, 2.0f)));
  const float2 brains = __bfloat1622float2(__floats2bfloat162_rn(3.0f, 4.0f));
  out[4] = both.x == 1.0f && both.y == 2.0f && brains.x == 3.0f && brains.y == 4.0f;
  out[5] = __high2float(make_half2(table[0], table[1])) == 2.0f && __low2float(__float2half2_rn(5.0f)) == 5.0f;
}

int main() {
  test<Half>();
  test<Brain>();
  check::DeviceArray<int> out(6, 0);
  constants<<<1, 1>>>(out.get());
  LAUNCH_OK();
  for (int good : out.download()) CHECK(good);
  CHECK_EQ(float(half(1.0f) + half(2.0)), 3.0f);
  CHECK(half(2) > half(1) && half2(half(1), half(2)) == half2(1.0f, 2.0f));
  return check::finish();
}
