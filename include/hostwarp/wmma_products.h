// The products of nvcuda::wmma, each computed once, for all lanes, by the lane that comes last.
#ifndef HOSTWARP_WMMA_PRODUCTS_H
#define HOSTWARP_WMMA_PRODUCTS_H

#include "wmma_fragments.h"

namespace nvcuda {
namespace wmma {

// hw_element says in which words elements lie, and reads element e of a word as it is multiplied. Sums of a product's
// integers have fewer than 24 bits, so they are multiplied as floats, exactly.
template <class T>
struct hw_element;
#define HOSTWARP_ELEMENT(type, wideType, wordType, expression)                               \
  template <>                                                                                \
  struct hw_element<type> {                                                                  \
    typedef wideType wide;                                                                   \
    typedef wordType word;                                                                   \
    static HOSTWARP_DEVICE wide at(word bits, [[maybe_unused]] int e) { return expression; } \
  };
HOSTWARP_ELEMENT(__half, float, uint32_t, hostwarp::numbers::widenHalf(bits >> 16 * e))
HOSTWARP_ELEMENT(__nv_bfloat16, float, uint32_t,
                 hostwarp::numbers::Brain::toFloat(static_cast<uint16_t>(bits >> 16 * e)))
HOSTWARP_ELEMENT(signed char, float, uint32_t, static_cast<float>(static_cast<int>(bits << (24 - 8 * e)) >> 24))
HOSTWARP_ELEMENT(unsigned char, float, uint32_t, static_cast<float>(static_cast<int>(bits >> 8 * e & 255)))
HOSTWARP_ELEMENT(experimental::precision::s4, float, uint32_t,
                 static_cast<float>(static_cast<int>(bits << (28 - 4 * e)) >> 28))
HOSTWARP_ELEMENT(experimental::precision::u4, float, uint32_t, static_cast<float>(static_cast<int>(bits >> 4 * e & 15)))
// tf32 ignores the low 13 bits of a float.
HOSTWARP_ELEMENT(precision::tf32, float, uint32_t,
                 hostwarp::numbers::bitsAs<float>(static_cast<uint32_t>(bits & 0xffffe000u)))
HOSTWARP_ELEMENT(double, double, uint64_t, hostwarp::numbers::bitsAs<double>(static_cast<uint64_t>(bits)))
#undef HOSTWARP_ELEMENT

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

// hw_product is one mma_sync() of a lane: its fragments. multiply() does those of all lanes.
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

  // Lanes that take no part have zeros, and write to nowhere.
  static HOSTWARP_DEVICE_FUNCTION void multiply(void *const *lanes) {
    const hostwarp::warp_matrix::Tiles tiles = hostwarp::warp_matrix::tilesOfAccumulator(m, n);
    const double zeros[8] = {};  // as long as any fragment
    const void *fromA[32], *fromB[32], *fromC[32];
    void *to[32];
    Result nowhere[m * n / 32];
    bool satf = false;
    for (int lane = 0; lane < 32; ++lane) {
      const hw_product *product = static_cast<const hw_product *>(lanes[lane]);
      fromA[lane] = product ? static_cast<const void *>(product->a->x) : zeros;
      fromB[lane] = product ? static_cast<const void *>(product->b->x) : zeros;
      fromC[lane] = product ? static_cast<const void *>(product->c->x) : zeros;
      to[lane] = product ? product->d->x : nowhere;
      satf = product ? product->satf : satf;
    }
    alignas(64) Wide a[k * m];
    alignas(64) Wide b[k * n];
    alignas(64) Wide sums[m * n];
    alignas(64) Added c[m * n];
    alignas(64) Result d[m * n];
    gatherOperand<m>(fromA, true, a);
    gatherOperand<n>(fromB, false, b);
    hostwarp::warp_matrix::gather<2 * sizeof(Added)>(fromC, tiles, c);
    for (int i = 0; i < m * n; ++i) sums[i] = hw_start(c[i]);
    hostwarp::warp_matrix::multiplyColumns<n>(a, b, sums, m, k);
    if (satf)
      for (int i = 0; i < m * n; ++i) hw_result(d[i], hw_finish(sums[i], c[i]), true);
    else
      for (int i = 0; i < m * n; ++i) hw_result(d[i], hw_finish(sums[i], c[i]), false);
    hostwarp::warp_matrix::scatter<2 * sizeof(Result)>(to, tiles, d);
  }

 private:
  template <int major>
  static HOSTWARP_DEVICE void gatherOperand(const void *const *lanes, bool isA, Wide *whole) {
    alignas(64) Word raw[words * major];
    hostwarp::warp_matrix::gather<sizeof(Word)>(lanes, hostwarp::warp_matrix::tilesOfOperand(major, words, isA), raw);
    for (int word = 0; word < words; ++word)
      for (int e = 0; e < perWord; ++e)
        for (int i = 0; i < major; ++i) whole[(word * perWord + e) * major + i] = Element::at(raw[word * major + i], e);
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
