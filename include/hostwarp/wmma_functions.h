// The functions of nvcuda::wmma but for the products. Every _sync function waits for the whole warp first.
#ifndef HOSTWARP_WMMA_FUNCTIONS_H
#define HOSTWARP_WMMA_FUNCTIONS_H

#include "wmma_fragments.h"

namespace nvcuda {
namespace wmma {

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

// hw_aligned(): matrices and their rows are aligned to 16 bytes at least, so `count` neighbours move at once.
template <int count, class T>
HOSTWARP_DEVICE T *hw_aligned(T *neighbours) {
  return static_cast<T *>(__builtin_assume_aligned(neighbours, sizeof(T) * count > 8 ? 8 : sizeof(T) * count));
}

template <class Use, int m, int n, int k, class T, class Layout, class Memory>
HOSTWARP_DEVICE void hw_load(fragment<Use, m, n, k, T, Layout> &fragment, const Memory *p, unsigned ldm, int layout) {
  typedef hw_use<Use, m, n, k, T> Places;
  __syncwarp();
  const int lane = static_cast<int>(hw_lane_id());
  if (layout == Places::natural) {
    for (int i = 0; i < fragment.num_elements; i += Places::perWord)
      __builtin_memcpy(fragment.x + i, hw_aligned<Places::perWord>(p + hw_offset(Places::place(lane, i), ldm, layout)),
                       sizeof(Memory) * Places::perWord);
  } else {
    for (int i = 0; i < fragment.num_elements; ++i) fragment.x[i] = p[hw_offset(Places::place(lane, i), ldm, layout)];
  }
}
// Packed elements: a lane's are one word.
template <class Use, int m, int n, int k, class T, class Layout>
HOSTWARP_DEVICE void hw_load(fragment<Use, m, n, k, T, Layout> &fragment, const void *p, unsigned ldm, int layout) {
  typedef typename helper_traits<T>::storage_element_type Word;
  __syncwarp();
  const int lane = static_cast<int>(hw_lane_id());
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
  const int lane = static_cast<int>(hw_lane_id());
  typedef hw_use<accumulator, m, n, k, T> Places;
  if (layout == Places::natural) {
    for (int i = 0; i < fragment.num_elements; i += Places::perWord)
      __builtin_memcpy(hw_aligned<Places::perWord>(p + hw_offset(Places::place(lane, i), ldm, layout)), fragment.x + i,
                       sizeof(T) * Places::perWord);
  } else {
    for (int i = 0; i < fragment.num_elements; ++i) p[hw_offset(Places::place(lane, i), ldm, layout)] = fragment.x[i];
  }
  __syncwarp();
}

// --- tf32 ---

HOSTWARP_DEVICE float __float_to_tf32(float x) {
  const uint32_t bits = hostwarp::numbers::bitsAs<uint32_t>(x);
  return hostwarp::numbers::bitsAs<float>(x != x ? 0x7fffffffu : (bits + 0x1000) & 0xffffe000u);
}

}  // namespace wmma
}  // namespace nvcuda

#endif  // HOSTWARP_WMMA_FUNCTIONS_H
