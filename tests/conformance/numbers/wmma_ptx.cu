// wmma.load, wmma.mma and wmma.store in inline PTX: all shapes, layouts and kinds of elements. Sums are exact, so that
// their order does not matter.
#include <cuda_fp16.h>

#include <cstdint>

#include "../check.h"

#define IN1(r) "r"(r[0])
#define IN2(r) IN1(r), "r"(r[1])
#define IN4(r) IN2(r), "r"(r[2]), "r"(r[3])
#define IN8(r) IN4(r), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7])
#define OUT1(r) "=r"(r[0])
#define OUT2(r) OUT1(r), "=r"(r[1])
#define OUT4(r) OUT2(r), "=r"(r[2]), "=r"(r[3])
#define OUT8(r) OUT4(r), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7])
// Lists of registers from operand 0, and from another one, on.
#define L1 "{%0}"
#define L2 "{%0,%1}"
#define L4 "{%0,%1,%2,%3}"
#define L8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define FROM1_2 "{%1,%2}"
#define FROM1_8 "{%1,%2,%3,%4,%5,%6,%7,%8}"

// LOAD and STORE move the fragment `r` of `count` registers; the stride is the operand behind the address.
#define LOAD(what, count, r, from, stride)                                          \
  asm volatile("wmma.load." what " " L##count ", [%" #count "], %" AFTER##count ";" \
               : OUT##count(r)                                                      \
               : "l"(from), "r"(stride)                                             \
               : "memory")
#define AFTER1 "2"
#define AFTER2 "3"
#define AFTER4 "5"
#define AFTER8 "9"
#define STORE2(what, r, to, stride) \
  asm volatile("wmma.store.d." what " [%0], " FROM1_2 ", %3;" ::"l"(to), IN2(r), "r"(stride) : "memory")
#define STORE8(what, r, to, stride) \
  asm volatile("wmma.store.d." what " [%0], " FROM1_8 ", %9;" ::"l"(to), IN8(r), "r"(stride) : "memory")

// A program of one kind: elements of A and B as T, sums as S.
template <class T, class S>
struct Matrices {
  const T *a, *b;
  const S *c;
  S *d;  // twice: by rows, then by columns
};

__host__ __device__ int left(int row, int i) { return (row * 3 + i * 5) % 7; }
__host__ __device__ int right(int i, int column) { return (i * 2 + column * 3) % 5; }
__host__ __device__ int added(int row, int column) { return (row + 2 * column) % 9; }

// --- f16, with any layouts ---

#define MMA_F16(layouts, shape)                                                         \
  asm volatile("wmma.mma.sync.aligned." layouts "." shape ".f32.f32 " L8                \
               ", {%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23}, " \
               "{%24,%25,%26,%27,%28,%29,%30,%31};"                                     \
               : OUT8(w)                                                                \
               : IN8(x), IN8(y), IN8(z))
#define HALVES(name, m, n, shape, layoutA, strideA, layoutB, strideB)            \
  __global__ void name(Matrices<__half, float> p) {                              \
    unsigned x[8], y[8], z[8], w[8];                                             \
    LOAD("a.sync.aligned." layoutA "." shape ".global.f16", 8, x, p.a, strideA); \
    LOAD("b.sync.aligned." layoutB "." shape ".f16", 8, y, p.b, strideB);        \
    LOAD("c.sync.aligned.row." shape ".f32", 8, z, p.c, n);                      \
    MMA_F16(layoutA "." layoutB, shape);                                         \
    STORE8("sync.aligned.row." shape ".global.f32", w, p.d, n);                  \
    STORE8("sync.aligned.col." shape ".f32", w, p.d + m * n, m);                 \
  }
HALVES(halves16RR, 16, 16, "m16n16k16", "row", 16, "row", 16)
HALVES(halves16CC, 16, 16, "m16n16k16", "col", 16, "col", 16)
HALVES(halves32RC, 32, 8, "m32n8k16", "row", 16, "col", 16)
HALVES(halves32CR, 32, 8, "m32n8k16", "col", 32, "row", 8)
HALVES(halves8RC, 8, 32, "m8n32k16", "row", 16, "col", 16)
HALVES(halves8CR, 8, 32, "m8n32k16", "col", 8, "row", 32)

// --- s8: the number of registers depends on the shape ---

#define BYTES(name, m, n, shape, countA, countB, listA, listB, listC)                                        \
  __global__ void name(Matrices<int8_t, int> p) {                                                            \
    unsigned x[countA], y[countB], z[8], w[8];                                                               \
    LOAD("a.sync.aligned.row." shape ".s8", countA, x, p.a, 16);                                             \
    LOAD("b.sync.aligned.col." shape ".s8", countB, y, p.b, 16);                                             \
    LOAD("c.sync.aligned.row." shape ".s32", 8, z, p.c, n);                                                  \
    asm volatile("wmma.mma.sync.aligned.row.col." shape ".s32.s8.s8.s32.satfinite " L8 ", " listA ", " listB \
                 ", " listC ";"                                                                              \
                 : OUT8(w)                                                                                   \
                 : IN##countA(x), IN##countB(y), IN8(z));                                                    \
    STORE8("sync.aligned.row." shape ".s32", w, p.d, n);                                                     \
    STORE8("sync.aligned.col." shape ".s32", w, p.d + m * n, m);                                             \
  }
BYTES(bytes16, 16, 16, "m16n16k16", 2, 2, "{%8,%9}", "{%10,%11}", "{%12,%13,%14,%15,%16,%17,%18,%19}")
BYTES(bytes32, 32, 8, "m32n8k16", 4, 1, "{%8,%9,%10,%11}", "{%12}", "{%13,%14,%15,%16,%17,%18,%19,%20}")
BYTES(bytes8, 8, 32, "m8n32k16", 1, 4, "{%8}", "{%9,%10,%11,%12}", "{%13,%14,%15,%16,%17,%18,%19,%20}")

// --- tf32, f64 and single bits ---

__global__ void tf32(Matrices<float, float> p) {
  unsigned x[4], y[4], z[8], w[8];
  LOAD("a.sync.aligned.row.m16n16k8.tf32", 4, x, p.a, 8);
  LOAD("b.sync.aligned.col.m16n16k8.tf32", 4, y, p.b, 8);
  LOAD("c.sync.aligned.row.m16n16k8.f32", 8, z, p.c, 16);
  asm volatile("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 " L8
               ", {%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23};"
               : OUT8(w)
               : IN4(x), IN4(y), IN8(z));
  STORE8("sync.aligned.row.m16n16k8.f32", w, p.d, 16);
  STORE8("sync.aligned.col.m16n16k8.f32", w, p.d + 256, 16);
}

__global__ void doubles(Matrices<double, double> p) {
  double x, y, z[2], w[2];
  asm volatile("wmma.load.a.sync.aligned.row.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(x) : "l"(p.a), "r"(4) : "memory");
  asm volatile("wmma.load.b.sync.aligned.col.m8n8k4.f64 {%0}, [%1], %2;" : "=d"(y) : "l"(p.b), "r"(4) : "memory");
  asm volatile("wmma.load.c.sync.aligned.row.m8n8k4.f64 {%0,%1}, [%2], %3;"
               : "=d"(z[0]), "=d"(z[1])
               : "l"(p.c), "r"(8)
               : "memory");
  asm volatile("wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=d"(w[0]), "=d"(w[1])
               : "d"(x), "d"(y), "d"(z[0]), "d"(z[1]));
  asm volatile("wmma.store.d.sync.aligned.row.m8n8k4.f64 [%0], {%1,%2}, %3;" ::"l"(p.d), "d"(w[0]), "d"(w[1]), "r"(8)
               : "memory");
  asm volatile("wmma.store.d.sync.aligned.col.m8n8k4.f64 [%0], {%1,%2}, %3;" ::"l"(p.d + 64), "d"(w[0]), "d"(w[1]),
               "r"(8)
               : "memory");
}

// Rows and columns of 128 bits.
__global__ void bits(Matrices<uint4, int> p) {
  unsigned x[1], y[1], z[2], w[2];
  LOAD("a.sync.aligned.row.m8n8k128.b1", 1, x, p.a, 128);
  LOAD("b.sync.aligned.col.m8n8k128.b1", 1, y, p.b, 128);
  LOAD("c.sync.aligned.row.m8n8k128.s32", 2, z, p.c, 8);
  asm volatile("wmma.mma.and.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32 " L2 ", {%2}, {%3}, {%4,%5};"
               : OUT2(w)
               : IN1(x), IN1(y), IN2(z));
  STORE2("sync.aligned.row.m8n8k128.s32", w, p.d, 8);
  STORE2("sync.aligned.col.m8n8k128.s32", w, p.d + 64, 8);
}

// --- Comparison ---

template <class T, class S>
void run(void (*kernel)(Matrices<T, S>), int m, int n, const std::vector<T> &a, const std::vector<T> &b,
         const std::vector<int> &products) {
  std::vector<S> c(m * n);
  for (int i = 0; i < m * n; ++i) c[i] = S(added(i / n, i % n));
  check::DeviceArray<T> onA(a), onB(b);
  check::DeviceArray<S> onC(c), onD(2 * m * n, S(-1));
  kernel<<<1, 32>>>({onA.get(), onB.get(), onC.get(), onD.get()});
  LAUNCH_OK();
  const std::vector<S> d = onD.download();
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      const S sum = S(products[row * n + column] + added(row, column));
      CHECK_EQ(d[row * n + column], sum);
      CHECK_EQ(d[m * n + column * m + row], sum);
    }
}

template <class T, class S, class Convert>
void checkProduct(void (*kernel)(Matrices<T, S>), int m, int n, int k, bool rowsA, bool rowsB, Convert convert) {
  std::vector<T> a(m * k), b(k * n);
  std::vector<int> products(m * n);
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i) a[rowsA ? row * k + i : i * m + row] = convert(left(row, i) - 3);
  for (int column = 0; column < n; ++column)
    for (int i = 0; i < k; ++i) b[rowsB ? i * n + column : column * k + i] = convert(right(i, column) - 2);
  for (int j = 0; j < m * n; ++j)
    for (int i = 0; i < k; ++i) products[j] += (left(j / n, i) - 3) * (right(i, j % n) - 2);
  run<T, S>(kernel, m, n, a, b, products);
}

void checkBits() {
  std::vector<uint4> a(8), b(8);
  std::vector<int> products(64);
  const auto word = [](int j, unsigned w) { return 0x9e3779b9u * (j + 1) ^ 0x85ebca6bu * w; };
  const auto count = [](unsigned word) {
    int bits = 0;
    for (; word; word &= word - 1) ++bits;
    return bits;
  };
  for (int j = 0; j < 8; ++j) {
    a[j] = make_uint4(word(j, 1), word(j, 2), word(j, 3), word(j, 4));
    b[j] = make_uint4(word(j, 5), word(j, 6), word(j, 7), word(j, 8));
  }
  for (int j = 0; j < 64; ++j) {
    const uint4 x = a[j / 8], y = b[j % 8];
    products[j] = count(x.x & y.x) + count(x.y & y.y) + count(x.z & y.z) + count(x.w & y.w);
  }
  run<uint4, int>(bits, 8, 8, a, b, products);
}

int main() {
  const auto half = [](int x) { return __float2half(float(x)); };
  const auto byte = [](int x) { return int8_t(x); };
  checkProduct<__half, float>(halves16RR, 16, 16, 16, true, true, half);
  checkProduct<__half, float>(halves16CC, 16, 16, 16, false, false, half);
  checkProduct<__half, float>(halves32RC, 32, 8, 16, true, false, half);
  checkProduct<__half, float>(halves32CR, 32, 8, 16, false, true, half);
  checkProduct<__half, float>(halves8RC, 8, 32, 16, true, false, half);
  checkProduct<__half, float>(halves8CR, 8, 32, 16, false, true, half);
  checkProduct<int8_t, int>(bytes16, 16, 16, 16, true, false, byte);
  checkProduct<int8_t, int>(bytes32, 32, 8, 16, true, false, byte);
  checkProduct<int8_t, int>(bytes8, 8, 32, 16, true, false, byte);
  checkProduct<float, float>(tf32, 16, 16, 8, true, false, [](int x) { return float(x); });
  checkProduct<double, double>(doubles, 8, 8, 4, true, false, [](int x) { return double(x); });
  checkBits();
  return check::finish();
}
