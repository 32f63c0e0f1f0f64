// Sparse matrices A: of each four neighbours in a row two are there, and the metadata says which [PTX: mma.sp].
#ifndef HOSTWARP_COMPILER_PTX_LIBRARY_SPARSE_H
#define HOSTWARP_COMPILER_PTX_LIBRARY_SPARSE_H

#include "compiler/ptx/library/matrix_elements.h"

template <class Registers>
static inline u32 metadataOf(const void *registers) {
  return static_cast<const Registers *>(registers)->metadata;
}

// Metadata is that of 16 rows. Four bits stand for four units: two bits for the place of each of the two that are
// there. A unit is 16 bits for elements of 16 and more, else a byte, so that one tf32 is two units and a byte holds two
// elements of 4 bits.
class Metadata {
 public:
  Metadata(void *const *lanes, u32 kind, u32 selector, u32 (*metadataOf)(const void *))
      : kind_(kind), selector_(int(selector)) {
    for (int lane = 0; lane < 32; ++lane) words_[lane] = lanes[lane] ? metadataOf(lanes[lane]) : 0;
  }

  // column() is where in a row of `k` elements the element that is stored at `index` belongs.
  int column(int row, int index, int k) const {
    if (kind_ == MatrixKind::TF32) return unit(row, 2 * index, 2 * k) / 2;
    if (kind_ == MatrixKind::S4 || kind_ == MatrixKind::U4 || kind_ == MatrixKind::PackedE2M1)
      return 2 * unit(row, index / 2, k / 2) + index % 2;
    return unit(row, index, k);
  }

 private:
  int unit(int row, int index, int units) const {
    const int group = index / 2;
    return 4 * group + int(nibble(row, group, units) >> index % 2 * 2 & 3);
  }

  // nibble(): four lanes share the metadata of two rows, eight apart. The selector says which of them, if not all.
  u32 nibble(int row, int group, int units) const {
    const int lanes = row % 8 * 4, low = row < 8 ? 0 : 1;
    if (isWide()) {
      const int holders = units / 16;  // of 16 units in each of both rows
      const u32 word = words_[lanes + selector_ * holders + group / 4];
      return word >> (low * 16 + group % 4 * 4) & 15;
    }
    const int holders = units / 16;  // of 32 units in one row
    const u32 word = words_[lanes + selector_ * holders + group / 8 * 2 + low];
    return word >> group % 8 * 4 & 15;
  }

  bool isWide() const { return kind_ == MatrixKind::F16 || kind_ == MatrixKind::BF16 || kind_ == MatrixKind::TF32; }

  u32 kind_, words_[32];
  int selector_;
};

// multiplySparse() adds the product of 16 rows of `k` / 2 stored elements with b (k by n) to the sums.
template <class Wide>
static inline void multiplySparse(const Wide *a, const Wide *b, Wide *sums, int n, int k, const Metadata &metadata) {
  for (int row = 0; row < 16; ++row)
    for (int i = 0; i < k / 2; ++i) {
      const int at = metadata.column(row, i, k);
      for (int column = 0; column < n; ++column) sums[row * n + column] += a[row * k / 2 + i] * b[at * n + column];
    }
}

#endif  // HOSTWARP_COMPILER_PTX_LIBRARY_SPARSE_H
