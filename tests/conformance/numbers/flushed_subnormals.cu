// options: -ftz=true
// -ftz=true makes subnormal floats zero in arithmetic; not in inline PTX without .ftz, in numbers that are only moved,
// and in what the compiler computes for the source's constant expressions. Doubles keep theirs.
#include <cstring>

#include "../check.h"

namespace {

constexpr unsigned subnormal = 0x000AE398;  // 1e-39f
constexpr unsigned results = 10;

__device__ float ptxSum(float x, float y) {
  float sum;
  asm("add.f32 %0, %1, %2;" : "=f"(sum) : "f"(x), "f"(y));
  return sum;
}
__device__ float ptxFlushedSum(float x, float y) {
  float sum;
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(sum) : "f"(x), "f"(y));
  return sum;
}
// A warp's collective and a sum in one statement, as CUB has them.
__device__ float ptxPairSum(float x) {
  float sum;
  asm volatile("{ .reg .f32 r; .reg .pred p; shfl.sync.bfly.b32 r|p, %1, 1, 31, 0xffffffff; add.f32 %0, r, %1; }"
               : "=f"(sum)
               : "f"(x));
  return sum;
}

__global__ void numbers(unsigned *out, const float *in) {
  const float x = in[threadIdx.x];
  unsigned *mine = out + threadIdx.x * results;
  mine[0] = __float_as_uint(x + 0.f);
  mine[1] = __float_as_uint(ptxSum(x, 0.f));
  mine[2] = __float_as_uint(ptxFlushedSum(x, 0.f));
  mine[3] = __float_as_uint(ptxSum(x, x));
  mine[4] = __float_as_uint(ptxPairSum(x));
  mine[5] = __float_as_uint(ptxSum(x, 0.f) * 1e10f);
  mine[6] = __float_as_uint(x);
  mine[7] = __float_as_uint(1e-38f * 0.1f);
  const float small = 1e-38f;
  float tenth = 0.1f;
  mine[8] = __float_as_uint(small * tenth);
  mine[9] = __float_as_uint(__fmul_rn(x, 2.f));
}

__global__ void doubles(double *out, double x, float y) {
  out[0] = x * 0.5;
  out[1] = x - x * 0.25;
  out[2] = static_cast<double>(y);
  out[3] = static_cast<double>(static_cast<float>(x + 1e-39));
}

void runDoubles() {
  const check::DeviceArray<double> out(4);
  const double x = 4e-310;
  doubles<<<1, 1>>>(out.get(), x, 1e-39f);
  LAUNCH_OK();
  const std::vector<double> found = out.download();
  CHECK_EQ(found[0], 2e-310);
  CHECK_EQ(found[1], 3e-310);
  // The float that is converted is zero, or becomes it.
  CHECK_EQ(found[2], 0.0);
  CHECK_EQ(found[3], 0.0);
}

float fromBits(unsigned bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

void run() {
  constexpr unsigned threads = 32;
  std::vector<float> inputs;
  for (unsigned i = 0; i < threads; ++i) inputs.push_back(fromBits(subnormal + i));
  const check::DeviceArray<float> in(inputs);
  const check::DeviceArray<unsigned> out(threads * results);
  numbers<<<1, threads>>>(out.get(), in.get());
  LAUNCH_OK();
  const std::vector<unsigned> found = out.download();
  for (unsigned i = 0; i < threads; ++i) {
    const unsigned x = subnormal + i, other = subnormal + (i ^ 1), *mine = &found[i * results];
    // Sums of subnormal numbers are sums of their bits.
    const unsigned expected[results] = {0, x, 0, 2 * x, x + other, 0, x, subnormal, 0, 0};
    for (unsigned j = 0; j < results; ++j) CHECK_EQ(mine[j], expected[j]);
  }
}

}  // namespace

int main() {
  run();
  runDoubles();
  return check::finish();
}
