// mma.sp: products with a sparse matrix A, for each element type and every sparsity selector.
#include "../check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>

struct Registers {
  unsigned a[4], b[4], c[4], metadata;
};

enum Type { F16, BF16, TF32, E4M3, S8, U8, S4, U4 };

struct Instruction {
  const char *name;
  int k;
  Type type;
  int selectors;  // how many there are
  bool halves;    // C and D
};
static const Instruction instructions[] = {
    {"m16n8k16.f32.f16", 16, F16, 4, false},   {"m16n8k32.f32.f16", 32, F16, 2, false},
    {"m16n8k16.f32.bf16", 16, BF16, 4, false}, {"m16n8k32.f16.f16", 32, F16, 2, true},
    {"m16n8k8.f32.tf32", 8, TF32, 4, false},   {"m16n8k16.f32.tf32", 16, TF32, 2, false},
    {"m16n8k32.s32.s8", 32, S8, 2, false},     {"m16n8k64.s32.u8", 64, U8, 1, false},
    {"m16n8k64.s32.s4", 64, S4, 2, false},     {"m16n8k128.s32.u4", 128, U4, 1, false},
    {"m16n8k64.f32.e4m3", 64, E4M3, 1, false},
};

#define A2 "r"(r.a[0]), "r"(r.a[1])
#define A4 A2, "r"(r.a[2]), "r"(r.a[3])
#define B2 "r"(r.b[0]), "r"(r.b[1])
#define B4 B2, "r"(r.b[2]), "r"(r.b[3])
#define C4 "r"(r.c[0]), "r"(r.c[1]), "r"(r.c[2]), "r"(r.c[3])
#define SMALL(text)                                                                                                \
  asm("mma.sp::ordered_metadata.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, %13;" \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                             \
      : A2, B2, C4, "r"(r.metadata), "n"(selector))
#define LARGE(text)                                                                  \
  asm("mma.sp::ordered_metadata.sync.aligned." text                                  \
      " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, %17;" \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                               \
      : A4, B4, C4, "r"(r.metadata), "n"(selector))

template <int selector>
__device__ void multiply(unsigned *d, const Registers &r, int which) {
  if constexpr (selector < 4) {
    if (which == 0) SMALL("m16n8k16.row.col.f32.f16.f16.f32");
    if (which == 2) SMALL("m16n8k16.row.col.f32.bf16.bf16.f32");
    if (which == 4) SMALL("m16n8k8.row.col.f32.tf32.tf32.f32");
  }
  if constexpr (selector < 2) {
    if (which == 1) LARGE("m16n8k32.row.col.f32.f16.f16.f32");
    if (which == 3)
      asm("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, "
          "{%6,%7,%8,%9}, {%10,%11}, %12, %13;"
          : "=r"(d[0]), "=r"(d[1])
          : A4, B4, "r"(r.c[0]), "r"(r.c[1]), "r"(r.metadata), "n"(selector));
    if (which == 5) LARGE("m16n8k16.row.col.f32.tf32.tf32.f32");
    if (which == 6) SMALL("m16n8k32.row.col.s32.s8.s8.s32");
    if (which == 8) SMALL("m16n8k64.row.col.s32.s4.s4.s32");
  }
  if constexpr (selector < 1) {
    if (which == 7) LARGE("m16n8k64.row.col.s32.u8.u8.s32");
    if (which == 9) LARGE("m16n8k128.row.col.s32.u4.u4.s32");
    if (which == 10) LARGE("m16n8k64.row.col.f32.e4m3.e4m3.f32");
  }
}

__global__ void run(unsigned (*out)[4], const Registers *in, int which, int selector) {
  const Registers r = in[threadIdx.x];
  unsigned d[4] = {};
  switch (selector) {
    case 0:
      multiply<0>(d, r, which);
      break;
    case 1:
      multiply<1>(d, r, which);
      break;
    case 2:
      multiply<2>(d, r, which);
      break;
    case 3:
      multiply<3>(d, r, which);
      break;
  }
  for (int i = 0; i < 4; ++i) out[threadIdx.x][i] = d[i];
}

static int bitsOf(Type type) {
  static const int bits[] = {16, 16, 32, 8, 8, 8, 4, 4};
  return bits[type];
}
static bool isFloat(Type type) { return type <= E4M3; }

static unsigned encode(Type type, int x) {
  const float f = float(x);
  unsigned bits;
  memcpy(&bits, &f, 4);
  switch (type) {
    case F16:
      return __half_as_ushort(__float2half(f));
    case BF16:
      return bits >> 16;
    case TF32:
      return bits;
    case E4M3:
      return __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3);
    default:
      return unsigned(x) & ((1u << bitsOf(type)) - 1);
  }
}

// Metadata counts in units of 16 bits for the wide types, of bytes for the narrow ones; four units share four bits.
static bool isWide(Type type) { return bitsOf(type) >= 16; }

// choice() is the two places, in order, that are taken of four units.
static unsigned choice(const Instruction &mma, int row, int group) {
  static const unsigned pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};  // 01 02 03 12 13 23
  const int pick = (row * 7 + group * 3 + row / 8) % 6;
  return mma.type == TF32 ? (pick & 1 ? 0x4 : 0xe) : pairs[pick];
}

static int columnOf(const Instruction &mma, int row, int index) {
  const auto unit = [&](int i) { return i / 2 * 4 + int(choice(mma, row, i / 2) >> i % 2 * 2 & 3); };
  if (mma.type == TF32) return unit(2 * index) / 2;
  if (bitsOf(mma.type) == 4) return 2 * unit(index / 2) + index % 2;
  return unit(index);
}

static int element(Type type, int i) {
  const int x = (i * 5 + i / 7) % 7;
  return type == U8 || type == U4 ? x : x - 3;
}
static int storedA(const Instruction &mma, int row, int index) { return element(mma.type, row * 29 + index * 3); }
static int elementB(const Instruction &mma, int k, int column) { return element(mma.type, k + column * 17); }
static int elementC(int row, int column) { return row - 3 * column; }

static unsigned metadataOf(const Instruction &mma, int lane, int selector) {
  const int holders = 4 / mma.selectors, member = lane % 4 - selector * holders, row = lane / 4;
  if (member < 0 || member >= holders) return 0xdeadbeef;
  unsigned word = 0;
  for (int i = 0; i < 8; ++i)
    word |= (isWide(mma.type) ? choice(mma, row + i / 4 * 8, member * 4 + i % 4)
                              : choice(mma, row + member % 2 * 8, member / 2 * 8 + i))
            << 4 * i;
  return word;
}

static std::vector<Registers> pack(const Instruction &mma, int selector) {
  std::vector<Registers> registers(32);
  const int bits = bitsOf(mma.type), perWord = 32 / bits, held = mma.k / 2;
  for (int lane = 0; lane < 32; ++lane) {
    Registers &r = registers[size_t(lane)];
    r = {};
    const int group = lane / 4, member = lane % 4;
    for (int word = 0; word < 16 * held / 32 / perWord; ++word)
      for (int e = 0; e < perWord; ++e)
        r.a[word] |=
            encode(mma.type, storedA(mma, group + 8 * (word % 2), 4 * perWord * (word / 2) + member * perWord + e))
            << e * bits;
    for (int word = 0; word < 8 * mma.k / 32 / perWord; ++word)
      for (int e = 0; e < perWord; ++e)
        r.b[word] |= encode(mma.type, elementB(mma, 4 * perWord * word + member * perWord + e, group)) << e * bits;
    for (int i = 0; i < 4; ++i) {
      const int value = elementC(group + 8 * (i / 2), member * 2 + i % 2);
      if (mma.halves)
        r.c[i / 2] |= encode(F16, value) << i % 2 * 16;
      else
        r.c[i] = isFloat(mma.type) ? encode(TF32, value) : unsigned(value);
    }
    r.metadata = metadataOf(mma, lane, selector);
  }
  return registers;
}

static double valueOf(const Instruction &mma, const unsigned *d, int i) {
  if (mma.halves) return __half2float(__ushort_as_half((unsigned short)(d[i / 2] >> i % 2 * 16)));
  if (!isFloat(mma.type)) return int(d[i]);
  float f;
  memcpy(&f, &d[i], 4);
  return f;
}

static void test(int which, int selector) {
  const Instruction &mma = instructions[which];
  check::DeviceArray<Registers> in(pack(mma, selector));
  check::DeviceArray<unsigned> out(128, 0);
  run<<<1, 32>>>(reinterpret_cast<unsigned(*)[4]>(out.get()), in.get(), which, selector);
  LAUNCH_OK();
  const std::vector<unsigned> d = out.download();
  int wrong = 0;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      int sum = elementC(row, column);
      for (int index = 0; index < mma.k / 2; ++index)
        sum += storedA(mma, row, index) * elementB(mma, columnOf(mma, row, index), column);
      const double actual = valueOf(mma, &d[size_t(lane * 4)], i);
      if (actual == sum || wrong++) continue;
      char text[128];
      snprintf(text, sizeof text, "%s, selector %d: row %d, column %d is %g, expected %d", mma.name, selector, row,
               column, actual, sum);
      check::fail(__FILE__, __LINE__, text);
    }
}

int main() {
  for (int which = 0; which < int(sizeof instructions / sizeof *instructions); ++which)
    for (int selector = 0; selector < instructions[which].selectors; ++selector) test(which, selector);
  return check::finish();
}
