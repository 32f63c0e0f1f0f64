// ldmatrix, stmatrix, movmatrix: matrices of 8 by 8 16-bit elements, of which lane l holds two neighbours in row l / 4,
// and of smaller elements, of which it holds four in the same places.
#include "compiler/ptx/library/interface.h"

extern "C" void hw_warp_together(u32 mask, void *mine, void (*work)(void *const *lanes)) noexcept;

namespace {

// MatrixRows: each matrix has so many rows as lanes, in turn, that know where they are. Every lane learns where the
// rows of its own elements are, `mine` of each matrix, and at which column they begin.
struct MatrixRows {
  char *row;
  u32 count, transposed;
  u32 perMatrix, mine;
  char *rows[8];
  u32 column;
};

void shareRows(void *const *lanes) {
  for (u32 lane = 0; lane < 32; ++lane) {
    auto *rows = static_cast<MatrixRows *>(lanes[lane]);
    if (!rows) continue;
    const u32 first = rows->transposed ? lane % 4 * rows->mine : lane / 4;
    rows->column = rows->transposed ? lane / 4 : lane % 4;
    for (u32 i = 0; i < rows->count * rows->mine; ++i) {
      const void *holder = lanes[i / rows->mine * rows->perMatrix + first + i % rows->mine];
      rows->rows[i] = holder ? static_cast<const MatrixRows *>(holder)->row : nullptr;
    }
  }
}

// Rows of 16-bit elements, and where a lane's are: two neighbours in one row, or one in each of two.
MatrixRows shareHalves(char *row, u32 count, u32 transposed) {
  MatrixRows rows{row, count, transposed, 8, transposed ? 2u : 1u, {}, 0};
  hw_warp_together(~0u, &rows, shareRows);
  return rows;
}

// element() reads one of 8, 6 or 4 bits.
u32 element(const char *row, u32 index, u32 bits) {
  const char *at = row + index * bits / 8;
  const u32 low = u8(*at), high = bits == 6 ? u8(at[1]) : 0;
  return (low | high << 8) >> index * bits % 8 & ((1u << bits) - 1);
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
  const MatrixRows rows = shareHalves(row, count, transposed);
  for (u32 j = 0; j < count; ++j) {
    const auto half = [&](u32 e) { return u32(reinterpret_cast<u16 *>(rows.rows[2 * j + e])[rows.column]); };
    registers[j] = transposed ? half(0) | half(1) << 16 : reinterpret_cast<u32 *>(rows.rows[j])[rows.column];
  }
}

HWPTX void hwptx_stmatrix(char *row, u32 count, u32 transposed, const u32 *registers) {
  const MatrixRows rows = shareHalves(row, count, transposed);
  for (u32 j = 0; j < count; ++j) {
    if (!transposed) {
      reinterpret_cast<u32 *>(rows.rows[j])[rows.column] = registers[j];
      continue;
    }
    for (u32 e = 0; e < 2; ++e)
      reinterpret_cast<u16 *>(rows.rows[2 * j + e])[rows.column] = u16(registers[j] >> 16 * e);
  }
}

// Rows of 16 elements of `bits` bits become bytes. A transposed matrix has 16 rows, and a lane has of two columns,
// eight apart, what lies in four rows.
HWPTX void hwptx_ldmatrix_bytes(char *row, u32 count, u32 transposed, u32 bits, u32 *registers) {
  MatrixRows rows{row, count, transposed, transposed ? 16u : 8u, transposed ? 4u : 1u, {}, 0};
  hw_warp_together(~0u, &rows, shareRows);
  const u32 words = count * (transposed ? 2 : 1);
  for (u32 i = 0; i < words; ++i) {
    registers[i] = 0;
    for (u32 e = 0; e < 4; ++e)
      registers[i] |= (transposed ? element(rows.rows[i / 2 * 4 + e], rows.column + i % 2 * 8, bits)
                                  : element(rows.rows[i], rows.column * 4 + e, bits))
                      << 8 * e;
  }
}

// Transposed matrices of 16 by 8 bytes: eight rows of 16 in memory.
HWPTX void hwptx_stmatrix_bytes(char *row, u32 count, const u32 *registers) {
  const MatrixRows rows = shareHalves(row, count, true);
  for (u32 j = 0; j < count; ++j)
    for (u32 e = 0; e < 4; ++e) rows.rows[2 * j + e % 2][rows.column + e / 2 * 8] = char(registers[j] >> 8 * e);
}

HWPTX u32 hwptx_movmatrix(u32 word) {
  hw_warp_together(~0u, &word, transpose);
  return word;
}
