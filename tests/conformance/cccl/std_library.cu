// cuda::std in kernels and on the host: tuple, array, functional, chrono, limits, complex, bit, type traits, utility.
// needs: cuda/std/tuple cuda/std/chrono cuda/std/bit
#include "../check.h"

#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/ratio>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#if defined(CCCL_VERSION)  // that of libcu++ 1 is not for clang
#include <cuda/std/complex>
#endif

namespace cs = cuda::std;

__host__ __device__ int tuples() {
  auto t = cs::make_tuple(1, 2.5, 'c');
  cs::get<0>(t) += 4;
  int a;
  double b;
  cs::tie(a, b, cs::ignore) = t;
  auto p = cs::make_pair(3, a);
  cs::swap(p.first, p.second);
  return a * 100 + static_cast<int>(b * 10) + p.first + (cs::tuple_size<decltype(t)>::value == 3);
}

__host__ __device__ int arrays() {
  cs::array<int, 4> values = {4, 1, 3, 2};
  int sum = 0;
  for (int value : values) sum = sum * 10 + value;
  const cs::array<int, 4> same = values;
  return sum + (same == values) + static_cast<int>(values.size()) + *(values.end() - 1) + values.front();
}

__host__ __device__ int functional() {
  const auto twice = [](int x) { return 2 * x; };
  return cs::plus<int>()(3, 4) + cs::invoke(twice, 5) + cs::less<int>()(1, 2) + cs::bit_xor<int>()(6, 3);
}

__host__ __device__ bool complexNumbers() {
#if defined(CCCL_VERSION)
  const cs::complex<double> z(3, 4), w = z * cs::conj(z);
  const cs::complex<float> root = cs::sqrt(cs::complex<float>(-4.0f, 0.0f));
  return cs::abs(z) == 5 && w.real() == 25 && w.imag() == 0 && root.imag() > 1.999f && root.imag() < 2.001f;
#else
  return true;
#endif
}

__host__ __device__ bool numbers() {
  using namespace cs::chrono;
  static_assert(cs::is_same<cs::common_type_t<int, double>, double>::value, "");
  static_assert(cs::ratio_multiply<cs::ratio<2, 3>, cs::ratio<3, 4>>::den == 2, "");
  return cs::numeric_limits<int>::max() == 2147483647 && cs::numeric_limits<double>::digits == 53 && complexNumbers() &&
         duration_cast<milliseconds>(seconds(2) + microseconds(1500)).count() == 2001 && hours(1) == minutes(60);
}

__host__ __device__ int bits() {
  using U = cs::uint32_t;
  return cs::popcount(U(0xf0f0)) + cs::countl_zero(U(1)) * 10 + cs::countr_zero(U(64)) +
         static_cast<int>(cs::rotl(U(0x80000001), 4)) + cs::has_single_bit(U(8));
}

__host__ __device__ void everything(int *result) {
  result[0] = tuples();
  result[1] = arrays();
  result[2] = functional();
  result[3] = numbers();
  result[4] = bits();
}

__global__ void onDevice(int *result) { everything(result); }

// The accuracy and the saturation of CUDA's own functions.
__global__ void mathematics(double value, int *wrong) {
  *wrong = (cs::cbrt(27 * value) != 3) + 2 * (cs::log10(1000 * value) != 3) +
           4 * (cs::fabs(cs::tgamma(float(5 * value)) - 24) > 1e-5f) +
           8 * (cs::lround(1e300 * value) != cs::numeric_limits<long>::max()) +
           16 * (cs::llrint(float(-1e30 * value)) != cs::numeric_limits<long long>::lowest()) +
           32 * (cs::lround(-2.5 * value) != -3) + 64 * (cs::lrint(2.5f * float(value)) != 2);
}

// Both clocks run forward inside a kernel.
__global__ void clocks(int *backward) {
  const auto before = cs::chrono::high_resolution_clock::now();
  __nanosleep(1000);
  const auto after = cs::chrono::high_resolution_clock::now();
  if (after < before || cs::chrono::system_clock::now().time_since_epoch().count() <= 0) *backward = 1;
}

int main() {
  int expected[5] = {529 + 5 - 4 + 1 + 1, 4132 + 1 + 4 + 2 + 4, 7 + 10 + 1 + 5, 1, 8 + 310 + 6 + 0x18 + 1};
  expected[0] = 5 * 100 + 25 + 5 + 1;
  int onHost[5];
  everything(onHost);
  check::DeviceArray<int> result(5), backward(1, 0);
  onDevice<<<1, 1>>>(result.get());
  LAUNCH_OK();
  const auto values = result.download();
  for (int i = 0; i < 5; ++i) {
    CHECK_EQ(onHost[i], expected[i]);
    CHECK_EQ(values[i], expected[i]);
  }
  clocks<<<1, 1>>>(backward.get());
  LAUNCH_OK();
  CHECK_EQ(backward.download()[0], 0);
  mathematics<<<1, 1>>>(1, backward.get());
  LAUNCH_OK();
  CHECK_EQ(backward.download()[0], 0);
  return check::finish();
}
