// mma and mma.sp with .kind: products of floats of 8, 6 and 4 bits, and of blocks with scales. Sums are exact, so that
// their order does not matter.
// options: -gencode arch=compute_120a,code=sm_120a
// device: rtx5090
#include "../check.h"

#include <cuda_fp16.h>

#include <cmath>
#include <cstring>

struct Registers {
  unsigned a[4], b[4], c[4], metadata, scaleA, scaleB;
};

enum Form { dense, halves, sparse, scaled, scaledSparse };
enum Type { e4m3, e5m2, e3m2, e2m3, e2m1, ue8m0, ue4m3 };

// X(form, kind, k, type of A, type of B, scales, their type, {byte-id, thread-id} of A, of B)
#define PRODUCTS(X)                                               \
  X(dense, f8f6f4, 32, e4m3, e2m1, 0, ue8m0, 0, 0, 0, 0)          \
  X(dense, f8f6f4, 32, e5m2, e4m3, 0, ue8m0, 0, 0, 0, 0)          \
  X(dense, f8f6f4, 32, e3m2, e5m2, 0, ue8m0, 0, 0, 0, 0)          \
  X(dense, f8f6f4, 32, e2m3, e3m2, 0, ue8m0, 0, 0, 0, 0)          \
  X(dense, f8f6f4, 32, e2m1, e2m3, 0, ue8m0, 0, 0, 0, 0)          \
  X(halves, f8f6f4, 32, e2m1, e3m2, 0, ue8m0, 0, 0, 0, 0)         \
  X(sparse, f8f6f4, 64, e4m3, e2m3, 0, ue8m0, 0, 0, 0, 0)         \
  X(sparse, f8f6f4, 64, e2m1, e3m2, 0, ue8m0, 0, 0, 0, 0)         \
  X(scaled, mxf8f6f4, 32, e4m3, e4m3, 1, ue8m0, 0, 0, 0, 0)       \
  X(scaled, mxf8f6f4, 32, e5m2, e2m1, 1, ue8m0, 3, 1, 1, 3)       \
  X(scaled, mxf8f6f4, 32, e2m3, e5m2, 1, ue8m0, 1, 0, 2, 2)       \
  X(scaled, mxf4, 64, e2m1, e2m1, 2, ue8m0, 0, 0, 0, 0)           \
  X(scaled, mxf4, 64, e2m1, e2m1, 2, ue8m0, 2, 1, 0, 1)           \
  X(scaled, mxf4nvf4, 64, e2m1, e2m1, 2, ue8m0, 0, 1, 2, 3)       \
  X(scaled, mxf4nvf4, 64, e2m1, e2m1, 4, ue4m3, 0, 0, 0, 0)       \
  X(scaled, mxf4nvf4, 64, e2m1, e2m1, 4, ue4m3, 0, 1, 0, 2)       \
  X(scaledSparse, mxf8f6f4, 64, e3m2, e4m3, 1, ue8m0, 2, 1, 3, 1) \
  X(scaledSparse, mxf4, 128, e2m1, e2m1, 2, ue8m0, 2, 0, 0, 3)    \
  X(scaledSparse, mxf4nvf4, 128, e2m1, e2m1, 4, ue4m3, 0, 1, 0, 0)

struct Product {
  const char *name;
  Form form;
  int k;
  Type a, b;
  int scales;
  Type scaleType;
  int byteA, threadA, byteB, threadB;

  bool isSparse() const { return form == sparse || form == scaledSparse; }
  int bits() const { return k == 32 * (isSparse() ? 2 : 1) ? 8 : 4; }  // that an element has in its register
};
#define ROW(form, kind, k, a, b, scales, type, byteA, threadA, byteB, threadB) \
  {#form " " #kind " " #a " " #b " " #scales "X " #type, form, k, a, b, scales, type, byteA, threadA, byteB, threadB},
static const Product products[] = {PRODUCTS(ROW)};

#define D4 "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
#define A4 "r"(r.a[0]), "r"(r.a[1]), "r"(r.a[2]), "r"(r.a[3])
#define B2 "r"(r.b[0]), "r"(r.b[1])
#define B4 B2, "r"(r.b[2]), "r"(r.b[3])
#define C2 "r"(r.c[0]), "r"(r.c[1])
#define C4 C2, "r"(r.c[2]), "r"(r.c[3])
#define SCALES(byteA, threadA, byteB, threadB) \
  "r"(r.scaleA), "n"(byteA), "n"(threadA), "r"(r.scaleB), "n"(byteB), "n"(threadB)
#define DENSE "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13}"
#define SPARSE "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, 0"
#define SHAPE(k, d, a, b) ".m16n8k" #k ".row.col." #d "." #a "." #b "." #d
#define SCALED(kind, k, a, b, scales, type) \
  "kind::" #kind ".block_scale.scale_vec::" #scales "X" SHAPE(k, f32, a, b) "." #type " "

#define RUN_dense(kind, k, a, b, ...) \
  asm("mma.sync.aligned.kind::" #kind SHAPE(k, f32, a, b) " " DENSE ";" : D4 : A4, B2, C4)
#define RUN_halves(kind, k, a, b, ...)                                                                 \
  asm("mma.sync.aligned.kind::" #kind SHAPE(k, f16, a, b) " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" \
      : "=r"(d[0]), "=r"(d[1])                                                                         \
      : A4, B2, C2)
#define RUN_sparse(kind, k, a, b, ...)                                                        \
  asm("mma.sp::ordered_metadata.sync.aligned.kind::" #kind SHAPE(k, f32, a, b) " " SPARSE ";" \
      : D4                                                                                    \
      : A4, B4, C4, "r"(r.metadata))
#define RUN_scaled(kind, k, a, b, scales, type, ...)                                                    \
  asm("mma.sync.aligned." SCALED(kind, k, a, b, scales, type) DENSE ", %14, {%15,%16}, %17, {%18,%19};" \
      : D4                                                                                              \
      : A4, B2, C4, SCALES(__VA_ARGS__))
#define RUN_scaledSparse(kind, k, a, b, scales, type, ...)                                \
  asm("mma.sp::ordered_metadata.sync.aligned." SCALED(kind, k, a, b, scales, type) SPARSE \
      ", %17, {%18,%19}, %20, {%21,%22};"                                                 \
      : D4                                                                                \
      : A4, B4, C4, "r"(r.metadata), SCALES(__VA_ARGS__))

constexpr int firstNumber = __COUNTER__ + 1;
#define CASE(form, ...)           \
  case __COUNTER__ - firstNumber: \
    RUN_##form(__VA_ARGS__);      \
    break;

__global__ void run(unsigned (*out)[4], const Registers *in, int which) {
  const Registers r = in[threadIdx.x];
  unsigned d[4] = {};
#if defined(__CUDA_ARCH_FEAT_SM120_ALL)
  switch (which) { PRODUCTS(CASE) }
#endif
  for (int i = 0; i < 4; ++i) out[threadIdx.x][i] = d[i];
}

struct Layout {
  int exponent, mantissa;
  int bits() const { return 1 + exponent + mantissa; }
  int bias() const { return (1 << (exponent - 1)) - 1; }
};
static Layout layoutOf(Type type) {
  static const Layout layouts[] = {{4, 3}, {5, 2}, {3, 2}, {2, 3}, {2, 1}, {8, 0}, {4, 3}};
  return layouts[type];
}

static double valueOf(Type type, unsigned code) {
  if (type == ue8m0) return std::ldexp(1.0, int(code) - 127);
  const Layout layout = layoutOf(type);
  const int exponent = int(code >> layout.mantissa) & ((1 << layout.exponent) - 1);
  const int digits = int(code & ((1u << layout.mantissa) - 1)) + (exponent ? 1 << layout.mantissa : 0);
  const double value = std::ldexp(digits, (exponent ? exponent : 1) - layout.bias() - layout.mantissa);
  return code >> (layout.bits() - 1) & 1 ? -value : value;
}

// Elements of types with many exponents are between 0.5 and 7.5.
static unsigned codeOf(Type type, int i) {
  const Layout layout = layoutOf(type);
  unsigned code = unsigned(i * 2654435761u) >> 11 & ((1u << layout.bits()) - 1);
  if (layout.exponent < 4) return code;
  const unsigned field = ((1u << layout.exponent) - 1) << layout.mantissa;
  const unsigned exponent = unsigned(layout.bias()) - 1 + (code & field) / (1u << layout.mantissa) % 4;
  return (code & ~field) | exponent << layout.mantissa;
}
static unsigned codeOfA(const Product &product, int row, int k) { return codeOf(product.a, row * 131 + k); }
static unsigned codeOfB(const Product &product, int k, int column) {
  return codeOf(product.b, 5000 + column * 137 + k);
}
static unsigned scaleOf(const Product &product, int major, int block) {
  const int i = major * 5 + block * 3;
  return product.scaleType == ue8m0 ? unsigned(125 + i % 5) : unsigned(6 << 3 | (i * 7 & 15));
}
static int elementC(int row, int column) { return row * 3 - column * 5; }

// In a byte, four bits lie in the middle.
static unsigned placed(const Product &product, Type type, unsigned code, int e) {
  return code << (e * product.bits() + (product.bits() == 8 && type == e2m1 ? 2 : 0));
}

// Which two of four units are there; a unit is a byte.
static unsigned choice(int row, int group) {
  static const unsigned choices[] = {4, 8, 9, 12, 13, 14};
  return choices[(row * 7 + group) % 6];
}
// columnOf() is where the element of a row that is stored at `index` belongs.
static int columnOf(const Product &product, int row, int index) {
  const int perUnit = 8 / product.bits(), unit = index / perUnit;
  const unsigned place = choice(row, unit / 2) >> unit % 2 * 2 & 3;
  return (unit / 2 * 4 + int(place)) * perUnit + index % perUnit;
}

static unsigned metadataOf(int lane) {
  unsigned word = 0;
  for (int i = 0; i < 8; ++i) word |= choice(lane / 4 + lane % 2 * 8, lane % 4 / 2 * 8 + i) << 4 * i;
  return word;
}

static unsigned bitsOf(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static void packFactors(const Product &product, int lane, Registers &r) {
  const int group = lane / 4, member = lane % 4, perWord = 32 / product.bits();
  const int wordsB = product.isSparse() ? 4 : 2;
  for (int e = 0; e < perWord; ++e) {
    for (int word = 0; word < 4; ++word) {
      const int row = group + 8 * (word % 2), held = 4 * perWord * (word / 2) + member * perWord + e;
      r.a[word] |= placed(product, product.a, codeOfA(product, row, held), e);
    }
    for (int word = 0; word < wordsB; ++word)
      r.b[word] |= placed(product, product.b, codeOfB(product, 4 * perWord * word + member * perWord + e, group), e);
  }
}

// Bytes that do not count are scales too.
static void packScales(const Product &product, int lane, Registers &r) {
  r.scaleA = r.scaleB = product.scaleType == ue8m0 ? 0x7b7a7978 : 0x11121314;
  const auto insert = [](unsigned &word, int byte, unsigned scale) {
    word = (word & ~(255u << byte * 8)) | scale << byte * 8;
  };
  for (int block = 0; block < product.scales; ++block) {
    if (lane % 4 / 2 == product.threadA)
      insert(r.scaleA, product.byteA + block, scaleOf(product, lane / 4 + lane % 2 * 8, block));
    if (lane % 4 == product.threadB) insert(r.scaleB, product.byteB + block, scaleOf(product, 20 + lane / 4, block));
  }
}

static std::vector<Registers> pack(const Product &product) {
  std::vector<Registers> registers(32);
  for (int lane = 0; lane < 32; ++lane) {
    Registers &r = registers[size_t(lane)];
    r = {};
    packFactors(product, lane, r);
    packScales(product, lane, r);
    r.metadata = metadataOf(lane);
    for (int i = 0; i < 4; ++i) {
      const float c = float(elementC(lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2));
      if (product.form == halves)
        r.c[i / 2] |= unsigned(__half_as_ushort(__float2half(c))) << i % 2 * 16;
      else
        r.c[i] = bitsOf(c);
    }
  }
  return registers;
}

static double expected(const Product &product, int row, int column) {
  double sum = elementC(row, column);
  const int held = product.isSparse() ? product.k / 2 : product.k;
  for (int i = 0; i < held; ++i) {
    const int k = product.isSparse() ? columnOf(product, row, i) : i;
    double term = valueOf(product.a, codeOfA(product, row, i)) * valueOf(product.b, codeOfB(product, k, column));
    if (product.scales) {
      const int block = k / (product.k / product.scales);
      term *= valueOf(product.scaleType, scaleOf(product, row, block)) *
              valueOf(product.scaleType, scaleOf(product, 20 + column, block));
    }
    sum += term;
  }
  return sum;
}

static double resultOf(const Product &product, const unsigned *d, int i) {
  if (product.form == halves) return __half2float(__ushort_as_half((unsigned short)(d[i / 2] >> i % 2 * 16)));
  float f;
  memcpy(&f, &d[i], sizeof f);
  return f;
}

static void test(int which) {
  const Product &product = products[which];
  check::DeviceArray<Registers> in(pack(product));
  check::DeviceArray<unsigned> out(128, 0);
  run<<<1, 32>>>(reinterpret_cast<unsigned(*)[4]>(out.get()), in.get(), which);
  LAUNCH_OK();
  const std::vector<unsigned> d = out.download();
  int wrong = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      double sum = expected(product, row, column);
      if (product.form == halves) sum = __half2float(__double2half(sum));
      const double actual = resultOf(product, &d[size_t(lane * 4)], i);
      if (actual == sum || wrong++) continue;
      char text[160];
      snprintf(text, sizeof text, "%s: row %d, column %d is %g, expected %g", product.name, row, column, actual, sum);
      check::fail(__FILE__, __LINE__, text);
    }
}

int main() {
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  // What sm_120a has is not in other architectures.
  if (properties.major != 12 || properties.minor != 0) return check::finish();
  for (int which = 0; which < int(sizeof products / sizeof *products); ++which) test(which);
  return check::finish();
}
