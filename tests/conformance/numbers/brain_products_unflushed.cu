// options: -ftz=true
// -ftz=true is for floats: products of bfloat16 have subnormal operands and results all the same.
#include "sixteen_bits.h"

struct Results {
  unsigned short product, sum;
};

__global__ void compute(Results *out, const ushort3 *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_bfloat16 a = Brain::make(in[i].x), b = Brain::make(in[i].y), c = Brain::make(in[i].z);
  out[i] = {Brain::bits(__hmul_rn(a, b)), Brain::bits(__hfma(a, b, c))};
}

// rounded(): products of two have 16 digits, and a double has all digits of what is added here.
static unsigned short rounded(double x) { return exact::bitsOf(exact::brain, exact::roundTo(exact::brain, x)); }

int main() {
  const int n = 4096;
  std::vector<ushort3> in(n);
  exact::Random random;
  for (ushort3 &each : in) {
    // Products from 2^-140 to 2^-110, some of subnormal factors, and addends that are subnormal or zero.
    const unsigned tiny = random() % 0x0900, large = 0x3780 + random() % 0x0600;
    each = {(unsigned short)tiny, (unsigned short)(large | (random() % 2) << 15), (unsigned short)(random() % 0x100)};
    if (random() % 4 == 0) each.z = 0;
  }
  check::DeviceArray<ushort3> device(in);
  check::DeviceArray<Results> out(n);
  compute<<<n / 128, 128>>>(out.get(), device.get(), n);
  LAUNCH_OK();
  const std::vector<Results> results = out.download();
  for (int i = 0; i < n; ++i) {
    const double product = exact::valueOf(exact::brain, in[i].x) * exact::valueOf(exact::brain, in[i].y);
    CHECK_EQ(results[i].product, rounded(product));
    CHECK_EQ(results[i].sum, rounded(product + exact::valueOf(exact::brain, in[i].z)));
  }
  return check::finish();
}
