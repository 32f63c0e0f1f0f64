// mma.sync: the product of a warp's matrices, computed once by the lane that comes last. Sums begin with C and take the
// products in the order of k; products are exact.
#include "compiler/ptx/library/matrix_elements.h"
#include "compiler/ptx/library/sparse.h"
#include "include/hostwarp/warp_matrix.h"

extern "C" void hw_warp_together(u32 mask, void *mine, void (*work)(void *const *lanes)) noexcept;

using hostwarp::compiler::ptx::MatrixRegisters;
using hostwarp::compiler::ptx::MatrixScales;
namespace warp_matrix = hostwarp::warp_matrix;
using warp_matrix::Place;

namespace {

constexpr int n = 8, mostM = 16;
// The largest k for each type: the matrices lie on a thread's stack.
template <class Wide>
constexpr int mostK = 64;
template <>
constexpr int mostK<int> = 128;

// --- Dense products: matrices of k rows, as multiplyColumns() takes them ---

// A lane that takes no part has zeros, and writes to nowhere.
struct LaneRegisters {
  explicit LaneRegisters(void *const *lanes) {
    for (int lane = 0; lane < 32; ++lane)
      registers[lane] = lanes[lane] ? static_cast<MatrixRegisters *>(lanes[lane]) : &nobody;
  }
  MatrixRegisters nobody = {};
  MatrixRegisters *registers[32];

  template <int bytes, class Member>
  void gather(Member member, warp_matrix::Tiles tiles, void *whole) const {
    const void *words[32];
    for (int lane = 0; lane < 32; ++lane) words[lane] = registers[lane]->*member;
    warp_matrix::gather<bytes>(words, tiles, whole);
  }
  template <int bytes>
  void scatter(warp_matrix::Tiles tiles, const void *whole) const {
    void *words[32];
    for (int lane = 0; lane < 32; ++lane) words[lane] = registers[lane]->d;
    warp_matrix::scatter<bytes>(words, tiles, whole);
  }
};

// A reader's words are of 4 bytes, or doubles.
template <class Reader, class Wide>
void gatherColumns(Reader reader, const LaneRegisters &lanes, bool isB, int major, int k, Wide *whole) {
  constexpr int bytes = sizeof(Wide) == 8 ? 8 : 4;
  alignas(64) u32 raw[mostM * 16 * bytes / 4];
  const int words = k / Reader::perWord;
  const warp_matrix::Tiles tiles = warp_matrix::tilesOfOperand(major, words, !isB);
  isB ? lanes.gather<bytes>(&MatrixRegisters::b, tiles, raw) : lanes.gather<bytes>(&MatrixRegisters::a, tiles, raw);
  for (int word = 0; word < words; ++word)
    for (int e = 0; e < Reader::perWord; ++e)
      for (int i = 0; i < major; ++i)
        whole[(word * Reader::perWord + e) * major + i] = Wide(reader.at(raw + (word * major + i) * (bytes / 4), e));
}

void gatherOperand(u32 kind, const LaneRegisters &lanes, bool isB, int major, int k, float *whole) {
  switch (kind) {
    case MatrixKind::F16:
      return gatherColumns(ReadHalf(), lanes, isB, major, k, whole);
    case MatrixKind::BF16:
      return gatherColumns(ReadBrain(), lanes, isB, major, k, whole);
    case MatrixKind::TF32:
      return gatherColumns(ReadTf32(), lanes, isB, major, k, whole);
    case MatrixKind::PackedE2M1:
      return gatherColumns(ReadSmall<4>(kind), lanes, isB, major, k, whole);
    case MatrixKind::S8:
      return gatherColumns(ReadInteger<8, true>(), lanes, isB, major, k, whole);
    case MatrixKind::U8:
      return gatherColumns(ReadInteger<8, false>(), lanes, isB, major, k, whole);
    case MatrixKind::S4:
      return gatherColumns(ReadInteger<4, true>(), lanes, isB, major, k, whole);
    case MatrixKind::U4:
      return gatherColumns(ReadInteger<4, false>(), lanes, isB, major, k, whole);
    default:
      return gatherColumns(ReadSmall<8>(kind), lanes, isB, major, k, whole);
  }
}
void gatherOperand(u32, const LaneRegisters &lanes, bool isB, int major, int k, double *whole) {
  gatherColumns(ReadDouble(), lanes, isB, major, k, whole);
}

s32 sumOfIntegers(s32 c, float products, bool saturates) {
  s64 sum = s64(c) + s32(products);
  if (saturates && sum > 0x7fffffff) sum = 0x7fffffff;
  if (saturates && sum < -s64(0x80000000)) sum = -s64(0x80000000);
  return s32(sum);
}

// multiplyFloats() multiplies integers too: their sums have fewer than 24 bits, and C is added at the end.
void multiplyFloats(void *const *lanes, const MatrixRegisters &how) {
  const int m = int(how.m), k = int(how.k), elements = m * n;
  const LaneRegisters registers(lanes);
  const warp_matrix::Tiles tiles = warp_matrix::tilesOfAccumulator(m, n);
  alignas(64) float a[64 * mostM], b[64 * n], sums[mostM * n] = {};
  alignas(64) s32 integers[mostM * n];
  alignas(64) u16 halves[mostM * n];
  gatherOperand(how.kindA, registers, false, m, k, a);
  gatherOperand(how.kindB, registers, true, n, k, b);
  if (how.kindC == MatrixKind::F32) registers.gather<8>(&MatrixRegisters::c, tiles, sums);
  if (how.kindC == MatrixKind::S32) registers.gather<8>(&MatrixRegisters::c, tiles, integers);
  if (how.kindC == MatrixKind::F16) {
    registers.gather<4>(&MatrixRegisters::c, tiles, halves);
    for (int i = 0; i < elements; ++i) sums[i] = numbers::widenHalf(halves[i]);
  }
  warp_matrix::multiplyColumns<n>(a, b, sums, m, k);
  if (how.kindD == MatrixKind::F16) {
    for (int i = 0; i < elements; ++i) halves[i] = numbers::Half::fromFloat(sums[i]);
    registers.scatter<4>(tiles, halves);
  } else if (how.kindD == MatrixKind::S32) {
    for (int i = 0; i < elements; ++i) integers[i] = sumOfIntegers(integers[i], sums[i], how.saturates);
    registers.scatter<8>(tiles, integers);
  } else {
    registers.scatter<8>(tiles, sums);
  }
}

void multiplyDoubles(void *const *lanes, const MatrixRegisters &how) {
  const int m = int(how.m), k = int(how.k);
  const LaneRegisters registers(lanes);
  const warp_matrix::Tiles tiles = warp_matrix::tilesOfAccumulator(m, n);
  alignas(64) double a[16 * mostM], b[16 * n], sums[mostM * n];
  gatherOperand(how.kindA, registers, false, m, k, a);
  gatherOperand(how.kindB, registers, true, n, k, b);
  registers.gather<16>(&MatrixRegisters::c, tiles, sums);
  warp_matrix::multiplyColumns<n>(a, b, sums, m, k);
  registers.scatter<16>(tiles, sums);
}

// --- Sparse products: from lanes to whole matrices, element by element ---

template <class Reader, class Wide>
void gather(Reader reader, void *const *lanes, bool isB, int m, int k, Wide *whole) {
  const int major = isB ? n : m;
  for (int lane = 0; lane < 32; ++lane) {
    auto *registers = static_cast<const MatrixRegisters *>(lanes[lane]);
    for (int i = 0; registers && i < major * k / 32; ++i) {
      const Place place = warp_matrix::placeInTiles(major, k, Reader::perWord, !isB, lane, i);
      whole[isB ? place.minor * n + place.major : place.major * k + place.minor] =
          reader.at(isB ? registers->b : registers->a, i);
    }
  }
}

void gatherKind(u32 kind, void *const *lanes, bool isB, int m, int k, float *whole) {
  switch (kind) {
    case MatrixKind::F16:
      return gather(ReadHalf(), lanes, isB, m, k, whole);
    case MatrixKind::BF16:
      return gather(ReadBrain(), lanes, isB, m, k, whole);
    case MatrixKind::TF32:
      return gather(ReadTf32(), lanes, isB, m, k, whole);
    case MatrixKind::PackedE2M1:
      return gather(ReadSmall<4>(kind), lanes, isB, m, k, whole);
    default:
      return gather(ReadSmall<8>(kind), lanes, isB, m, k, whole);
  }
}
void gatherKind(u32 kind, void *const *lanes, bool isB, int m, int k, int *whole) {
  switch (kind) {
    case MatrixKind::S8:
      return gather(ReadInteger<8, true>(), lanes, isB, m, k, whole);
    case MatrixKind::U8:
      return gather(ReadInteger<8, false>(), lanes, isB, m, k, whole);
    case MatrixKind::S4:
      return gather(ReadInteger<4, true>(), lanes, isB, m, k, whole);
    default:
      return gather(ReadInteger<4, false>(), lanes, isB, m, k, whole);
  }
}

// --- Accumulators: start() is what the products are added to, finish() writes D ---

float start(const MatrixRegisters &registers, int i, float) {
  return registers.kindC == MatrixKind::F16 ? ReadHalf::at(registers.c, i) : bitsAs<float>(registers.c[i]);
}
int start(const MatrixRegisters &, int, int) { return 0; }

void finish(MatrixRegisters &registers, int i, float sum) {
  if (registers.kindD != MatrixKind::F16) {
    registers.d[i] = bitsAs<u32>(sum);
    return;
  }
  const u32 bits = numbers::Half::fromFloat(sum);
  registers.d[i / 2] = i % 2 ? registers.d[i / 2] | bits << 16 : bits;
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
void multiplySparse(void *const *lanes, const MatrixRegisters &how) {
  const int m = int(how.m), k = int(how.k), heldA = k / 2;
  Wide a[mostM * mostK<Wide> / 2] = {}, b[mostK<Wide> * n] = {}, sums[mostM * n] = {};
  gatherKind(how.kindA, lanes, false, m, heldA, a);
  gatherKind(how.kindB, lanes, true, m, k, b);
  forEachSum(lanes, m, [&](MatrixRegisters &registers, int i, Place place) {
    sums[place.major * n + place.minor] = start(registers, i, Wide());
  });
  multiplySparse(a, b, sums, n, k, Metadata(lanes, how.kindA, how.selector, metadataOf<MatrixRegisters>));
  forEachSum(lanes, m, [&](MatrixRegisters &registers, int i, Place place) {
    finish(registers, i, sums[place.major * n + place.minor]);
  });
}

// --- Scaled blocks: factors times their scales are exact in double, and so are most sums ---

// Scales are those of the rows of A or the columns of B. Two lanes of each four have two rows' of A, eight apart.
class Scales {
 public:
  Scales(void *const *lanes, const MatrixRegisters &how, bool isB) : majors_(isB ? n : mostM) {
    const MatrixScales &which = isB ? how.scalesB : how.scalesA;
    const ReadSmall<8> e4m3(MatrixKind::E4M3);
    for (u32 major = 0; major < u32(majors_); ++major) {
      const u32 holder = major % 8 * 4 + (isB ? which.thread : which.thread * 2 + major / 8);
      auto *registers = static_cast<const MatrixRegisters *>(lanes[holder]);
      const u32 word = registers ? (isB ? registers->scalesB : registers->scalesA).word >> which.byte * 8 : 0;
      for (u32 i = 0; i < how.scales; ++i) {
        const u32 bits = word >> i * 8 & 255, magnitude = bits & 127;
        values_[i][major] = how.scalesE4M3 ? e4m3.at(&magnitude, 0) : numbers::decodeE8m0(bits);
      }
    }
  }
  double at(int major, int block) const { return values_[block][major]; }

  // apply() scales an operand as gatherOperand() gives it, whose blocks have so many elements.
  void apply(const float *from, int k, int block, double *to) const {
    for (int i = 0; i < k; ++i)
      for (int major = 0; major < majors_; ++major)
        to[i * majors_ + major] = double(from[i * majors_ + major]) * values_[i / block][major];
  }

 private:
  int majors_;
  double values_[4][mostM] = {};
};

// multiplyScaled() takes C and D of float.
void multiplyScaled(void *const *lanes, const MatrixRegisters &how) {
  constexpr int m = mostM, elements = m * n;
  const int k = int(how.k), heldA = how.sparse ? k / 2 : k, block = k / int(how.scales);
  const LaneRegisters registers(lanes);
  const warp_matrix::Tiles tiles = warp_matrix::tilesOfAccumulator(m, n);
  alignas(64) float narrow[mostM * 64], narrowSums[elements];
  alignas(64) double a[mostM * 64], b[128 * n], sums[elements];
  gatherOperand(how.kindB, registers, true, n, k, narrow);
  const Scales scalesA(lanes, how, false), scalesB(lanes, how, true);
  scalesB.apply(narrow, k, block, b);
  registers.gather<8>(&MatrixRegisters::c, tiles, narrowSums);
  for (int i = 0; i < elements; ++i) sums[i] = narrowSums[i];
  if (how.sparse) {
    const Metadata metadata(lanes, how.kindA, how.selector, metadataOf<MatrixRegisters>);
    gatherKind(how.kindA, lanes, false, m, heldA, narrow);
    for (int i = 0; i < m * heldA; ++i)
      a[i] = narrow[i] * scalesA.at(i / heldA, metadata.column(i / heldA, i % heldA, k) / block);
    multiplySparse(a, b, sums, n, k, metadata);
  } else {
    gatherOperand(how.kindA, registers, false, m, k, narrow);
    scalesA.apply(narrow, k, block, a);
    warp_matrix::multiplyColumns<n>(a, b, sums, m, k);
  }
  for (int i = 0; i < elements; ++i) narrowSums[i] = float(sums[i]);
  registers.scatter<8>(tiles, narrowSums);
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
  } else if (how->scales) {
    multiplyScaled(lanes, *how);
  } else if (how->sparse) {
    how->kindA >= MatrixKind::S8 ? multiplySparse<int>(lanes, *how) : multiplySparse<float>(lanes, *how);
  } else if (how->kindA == MatrixKind::F64) {
    multiplyDoubles(lanes, *how);
  } else {
    multiplyFloats(lanes, *how);
  }
}

}  // namespace

HWPTX void hwptx_mma(u32 *registers) { hw_warp_together(~0u, registers, multiplyForAll); }
