// Matrices spread over the lanes of a warp, and their product: what <mma.h> and mma.sync in PTX have in common.
//
// The distribution is that of mma.sync [PTX 9.7.14.5]: a matrix is made of tiles of 8 rows and 4 times the elements
// that fill 32 bits. In each tile lane l holds row l / 4, and there the elements of 32-bit word l % 4.
#ifndef HOSTWARP_WARP_MATRIX_H
#define HOSTWARP_WARP_MATRIX_H

#include "device_qualifiers.h"

namespace hostwarp {
namespace warp_matrix {

// Place is an element's place in a matrix: along m or n, and along k; for accumulators the row and the column.
struct Place {
  int major, minor;
};

// placeInTiles() is where element i of a lane lies. perWord: elements in a word. majorFirst: tiles follow one another
// along the major dimension first. Elements beyond the last tile are copies of the first ones.
HOSTWARP_HOST_DEVICE Place placeInTiles(int majorSize, int minorSize, int perWord, bool majorFirst, int lane, int i) {
  const int majorTiles = majorSize / 8, minorTiles = minorSize / (4 * perWord);
  const int tile = i / perWord % (majorTiles * minorTiles);
  const int majorTile = majorFirst ? tile % majorTiles : tile / minorTiles;
  const int minorTile = majorFirst ? tile / majorTiles : tile % minorTiles;
  const Place place = {8 * majorTile + lane / 4, 4 * perWord * minorTile + lane % 4 * perWord + i % perWord};
  return place;
}
// A is m by k, B is k by n (major is n), an accumulator m by n.
HOSTWARP_HOST_DEVICE Place placeInA(int m, int k, int perWord, int lane, int i) {
  return placeInTiles(m, k, perWord, true, lane, i);
}
HOSTWARP_HOST_DEVICE Place placeInB(int n, int k, int perWord, int lane, int i) {
  return placeInTiles(n, k, perWord, false, lane, i);
}
HOSTWARP_HOST_DEVICE Place placeInAccumulator(int m, int n, int lane, int i) {
  return placeInTiles(m, n, 2, true, lane, i);
}

// multiply() adds the product of a (m by k) and b (k by n) to c, all stored by rows.
template <class T>
HOSTWARP_HOST_DEVICE void multiply(const T *a, const T *b, T *c, int m, int n, int k) {
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i)
      for (int column = 0; column < n; ++column) c[row * n + column] += a[row * k + i] * b[i * n + column];
}

}  // namespace warp_matrix
}  // namespace hostwarp

#endif  // HOSTWARP_WARP_MATRIX_H
