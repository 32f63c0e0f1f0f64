// mma.sync: the product of a warp's matrices, computed once by the lane that comes last. Sums begin with C and take the
// products in the order of k; products are exact.
#include "compiler/ptx/library/matrix_elements.h"
#include "compiler/ptx/library/sparse.h"
#include "include/hostwarp/warp_matrix.h"

extern "C" void hw_warp_together(u32 mask, void *mine, void (*work)(void *const *lanes)) noexcept;

using hostwarp::compiler::ptx::MatrixRegisters;
namespace warp_matrix = hostwarp::warp_matrix;
using warp_matrix::Place;

namespace {

constexpr int n = 8, mostM = 16;
// The largest k for each type: the matrices lie on a thread's stack.
template <class Wide>
constexpr int mostK = sizeof(Wide) == 8 ? 32 : 64;
template <>
constexpr int mostK<int> = 128;

// --- From lanes to whole matrices ---

template <class Reader, class Wide>
void gather(void *const *lanes, bool isB, int m, int k, Wide *whole) {
  const int major = isB ? n : m;
  for (int lane = 0; lane < 32; ++lane) {
    auto *registers = static_cast<const MatrixRegisters *>(lanes[lane]);
    for (int i = 0; registers && i < major * k / 32; ++i) {
      const Place place = warp_matrix::placeInTiles(major, k, Reader::perWord, !isB, lane, i);
      whole[isB ? place.minor * n + place.major : place.major * k + place.minor] =
          Reader::at(isB ? registers->b : registers->a, i);
    }
  }
}

void gatherKind(u32 kind, void *const *lanes, bool isB, int m, int k, float *whole) {
  switch (kind) {
    case MatrixKind::F16:
      return gather<ReadHalf>(lanes, isB, m, k, whole);
    case MatrixKind::BF16:
      return gather<ReadBrain>(lanes, isB, m, k, whole);
    case MatrixKind::TF32:
      return gather<ReadTf32>(lanes, isB, m, k, whole);
    case MatrixKind::E4M3:
      return gather<ReadFloat8<MatrixKind::E4M3>>(lanes, isB, m, k, whole);
    default:
      return gather<ReadFloat8<MatrixKind::E5M2>>(lanes, isB, m, k, whole);
  }
}
void gatherKind(u32 kind, void *const *lanes, bool isB, int m, int k, int *whole) {
  switch (kind) {
    case MatrixKind::S8:
      return gather<ReadInteger<8, true>>(lanes, isB, m, k, whole);
    case MatrixKind::U8:
      return gather<ReadInteger<8, false>>(lanes, isB, m, k, whole);
    case MatrixKind::S4:
      return gather<ReadInteger<4, true>>(lanes, isB, m, k, whole);
    default:
      return gather<ReadInteger<4, false>>(lanes, isB, m, k, whole);
  }
}
void gatherKind(u32, void *const *lanes, bool isB, int m, int k, double *whole) {
  gather<ReadDouble>(lanes, isB, m, k, whole);
}

// --- Accumulators: start() is what the products are added to, finish() writes D ---

float start(const MatrixRegisters &registers, int i, float) {
  return registers.kindC == MatrixKind::F16 ? ReadHalf::at(registers.c, i) : bitsAs<float>(registers.c[i]);
}
double start(const MatrixRegisters &registers, int i, double) { return ReadDouble::at(registers.c, i); }
int start(const MatrixRegisters &, int, int) { return 0; }

void finish(MatrixRegisters &registers, int i, float sum) {
  if (registers.kindD != MatrixKind::F16) {
    registers.d[i] = bitsAs<u32>(sum);
    return;
  }
  const u32 bits = numbers::Half::fromFloat(sum);
  registers.d[i / 2] = i % 2 ? registers.d[i / 2] | bits << 16 : bits;
}
void finish(MatrixRegisters &registers, int i, double sum) {
  const u64 bits = bitsAs<u64>(sum);
  registers.d[2 * i] = u32(bits);
  registers.d[2 * i + 1] = u32(bits >> 32);
}
void finish(MatrixRegisters &registers, int i, int products) {
  s64 sum = s64(s32(registers.c[i])) + products;
  if (registers.saturates && sum > 0x7fffffff) sum = 0x7fffffff;
  if (registers.saturates && sum < -s64(0x80000000)) sum = -s64(0x80000000);
  registers.d[i] = u32(sum);
}

template <class Visit>
void forEachSum(void *const *lanes, int m, Visit visit) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; lanes[lane] && i < m * n / 32; ++i)
      visit(*static_cast<MatrixRegisters *>(lanes[lane]), i, warp_matrix::placeInAccumulator(m, n, lane, i));
}

template <class Wide>
void multiply(void *const *lanes, const MatrixRegisters &how) {
  const int m = int(how.m), k = int(how.k), heldA = how.sparse ? k / 2 : k;
  // What is larger than half of mostK is sparse.
  Wide a[mostM * mostK<Wide> / 2] = {}, b[mostK<Wide> * n] = {}, sums[mostM * n] = {};
  gatherKind(how.kindA, lanes, false, m, heldA, a);
  gatherKind(how.kindB, lanes, true, m, k, b);
  forEachSum(lanes, m, [&](MatrixRegisters &registers, int i, Place place) {
    sums[place.major * n + place.minor] = start(registers, i, Wide());
  });
  if (how.sparse)
    multiplySparse(a, b, sums, n, k, Metadata(lanes, how.kindA, how.selector, metadataOf<MatrixRegisters>));
  else
    warp_matrix::multiply(a, b, sums, m, n, k);
  forEachSum(lanes, m, [&](MatrixRegisters &registers, int i, Place place) {
    finish(registers, i, sums[place.major * n + place.minor]);
  });
}

// Bits: the operands are matrices of words.
void multiplyBits(void *const *lanes, const MatrixRegisters &how) {
  const int m = int(how.m), words = int(how.k) / 32;
  u32 a[mostM * 8] = {}, b[n * 8] = {};
  for (int lane = 0; lane < 32; ++lane) {
    auto *registers = static_cast<const MatrixRegisters *>(lanes[lane]);
    for (int i = 0; registers && i < m * words / 32; ++i) {
      const Place place = warp_matrix::placeInA(m, words, 1, lane, i);
      a[place.major * words + place.minor] = registers->a[i];
    }
    for (int i = 0; registers && i < n * words / 32; ++i) {
      const Place place = warp_matrix::placeInB(n, words, 1, lane, i);
      b[place.major * words + place.minor] = registers->b[i];
    }
  }
  forEachSum(lanes, m, [&](MatrixRegisters &registers, int i, Place place) {
    int sum = 0;
    for (int word = 0; word < words; ++word) {
      const u32 x = a[place.major * words + word], y = b[place.minor * words + word];
      sum += __builtin_popcount(how.ands ? x & y : x ^ y);
    }
    finish(registers, i, sum);
  });
}

// m8n8k4 of f16: each four lanes, with the four 16 above them, multiply matrices of their own. forEachOfQuad() visits
// `count` elements of each of these lanes; upper is 4 for the upper lanes.
template <class Visit>
void forEachOfQuad(void *const *lanes, int quad, int count, Visit visit) {
  for (int upper = 0; upper <= 4; upper += 4)
    for (int member = 0; member < 4; ++member) {
      const int lane = quad * 4 + member + upper * 4;
      for (int e = 0; lanes[lane] && e < count; ++e)
        visit(*static_cast<MatrixRegisters *>(lanes[lane]), member, upper, e);
    }
}

// An accumulator's element: rows of halves, pieces of two rows of floats.
int placeInQuad(u32 kind, int member, int upper, int e) {
  if (kind == MatrixKind::F16) return (member + upper) * n + e;
  return ((member & 1) + (e & 2) + upper) * n + (e & 4) + (member & 2) + (e & 1);
}

void multiplyQuads(void *const *lanes, const MatrixRegisters &how, int quad) {
  float a[8 * 4] = {}, b[4 * n] = {}, sums[8 * n] = {};
  forEachOfQuad(lanes, quad, 4, [&](MatrixRegisters &registers, int member, int upper, int e) {
    (how.columnsA ? a[(e + upper) * 4 + member] : a[(member + upper) * 4 + e]) = ReadHalf::at(registers.a, e);
    (how.rowsB ? b[member * n + e + upper] : b[e * n + member + upper]) = ReadHalf::at(registers.b, e);
  });
  forEachOfQuad(lanes, quad, 8, [&](MatrixRegisters &registers, int member, int upper, int e) {
    sums[placeInQuad(how.kindC, member, upper, e)] = start(registers, e, 0.0f);
  });
  warp_matrix::multiply(a, b, sums, 8, n, 4);
  forEachOfQuad(lanes, quad, 8, [&](MatrixRegisters &registers, int member, int upper, int e) {
    finish(registers, e, sums[placeInQuad(how.kindD, member, upper, e)]);
  });
}

void multiplyForAll(void *const *lanes) {
  const MatrixRegisters *how = nullptr;
  for (int lane = 0; lane < 32 && !how; ++lane) how = static_cast<const MatrixRegisters *>(lanes[lane]);
  if (how->k == 4 && how->kindA == MatrixKind::F16) {
    for (int quad = 0; quad < 4; ++quad) multiplyQuads(lanes, *how, quad);
  } else if (how->kindA == MatrixKind::B1) {
    multiplyBits(lanes, *how);
  } else if (how->kindA == MatrixKind::F64) {
    multiply<double>(lanes, *how);
  } else if (how->kindA >= MatrixKind::S8) {
    multiply<int>(lanes, *how);
  } else {
    multiply<float>(lanes, *how);
  }
}

}  // namespace

HWPTX void hwptx_mma(u32 *registers) { hw_warp_together(~0u, registers, multiplyForAll); }
