// The products of nvcuda::wmma, instead of the header's own: mma instructions; and loads of operands of 16 bits that
// lie across. Fragments are distributed over the lanes as <mma.h> has it, which is mma's own way: word 0 of A has rows
// 0 to 7, word 1 rows 8 to 15, and so on; then comes what lies further along k.
#include "compiler/gpu_library/source/interface.h"

// Only the names count: those of the header's functions.
struct __half;
struct __nv_bfloat16;

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental
template <class T>
struct helper_traits {
  typedef T memory;
};
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment;

}  // namespace wmma
}  // namespace nvcuda

namespace {

typedef unsigned __attribute__((may_alias)) Word;
typedef double __attribute__((may_alias)) Double;

#define MEMBER static inline __attribute__((device, always_inline))

// Operands are what a lane has of 16 rows of A and 8 columns of B, for one instruction.
struct Operands {
  unsigned a[4], b[2];
};

// --- Instructions ---

// Of the sums two words are of the first 8 rows, two of the last 8.
#define SUMS "{%0, %1, %2, %3}"
#define SUM_OPERANDS "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define MMA_4(name)                                                                        \
  asm volatile("mma.sync.aligned." name " " SUMS ", {%4, %5, %6, %7}, {%8, %9}, " SUMS ";" \
               : SUM_OPERANDS                                                              \
               : "r"(x.a[0]), "r"(x.a[1]), "r"(x.a[2]), "r"(x.a[3]), "r"(x.b[0]), "r"(x.b[1]))
#define MMA_2(name, a0, a1, b0)                                                \
  asm volatile("mma.sync.aligned." name " " SUMS ", {%4, %5}, {%6}, " SUMS ";" \
               : SUM_OPERANDS                                                  \
               : "r"(a0), "r"(a1), "r"(b0))
// MMA_1() is for 8 rows alone.
#define MMA_1(name, a0, first)                                             \
  asm volatile("mma.sync.aligned." name " {%0, %1}, {%2}, {%3}, {%0, %1};" \
               : "+r"(c[first]), "+r"(c[first + 1])                        \
               : "r"(a0), "r"(x.b[0]))

// Kind<T> is an element type: how many words of a row an instruction takes, and the instruction.
template <class T>
struct Kind;
template <>
struct Kind<__half> {
  enum { wordsAlongK = 2 };
  MEMBER void multiply(unsigned *c, const Operands &x, bool) {
    if (hw_gpu_architecture >= 80) {
      MMA_4("m16n8k16.row.col.f32.f16.f16.f32");
    } else {
      MMA_2("m16n8k8.row.col.f32.f16.f16.f32", x.a[0], x.a[1], x.b[0]);
      MMA_2("m16n8k8.row.col.f32.f16.f16.f32", x.a[2], x.a[3], x.b[1]);
    }
  }
};
template <>
struct Kind<__nv_bfloat16> {
  enum { wordsAlongK = 2 };
  MEMBER void multiply(unsigned *c, const Operands &x, bool) { MMA_4("m16n8k16.row.col.f32.bf16.bf16.f32"); }
};
template <>
struct Kind<nvcuda::wmma::precision::tf32> {
  enum { wordsAlongK = 2 };
  MEMBER void multiply(unsigned *c, const Operands &x, bool) { MMA_4("m16n8k8.row.col.f32.tf32.tf32.f32"); }
};
#define BYTES(type, name)                                                  \
  template <>                                                              \
  struct Kind<type> {                                                      \
    enum { wordsAlongK = 1 };                                              \
    MEMBER void multiply(unsigned *c, const Operands &x, bool satf) {      \
      if (hw_gpu_architecture < 80) {                                      \
        if (satf) {                                                        \
          MMA_1("m8n8k16.row.col.satfinite." name, x.a[0], 0);             \
          MMA_1("m8n8k16.row.col.satfinite." name, x.a[1], 2);             \
        } else {                                                           \
          MMA_1("m8n8k16.row.col." name, x.a[0], 0);                       \
          MMA_1("m8n8k16.row.col." name, x.a[1], 2);                       \
        }                                                                  \
      } else if (satf) {                                                   \
        MMA_2("m16n8k16.row.col.satfinite." name, x.a[0], x.a[1], x.b[0]); \
      } else {                                                             \
        MMA_2("m16n8k16.row.col." name, x.a[0], x.a[1], x.b[0]);           \
      }                                                                    \
    }                                                                      \
  };
BYTES(signed char, "s32.s8.s8.s32")
BYTES(unsigned char, "s32.u8.u8.s32")
#define NIBBLES(type, name)                                           \
  template <>                                                         \
  struct Kind<nvcuda::wmma::experimental::precision::type> {          \
    enum { wordsAlongK = 1 };                                         \
    MEMBER void multiply(unsigned *c, const Operands &x, bool satf) { \
      if (satf)                                                       \
        MMA_1("m8n8k32.row.col.satfinite." name, x.a[0], 0);          \
      else                                                            \
        MMA_1("m8n8k32.row.col." name, x.a[0], 0);                    \
    }                                                                 \
  };
NIBBLES(s4, "s32.s4.s4.s32")
NIBBLES(u4, "s32.u4.u4.s32")

// --- Accumulators ---

// Sum<T> reads and writes the two neighbours that a lane has of a tile. They are added up as floats or integers. With
// satf, sums beyond the range become the largest numbers and NaN 0; instructions see to that for integers.
GPU_INLINE float saturate(float sum, float largest) {
  return sum != sum ? 0.0f : sum > largest ? largest : sum < -largest ? -largest : sum;
}

template <class T>
struct Sum;
template <>
struct Sum<int> {
  MEMBER void read(const Word *c, int tile, unsigned *sums) { sums[0] = c[2 * tile], sums[1] = c[2 * tile + 1]; }
  MEMBER void write(Word *d, int tile, const unsigned *sums, bool) { d[2 * tile] = sums[0], d[2 * tile + 1] = sums[1]; }
};
template <>
struct Sum<float> {
  MEMBER void read(const Word *c, int tile, unsigned *sums) { Sum<int>::read(c, tile, sums); }
  MEMBER void write(Word *d, int tile, const unsigned *sums, bool satf) {
    for (int i = 0; i < 2; ++i) {
      const float sum = __builtin_bit_cast(float, sums[i]);
      d[2 * tile + i] = __builtin_bit_cast(unsigned, satf ? saturate(sum, 0x1.fffffep127f) : sum);
    }
  }
};
template <>
struct Sum<__half> {
  MEMBER void read(const Word *c, int tile, unsigned *sums) {
    asm("{ .reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h; }"
        : "=r"(sums[0]), "=r"(sums[1])
        : "r"(c[tile]));
  }
  MEMBER void write(Word *d, int tile, const unsigned *sums, bool satf) {
    float values[2];
    for (int i = 0; i < 2; ++i) {
      values[i] = __builtin_bit_cast(float, sums[i]);
      if (satf) values[i] = saturate(values[i], 65504.0f);
    }
    asm("{ .reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h}; }"
        : "=r"(d[tile])
        : "f"(values[0]), "f"(values[1]));
  }
};

// multiplyTiles() does two rows of tiles at a time; where there is one, the second is zero.
template <class T, class Added, class Result, int rows, int columns>
GPU_INLINE void multiplyTiles(Word *d, const Word *a, const Word *b, const Word *c, bool satf) {
  constexpr int words = Kind<T>::wordsAlongK;
#pragma unroll
  for (int row = 0; row < rows; row += 2)
#pragma unroll
    for (int column = 0; column < columns; ++column) {
      Operands x = {};
#pragma unroll
      for (int i = 0; i < words; ++i) {
        x.a[2 * i] = a[row + rows * i];
        if (rows > 1) x.a[2 * i + 1] = a[row + 1 + rows * i];
        x.b[i] = b[words * column + i];
      }
      unsigned sums[4] = {};
      Sum<Added>::read(c, row + rows * column, sums);
      if (rows > 1) Sum<Added>::read(c, row + 1 + rows * column, sums + 2);
      Kind<T>::multiply(sums, x, satf);
      Sum<Result>::write(d, row + rows * column, sums, satf);
      if (rows > 1) Sum<Result>::write(d, row + 1 + rows * column, sums + 2, satf);
    }
}

// transpose() exchanges rows and columns of a tile of 8 x 8 elements of 16 bits: a lane has two neighbours of a row.
GPU_INLINE unsigned transpose(unsigned word) {
  unsigned result = 0;
  if (hw_gpu_architecture >= 75)
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(result) : "r"(word));
  else
    __builtin_trap();
  return result;
}

// loadAcross() loads an operand of 16 along k whose elements along the other dimension are neighbours in memory.
// `words` are those of a fragment: behind the last tile the first ones come again.
template <int rows, bool isA, int words>
GPU_INLINE void loadAcross(Word *x, const unsigned short *p, unsigned ldm) {
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  const unsigned lane = static_cast<unsigned>(__nvvm_read_ptx_sreg_laneid());
#pragma unroll
  for (unsigned tile = 0; tile < 2 * rows; ++tile) {
    const unsigned row = isA ? tile % rows : tile / 2, step = isA ? tile / rows : tile % 2;
    const unsigned short *const from = p + (8 * step + lane / 4) * ldm + 8 * row + lane % 4 * 2;
    x[tile] = transpose(*reinterpret_cast<const Word *>(from));
  }
#pragma unroll
  for (int tile = 2 * rows; tile < words; ++tile) x[tile] = x[tile - 2 * rows];
}

// Product<T> is that of whole fragments.
template <class T>
struct Product {
  template <class Added, class Result, int m, int n>
  MEMBER void run(void *d, const void *a, const void *b, const void *c, bool satf) {
    multiplyTiles<T, Added, Result, m / 8, n / 8>(static_cast<Word *>(d), static_cast<const Word *>(a),
                                                  static_cast<const Word *>(b), static_cast<const Word *>(c), satf);
  }
};
template <>
struct Product<double> {
  template <class, class, int, int>
  MEMBER void run(void *d, const void *a, const void *b, const void *c, bool) {
    const Double *const added = static_cast<const Double *>(c);
    double first = added[0], second = added[1];
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(first), "+d"(second)
                 : "d"(*static_cast<const Double *>(a)), "d"(*static_cast<const Double *>(b)));
    static_cast<Double *>(d)[0] = first;
    static_cast<Double *>(d)[1] = second;
  }
};

}  // namespace

namespace nvcuda {
namespace wmma {

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Added, class Result>
__attribute__((device, always_inline)) void mma_sync(fragment<accumulator, m, n, k, Result> &d,
                                                     const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                                                     const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                                                     const fragment<accumulator, m, n, k, Added> &c, bool satf) {
  Product<T>::template run<Added, Result, m, n>(&d, &a, &b, &c, satf);
}

#define INSTANCE(m, n, k, T, LayoutA, LayoutB, Added, Result)                                    \
  template __attribute__((device)) void mma_sync(                                                \
      fragment<accumulator, m, n, k, Result> &, const fragment<matrix_a, m, n, k, T, LayoutA> &, \
      const fragment<matrix_b, m, n, k, T, LayoutB> &, const fragment<accumulator, m, n, k, Added> &, bool);
#define ALL_LAYOUTS(m, n, k, T, Added, Result)              \
  INSTANCE(m, n, k, T, row_major, row_major, Added, Result) \
  INSTANCE(m, n, k, T, row_major, col_major, Added, Result) \
  INSTANCE(m, n, k, T, col_major, row_major, Added, Result) \
  INSTANCE(m, n, k, T, col_major, col_major, Added, Result)
#define ALL_SHAPES(T, Added, Result)        \
  ALL_LAYOUTS(16, 16, 16, T, Added, Result) \
  ALL_LAYOUTS(32, 8, 16, T, Added, Result)  \
  ALL_LAYOUTS(8, 32, 16, T, Added, Result)
ALL_SHAPES(__half, float, float)
ALL_SHAPES(__half, float, __half)
ALL_SHAPES(__half, __half, float)
ALL_SHAPES(__half, __half, __half)
ALL_SHAPES(__nv_bfloat16, float, float)
ALL_SHAPES(signed char, int, int)
ALL_SHAPES(unsigned char, int, int)
ALL_LAYOUTS(16, 16, 8, precision::tf32, float, float)
ALL_LAYOUTS(8, 8, 4, double, double, double)
INSTANCE(8, 8, 32, experimental::precision::s4, row_major, col_major, int, int)
INSTANCE(8, 8, 32, experimental::precision::u4, row_major, col_major, int, int)

template <class Use, int m, int n, int k, class T, class Layout>
__attribute__((device, always_inline)) void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &fragment,
                                                             const typename helper_traits<T>::memory *p, unsigned ldm) {
  constexpr bool isA = __is_same(Use, matrix_a);
  constexpr int rows = (isA ? m : n) / 8;
  loadAcross<rows, isA, __is_same(T, __half) ? 8 : 2 * rows>(reinterpret_cast<Word *>(&fragment),
                                                             reinterpret_cast<const unsigned short *>(p), ldm);
}

#define LOADS(m, n, T)                                                                                            \
  template __attribute__((device)) void load_matrix_sync(fragment<matrix_a, m, n, 16, T, col_major> &, const T *, \
                                                         unsigned);                                               \
  template __attribute__((device)) void load_matrix_sync(fragment<matrix_b, m, n, 16, T, row_major> &, const T *, \
                                                         unsigned);
LOADS(16, 16, __half)
LOADS(32, 8, __half)
LOADS(8, 32, __half)
LOADS(16, 16, __nv_bfloat16)
LOADS(32, 8, __nv_bfloat16)
LOADS(8, 32, __nv_bfloat16)

#define BITS(operation)                                                                                             \
  asm volatile("mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32." operation ".popc {%0, %1}, {%2}, {%3}, {%0, %1};" \
               : "+r"(first), "+r"(second)                                                                          \
               : "r"(*reinterpret_cast<const Word *>(&a)), "r"(*reinterpret_cast<const Word *>(&b)))

__attribute__((device, always_inline)) void bmma_sync(
    fragment<accumulator, 8, 8, 128, int> &d,
    const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
    const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
    const fragment<accumulator, 8, 8, 128, int> &c, experimental::bmmaBitOp operation, experimental::bmmaAccumulateOp) {
  unsigned first = reinterpret_cast<const Word *>(&c)[0], second = reinterpret_cast<const Word *>(&c)[1];
  if (operation != experimental::bmmaBitOpAND)
    BITS("xor");
  else if (hw_gpu_architecture >= 80)
    BITS("and");
  else
    __builtin_trap();
  reinterpret_cast<Word *>(&d)[0] = first;
  reinterpret_cast<Word *>(&d)[1] = second;
}

}  // namespace wmma
}  // namespace nvcuda
