// The ways of matrices of <mma.h> between the lanes of a warp and arrays of the whole matrix, where all numbers of
// tiles are known: by vectors that are transposed in registers. warp_matrix.h says what lies where.
#ifndef HOSTWARP_WARP_MATRIX_MOVES_H
#define HOSTWARP_WARP_MATRIX_MOVES_H

#include "warp_matrix.h"

namespace hostwarp {
namespace warp_matrix {

// Vectors of 2, 4 and 8 words or numbers.
template <class T>
struct Vectors {
  typedef T Two __attribute__((vector_size(2 * sizeof(T))));
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));
  typedef T Eight __attribute__((vector_size(8 * sizeof(T))));
};

// loadWords() reads the first `count` of four words; what the others are does not matter.
template <int count, class Word>
HOSTWARP_HOST_DEVICE void loadWords(const char *from, typename Vectors<Word>::Four &to) {
  Word words[4] = {};
  __builtin_memcpy(words, from, count * sizeof(Word));
  __builtin_memcpy(&to, words, sizeof to);
}

// transpose() exchanges rows and columns of four rows of four words.
template <class Word>
HOSTWARP_HOST_DEVICE void transpose(typename Vectors<Word>::Four *rows) {
  typedef typename Vectors<Word>::Four Four;
  const Four even0 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 2, 6);
  const Four odd0 = __builtin_shufflevector(rows[0], rows[1], 1, 5, 3, 7);
  const Four even1 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 2, 6);
  const Four odd1 = __builtin_shufflevector(rows[2], rows[3], 1, 5, 3, 7);
  rows[0] = __builtin_shufflevector(even0, even1, 0, 1, 4, 5);
  rows[1] = __builtin_shufflevector(odd0, odd1, 0, 1, 4, 5);
  rows[2] = __builtin_shufflevector(even0, even1, 2, 3, 6, 7);
  rows[3] = __builtin_shufflevector(odd0, odd1, 2, 3, 6, 7);
}

// columnsOf() makes of eight rows of four words four columns of eight. rows[i] holds row i, and i + 4 behind it.
template <class Word>
HOSTWARP_HOST_DEVICE void columnsOf(const typename Vectors<Word>::Eight *rows, typename Vectors<Word>::Eight *columns) {
  typedef typename Vectors<Word>::Eight Eight;
  const Eight low0 = __builtin_shufflevector(rows[0], rows[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight high0 = __builtin_shufflevector(rows[0], rows[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const Eight low1 = __builtin_shufflevector(rows[2], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight high1 = __builtin_shufflevector(rows[2], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
  columns[0] = __builtin_shufflevector(low0, low1, 0, 1, 8, 9, 4, 5, 12, 13);
  columns[1] = __builtin_shufflevector(low0, low1, 2, 3, 10, 11, 6, 7, 14, 15);
  columns[2] = __builtin_shufflevector(high0, high1, 0, 1, 8, 9, 4, 5, 12, 13);
  columns[3] = __builtin_shufflevector(high0, high1, 2, 3, 10, 11, 6, 7, 14, 15);
}

// --- Operands ---

// forEachEight() visits an operand's words, eight at a time: visit(word, first, eight) gets word `word` along k of the
// rows of A (columns of B) from `first` on. at(lane) is where a lane's words begin.
template <int major, int words, bool isA, class Word, class At, class Visit>
HOSTWARP_HOST_DEVICE void forEachEight(At at, Visit visit) {
  typedef typename Vectors<Word>::Eight Eight;
  enum { majorTiles = major / 8, minorTiles = words / 4, tiles = majorTiles * minorTiles };
  enum { group = sizeof(Word) > 4 ? 1 : tiles < 4 ? tiles : 4 };
  for (int i = 0; i < 4; ++i)
    for (int first = 0; first < tiles; first += group) {
      Eight rows[4], columns[4];
      for (int row = 0; row < 4; ++row) {
        typename Vectors<Word>::Four low, high;
        loadWords<group, Word>(at(4 * row + i) + first * sizeof(Word), low);
        loadWords<group, Word>(at(4 * row + 16 + i) + first * sizeof(Word), high);
        rows[row] = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
      }
      columnsOf<Word>(rows, columns);
      for (int j = 0; j < group; ++j) {
        const int tile = first + j;
        const int majorTile = isA ? tile % majorTiles : tile / minorTiles;
        const int minorTile = isA ? tile / majorTiles : tile % minorTiles;
        visit(4 * minorTile + i, 8 * majorTile, columns[j]);
      }
    }
}

// --- Accumulators, whose words are pairs of neighbouring elements ---

// Pairs<bytes>: pairs of so many bytes, and what a half of one is.
template <int bytes>
struct Pairs;
template <>
struct Pairs<4> {
  typedef unsigned Pair;
  typedef unsigned short Half;
};
template <>
struct Pairs<8> {
  typedef unsigned long long Pair;
  typedef unsigned Half;
};
template <>
struct Pairs<16> {
  typedef unsigned long long Pair;  // there is one tile of those, whose rows are put together of halves
  typedef unsigned long long Half;
};

// gatherRow() moves row `row` of the tiles from `first` on, four or one, to the whole matrix; scatterRow() back.
template <int tiles, int bytes>
struct MoveRow {
  typedef typename Pairs<bytes>::Pair Pair;
  typedef typename Vectors<Pair>::Four Four;

  template <class At>
  static HOSTWARP_HOST_DEVICE void gather(At at, Tiles places, int first, int row, char *whole) {
    Four pairs[4];
    for (int i = 0; i < 4; ++i) __builtin_memcpy(pairs + i, at(4 * row + i) + first * bytes, sizeof(Four));
    transpose<Pair>(pairs);
    for (int i = 0; i < 4; ++i) __builtin_memcpy(whole + places.start(first + i, row) * bytes, pairs + i, sizeof(Four));
  }
  template <class At>
  static HOSTWARP_HOST_DEVICE void scatter(At at, Tiles places, int first, int row, const char *whole) {
    Four pairs[4];
    for (int i = 0; i < 4; ++i) __builtin_memcpy(pairs + i, whole + places.start(first + i, row) * bytes, sizeof(Four));
    transpose<Pair>(pairs);
    for (int i = 0; i < 4; ++i) __builtin_memcpy(at(4 * row + i) + first * bytes, pairs + i, sizeof(Four));
  }
};
template <int bytes>
struct MoveRow<1, bytes> {
  typedef typename Pairs<bytes>::Half Half;
  typedef typename Vectors<Half>::Two Two;
  typedef typename Vectors<Half>::Eight Eight;

  template <class At>
  static HOSTWARP_HOST_DEVICE void gather(At at, Tiles places, int first, int row, char *whole) {
    Two pairs[4];
    for (int i = 0; i < 4; ++i) __builtin_memcpy(pairs + i, at(4 * row + i) + first * bytes, sizeof(Two));
    const typename Vectors<Half>::Four low = __builtin_shufflevector(pairs[0], pairs[1], 0, 1, 2, 3);
    const typename Vectors<Half>::Four high = __builtin_shufflevector(pairs[2], pairs[3], 0, 1, 2, 3);
    const Eight all = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    __builtin_memcpy(whole + places.start(first, row) * bytes, &all, sizeof all);
  }
  template <class At>
  static HOSTWARP_HOST_DEVICE void scatter(At at, Tiles places, int first, int row, const char *whole) {
    const char *from = whole + places.start(first, row) * bytes;
    for (int i = 0; i < 4; ++i) __builtin_memcpy(at(4 * row + i) + first * bytes, from + i * bytes, bytes);
  }
};

// gatherPairs() and scatterPairs() move an accumulator, m by n, of elements of bytes / 2; at(lane) is where a lane's
// are.
template <int m, int n, int bytes, class At>
HOSTWARP_HOST_DEVICE void gatherPairs(At at, void *whole) {
  enum { tiles = m * n / 64, group = tiles < 4 ? 1 : 4 };
  for (int row = 0; row < 8; ++row)
    for (int first = 0; first < tiles; first += group)
      MoveRow<group, bytes>::gather(at, tilesOfAccumulator(m, n), first, row, static_cast<char *>(whole));
}
template <int m, int n, int bytes, class At>
HOSTWARP_HOST_DEVICE void scatterPairs(At at, const void *whole) {
  enum { tiles = m * n / 64, group = tiles < 4 ? 1 : 4 };
  for (int row = 0; row < 8; ++row)
    for (int first = 0; first < tiles; first += group)
      MoveRow<group, bytes>::scatter(at, tilesOfAccumulator(m, n), first, row, static_cast<const char *>(whole));
}

}  // namespace warp_matrix
}  // namespace hostwarp

#endif  // HOSTWARP_WARP_MATRIX_MOVES_H
