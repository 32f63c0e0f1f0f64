// The types of nvcuda::wmma: layouts, element types, and fragments of the shapes that CUDA has.
#ifndef HOSTWARP_WMMA_FRAGMENTS_H
#define HOSTWARP_WMMA_FRAGMENTS_H

#include "numbers/prelude.h"
#include "warp_matrix.h"

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
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

// helper_traits: what holds elements in a fragment, and what fill_fragment() takes. `perWord` elements share 32 bits;
// `memory` is what load_matrix_sync() reads. Elements smaller than a byte stay packed.
template <class T>
struct helper_traits {
  typedef T element_type;
  typedef T storage_element_type;
  typedef T fill_argument_type;
  typedef T memory;
  enum { perWord = sizeof(T) >= 4 ? 1 : 4 / sizeof(T), packed = 0 };
};
template <>
struct helper_traits<precision::tf32> {
  typedef precision::tf32 element_type;
  typedef float storage_element_type;
  typedef float fill_argument_type;
  typedef float memory;
  enum { perWord = 1, packed = 0 };
};
#define HOSTWARP_PACKED(name, storage, count)           \
  template <>                                           \
  struct helper_traits<experimental::precision::name> { \
    typedef experimental::precision::name element_type; \
    typedef storage storage_element_type;               \
    typedef storage fill_argument_type;                 \
    typedef void memory;                                \
    enum { perWord = count, packed = 1 };               \
  };
HOSTWARP_PACKED(u4, unsigned int, 8)
HOSTWARP_PACKED(s4, int, 8)
HOSTWARP_PACKED(b1, unsigned int, 32)
#undef HOSTWARP_PACKED

// hw_operand_shapes and hw_accumulator_shapes: which shapes an element type comes in.
template <class T>
struct hw_operand_shapes {
  static HOSTWARP_HOST_DEVICE constexpr bool has(int, int, int) { return false; }
};
template <class T>
struct hw_accumulator_shapes : hw_operand_shapes<T> {};
#define HOSTWARP_SHAPES(table, type, condition)                                                 \
  template <>                                                                                   \
  struct table<type> {                                                                          \
    static HOSTWARP_HOST_DEVICE constexpr bool has(int m, int n, int k) { return (condition); } \
  };
#define HOSTWARP_SHAPE_256 (k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32)))
#define HOSTWARP_SHAPE(M, N, K) (m == M && n == N && k == K)
HOSTWARP_SHAPES(hw_operand_shapes, __half, HOSTWARP_SHAPE_256)
HOSTWARP_SHAPES(hw_operand_shapes, __nv_bfloat16, HOSTWARP_SHAPE_256)
HOSTWARP_SHAPES(hw_operand_shapes, signed char, HOSTWARP_SHAPE_256)
HOSTWARP_SHAPES(hw_operand_shapes, unsigned char, HOSTWARP_SHAPE_256)
HOSTWARP_SHAPES(hw_operand_shapes, precision::tf32, HOSTWARP_SHAPE(16, 16, 8))
HOSTWARP_SHAPES(hw_operand_shapes, double, HOSTWARP_SHAPE(8, 8, 4))
HOSTWARP_SHAPES(hw_operand_shapes, experimental::precision::u4, HOSTWARP_SHAPE(8, 8, 32))
HOSTWARP_SHAPES(hw_operand_shapes, experimental::precision::s4, HOSTWARP_SHAPE(8, 8, 32))
HOSTWARP_SHAPES(hw_operand_shapes, experimental::precision::b1, HOSTWARP_SHAPE(8, 8, 128))
HOSTWARP_SHAPES(hw_accumulator_shapes, __half, HOSTWARP_SHAPE_256)
HOSTWARP_SHAPES(hw_accumulator_shapes, float, HOSTWARP_SHAPE_256 || HOSTWARP_SHAPE(16, 16, 8))
HOSTWARP_SHAPES(hw_accumulator_shapes, double, HOSTWARP_SHAPE(8, 8, 4))
HOSTWARP_SHAPES(hw_accumulator_shapes, int, HOSTWARP_SHAPE_256 || HOSTWARP_SHAPE(8, 8, 32) || HOSTWARP_SHAPE(8, 8, 128))
#undef HOSTWARP_SHAPE
#undef HOSTWARP_SHAPE_256
#undef HOSTWARP_SHAPES

// hw_use says, for each use of a fragment, how many elements a lane holds and which ones; perWord elements after one
// another are neighbours in memory where the layout is `natural`.
template <class Use, int m, int n, int k, class T>
struct hw_use;
template <int m, int n, int k, class T>
struct hw_use<matrix_a, m, n, k, T> {
  enum {
    perWord = helper_traits<T>::perWord,
    natural = mem_row_major,
    elements = m * k / 32,
    exists = hw_operand_shapes<T>::has(m, n, k)
  };
  static HOSTWARP_HOST_DEVICE hostwarp::warp_matrix::Place place(int lane, int i) {
    return hostwarp::warp_matrix::placeInA(m, k, perWord, lane, i);
  }
};
template <int m, int n, int k, class T>
struct hw_use<matrix_b, m, n, k, T> {
  enum {
    perWord = helper_traits<T>::perWord,
    natural = mem_col_major,
    elements = n * k / 32,
    exists = hw_operand_shapes<T>::has(m, n, k)
  };
  // A place of B is counted from its row, k, as those of the other uses.
  static HOSTWARP_HOST_DEVICE hostwarp::warp_matrix::Place place(int lane, int i) {
    const hostwarp::warp_matrix::Place place = hostwarp::warp_matrix::placeInB(n, k, perWord, lane, i);
    const hostwarp::warp_matrix::Place turned = {place.minor, place.major};
    return turned;
  }
};
template <int m, int n, int k, class T>
struct hw_use<accumulator, m, n, k, T> {
  enum { perWord = 2, natural = mem_row_major, elements = m * n / 32, exists = hw_accumulator_shapes<T>::has(m, n, k) };
  static HOSTWARP_HOST_DEVICE hostwarp::warp_matrix::Place place(int lane, int i) {
    return hostwarp::warp_matrix::placeInAccumulator(m, n, lane, i);
  }
};
// Operand fragments of half always have 16 elements; some elements are in several places.
template <class Use, int m, int n, int k, class T>
struct hw_elements {
  enum { count = hw_use<Use, m, n, k, T>::elements };
};
template <int m, int n, int k>
struct hw_elements<matrix_a, m, n, k, __half> {
  enum { count = 16 };
};
template <int m, int n, int k>
struct hw_elements<matrix_b, m, n, k, __half> {
  enum { count = 16 };
};

template <class T, int size, int packed_size = size>
struct __align__(8) __frag_base {
  enum { num_elements = size };
  enum { num_storage_elements = packed_size };
  typedef T element_type;
  typedef typename helper_traits<T>::storage_element_type storage_element_type;
  storage_element_type x[num_storage_elements];
};

// A fragment is a lane's part of a matrix.
template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment : public __frag_base<T, hw_elements<Use, m, n, k, T>::count,
                                    helper_traits<T>::packed ? 1 : hw_elements<Use, m, n, k, T>::count> {
  static_assert(hw_use<Use, m, n, k, T>::exists, "CUDA has no fragment of this shape and element type");
};

}  // namespace wmma
}  // namespace nvcuda

#endif  // HOSTWARP_WMMA_FRAGMENTS_H
