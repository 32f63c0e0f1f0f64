// A kernel that converts numbers of 8 bits by the header's classes and by inline PTX has two functions of one name,
// which take their arguments in different ways.
#include <cuda_fp8.h>

#include "../conformance/check.h"

__global__ void convert(unsigned short pair, unsigned *out) {
  unsigned both;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(both) : "h"(pair));
  out[0] = both;
  __nv_fp8_e4m3 low;
  low.__x = static_cast<unsigned char>(pair);
  out[1] = static_cast<float>(low);
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(both) : "h"(pair));
  out[2] = both;
  __nv_fp8_e5m2 rounded(3.3f);
  out[3] = static_cast<float>(rounded) * 10;
  unsigned short back;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(back) : "f"(1.0f), "f"(2.0f));
  out[4] = back;
}

int main() {
  check::DeviceArray<unsigned> out(5);
  convert<<<1, 1>>>(0x3840, out.get());
  LAUNCH_OK();
  const std::vector<unsigned> host = out.download();
  CHECK_EQ(host[0], 0x3c004000u);
  CHECK_EQ(host[1], 2u);
  CHECK_EQ(host[2], 0x38004000u);
  CHECK_EQ(host[3], 35u);
  CHECK_EQ(host[4], 0x3840u);
  return check::finish();
}
