// mma.sync, ldmatrix, stmatrix and movmatrix in inline PTX: where elements lie in registers, and what comes out. Sums
// are exact, so that their order does not matter.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstring>

#include "../check.h"

struct Registers {
  unsigned a[8], b[4], c[8];
};

// An instruction: how its registers are filled, and the elements as numbers.
struct Instruction {
  const char *name;
  int m, k, bits;  // bits: of an element of A and B
  bool isSigned, isFloat, bf16;
  int resultBits;  // 32: s32 or f32; 16: f16
  bool useAnd;
};

#define A1 "r"(r.a[0])
#define A2 A1, "r"(r.a[1])
#define A4 A2, "r"(r.a[2]), "r"(r.a[3])
#define B1 "r"(r.b[0])
#define B2 B1, "r"(r.b[1])
#define C2 "r"(r.c[0]), "r"(r.c[1])
#define C4 C2, "r"(r.c[2]), "r"(r.c[3])
#define MMA_16_4(shape, types)                                                                                 \
  asm("mma.sync.aligned." shape ".row.col." types " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                                         \
      : A4, B2, C4)
#define MMA_16_2(shape, types)                                                                     \
  asm("mma.sync.aligned." shape ".row.col." types " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};" \
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])                                             \
      : A2, B1, C4)
#define MMA_8_1(shape, types)                                                      \
  asm("mma.sync.aligned." shape ".row.col." types " {%0,%1}, {%2}, {%3}, {%4,%5};" \
      : "=r"(d[0]), "=r"(d[1])                                                     \
      : A1, B1, C2)

static const Instruction instructions[] = {
    {"m16n8k16.f32.f16", 16, 16, 16, true, true, false, 32, false},
    {"m16n8k8.f32.f16", 16, 8, 16, true, true, false, 32, false},
    {"m16n8k16.f16.f16", 16, 16, 16, true, true, false, 16, false},
    {"m16n8k16.f32.bf16", 16, 16, 16, true, true, true, 32, false},
    {"m16n8k8.f32.bf16", 16, 8, 16, true, true, true, 32, false},
    {"m16n8k8.f32.tf32", 16, 8, 32, true, true, false, 32, false},
    {"m16n8k4.f32.tf32", 16, 4, 32, true, true, false, 32, false},
    {"m16n8k32.s32.s8", 16, 32, 8, true, false, false, 32, false},
    {"m16n8k32.s32.u8", 16, 32, 8, false, false, false, 32, false},
    {"m16n8k16.s32.s8", 16, 16, 8, true, false, false, 32, false},
    {"m8n8k16.s32.s8", 8, 16, 8, true, false, false, 32, false},
    {"m16n8k64.s32.s4", 16, 64, 4, true, false, false, 32, false},
    {"m16n8k32.s32.u4", 16, 32, 4, false, false, false, 32, false},
    {"m8n8k32.s32.s4", 8, 32, 4, true, false, false, 32, false},
    {"m16n8k256.b1.xor", 16, 256, 1, false, false, false, 32, false},
    {"m16n8k128.b1.and", 16, 128, 1, false, false, false, 32, true},
    {"m8n8k128.b1.xor", 8, 128, 1, false, false, false, 32, false},
    {"m16n8k32.f32.e4m3", 16, 32, 8, true, true, false, 32, false},
};

__device__ void runFloats(unsigned *d, const Registers &r, int which) {
  switch (which) {
    case 0:
      MMA_16_4("m16n8k16", "f32.f16.f16.f32");
      break;
    case 1:
      MMA_16_2("m16n8k8", "f32.f16.f16.f32");
      break;
    case 2:
      asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};"
          : "=r"(d[0]), "=r"(d[1])
          : A4, B2, C2);
      break;
    case 3:
      MMA_16_4("m16n8k16", "f32.bf16.bf16.f32");
      break;
    case 4:
      MMA_16_2("m16n8k8", "f32.bf16.bf16.f32");
      break;
    case 5:
      MMA_16_4("m16n8k8", "f32.tf32.tf32.f32");
      break;
    case 6:
      MMA_16_2("m16n8k4", "f32.tf32.tf32.f32");
      break;
    case 17:
      MMA_16_4("m16n8k32", "f32.e4m3.e4m3.f32");
      break;
  }
}

__device__ void runIntegers(unsigned *d, const Registers &r, int which) {
  switch (which) {
    case 7:
      MMA_16_4("m16n8k32", "s32.s8.s8.s32");
      break;
    case 8:
      MMA_16_4("m16n8k32", "s32.u8.u8.s32");
      break;
    case 9:
      MMA_16_2("m16n8k16", "s32.s8.s8.s32");
      break;
    case 10:
      MMA_8_1("m8n8k16", "s32.s8.s8.s32");
      break;
    case 11:
      MMA_16_4("m16n8k64", "s32.s4.s4.s32");
      break;
    case 12:
      MMA_16_2("m16n8k32", "s32.u4.u4.s32");
      break;
    case 13:
      MMA_8_1("m8n8k32", "s32.s4.s4.s32");
      break;
    case 14:
      MMA_16_4("m16n8k256", "s32.b1.b1.s32.xor.popc");
      break;
    case 15:
      MMA_16_2("m16n8k128", "s32.b1.b1.s32.and.popc");
      break;
    case 16:
      MMA_8_1("m8n8k128", "s32.b1.b1.s32.xor.popc");
      break;
  }
}

__global__ void run(unsigned (*out)[4], const Registers *in, int which) {
  const Registers r = in[threadIdx.x];
  unsigned d[4] = {};
  runFloats(d, r, which);
  runIntegers(d, r, which);
  for (int i = 0; i < 4; ++i) out[threadIdx.x][i] = d[i];
}

static int elementOf(const Instruction &mma, int i) {
  const int x = (i * 5 + i / 7) % 11;
  if (mma.bits == 1) return x & 1;
  return mma.isSigned ? x - 5 : x;
}

static unsigned bitsOf(float x) {
  unsigned bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static float floatOf(unsigned bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static unsigned encode(const Instruction &mma, int x) {
  const float f = float(x);
  if (!mma.isFloat) return mma.bits == 32 ? unsigned(x) : unsigned(x) & ((1u << mma.bits) - 1);
  if (mma.bits == 32) return bitsOf(f);
  if (mma.bf16) return bitsOf(f) >> 16;
  if (mma.bits == 8) return __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3);
  return __half_as_ushort(__float2half(f));
}

static void fill(const Instruction &mma, std::vector<Registers> &registers) {
  const int perWord = 32 / mma.bits;
  for (int lane = 0; lane < 32; ++lane) {
    Registers &r = registers[lane];
    r = {};
    const int group = lane / 4, member = lane % 4, tall = mma.m / 8;
    for (int word = 0; word < mma.m * mma.k / 32 / perWord; ++word)
      for (int e = 0; e < perWord; ++e) {
        const int row = group + 8 * (word % tall), column = 4 * perWord * (word / tall) + member * perWord + e;
        r.a[word] |= encode(mma, elementOf(mma, row * 3 + column)) << e * mma.bits;
      }
    for (int word = 0; word < 8 * mma.k / 32 / perWord; ++word)
      for (int e = 0; e < perWord; ++e) {
        const int row = 4 * perWord * word + member * perWord + e;
        r.b[word] |= encode(mma, elementOf(mma, row + group * 17)) << e * mma.bits;
      }
    for (int i = 0; i < mma.m / 4; ++i) {
      const int value = group + 8 * (i / 2) - 3 * (member * 2 + i % 2);
      if (mma.resultBits == 16)
        r.c[i / 2] |= unsigned(__half_as_ushort(__float2half(float(value)))) << i % 2 * 16;
      else if (mma.isFloat)
        r.c[i] = bitsOf(float(value));
      else
        r.c[i] = unsigned(value);
    }
  }
}

static void testInstruction(int which) {
  const Instruction &mma = instructions[which];
  std::vector<Registers> registers(32);
  fill(mma, registers);
  check::DeviceArray<Registers> in(registers);
  unsigned(*out)[4];
  CUDA_OK(cudaMallocManaged(&out, 32 * sizeof *out));
  run<<<1, 32>>>(out, in.get(), which);
  LAUNCH_OK();
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < mma.m / 4; ++i) {
      const int row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      int sum = row - 3 * column;
      for (int k = 0; k < mma.k; ++k) {
        const int a = elementOf(mma, row * 3 + k), b = elementOf(mma, k + column * 17);
        sum += mma.bits == 1 ? (mma.useAnd ? a & b : a ^ b) : a * b;
      }
      double actual;
      if (mma.resultBits == 16)
        actual = __half2float(__ushort_as_half((unsigned short)(out[lane][i / 2] >> i % 2 * 16)));
      else
        actual = mma.isFloat ? double(floatOf(out[lane][i])) : double(int(out[lane][i]));
      if (actual != sum) {
        char text[128];
        snprintf(text, sizeof text, "%s: row %d, column %d is %g, expected %d", mma.name, row, column, actual, sum);
        check::fail(__FILE__, __LINE__, text);
      }
    }
  CUDA_OK(cudaFree(out));
}

__global__ void doubles(double *d, const double *a, const double *b) {
  const int lane = threadIdx.x;
  double c0 = lane, c1 = -lane;
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
      : "+d"(c0), "+d"(c1)
      : "d"(a[lane / 4 * 4 + lane % 4]), "d"(b[lane % 4 * 8 + lane / 4]));
  d[lane / 4 * 8 + lane % 4 * 2] = c0;
  d[lane / 4 * 8 + lane % 4 * 2 + 1] = c1;
}

static void testDoubles() {
  std::vector<double> a(32), b(32);
  for (int i = 0; i < 32; ++i) a[i] = i * 0.5 - 3, b[i] = 7 - i * 0.25;
  check::DeviceArray<double> deviceA(a), deviceB(b), out(64);
  doubles<<<1, 32>>>(out.get(), deviceA.get(), deviceB.get());
  LAUNCH_OK();
  const std::vector<double> d = out.download();
  for (int i = 0; i < 64; ++i) {
    const int row = i / 8, column = i % 8, lane = row * 4 + column / 2;
    double sum = column % 2 ? -lane : lane;
    for (int k = 0; k < 4; ++k) sum += a[row * 4 + k] * b[k * 8 + column];
    CHECK_EQ(d[i], sum);
  }
}

// Matrices of 8 by 8 numbers 0 to 63, each one more than the last by 64, in shared memory with a pitch.
__global__ void moves(unsigned (*out)[16]) {
  __shared__ __align__(16) unsigned short tiles[4 * 8 * 16];
  __shared__ __align__(16) unsigned short stored[4 * 8 * 8];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) tiles[i / 8 * 16 + i % 8] = i;
  __syncwarp();
  const unsigned row = (unsigned)__cvta_generic_to_shared(tiles + lane * 16);
  const unsigned target = (unsigned)__cvta_generic_to_shared(stored + lane * 8);
  unsigned *r = out[lane];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(r[4]), "=r"(r[5]) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[6]) : "r"(row));
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[7]) : "r"(r[1]));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(target), "r"(r[3]), "r"(r[2]),
               "r"(r[1]), "r"(r[0])
               : "memory");
  __syncwarp();
  for (int i = 0; i < 4; ++i) r[8 + i] = reinterpret_cast<unsigned *>(stored)[i * 32 + lane];
  __syncwarp();
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1,%2};" ::"r"(target), "r"(r[0]), "r"(r[1])
               : "memory");
  __syncwarp();
  for (int i = 0; i < 2; ++i) r[12 + i] = reinterpret_cast<unsigned *>(stored)[i * 32 + lane];
}

static unsigned pair(int tile, int row, int column, bool transposed) {
  const int first = transposed ? column * 8 + row : row * 8 + column;
  return unsigned(tile * 64 + first) | unsigned(tile * 64 + first + (transposed ? 8 : 1)) << 16;
}

static void testMoves() {
  unsigned(*out)[16];
  CUDA_OK(cudaMallocManaged(&out, 32 * sizeof *out));
  moves<<<1, 32>>>(out);
  LAUNCH_OK();
  for (int lane = 0; lane < 32; ++lane) {
    const int row = lane / 4, column = lane % 4 * 2;
    for (int i = 0; i < 4; ++i) CHECK_EQ(out[lane][i], pair(i, row, column, false));
    for (int i = 0; i < 2; ++i) CHECK_EQ(out[lane][4 + i], pair(i, row, column, true));
    CHECK_EQ(out[lane][6], pair(0, row, column, false));
    CHECK_EQ(out[lane][7], pair(1, row, column, true));
    for (int i = 0; i < 4; ++i) CHECK_EQ(out[lane][8 + i], pair(3 - i, row, column, false));
    for (int i = 0; i < 2; ++i) CHECK_EQ(out[lane][12 + i], pair(i, row, column, true));
  }
  CUDA_OK(cudaFree(out));
}

// m8n8k4 of halves: four products of 8x8x4, each in eight lanes. In lane `row` of a quad lie a row of A or a column of
// B, or, with the other layout, four rows of a column of A or four columns of a row of B.
struct Quad {
  const __half *a, *b;  // by rows
  bool columnsA, rowsB;
};
__device__ unsigned two(__half low, __half high) {
  return __half_as_ushort(low) | unsigned(__half_as_ushort(high)) << 16;
}
__device__ unsigned wordOfA(Quad q, int i) {
  const int lane = threadIdx.x, quad = lane / 4 % 4, member = lane % 4, upper = lane / 16 * 4;
  const __half *a = q.a + quad * 32;
  if (!q.columnsA) return two(a[(member + upper) * 4 + i], a[(member + upper) * 4 + i + 1]);
  return two(a[(i + upper) * 4 + member], a[(i + 1 + upper) * 4 + member]);
}
__device__ unsigned wordOfB(Quad q, int i) {
  const int lane = threadIdx.x, quad = lane / 4 % 4, member = lane % 4, upper = lane / 16 * 4;
  const __half *b = q.b + quad * 32;
  if (q.rowsB) return two(b[member * 8 + i + upper], b[member * 8 + i + 1 + upper]);
  return two(b[i * 8 + member + upper], b[(i + 1) * 8 + member + upper]);
}

#define AB "r"(a0), "r"(a1), "r"(b0), "r"(b1)
#define QUADS_32(layouts)                                                                              \
  asm("mma.sync.aligned.m8n8k4." layouts                                                               \
      ".f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "                               \
      "{%0,%1,%2,%3,%4,%5,%6,%7};"                                                                     \
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7]) \
      : AB)
#define QUADS_16(layouts)                                                                                   \
  asm("mma.sync.aligned.m8n8k4." layouts ".f16.f16.f16.f16 {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3};" \
      : "+r"(h[0]), "+r"(h[1]), "+r"(h[2]), "+r"(h[3])                                                      \
      : AB)
#define BY_LAYOUT(MMA)                           \
  do {                                           \
    if (q.columnsA && q.rowsB) MMA("col.row");   \
    if (q.columnsA && !q.rowsB) MMA("col.col");  \
    if (!q.columnsA && q.rowsB) MMA("row.row");  \
    if (!q.columnsA && !q.rowsB) MMA("row.col"); \
  } while (0)

// quads() writes the products of sums of floats and those of sums of halves.
__global__ void quads(float *d, Quad q) {
  const int lane = threadIdx.x, quad = lane / 4 % 4;
  const unsigned a0 = wordOfA(q, 0), a1 = wordOfA(q, 2), b0 = wordOfB(q, 0), b1 = wordOfB(q, 2);
  float c[8];
  unsigned h[4];
  for (int i = 0; i < 8; ++i) c[i] = float(i);
  for (int i = 0; i < 4; ++i) h[i] = two(__float2half(2.0f * i), __float2half(2.0f * i + 1));
  BY_LAYOUT(QUADS_32);
  BY_LAYOUT(QUADS_16);
  for (int i = 0; i < 8; ++i) {
    const int x = (lane & 1) + (i & 2) + lane / 16 * 4, y = (i & 4) + (lane & 2) + (i & 1);
    d[quad * 64 + x * 8 + y] = c[i] - float(i);
    const unsigned short half = (unsigned short)(h[i / 2] >> i % 2 * 16);
    d[256 + quad * 64 + (lane % 4 + lane / 16 * 4) * 8 + i] = __half2float(__ushort_as_half(half)) - float(i);
  }
}

static void testQuads() {
  std::vector<__half> a(128), b(128);
  for (int i = 0; i < 128; ++i) a[i] = __float2half(float(i % 9 - 4)), b[i] = __float2half(float(i % 7 - 3));
  check::DeviceArray<__half> deviceA(a), deviceB(b);
  check::DeviceArray<float> out(512);
  for (int layouts = 0; layouts < 4; ++layouts) {
    quads<<<1, 32>>>(out.get(), Quad{deviceA.get(), deviceB.get(), layouts / 2 == 1, layouts % 2 == 1});
    LAUNCH_OK();
    const std::vector<float> d = out.download();
    for (int i = 0; i < 512; ++i) {
      const int quad = i / 64 % 4, row = i / 8 % 8, column = i % 8;
      float sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += __half2float(a[quad * 32 + row * 4 + k]) * __half2float(b[quad * 32 + k * 8 + column]);
      CHECK_EQ(d[i], sum);
    }
  }
}

int main() {
  testQuads();
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; ++i) testInstruction(int(i));
  testDoubles();
  testMoves();
  return check::finish();
}
