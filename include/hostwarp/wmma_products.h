// The products of nvcuda::wmma, each computed once, for all lanes, by the lane that comes last.
#ifndef HOSTWARP_WMMA_PRODUCTS_H
#define HOSTWARP_WMMA_PRODUCTS_H

#include "warp_matrix_moves.h"
#include "wmma_fragments.h"

namespace nvcuda {
namespace wmma {

// hw_element says in which words elements lie, and reads elements e of eight words as they are multiplied. Sums of a
// product's integers have fewer than 24 bits, so they are multiplied as floats, exactly.
typedef hostwarp::warp_matrix::Vectors<uint32_t>::Eight hw_words;
typedef hostwarp::warp_matrix::Vectors<int>::Eight hw_integers;
typedef hostwarp::warp_matrix::Vectors<float>::Eight hw_floats;
typedef hostwarp::warp_matrix::Vectors<uint64_t>::Eight hw_long_words;
typedef hostwarp::warp_matrix::Vectors<double>::Eight hw_doubles;

template <class T>
struct hw_element;
#define HOSTWARP_ELEMENT(type, wideType, wordType, vectors, wideVectors, expression)                                \
  template <>                                                                                                       \
  struct hw_element<type> {                                                                                         \
    typedef wideType wide;                                                                                          \
    typedef wordType word;                                                                                          \
    typedef wideVectors wides;                                                                                      \
    static HOSTWARP_DEVICE void read(const vectors &bits, [[maybe_unused]] int e, wides &to) { to = (expression); } \
  };
#define HOSTWARP_FLOAT_ELEMENT(type, expression) \
  HOSTWARP_ELEMENT(type, float, uint32_t, hw_words, hw_floats, reinterpret_cast<hw_floats>(expression))
#define HOSTWARP_SMALL_ELEMENT(type, expression)               \
  HOSTWARP_ELEMENT(type, float, uint32_t, hw_words, hw_floats, \
                   __builtin_convertvector(reinterpret_cast<hw_integers>(expression), hw_floats))
HOSTWARP_FLOAT_ELEMENT(__nv_bfloat16, bits >> 16 * e << 16)
HOSTWARP_SMALL_ELEMENT(signed char, reinterpret_cast<hw_integers>(bits << (24 - 8 * e)) >> 24)
HOSTWARP_SMALL_ELEMENT(unsigned char, bits >> 8 * e & 255u)
HOSTWARP_SMALL_ELEMENT(experimental::precision::s4, reinterpret_cast<hw_integers>(bits << (28 - 4 * e)) >> 28)
HOSTWARP_SMALL_ELEMENT(experimental::precision::u4, bits >> 4 * e & 15u)
// tf32 ignores the low 13 bits of a float.
HOSTWARP_FLOAT_ELEMENT(precision::tf32, bits & 0xffffe000u)
HOSTWARP_ELEMENT(double, double, uint64_t, hw_long_words, hw_doubles, reinterpret_cast<hw_doubles>(bits))
#undef HOSTWARP_SMALL_ELEMENT
#undef HOSTWARP_FLOAT_ELEMENT
#undef HOSTWARP_ELEMENT
// widenHalf() for eight. Those that are infinite or no numbers are told from the others by a mask.
template <>
struct hw_element<__half> {
  typedef float wide;
  typedef uint32_t word;
  typedef hw_floats wides;
  static HOSTWARP_DEVICE void read(const hw_words &bits, int e, wides &to) {
    const hw_words magnitude = (bits >> 16 * e & 0x7fffu) << 13, sign = (bits >> 16 * e & 0x8000u) << 16;
    const hw_words scaled = reinterpret_cast<hw_words>(reinterpret_cast<hw_floats>(magnitude) * 0x1p112f);
    const hw_words special = magnitude + 0x70000000u;
    const hw_words isSpecial = reinterpret_cast<hw_words>(reinterpret_cast<hw_integers>(magnitude) >= 0x0f800000);
    to = reinterpret_cast<hw_floats>((special & isSpecial) | (scaled & ~isSpecial) | sign);
  }
};

// hw_widened puts an operand's elements where multiplyColumns() takes them from.
template <class T, int major>
struct hw_widened {
  typedef hw_element<T> Element;
  typename Element::wide *whole;

  template <class Eight>
  HOSTWARP_DEVICE void operator()(int word, int first, const Eight &eight) const {
    for (int e = 0; e < helper_traits<T>::perWord; ++e) {
      typename Element::wides wide;
      Element::read(eight, e, wide);
      __builtin_memcpy(whole + (word * helper_traits<T>::perWord + e) * major + first, &wide, sizeof wide);
    }
  }
};

// hw_result() makes an element of D from the sum. With satf, sums beyond the range become the largest numbers and NaN
// 0.
HOSTWARP_DEVICE void hw_result(float &d, float sum, bool satf) {
  const float largest = 0x1.fffffep127f;
  d = !satf ? sum : sum != sum ? 0.0f : sum > largest ? largest : sum < -largest ? -largest : sum;
}
HOSTWARP_DEVICE void hw_result(__half &d, float sum, bool satf) {
  const float largest = 65504.0f;
  d = __float2half_rn(!satf ? sum : sum != sum ? 0.0f : sum > largest ? largest : sum < -largest ? -largest : sum);
}
HOSTWARP_DEVICE void hw_result(double &d, double sum, bool) { d = sum; }
HOSTWARP_DEVICE void hw_result(int &d, long long sum, bool satf) {
  const long long largest = 0x7fffffff;
  d = static_cast<int>(!satf ? sum : sum > largest ? largest : sum < -largest - 1 ? -largest - 1 : sum);
}
// hw_start() is what the products are added to: integers are kept apart from C until the end.
HOSTWARP_DEVICE float hw_start(float c) { return c; }
HOSTWARP_DEVICE float hw_start(__half c) { return __half2float(c); }
HOSTWARP_DEVICE double hw_start(double c) { return c; }
HOSTWARP_DEVICE float hw_start(int) { return 0; }
template <class Sum, class Added>
HOSTWARP_DEVICE Sum hw_finish(Sum sum, Added) {
  return sum;
}
HOSTWARP_DEVICE long long hw_finish(float sum, int c) { return static_cast<long long>(static_cast<int>(sum)) + c; }

// hw_accumulator takes C from the lanes, has `multiply` add the products to its sums, and gives D to the lanes.
template <int m, int n, class Added, class Result, class Sum>
struct hw_accumulator {
  template <class From, class To, class Multiply>
  static HOSTWARP_DEVICE void addTo(Sum *sums, From from, To to, bool satf, Multiply multiply) {
    alignas(64) Added c[m * n];
    alignas(64) Result d[m * n];
    hostwarp::warp_matrix::gatherPairs<m, n, 2 * sizeof(Added)>(from, c);
    for (int i = 0; i < m * n; ++i) sums[i] = hw_start(c[i]);
    multiply();
    if (satf)
      for (int i = 0; i < m * n; ++i) hw_result(d[i], hw_finish(sums[i], c[i]), true);
    else
      for (int i = 0; i < m * n; ++i) hw_result(d[i], hw_finish(sums[i], c[i]), false);
    hostwarp::warp_matrix::scatterPairs<m, n, 2 * sizeof(Result)>(to, d);
  }
};
// Where C, sums and D are numbers of one type, they are in one place.
template <int m, int n, class Sum>
struct hw_accumulator<m, n, Sum, Sum, Sum> {
  template <class From, class To, class Multiply>
  static HOSTWARP_DEVICE void addTo(Sum *sums, From from, To to, bool satf, Multiply multiply) {
    hostwarp::warp_matrix::gatherPairs<m, n, 2 * sizeof(Sum)>(from, sums);
    multiply();
    if (satf)
      for (int i = 0; i < m * n; ++i) hw_result(sums[i], sums[i], true);
    hostwarp::warp_matrix::scatterPairs<m, n, 2 * sizeof(Sum)>(to, sums);
  }
};

// hw_product is one mma_sync() of a lane: its fragments.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Added, class Result>
struct hw_product {
  typedef hw_element<T> Element;
  typedef typename Element::wide Wide;
  typedef typename Element::word Word;
  enum { perWord = helper_traits<T>::perWord, words = k / perWord };
  const fragment<matrix_a, m, n, k, T, LayoutA> *a;
  const fragment<matrix_b, m, n, k, T, LayoutB> *b;
  const fragment<accumulator, m, n, k, Added> *c;
  fragment<accumulator, m, n, k, Result> *d;
  bool satf;

  // multiply() does the products of all lanes. Those that take no part have zeros, and write to nowhere.
  static HOSTWARP_DEVICE_FUNCTION void multiply(void *const *lanes) {
    int absent = 0;
    for (int lane = 0; lane < 32; ++lane) absent += lanes[lane] == nullptr;
    if (absent == 0) return multiplyAll(lanes);
    fragment<matrix_a, m, n, k, T, LayoutA> zeroA;
    fragment<matrix_b, m, n, k, T, LayoutB> zeroB;
    fragment<accumulator, m, n, k, Added> zeroC;
    fragment<accumulator, m, n, k, Result> nowhere;
    __builtin_memset(zeroA.x, 0, sizeof zeroA.x);
    __builtin_memset(zeroB.x, 0, sizeof zeroB.x);
    __builtin_memset(zeroC.x, 0, sizeof zeroC.x);
    hw_product nobody = {&zeroA, &zeroB, &zeroC, &nowhere, false};
    void *all[32];
    for (int lane = 0; lane < 32; ++lane) {
      all[lane] = lanes[lane] ? lanes[lane] : &nobody;
      if (lanes[lane]) nobody.satf = static_cast<const hw_product *>(lanes[lane])->satf;
    }
    multiplyAll(all);
  }

 private:
  static HOSTWARP_DEVICE const hw_product &at(void *const *lanes, int lane) {
    return *static_cast<const hw_product *>(lanes[lane]);
  }

  // multiplyAll() is for a whole warp.
  static HOSTWARP_DEVICE_FUNCTION void multiplyAll(void *const *lanes) {
    alignas(64) Wide a[k * m];
    alignas(64) Wide b[k * n];
    alignas(64) Wide sums[m * n];
    hostwarp::warp_matrix::forEachEight<m, words, true, Word>(
        [=](int lane) { return reinterpret_cast<const char *>(at(lanes, lane).a->x); }, hw_widened<T, m>{a});
    hostwarp::warp_matrix::forEachEight<n, words, false, Word>(
        [=](int lane) { return reinterpret_cast<const char *>(at(lanes, lane).b->x); }, hw_widened<T, n>{b});
    hw_accumulator<m, n, Added, Result, Wide>::addTo(
        sums, [=](int lane) { return reinterpret_cast<const char *>(at(lanes, lane).c->x); },
        [=](int lane) { return reinterpret_cast<char *>(at(lanes, lane).d->x); }, at(lanes, 0).satf,
        [&] { hostwarp::warp_matrix::multiplyColumns<n>(a, b, sums, m, k); });
  }
};

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class Added, class Result>
HOSTWARP_DEVICE void mma_sync(fragment<accumulator, m, n, k, Result> &d,
                              const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                              const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                              const fragment<accumulator, m, n, k, Added> &c, bool satf = false) {
  typedef hw_product<m, n, k, T, LayoutA, LayoutB, Added, Result> Product;
  Product product = {&a, &b, &c, &d, satf};
  hw_warp_together(0xffffffffu, &product, Product::multiply);
  HOSTWARP_RESUMED();
}

// hw_bit_product: rows of A and columns of B are four words each.
struct hw_bit_product {
  unsigned a, b;
  int c[2];
  int op;

  static HOSTWARP_DEVICE_FUNCTION void multiply(void *const *lanes) {
    unsigned a[32] = {}, b[32] = {};
    for (int lane = 0; lane < 32; ++lane)
      if (lanes[lane]) {
        a[lane] = static_cast<const hw_bit_product *>(lanes[lane])->a;
        b[lane] = static_cast<const hw_bit_product *>(lanes[lane])->b;
      }
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; lanes[lane] && i < 2; ++i) {
        const hostwarp::warp_matrix::Place place = hostwarp::warp_matrix::placeInAccumulator(8, 8, lane, i);
        hw_bit_product &product = *static_cast<hw_bit_product *>(lanes[lane]);
        for (int word = 0; word < 4; ++word) {
          const unsigned x = a[place.major * 4 + word], y = b[place.minor * 4 + word];
          product.c[i] += __builtin_popcount(product.op == experimental::bmmaBitOpAND ? x & y : x ^ y);
        }
      }
  }
};

HOSTWARP_DEVICE void bmma_sync(fragment<accumulator, 8, 8, 128, int> &d,
                               const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> &a,
                               const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> &b,
                               const fragment<accumulator, 8, 8, 128, int> &c,
                               experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                               experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
  hw_bit_product product = {a.x[0], b.x[0], {c.x[0], c.x[1]}, op};
  hw_warp_together(0xffffffffu, &product, hw_bit_product::multiply);
  HOSTWARP_RESUMED();
  d.x[0] = product.c[0];
  d.x[1] = product.c[1];
}

}  // namespace wmma
}  // namespace nvcuda

#endif  // HOSTWARP_WMMA_PRODUCTS_H
