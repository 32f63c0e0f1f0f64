// What wmma.load and wmma.store hand to ptx/library.
#ifndef HOSTWARP_COMPILER_PTX_MATRIX_FRAGMENTS_H
#define HOSTWARP_COMPILER_PTX_MATRIX_FRAGMENTS_H

#include <stdint.h>

namespace hostwarp::compiler::ptx {

// FragmentMove says where a fragment's elements lie. A fragment is one or more pieces, each an operand of mma.sync with
// that instruction's distribution over the lanes.
struct FragmentMove {
  uint32_t bits;                  // of an element
  uint32_t pieces;                // of the fragment
  uint32_t majorStep, minorStep;  // from a piece to the next one
  uint32_t majorSize, minorSize;  // of a piece
  uint32_t perWord, majorFirst;   // as warp_matrix::placeInTiles() has them
  uint32_t minorTogether;         // neighbours in memory are those of the minor dimension
  uint32_t stores;
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_MATRIX_FRAGMENTS_H
