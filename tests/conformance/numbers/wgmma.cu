// wgmma: products of matrices in shared memory and registers, for each element type, in every layout that matrix
// descriptors know.
// options: -gencode arch=compute_90a,code=sm_90a
#include "../check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>

typedef unsigned long long u64;

#define D4 "{%0,%1,%2,%3}"
#define R4 "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
#define SS4(text, after)                                                                                             \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %6, 0; wgmma.mma_async.sync.aligned." text " " D4 ", %4, %5, p" after \
               "; }"                                                                                                 \
               : R4                                                                                                  \
               : "l"(a), "l"(b), "r"(addsToD)                                                                        \
               : "memory")
#define RS4(text, after)                                                                         \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %9, 0; wgmma.mma_async.sync.aligned." text " " D4 \
               ", {%4,%5,%6,%7}, %8, p" after "; }"                                              \
               : R4                                                                              \
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b), "r"(addsToD)            \
               : "memory")
#define D8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define R8 "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
#define SS8(text, after)                                                                                              \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %10, 0; wgmma.mma_async.sync.aligned." text " " D8 ", %8, %9, p" after \
               "; }"                                                                                                  \
               : R8                                                                                                   \
               : "l"(a), "l"(b), "r"(addsToD)                                                                         \
               : "memory")
#define RS8(text, after)                                                                          \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %13, 0; wgmma.mma_async.sync.aligned." text " " D8 \
               ", {%8,%9,%10,%11}, %12, p" after "; }"                                            \
               : R8                                                                               \
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b), "r"(addsToD)             \
               : "memory")
#define D12 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11}"
#define R12                                                                                                   \
  "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]), \
      "+r"(d[9]), "+r"(d[10]), "+r"(d[11])
#define SS12(text, after)                                                                          \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %14, 0; wgmma.mma_async.sync.aligned." text " " D12 \
               ", %12, %13, p" after "; }"                                                         \
               : R12                                                                               \
               : "l"(a), "l"(b), "r"(addsToD)                                                      \
               : "memory")
#define RS12(text, after)                                                                          \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %17, 0; wgmma.mma_async.sync.aligned." text " " D12 \
               ", {%12,%13,%14,%15}, %16, p" after "; }"                                           \
               : R12                                                                               \
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b), "r"(addsToD)              \
               : "memory")
#define D16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define R16                                                                                                   \
  "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]), \
      "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15])
#define SS16(text, after)                                                                          \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %18, 0; wgmma.mma_async.sync.aligned." text " " D16 \
               ", %16, %17, p" after "; }"                                                         \
               : R16                                                                               \
               : "l"(a), "l"(b), "r"(addsToD)                                                      \
               : "memory")
#define RS16(text, after)                                                                          \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %21, 0; wgmma.mma_async.sync.aligned." text " " D16 \
               ", {%16,%17,%18,%19}, %20, p" after "; }"                                           \
               : R16                                                                               \
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b), "r"(addsToD)              \
               : "memory")
#define D32                                                                                                          \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%" \
  "30,%31}"
#define R32                                                                                                   \
  "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]), \
      "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),  \
      "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]), \
      "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31])
#define SS32(text, after)                                                                          \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %34, 0; wgmma.mma_async.sync.aligned." text " " D32 \
               ", %32, %33, p" after "; }"                                                         \
               : R32                                                                               \
               : "l"(a), "l"(b), "r"(addsToD)                                                      \
               : "memory")
#define RS32(text, after)                                                                          \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %37, 0; wgmma.mma_async.sync.aligned." text " " D32 \
               ", {%32,%33,%34,%35}, %36, p" after "; }"                                           \
               : R32                                                                               \
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b), "r"(addsToD)              \
               : "memory")
#define D128                                                                                                         \
  "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%" \
  "30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%" \
  "58,%59,%60,%61,%62,%63,%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,%80,%81,%82,%83,%84,%85,%" \
  "86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%"  \
  "111,%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127}"
#define R128                                                                                                          \
  "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]), "+r"(d[8]),         \
      "+r"(d[9]), "+r"(d[10]), "+r"(d[11]), "+r"(d[12]), "+r"(d[13]), "+r"(d[14]), "+r"(d[15]), "+r"(d[16]),          \
      "+r"(d[17]), "+r"(d[18]), "+r"(d[19]), "+r"(d[20]), "+r"(d[21]), "+r"(d[22]), "+r"(d[23]), "+r"(d[24]),         \
      "+r"(d[25]), "+r"(d[26]), "+r"(d[27]), "+r"(d[28]), "+r"(d[29]), "+r"(d[30]), "+r"(d[31]), "+r"(d[32]),         \
      "+r"(d[33]), "+r"(d[34]), "+r"(d[35]), "+r"(d[36]), "+r"(d[37]), "+r"(d[38]), "+r"(d[39]), "+r"(d[40]),         \
      "+r"(d[41]), "+r"(d[42]), "+r"(d[43]), "+r"(d[44]), "+r"(d[45]), "+r"(d[46]), "+r"(d[47]), "+r"(d[48]),         \
      "+r"(d[49]), "+r"(d[50]), "+r"(d[51]), "+r"(d[52]), "+r"(d[53]), "+r"(d[54]), "+r"(d[55]), "+r"(d[56]),         \
      "+r"(d[57]), "+r"(d[58]), "+r"(d[59]), "+r"(d[60]), "+r"(d[61]), "+r"(d[62]), "+r"(d[63]), "+r"(d[64]),         \
      "+r"(d[65]), "+r"(d[66]), "+r"(d[67]), "+r"(d[68]), "+r"(d[69]), "+r"(d[70]), "+r"(d[71]), "+r"(d[72]),         \
      "+r"(d[73]), "+r"(d[74]), "+r"(d[75]), "+r"(d[76]), "+r"(d[77]), "+r"(d[78]), "+r"(d[79]), "+r"(d[80]),         \
      "+r"(d[81]), "+r"(d[82]), "+r"(d[83]), "+r"(d[84]), "+r"(d[85]), "+r"(d[86]), "+r"(d[87]), "+r"(d[88]),         \
      "+r"(d[89]), "+r"(d[90]), "+r"(d[91]), "+r"(d[92]), "+r"(d[93]), "+r"(d[94]), "+r"(d[95]), "+r"(d[96]),         \
      "+r"(d[97]), "+r"(d[98]), "+r"(d[99]), "+r"(d[100]), "+r"(d[101]), "+r"(d[102]), "+r"(d[103]), "+r"(d[104]),    \
      "+r"(d[105]), "+r"(d[106]), "+r"(d[107]), "+r"(d[108]), "+r"(d[109]), "+r"(d[110]), "+r"(d[111]), "+r"(d[112]), \
      "+r"(d[113]), "+r"(d[114]), "+r"(d[115]), "+r"(d[116]), "+r"(d[117]), "+r"(d[118]), "+r"(d[119]), "+r"(d[120]), \
      "+r"(d[121]), "+r"(d[122]), "+r"(d[123]), "+r"(d[124]), "+r"(d[125]), "+r"(d[126]), "+r"(d[127])
#define SS128(text, after)                                                                           \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %130, 0; wgmma.mma_async.sync.aligned." text " " D128 \
               ", %128, %129, p" after "; }"                                                         \
               : R128                                                                                \
               : "l"(a), "l"(b), "r"(addsToD)                                                        \
               : "memory")
#define RS128(text, after)                                                                           \
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %133, 0; wgmma.mma_async.sync.aligned." text " " D128 \
               ", {%128,%129,%130,%131}, %132, p" after "; }"                                        \
               : R128                                                                                \
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b), "r"(addsToD)                \
               : "memory")

enum Type { F16, BF16, TF32, E4M3, E5M2, S8, U8, B1, F32, S32 };

struct Instruction {
  const char *name;
  int n, k;
  Type d, a, b;
  bool registersA;
  int sign;
  bool alongM, alongN;  // how A and B lie in shared memory
};

static const Instruction instructions[] = {
    {"f32.f16, n8", 8, 16, F32, F16, F16, false, 1, false, false},
    {"f32.f16, n8, transposed", 8, 16, F32, F16, F16, false, 1, true, true},
    {"f16.f16, n32, B transposed", 32, 16, F16, F16, F16, false, 1, false, true},
    {"f32.bf16, n64, A in registers", 64, 16, F32, BF16, BF16, true, 1, false, true},
    {"f32.bf16, n64, negative", 64, 16, F32, BF16, BF16, false, -1, true, false},
    {"f32.tf32, n32", 32, 8, F32, TF32, TF32, false, 1, false, false},
    {"f32.e4m3.e5m2, n32", 32, 32, F32, E4M3, E5M2, false, 1, false, false},
    {"f16.e5m2.e4m3, n16, A in registers", 16, 32, F16, E5M2, E4M3, true, -1, false, false},
    {"s32.s8.u8, n32", 32, 32, S32, S8, U8, false, 1, false, false},
    {"s32.u8.s8.satfinite, n16, A in registers", 16, 32, S32, U8, S8, true, 1, false, false},
    {"s32.b1.and, n8", 8, 256, S32, B1, B1, false, 1, false, false},
    {"s32.b1.and, n24, A in registers", 24, 256, S32, B1, B1, true, 1, false, false},
    {"f32.f16, n256", 256, 16, F32, F16, F16, false, 1, false, false},
    {"f32.f16, n256, transposed", 256, 16, F32, F16, F16, false, 1, true, true},
    {"f32.tf32, n64, A in registers", 64, 8, F32, TF32, TF32, true, -1, false, false},
};

// Only sm_90a has these instructions; nvcc may make code for others beside it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
__device__ void multiply(unsigned *d, const unsigned *ra, u64 a, u64 b, unsigned addsToD, int which) {
  switch (which) {
    case 0:
      SS4("m64n8k16.f32.f16.f16", ", 1, 1, 0, 0");
      break;
    case 1:
      SS4("m64n8k16.f32.f16.f16", ", 1, 1, 1, 1");
      break;
    case 2:
      SS8("m64n32k16.f16.f16.f16", ", 1, 1, 0, 1");
      break;
    case 3:
      RS32("m64n64k16.f32.bf16.bf16", ", 1, 1, 1");
      break;
    case 4:
      SS32("m64n64k16.f32.bf16.bf16", ", -1, 1, 1, 0");
      break;
    case 5:
      SS16("m64n32k8.f32.tf32.tf32", ", 1, 1");
      break;
    case 6:
      SS16("m64n32k32.f32.e4m3.e5m2", ", -1, -1");
      break;
    case 7:
      RS4("m64n16k32.f16.e5m2.e4m3", ", 1, -1");
      break;
    case 8:
      SS16("m64n32k32.s32.s8.u8", "");
      break;
    case 9:
      RS8("m64n16k32.s32.u8.s8.satfinite", "");
      break;
    case 10:
      SS4("m64n8k256.s32.b1.b1.and.popc", "");
      break;
    case 11:
      RS12("m64n24k256.s32.b1.b1.and.popc", "");
      break;
    case 12:
      SS128("m64n256k16.f32.f16.f16", ", 1, 1, 0, 0");
      break;
    case 13:
      SS128("m64n256k16.f32.f16.f16", ", 1, 1, 1, 1");
      break;
    case 14:
      RS32("m64n64k8.f32.tf32.tf32", ", 1, -1");
      break;
  }
}
#endif

struct Task {
  u64 a, b;  // descriptors, whose addresses are offsets in `image`
  unsigned bytes, addsToD;
  int which;
};

__global__ void __launch_bounds__(128)
    run(unsigned (*out)[128], const uint4 *image, const unsigned (*registersA)[4], Task task) {
  extern __shared__ __align__(1024) uint4 shared[];
  for (unsigned i = threadIdx.x; i < task.bytes / 16; i += blockDim.x) shared[i] = image[i];
  unsigned d[128], ra[4];
  for (int i = 0; i < 128; ++i) d[i] = out[threadIdx.x][i];
  for (int i = 0; i < 4; ++i) ra[i] = registersA[threadIdx.x][i];
  const u64 base = (unsigned(__cvta_generic_to_shared(shared)) & 0x3ffff) >> 4;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  multiply(d, ra, task.a + base, task.b + base, task.addsToD, task.which);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
  for (int i = 0; i < 128; ++i) out[threadIdx.x][i] = d[i];
}

static int bitsOf(Type type) {
  static const int bits[] = {16, 16, 32, 8, 8, 8, 8, 1, 32, 32};
  return bits[type];
}

static int element(Type type, int salt, int i) {
  const int x = (i * 5 + i / 7 + salt) % 7;
  return type == B1 ? x & 1 : type == U8 ? x : x - 3;
}
static int elementA(const Instruction &w, int m, int k) { return element(w.a, 1, m * 37 + k * 3 + m / 8); }
static int elementB(const Instruction &w, int k, int n) { return element(w.b, 2, n * 41 + k * 5 + n / 16); }

static unsigned encode(Type type, int x) {
  const float f = float(x);
  unsigned bits;
  switch (type) {
    case F16:
      return __half_as_ushort(__float2half(f));
    case BF16:
      memcpy(&bits, &f, 4);
      return bits >> 16;
    case TF32:
    case F32:
      memcpy(&bits, &f, 4);
      return bits;
    case E4M3:
      return __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3);
    case E5M2:
      return __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2);
    case S8:
    case U8:
      return unsigned(x) & 255;
    default:
      return unsigned(x);
  }
}

// Layout is a swizzling mode's number in descriptors with its span; `start` moves the matrix inside of its span.
struct Layout {
  const char *name;
  unsigned mode, span, start;
};
static const Layout layouts[] = {{"no swizzle", 0, 16, 0},
                                 {"32 bytes", 3, 32, 0},
                                 {"64 bytes", 2, 64, 0},
                                 {"128 bytes", 1, 128, 0},
                                 {"64 bytes, second step", 2, 64, 32},
                                 {"128 bytes, last step", 1, 128, 96}};

struct Strides {
  unsigned leading, stride;
};
static Strides stridesOf(const Layout &layout, bool alongMajor) {
  if (layout.mode) return alongMajor ? Strides{16 * layout.span, 8 * layout.span} : Strides{16, 8 * layout.span};
  return {128, 256};
}

// bitOffset() is where an element lies, in bits from the beginning of its matrix.
static unsigned bitOffset(const Layout &layout, bool alongMajor, int bits, unsigned major, unsigned k) {
  const Strides s = stridesOf(layout, alongMajor);
  const unsigned along = (alongMajor ? major : k) * unsigned(bits), across = alongMajor ? k : major;
  const unsigned chunk = along / 128, row = across % 8, unit = across / 8;
  unsigned bytes;
  if (!layout.mode)
    bytes = row * 16 + (alongMajor ? chunk * s.stride + unit * s.leading : chunk * s.leading + unit * s.stride);
  else
    bytes =
        row * layout.span + chunk % (layout.span / 16) * 16 + chunk / (layout.span / 16) * s.leading + unit * s.stride;
  if (!alongMajor) bytes += layout.start;
  const unsigned swizzled = bytes ^ (bytes >> 7 & (layout.span / 16 - 1)) << 4;
  return swizzled * 8 + along % 128;
}

static void put(std::vector<char> &image, unsigned at, unsigned bit, int bits, unsigned value) {
  const unsigned byte = at + bit / 8;
  if (bits < 8)
    image[byte] = char(image[byte] | value << bit % 8);
  else
    memcpy(&image[byte], &value, size_t(bits / 8));
}

constexpr unsigned placeB = 16384, imageBytes = placeB + 49152 - 16384;

static u64 descriptor(const Layout &layout, bool alongMajor, unsigned at) {
  const Strides s = stridesOf(layout, alongMajor);
  const unsigned start = at + (alongMajor ? 0 : layout.start);
  return u64(start >> 4) | u64(s.leading >> 4) << 16 | u64(s.stride >> 4) << 32 | u64(layout.mode) << 62;
}

static std::vector<unsigned> packA(const Instruction &w) {
  std::vector<unsigned> registers(128 * 4);
  const int bits = bitsOf(w.a), perWord = 32 / bits;
  for (int thread = 0; thread < 128; ++thread)
    for (int word = 0; word < 4; ++word)
      for (int e = 0; e < perWord; ++e) {
        const int row = thread / 32 * 16 + thread % 32 / 4 + 8 * (word % 2);
        const int column = 4 * perWord * (word / 2) + thread % 4 * perWord + e;
        registers[size_t(thread * 4 + word)] |= encode(w.a, elementA(w, row, column)) << e * bits;
      }
  return registers;
}

static int initialD(int row, int column) { return row - 2 * (column % 16); }

static double valueOf(const Instruction &w, const unsigned *d, int i) {
  if (w.d == S32) return int(d[i]);
  if (w.d == F16) return __half2float(__ushort_as_half((unsigned short)(d[i / 2] >> i % 2 * 16)));
  float f;
  memcpy(&f, &d[i], 4);
  return f;
}

template <class Visit>
static void forEachOfD(const Instruction &w, Visit visit) {
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < w.n / 2; ++i)
      visit(thread, i, thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2), i / 4 * 8 + thread % 4 * 2 + i % 2);
}

static void test(int which, const Layout &layout, bool addsToD) {
  const Instruction &w = instructions[which];
  std::vector<char> image(imageBytes, 0);
  for (unsigned k = 0; k < unsigned(w.k); ++k) {
    for (unsigned m = 0; m < 64; ++m)
      put(image, 0, bitOffset(layout, w.alongM, bitsOf(w.a), m, k), bitsOf(w.a),
          encode(w.a, elementA(w, int(m), int(k))));
    for (unsigned n = 0; n < unsigned(w.n); ++n)
      put(image, placeB, bitOffset(layout, w.alongN, bitsOf(w.b), n, k), bitsOf(w.b),
          encode(w.b, elementB(w, int(k), int(n))));
  }
  std::vector<unsigned> d(128 * 128, 0);
  forEachOfD(w, [&](int thread, int i, int row, int column) {
    unsigned *words = &d[size_t(thread * 128)];
    const unsigned bits = encode(w.d, initialD(row, column));
    if (w.d == F16)
      words[i / 2] |= bits << i % 2 * 16;
    else
      words[i] = bits;
  });
  check::DeviceArray<char> memory(image);
  check::DeviceArray<unsigned> out(d), registers(packA(w));
  const Task task{descriptor(layout, w.alongM, 0), descriptor(layout, w.alongN, placeB), imageBytes, addsToD, which};
  run<<<1, 128, imageBytes>>>(reinterpret_cast<unsigned(*)[128]>(out.get()),
                              reinterpret_cast<const uint4 *>(memory.get()),
                              reinterpret_cast<const unsigned(*)[4]>(registers.get()), task);
  LAUNCH_OK();
  d = out.download();
  int wrong = 0;
  forEachOfD(w, [&](int thread, int i, int row, int column) {
    int sum = 0;
    for (int k = 0; k < w.k; ++k) sum += elementA(w, row, k) * elementB(w, k, column);
    sum = w.sign * sum + (addsToD ? initialD(row, column) : 0);
    const double actual = valueOf(w, &d[size_t(thread * 128)], i);
    if (actual == sum || wrong++) return;
    char text[160];
    snprintf(text, sizeof text, "%s, %s: row %d, column %d is %g, expected %d", w.name, layout.name, row, column,
             actual, sum);
    check::fail(__FILE__, __LINE__, text);
  });
}

int main() {
  for (int which = 0; which < int(sizeof instructions / sizeof *instructions); ++which)
    for (const Layout &layout : layouts) {
      // A matrix along m or n fills its span, so that it cannot begin in the middle.
      if (layout.start && (instructions[which].alongM || instructions[which].alongN)) continue;
      test(which, layout, true);
    }
  test(0, layouts[0], false);
  test(8, layouts[3], false);
  return check::finish();
}
