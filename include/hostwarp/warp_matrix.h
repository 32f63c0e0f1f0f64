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

// --- Whole matrices, quickly ---
//
// What a lane holds of a tile is one word: 4 bytes of A or B (8 for double), two elements of an accumulator.

// Tiles says where the words of a lane's tiles lie in an array of the whole matrix: how many tiles there are, in which
// order, and how far from one another their neighbours in either dimension are.
struct Tiles {
  int major, minor;
  bool majorFirst;
  int majorStep, minorStep;

  // start() is where a row of a tile begins, whose four words are those of the lanes 4 * row to 4 * row + 3.
  HOSTWARP_HOST_DEVICE int start(int tile, int row) const {
    const int majorTile = majorFirst ? tile % major : tile / minor;
    const int minorTile = majorFirst ? tile / major : tile % minor;
    return (8 * majorTile + row) * majorStep + 4 * minorTile * minorStep;
  }
};
// Operands become arrays of k / perWord rows, with a column for each row of A or column of B.
HOSTWARP_HOST_DEVICE Tiles tilesOfOperand(int majorSize, int wordsAlongK, bool isA) {
  const Tiles tiles = {majorSize / 8, wordsAlongK / 4, isA, 1, majorSize};
  return tiles;
}
HOSTWARP_HOST_DEVICE Tiles tilesOfAccumulator(int m, int n) {
  const Tiles tiles = {m / 8, n / 8, true, n / 2, 1};
  return tiles;
}

// gather() and scatter() move words between the lanes, where they follow one another, and the whole matrix.
template <int bytes>
HOSTWARP_HOST_DEVICE void gather(const void *const *lanes, Tiles tiles, void *whole) {
  for (int row = 0; row < 8; ++row)
    for (int tile = 0; tile < tiles.major * tiles.minor; ++tile)
      for (int i = 0; i < 4; ++i)
        __builtin_memcpy(static_cast<char *>(whole) + (tiles.start(tile, row) + i * tiles.minorStep) * bytes,
                         static_cast<const char *>(lanes[4 * row + i]) + tile * bytes, bytes);
}
template <int bytes>
HOSTWARP_HOST_DEVICE void scatter(void *const *lanes, Tiles tiles, const void *whole) {
  for (int row = 0; row < 8; ++row)
    for (int tile = 0; tile < tiles.major * tiles.minor; ++tile)
      for (int i = 0; i < 4; ++i)
        __builtin_memcpy(static_cast<char *>(lanes[4 * row + i]) + tile * bytes,
                         static_cast<const char *>(whole) + (tiles.start(tile, row) + i * tiles.minorStep) * bytes,
                         bytes);
}

// multiplyColumns() adds to sums (m by n) the product of a and b: arrays of k rows with m and n columns. The sums of
// some rows stay in registers; each takes the products in the order of k.
template <int n, class T>
HOSTWARP_HOST_DEVICE void multiplyColumns(const T *a, const T *b, T *sums, int m, int k) {
#if defined(__clang__)
#pragma clang fp contract(fast)
#endif
  typedef T Row __attribute__((vector_size(n * sizeof(T))));
  enum { rows = 256 / (n * sizeof(T)) };
  for (int first = 0; first < m; first += rows) {
    Row held[rows];
    __builtin_memcpy(held, sums + first * n, sizeof held);
    for (int i = 0; i < k; ++i) {
      Row factors;
      __builtin_memcpy(&factors, b + i * n, sizeof factors);
      for (int row = 0; row < rows; ++row) held[row] += a[i * m + first + row] * factors;
    }
    __builtin_memcpy(sums + first * n, held, sizeof held);
  }
}

}  // namespace warp_matrix
}  // namespace hostwarp

#endif  // HOSTWARP_WARP_MATRIX_H
