// Integer intrinsics against plain C on edge values.
#include "../check.h"

#include <climits>

struct Results {
  int popc, popcll, clz, clzll, ffs, ffsll, mulhi, mul24, sad, hadd, rhadd;
  unsigned brev, bytePerm, umulhi, umul24, usad, funnelL, funnelR, funnelLc, uhadd, urhadd;
  unsigned long long brevll, umul64hi;
  long long mul64hi;
};

__global__ void run(Results *out, const unsigned *a, const unsigned *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = a[i], y = b[i];
  const unsigned long long wide = (unsigned long long)x << 32 | y;
  Results &r = out[i];
  r.popc = __popc(x);
  r.popcll = __popcll(wide);
  r.clz = __clz(x);
  r.clzll = __clzll(wide);
  r.ffs = __ffs(x);
  r.ffsll = __ffsll(wide);
  r.mulhi = __mulhi((int)x, (int)y);
  r.mul24 = __mul24((int)x, (int)y);
  r.sad = __sad((int)x, (int)y, 5);
  r.hadd = __hadd((int)x, (int)y);
  r.rhadd = __rhadd((int)x, (int)y);
  r.brev = __brev(x);
  r.bytePerm = __byte_perm(x, y, 0x7531);
  r.umulhi = __umulhi(x, y);
  r.umul24 = __umul24(x, y);
  r.usad = __usad(x, y, 7u);
  r.funnelL = __funnelshift_l(x, y, y & 63);
  r.funnelR = __funnelshift_r(x, y, x & 63);
  r.funnelLc = __funnelshift_lc(x, y, x & 63);
  r.uhadd = __uhadd(x, y);
  r.urhadd = __urhadd(x, y);
  r.brevll = __brevll(wide);
  r.umul64hi = __umul64hi(wide, ~wide);
  r.mul64hi = __mul64hi((long long)wide, (long long)~wide);
}

template <class T>
static int bits(T v) {
  int n = 0;
  for (; v; v &= v - 1) ++n;
  return n;
}
template <class T>
static int firstSet(T v) {
  for (int i = 0; i < int(sizeof(T)) * 8; ++i)
    if (v >> i & 1) return i + 1;
  return 0;
}
template <class T>
static int leading(T v) {
  for (int i = sizeof(T) * 8; i-- > 0;)
    if (v >> i & 1) return sizeof(T) * 8 - 1 - i;
  return sizeof(T) * 8;
}
template <class T>
static T reverse(T v) {
  T r = 0;
  for (size_t i = 0; i < sizeof(T) * 8; ++i) r |= (v >> i & 1) << (sizeof(T) * 8 - 1 - i);
  return r;
}
static int sign24(unsigned v) { return (int)(v << 8) >> 8; }

static void judge(const Results &r, unsigned x, unsigned y) {
  const unsigned long long wide = (unsigned long long)x << 32 | y;
  const long long sx = (int)x, sy = (int)y;
  const unsigned bytes[8] = {x & 255, x >> 8 & 255, x >> 16 & 255, x >> 24,
                             y & 255, y >> 8 & 255, y >> 16 & 255, y >> 24};
  const unsigned long long both = (unsigned long long)y << 32 | x;
  CHECK_EQ(r.popc, bits(x));
  CHECK_EQ(r.popcll, bits(wide));
  CHECK_EQ(r.clz, leading(x));
  CHECK_EQ(r.clzll, leading(wide));
  CHECK_EQ(r.ffs, firstSet(x));
  CHECK_EQ(r.ffsll, firstSet(wide));
  CHECK_EQ(r.mulhi, (int)(sx * sy >> 32));
  CHECK_EQ(r.mul24, (int)((long long)sign24(x) * sign24(y)));
  CHECK_EQ((unsigned)r.sad, (unsigned)(sx > sy ? sx - sy : sy - sx) + 5);
  CHECK_EQ(r.hadd, (int)((sx + sy) >> 1));
  CHECK_EQ(r.rhadd, (int)((sx + sy + 1) >> 1));
  CHECK_EQ(r.brev, reverse(x));
  CHECK_EQ(r.bytePerm, bytes[1] | bytes[3] << 8 | bytes[5] << 16 | bytes[7] << 24);
  CHECK_EQ(r.umulhi, (unsigned)((unsigned long long)x * y >> 32));
  CHECK_EQ(r.umul24, (unsigned)((unsigned long long)(x & 0xFFFFFF) * (y & 0xFFFFFF)));
  CHECK_EQ(r.usad, (x > y ? x - y : y - x) + 7);
  CHECK_EQ(r.funnelL, (unsigned)(both << (y & 31) >> 32));
  CHECK_EQ(r.funnelR, (unsigned)(both >> (x & 31)));
  CHECK_EQ(r.funnelLc, (x & 63) >= 32 ? x : (unsigned)(both << (x & 31) >> 32));
  CHECK_EQ(r.uhadd, (unsigned)(((unsigned long long)x + y) >> 1));
  CHECK_EQ(r.urhadd, (unsigned)(((unsigned long long)x + y + 1) >> 1));
  CHECK_EQ(r.brevll, reverse(wide));
  CHECK_EQ(r.umul64hi, (unsigned long long)((unsigned __int128)wide * ~wide >> 64));
  CHECK_EQ(r.mul64hi, (long long)((__int128)(long long)wide * (long long)~wide >> 64));
}

int main() {
  const std::vector<unsigned> values = {0,          1,          2,          31,         32,
                                        0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x00FFFFFF, 0x00800000,
                                        0x12345678, 0xDEADBEEF, 0x55555555, 0xAAAAAAAA};
  std::vector<unsigned> a, b;
  for (unsigned x : values)
    for (unsigned y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  check::DeviceArray<unsigned> da(a), db(b);
  check::DeviceArray<Results> out(a.size());
  run<<<(a.size() + 31) / 32, 32>>>(out.get(), da.get(), db.get(), a.size());
  LAUNCH_OK();
  const std::vector<Results> host = out.download();
  for (size_t i = 0; i < a.size(); ++i) judge(host[i], a[i], b[i]);
  return check::finish();
}
