// ldmatrix, stmatrix, movmatrix: matrices of 8 by 8 16-bit elements, of which lane l holds two neighbours in row l / 4.
#include "compiler/ptx/library/interface.h"

extern "C" void hw_warp_together(u32 mask, void *mine, void (*work)(void *const *lanes)) noexcept;

namespace {

// MatrixRows: lanes 8j to 8j+7 know where the rows of matrix j are; every lane learns where its own elements are.
struct MatrixRows {
  char *row;
  u32 count, transposed;
  char *elements[8];  // of matrix j: at 2j, and for transposed matrices the second at 2j + 1
};

void shareRows(void *const *lanes) {
  for (u32 lane = 0; lane < 32; ++lane) {
    auto *mine = static_cast<MatrixRows *>(lanes[lane]);
    const auto rowOf = [&](u32 i) { return lanes[i] ? static_cast<MatrixRows *>(lanes[i])->row : nullptr; };
    for (u32 j = 0; mine && j < mine->count; ++j) {
      if (!mine->transposed) {
        mine->elements[2 * j] = rowOf(8 * j + lane / 4) + lane % 4 * 4;
        continue;
      }
      for (u32 e = 0; e < 2; ++e) mine->elements[2 * j + e] = rowOf(8 * j + lane % 4 * 2 + e) + lane / 4 * 2;
    }
  }
}

void transpose(void *const *lanes) {
  u32 words[32] = {};
  for (u32 lane = 0; lane < 32; ++lane)
    if (lanes[lane]) words[lane] = *static_cast<const u32 *>(lanes[lane]);
  const auto element = [&](u32 row, u32 column) { return words[row * 4 + column / 2] >> column % 2 * 16 & 0xffff; };
  for (u32 lane = 0; lane < 32; ++lane)
    if (lanes[lane])
      *static_cast<u32 *>(lanes[lane]) = element(lane % 4 * 2, lane / 4) | element(lane % 4 * 2 + 1, lane / 4) << 16;
}

}  // namespace

HWPTX void hwptx_ldmatrix(char *row, u32 count, u32 transposed, u32 *registers) {
  MatrixRows rows{row, count, transposed, {}};
  hw_warp_together(~0u, &rows, shareRows);
  for (u32 j = 0; j < count; ++j) {
    if (transposed)
      registers[j] = *reinterpret_cast<u16 *>(rows.elements[2 * j]) |
                     u32(*reinterpret_cast<u16 *>(rows.elements[2 * j + 1])) << 16;
    else
      registers[j] = *reinterpret_cast<u32 *>(rows.elements[2 * j]);
  }
}

HWPTX void hwptx_stmatrix(char *row, u32 count, u32 transposed, const u32 *registers) {
  MatrixRows rows{row, count, transposed, {}};
  hw_warp_together(~0u, &rows, shareRows);
  for (u32 j = 0; j < count; ++j) {
    if (transposed) {
      *reinterpret_cast<u16 *>(rows.elements[2 * j]) = u16(registers[j]);
      *reinterpret_cast<u16 *>(rows.elements[2 * j + 1]) = u16(registers[j] >> 16);
    } else {
      *reinterpret_cast<u32 *>(rows.elements[2 * j]) = registers[j];
    }
  }
}

HWPTX u32 hwptx_movmatrix(u32 word) {
  hw_warp_together(~0u, &word, transpose);
  return word;
}
