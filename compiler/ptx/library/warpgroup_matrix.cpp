// wgmma.mma_async: one warp's 16 rows of the product, computed once by the lane that comes last. Sums begin with D and
// take the products in the order of k; products are exact.
#include "compiler/ptx/library/in_flight.h"
#include "compiler/ptx/library/matrix_elements.h"
#include "compiler/ptx/library/sparse.h"
#include "include/hostwarp/warp_matrix.h"

extern "C" u32 hw_read_laneid(void) noexcept;
extern "C" void hw_warp_together(u32 mask, void *mine, void (*work)(void *const *lanes)) noexcept;

using Registers = hostwarp::compiler::ptx::WarpgroupRegisters;
namespace warp_matrix = hostwarp::warp_matrix;
using warp_matrix::Place;

namespace {

constexpr int m = 16, columns = 8;  // of what is computed at a time

u64 wide(const u32 (&words)[2]) { return words[0] | u64(words[1]) << 32; }

// Factor is A or B in shared memory, as a matrix descriptor tells [PTX: wgmma matrix descriptor]. Elements come in
// chunks of 16 bytes: neighbours along k, or along m or n if it is stored `alongMajor`.
class Factor {
 public:
  Factor(u64 descriptor, const char *shared, bool alongMajor, int perChunk)
      : shared_(shared),
        start_(field(descriptor, 0)),
        leading_(field(descriptor, 16)),
        stride_(field(descriptor, 32)),
        phase_(u32(descriptor >> 49 & 7)),
        // The numbers 1, 2, 3 stand for spans of 128, 64 and 32 bytes.
        swizzle_(descriptor >> 62 ? 4 - u32(descriptor >> 62) : 0),
        alongMajor_(alongMajor),
        perChunk_(perChunk) {}

  template <class Reader>
  auto at(int major, int k) const {
    const int along = alongMajor_ ? major : k, across = alongMajor_ ? k : major;
    return Reader::at(chunk(along / perChunk_, across), along % perChunk_);
  }
  // forEachChunk() visits the chunks of majorSize rows or columns from `major` on.
  template <class Visit>
  void forEachChunk(int major, int majorSize, int kSize, Visit visit) const {
    const int first = alongMajor_ ? major : 0, end = alongMajor_ ? major + majorSize : kSize;
    const int firstAcross = alongMajor_ ? 0 : major, endAcross = alongMajor_ ? kSize : major + majorSize;
    for (int across = firstAcross; across < endAcross; ++across)
      for (int along = first; along < end; along += perChunk_) visit(chunk(along / perChunk_, across));
  }
  const u32 *words(int major, int chunkOfRow) const { return chunk(chunkOfRow, major); }

  // isInside() tells whether all of a matrix of majorSize by kSize elements lies in that many bytes of shared memory.
  // Swizzling moves chunks within lines of 128 bytes.
  bool isInside(u32 bytes, int majorSize, int kSize) const {
    const int along = (alongMajor_ ? majorSize : kSize) - 1, across = (alongMajor_ ? kSize : majorSize) - 1;
    return (offset(along / perChunk_, across) | 127) < (bytes + 127) / 128 * 128;
  }

 private:
  static u32 field(u64 descriptor, int bit) { return u32(descriptor >> bit & 0x3fff) << 4; }

  // offset() is where a chunk lies before swizzling: `along` counts chunks in the direction of storage, `across` counts
  // elements in the other one, of which eight lie in each unit of the layout. A swizzled unit is one span wide, and so
  // are its rows apart.
  u32 offset(int along, int across) const {
    const int inSpan = 1 << swizzle_, unit = across / 8, row = across % 8;
    u32 address = start_ + u32(row) * 16 * u32(inSpan) + u32(along % inSpan) * 16;
    const u32 ahead = u32(along / inSpan);
    if (swizzle_ || !alongMajor_)
      address += ahead * leading_ + u32(unit) * stride_;
    else
      address += ahead * stride_ + u32(unit) * leading_;
    return address;
  }

  const u32 *chunk(int along, int across) const {
    u32 address = offset(along, across);
    const u32 line = (address >> 7) - phase_;
    address ^= (line & ((1u << swizzle_) - 1)) << 4;
    return reinterpret_cast<const u32 *>(shared_ + address);
  }

  const char *shared_;
  u32 start_, leading_, stride_, phase_, swizzle_;
  bool alongMajor_;
  int perChunk_;
};

const char *sharedOf(const Registers &how) { return reinterpret_cast<const char *>(wide(how.shared)); }

template <class Reader>
Factor factorA(const Registers &how) {
  return {wide(how.descriptorA), sharedOf(how), how.rowsA != 0, 4 * Reader::perWord};
}
template <class Reader>
Factor factorB(const Registers &how) {
  return {wide(how.descriptorB), sharedOf(how), how.rowsB != 0, 4 * Reader::perWord};
}

// gatherA() reads the warp's rows of A, `held` elements in each.
template <class Reader, class Wide>
void gatherA(void *const *lanes, const Registers &how, int held, Wide *a) {
  if (how.registersA) {
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; lanes[lane] && i < m * held / 32; ++i) {
        const Place place = warp_matrix::placeInA(m, held, Reader::perWord, lane, i);
        a[place.major * held + place.minor] = Reader::at(static_cast<const Registers *>(lanes[lane])->a, i);
      }
    return;
  }
  const Factor factor = factorA<Reader>(how);
  for (int row = 0; row < m; ++row)
    for (int k = 0; k < held; ++k) a[row * held + k] = factor.at<Reader>(int(how.warp) * m + row, k);
}

template <class Reader, class Wide>
void gatherB(const Registers &how, int first, Wide *b) {
  const Factor factor = factorB<Reader>(how);
  for (int k = 0; k < int(how.k); ++k)
    for (int n = 0; n < columns; ++n) b[k * columns + n] = factor.at<Reader>(first + n, k);
}

// --- D: 8 columns at a time, of which a lane has four elements ---

float readD(const Registers &registers, int i, float) {
  return registers.kindD == MatrixKind::F16 ? ReadHalf::at(registers.d, i) : bitsAs<float>(registers.d[i]);
}
int readD(const Registers &, int, int) { return 0; }

void writeD(Registers &registers, int i, float sum) {
  if (registers.kindD != MatrixKind::F16) {
    registers.d[i] = bitsAs<u32>(sum);
    return;
  }
  const u32 bits = numbers::Half::fromFloat(sum), old = registers.d[i / 2];
  registers.d[i / 2] = i % 2 ? (old & 0xffff) | bits << 16 : (old & 0xffff0000) | bits;
}
void writeD(Registers &registers, int i, int products) {
  s64 sum = s64(products) + (registers.addsToD ? s32(registers.d[i]) : 0);
  if (registers.saturates && sum > 0x7fffffff) sum = 0x7fffffff;
  if (registers.saturates && sum < -s64(0x80000000)) sum = -s64(0x80000000);
  registers.d[i] = u32(sum);
}

template <class Visit>
void forEachOfD(void *const *lanes, int first, Visit visit) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; lanes[lane] && i < 4; ++i) {
      const Place place = warp_matrix::placeInAccumulator(m, columns, lane, i);
      visit(*static_cast<Registers *>(lanes[lane]), first / 2 + i, place.major * columns + place.minor);
    }
}

template <class ReaderA, class ReaderB, class Wide>
void multiply(void *const *lanes, const Registers &how) {
  constexpr int mostHeld = 32;
  const int k = int(how.k), held = how.sparse ? k / 2 : k;
  Wide a[m * mostHeld], b[2 * mostHeld * columns], sums[m * columns];
  gatherA<ReaderA>(lanes, how, held, a);
  if (how.negatesA != how.negatesB)
    for (int i = 0; i < m * held; ++i) a[i] = -a[i];
  const Metadata metadata(lanes, how.kindA, how.selector, metadataOf<Registers>);
  for (int first = 0; first < int(how.n); first += columns) {
    gatherB<ReaderB>(how, first, b);
    forEachOfD(lanes, first, [&](Registers &registers, int i, int place) {
      sums[place] = how.addsToD ? readD(registers, i, Wide()) : Wide();
    });
    if (how.sparse)
      multiplySparse(a, b, sums, columns, k, metadata);
    else
      warp_matrix::multiply(a, b, sums, m, columns, k);
    forEachOfD(lanes, first, [&](Registers &registers, int i, int place) { writeD(registers, i, sums[place]); });
  }
}

// Bits: rows of A and columns of B have two chunks of four words.
void multiplyBits(void *const *lanes, const Registers &how) {
  constexpr int words = 8;
  u32 a[m * words];
  const Factor inA = factorA<ReadInteger<1, false>>(how), inB = factorB<ReadInteger<1, false>>(how);
  for (int i = 0; i < m * words; ++i)
    if (!how.registersA) a[i] = inA.words(int(how.warp) * m + i / words, i % words / 4)[i % 4];
  for (int lane = 0; how.registersA && lane < 32; ++lane)
    for (int i = 0; lanes[lane] && i < 4; ++i) {
      const Place place = warp_matrix::placeInA(m, words, 1, lane, i);
      a[place.major * words + place.minor] = static_cast<const Registers *>(lanes[lane])->a[i];
    }
  for (int first = 0; first < int(how.n); first += columns)
    forEachOfD(lanes, first, [&](Registers &registers, int i, int place) {
      int sum = 0;
      for (int word = 0; word < words; ++word)
        sum += __builtin_popcount(a[place / columns * words + word] &
                                  inB.words(first + place % columns, word / 4)[word % 4]);
      writeD(registers, i, sum);
    });
}

template <class ReaderA, class One, class Other, class Wide>
void multiplyBy(u32 kindB, u32 kindOfOne, void *const *lanes, const Registers &how) {
  if (kindB == kindOfOne) return multiply<ReaderA, One, Wide>(lanes, how);
  multiply<ReaderA, Other, Wide>(lanes, how);
}

void multiplyForWarp(void *const *lanes) {
  const Registers *how = nullptr;
  for (int lane = 0; lane < 32 && !how; ++lane) how = static_cast<const Registers *>(lanes[lane]);
  using E4 = ReadFloat8<MatrixKind::E4M3>;
  using E5 = ReadFloat8<MatrixKind::E5M2>;
  using Signed = ReadInteger<8, true>;
  using Unsigned = ReadInteger<8, false>;
  switch (how->kindA) {
    case MatrixKind::F16:
      return multiply<ReadHalf, ReadHalf, float>(lanes, *how);
    case MatrixKind::BF16:
      return multiply<ReadBrain, ReadBrain, float>(lanes, *how);
    case MatrixKind::TF32:
      return multiply<ReadTf32, ReadTf32, float>(lanes, *how);
    case MatrixKind::E4M3:
      return multiplyBy<E4, E4, E5, float>(how->kindB, MatrixKind::E4M3, lanes, *how);
    case MatrixKind::E5M2:
      return multiplyBy<E5, E4, E5, float>(how->kindB, MatrixKind::E4M3, lanes, *how);
    case MatrixKind::S8:
      return multiplyBy<Signed, Signed, Unsigned, int>(how->kindB, MatrixKind::S8, lanes, *how);
    case MatrixKind::U8:
      return multiplyBy<Unsigned, Signed, Unsigned, int>(how->kindB, MatrixKind::S8, lanes, *how);
    default:
      return multiplyBits(lanes, *how);
  }
}

int elementsPerChunk(u32 kind) {
  return kind == MatrixKind::B1 ? 128 : kind >= MatrixKind::E4M3 ? 16 : kind == MatrixKind::TF32 ? 4 : 8;
}

// factorsAreInside(): the products themselves are computed where no fault could be reported.
bool factorsAreInside(const Registers &how) {
  const int perChunk = elementsPerChunk(how.kindA), k = int(how.k);
  const Factor a(wide(how.descriptorA), nullptr, how.rowsA != 0, perChunk);
  const Factor b(wide(how.descriptorB), nullptr, how.rowsB != 0, perChunk);
  return (how.registersA || a.isInside(how.sharedBytes, 4 * m, how.sparse ? k / 2 : k)) &&
         b.isInside(how.sharedBytes, int(how.n), k);
}

// tellOfFactors(): the first lane speaks for the warp.
[[gnu::noinline]] void tellOfFactors(const Registers &how) {
  if (hw_read_laneid() != 0) return;
  const int perChunk = elementsPerChunk(how.kindA), k = int(how.k);
  const auto tellOf = [](const u32 *chunk) { tell(HW_ASYNC_READS, chunk, 16); };
  if (!how.registersA)
    Factor(wide(how.descriptorA), sharedOf(how), how.rowsA != 0, perChunk)
        .forEachChunk(int(how.warp) * m, m, how.sparse ? k / 2 : k, tellOf);
  Factor(wide(how.descriptorB), sharedOf(how), how.rowsB != 0, perChunk).forEachChunk(0, int(how.n), k, tellOf);
}

}  // namespace

HWPTX void hwptx_wgmma(u32 *registers) {
  const Registers &how = *reinterpret_cast<const Registers *>(registers);
  if (!factorsAreInside(how)) __builtin_trap();
  tell(HW_ASYNC_PRODUCT);
  if (isTold()) tellOfFactors(how);
  hw_warp_together(~0u, registers, multiplyForWarp);
}
