// The functions of nvcuda::wmma. Every _sync function waits for the whole warp first; a product is computed once, for
// all lanes, by the lane that comes last.
#ifndef HOSTWARP_WMMA_FUNCTIONS_H
#define HOSTWARP_WMMA_FUNCTIONS_H

#include "wmma_fragments.h"

namespace nvcuda {
namespace wmma {

// --- Elements as what they are multiplied as ---

HOSTWARP_DEVICE float hw_widen(__half x) { return __half2float(x); }
HOSTWARP_DEVICE float hw_widen(__nv_bfloat16 x) { return __bfloat162float(x); }
HOSTWARP_DEVICE int hw_widen(signed char x) { return x; }
HOSTWARP_DEVICE int hw_widen(unsigned char x) { return x; }
HOSTWARP_DEVICE double hw_widen(double x) { return x; }

// hw_element::at() reads element i of a fragment. tf32 ignores the low 13 bits of a float.
template <class T>
struct hw_element {
  typedef decltype(hw_widen(T())) wide;
  template <class Fragment>
  static HOSTWARP_DEVICE wide at(const Fragment &fragment, int i) {
    return hw_widen(fragment.x[i]);
  }
};
template <>
struct hw_element<precision::tf32> {
  typedef float wide;
  template <class Fragment>
  static HOSTWARP_DEVICE float at(const Fragment &fragment, int i) {
    return hostwarp::numbers::bitsAs<float>(hostwarp::numbers::bitsAs<uint32_t>(fragment.x[i]) & 0xffffe000u);
  }
};
template <>
struct hw_element<experimental::precision::u4> {
  typedef int wide;
  template <class Fragment>
  static HOSTWARP_DEVICE int at(const Fragment &fragment, int i) {
    return static_cast<int>(fragment.x[0] >> (4 * i) & 15);
  }
};
template <>
struct hw_element<experimental::precision::s4> {
  typedef int wide;
  template <class Fragment>
  static HOSTWARP_DEVICE int at(const Fragment &fragment, int i) {
    return static_cast<int>(static_cast<unsigned>(fragment.x[0]) << (28 - 4 * i)) >> 28;
  }
};

// --- fill ---

template <class T>
HOSTWARP_DEVICE T hw_filling(const T &value, const T *) {
  return value;
}
HOSTWARP_DEVICE float hw_filling(float value, const precision::tf32 *) { return value; }
HOSTWARP_DEVICE unsigned hw_filling(unsigned value, const experimental::precision::u4 *) {
  return (value & 15) * 0x11111111u;
}
HOSTWARP_DEVICE int hw_filling(int value, const experimental::precision::s4 *) {
  return static_cast<int>((static_cast<unsigned>(value) & 15) * 0x11111111u);
}
HOSTWARP_DEVICE unsigned hw_filling(unsigned value, const experimental::precision::b1 *) {
  return value & 1 ? 0xffffffffu : 0;
}

template <class T, int size, int packed_size>
HOSTWARP_DEVICE void fill_fragment(__frag_base<T, size, packed_size> &fragment,
                                   const typename helper_traits<T>::fill_argument_type &value) {
  for (int i = 0; i < packed_size; ++i) fragment.x[i] = hw_filling(value, static_cast<const T *>(nullptr));
}

// --- load and store ---

template <class Layout>
struct hw_layout;
template <>
struct hw_layout<row_major> {
  enum { value = mem_row_major };
};
template <>
struct hw_layout<col_major> {
  enum { value = mem_col_major };
};

HOSTWARP_DEVICE size_t hw_offset(hostwarp::warp_matrix::Place place, unsigned ldm, int layout) {
  return layout == mem_row_major ? static_cast<size_t>(place.major) * ldm + static_cast<unsigned>(place.minor)
                                 : static_cast<size_t>(place.minor) * ldm + static_cast<unsigned>(place.major);
}

template <class Use, int m, int n, int k, class T, class Layout, class Memory>
HOSTWARP_DEVICE void hw_load(fragment<Use, m, n, k, T, Layout> &fragment, const Memory *p, unsigned ldm, int layout) {
  __syncwarp();
  const int lane = static_cast<int>(hw_self()->laneId);
  for (int i = 0; i < fragment.num_elements; ++i)
    fragment.x[i] = p[hw_offset(hw_use<Use, m, n, k, T>::place(lane, i), ldm, layout)];
}
// Packed elements: a lane's are one word.
template <class Use, int m, int n, int k, class T, class Layout>
HOSTWARP_DEVICE void hw_load(fragment<Use, m, n, k, T, Layout> &fragment, const void *p, unsigned ldm, int layout) {
  typedef typename helper_traits<T>::storage_element_type Word;
  __syncwarp();
  const int lane = static_cast<int>(hw_self()->laneId);
  const size_t element = hw_offset(hw_use<Use, m, n, k, T>::place(lane, 0), ldm, layout);
  fragment.x[0] = static_cast<const Word *>(p)[element / helper_traits<T>::perWord];
}

template <class Use, int m, int n, int k, class T, class Layout>
HOSTWARP_DEVICE void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &fragment,
                                      const typename helper_traits<T>::memory *p, unsigned ldm) {
  hw_load(fragment, p, ldm, hw_layout<Layout>::value);
}
template <int m, int n, int k, class T>
HOSTWARP_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, T> &fragment, const T *p, unsigned ldm,
                                      layout_t layout) {
  hw_load(fragment, p, ldm, layout);
}

// The second rendezvous makes the whole matrix visible to lanes that go on to read it, as the hardware happens to.
template <int m, int n, int k, class T>
HOSTWARP_DEVICE void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &fragment, unsigned ldm,
                                       layout_t layout) {
  __syncwarp();
  const int lane = static_cast<int>(hw_self()->laneId);
  for (int i = 0; i < fragment.num_elements; ++i)
    p[hw_offset(hw_use<accumulator, m, n, k, T>::place(lane, i), ldm, layout)] = fragment.x[i];
  __syncwarp();
}

// --- mma ---

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
HOSTWARP_DEVICE int hw_start(int) { return 0; }
template <class Sum, class C>
HOSTWARP_DEVICE Sum hw_finish(Sum sum, C) {
  return sum;
}
HOSTWARP_DEVICE long long hw_finish(int sum, int c) { return static_cast<long long>(sum) + c; }

// hw_product is one mma_sync() of a lane: its fragments. multiply() does those of all lanes.
template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
struct hw_product {
  typedef typename hw_element<T>::wide Wide;
  const fragment<matrix_a, m, n, k, T, LayoutA> *a;
  const fragment<matrix_b, m, n, k, T, LayoutB> *b;
  const fragment<accumulator, m, n, k, C> *c;
  fragment<accumulator, m, n, k, D> *d;
  bool satf;

  static HOSTWARP_DEVICE_FUNCTION void multiply(void *const *lanes) {
    Wide a[m * k] = {}, b[k * n] = {}, sums[m * n] = {};
    for (int lane = 0; lane < 32; ++lane)
      if (lanes[lane]) static_cast<const hw_product *>(lanes[lane])->gather(lane, a, b, sums);
    hostwarp::warp_matrix::multiply(a, b, sums, m, n, k);
    for (int lane = 0; lane < 32; ++lane)
      if (lanes[lane]) static_cast<const hw_product *>(lanes[lane])->scatter(lane, sums);
  }

 private:
  HOSTWARP_DEVICE void gather(int lane, Wide *wholeA, Wide *wholeB, Wide *sums) const {
    for (int i = 0; i < hw_use<matrix_a, m, n, k, T>::elements; ++i) {
      const hostwarp::warp_matrix::Place place = hw_use<matrix_a, m, n, k, T>::place(lane, i);
      wholeA[place.major * k + place.minor] = hw_element<T>::at(*a, i);
    }
    for (int i = 0; i < hw_use<matrix_b, m, n, k, T>::elements; ++i) {
      const hostwarp::warp_matrix::Place place = hw_use<matrix_b, m, n, k, T>::place(lane, i);
      wholeB[place.major * n + place.minor] = hw_element<T>::at(*b, i);
    }
    for (int i = 0; i < hw_use<accumulator, m, n, k, C>::elements; ++i) {
      const hostwarp::warp_matrix::Place place = hw_use<accumulator, m, n, k, C>::place(lane, i);
      sums[place.major * n + place.minor] = hw_start(c->x[i]);
    }
  }
  HOSTWARP_DEVICE void scatter(int lane, const Wide *sums) const {
    for (int i = 0; i < hw_use<accumulator, m, n, k, D>::elements; ++i) {
      const hostwarp::warp_matrix::Place place = hw_use<accumulator, m, n, k, D>::place(lane, i);
      hw_result(d->x[i], hw_finish(sums[place.major * n + place.minor], c->x[i]), satf);
    }
  }
};

template <int m, int n, int k, class T, class LayoutA, class LayoutB, class C, class D>
HOSTWARP_DEVICE void mma_sync(fragment<accumulator, m, n, k, D> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
                              const fragment<matrix_b, m, n, k, T, LayoutB> &b,
                              const fragment<accumulator, m, n, k, C> &c, bool satf = false) {
  typedef hw_product<m, n, k, T, LayoutA, LayoutB, C, D> Product;
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

// --- tf32 ---

HOSTWARP_DEVICE float __float_to_tf32(float x) {
  const uint32_t bits = hostwarp::numbers::bitsAs<uint32_t>(x);
  return hostwarp::numbers::bitsAs<float>(x != x ? 0x7fffffffu : (bits + 0x1000) & 0xffffe000u);
}

}  // namespace wmma
}  // namespace nvcuda

#endif  // HOSTWARP_WMMA_FUNCTIONS_H
