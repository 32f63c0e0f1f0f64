// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: what a tensor map (include/hostwarp/tensor_map.h) describes,
// from and to shared memory, where it lies dense, innermost dimension first, and swizzled if the map says so.
#include "compiler/ptx/library/cluster.h"
#include "compiler/ptx/library/operands.h"
#include "compiler/ptx/library/reduce_element.h"
#include "include/hostwarp/tensor_map.h"

using hostwarp::TensorMap;

namespace {

constexpr u32 chunk = 16;
constexpr u32 tileAlignment = 128;
constexpr int most = TensorMap::kMostDimensions + 1;

// Shape is what a map describes with the elements of its type as the innermost dimension, whatever its layout: a slice
// of an interleaved one is a row.
struct Shape {
  u64 address;
  s64 strides[most];  // in bytes
  s64 last[most];     // the greatest coordinate
  u32 box[most], steps[most];
  int rank = 0;

  void add(u64 stride, u32 greatest, u32 elements, u32 step) {
    strides[rank] = s64(stride);
    last[rank] = greatest;
    box[rank] = elements;
    steps[rank++] = step;
  }
  u32 count(int i) const { return (box[i] + steps[i] - 1) / steps[i]; }
};

u32 sliceBytes(const TensorMap &map) { return map.interleave ? 16u << (map.interleave - 1) : 0; }

Shape shapeOf(const TensorMap &map) {
  Shape shape;
  shape.address = map.address;
  const u32 slice = sliceBytes(map), perSlice = slice / map.elementBytes;
  if (slice) shape.add(map.elementBytes, perSlice - 1, perSlice, 1);
  for (int i = 0; i < map.rank; ++i) {
    const u64 stride = i ? map.strides[i - 1] : slice ? slice : map.elementBytes;
    const bool single = slice && i == map.rank - 2;
    const bool steps = slice || i;  // the innermost dimension has none
    shape.add(stride, map.last[i], single ? 1 : map.box[i], steps && !single ? map.steps[i] : 1);
  }
  if (map.isImage && !slice) shape.box[0] = map.channels;
  return shape;
}

// Corner is where a copy begins: coordinates of the shape.
struct Corner {
  s64 at[most] = {};

  Corner(const TensorMap &map, const s32 *given) {
    const int first = map.interleave ? 1 : 0;
    for (int i = 0; i < map.rank; ++i) at[i + first] = given[i];
  }
};

// swizzled() is the place of a byte in shared memory: in spans of 32, 64 or 128 bytes, 16-byte chunks change places by
// the number of the 128-byte line. Blocks' shared memory is aligned to the 1024 bytes after which all repeats.
char *swizzled(const TensorMap &map, char *place) {
  const u64 address = reinterpret_cast<u64>(place);
  const u64 mask = map.swizzle ? (u64(1) << map.swizzle) - 1 : 0;
  return reinterpret_cast<char *>(address ^ (address >> 7 & mask) << 4);
}

// rowPitch() is how far apart rows lie in shared memory: a swizzled row takes its whole span, slices lie dense.
u32 rowPitch(const TensorMap &map, const Shape &shape) {
  const u32 bytes = shape.box[0] * map.elementBytes, span = map.swizzle ? 16u << map.swizzle : 0;
  return bytes < span && !map.interleave ? span : bytes;
}

// Row is a run along the innermost dimension: where it begins in the tensor, and whether it lies inside of the others.
struct Row {
  s64 first;
  char *start;
  bool inside;
};

Row rowAt(const Shape &shape, const s64 (&at)[most]) {
  Row row = {at[0], nullptr, true};
  s64 offset = at[0] * shape.strides[0];
  for (int i = 1; i < shape.rank; ++i) {
    offset += at[i] * shape.strides[i];
    if (at[i] < 0 || at[i] > shape.last[i]) row.inside = false;
  }
  row.start = reinterpret_cast<char *>(shape.address) + offset;
  return row;
}

bool holds(const Shape &shape, const Row &row, u32 element) {
  const s64 x = row.first + element;
  return row.inside && x >= 0 && x <= shape.last[0];
}

// forEachTiledRow() visits the rows of a box with their numbers.
template <class Visit>
void forEachTiledRow(const Shape &shape, const Corner &corner, Visit visit) {
  u32 counts[most] = {}, index[most] = {}, rows = 1;
  for (int i = 1; i < shape.rank; ++i) {
    counts[i] = shape.count(i);
    rows *= counts[i];
  }
  for (u32 number = 0; number < rows; ++number) {
    s64 at[most] = {corner.at[0]};
    for (int i = 1; i < shape.rank; ++i) at[i] = corner.at[i] + s64(index[i]) * shape.steps[i];
    visit(number, rowAt(shape, at));
    for (int i = 1; i < shape.rank && ++index[i] == counts[i]; ++i) index[i] = 0;
  }
}

// Image to column: pixel after pixel of the box in which a filter's first pixel moves, each displaced by the offsets of
// one of the filter's pixels. Spatial dimensions follow the channels, the images are the last dimension.
template <class Visit>
void forEachPixel(const TensorMap &map, const Shape &shape, Corner base, const u32 *offsets, Visit visit) {
  const int spatial = map.rank - 2, batch = shape.rank - 1;
  for (u32 number = 0; number < map.pixels; ++number) {
    s64 at[most] = {base.at[0]};
    for (int i = 1; i < shape.rank; ++i) at[i] = base.at[i] + (i <= spatial ? s64(offsets[i - 1]) : 0);
    visit(number, rowAt(shape, at));
    int i = 1;
    for (; i <= spatial; ++i) {
      base.at[i] += shape.steps[i];
      if (base.at[i] <= shape.last[i] + map.upper[i - 1]) break;
      base.at[i] = map.lower[i - 1];
    }
    if (i > spatial) ++base.at[batch];
  }
}

template <class Visit>
void forEachRow(const TensorMap &map, const Shape &shape, const Corner &corner, const u32 *offsets, Visit visit) {
  if (map.isImage) return forEachPixel(map, shape, corner, offsets, visit);
  forEachTiledRow(shape, corner, visit);
}

u32 copiedBytes(const TensorMap &map, const Shape &shape) {
  u32 bytes = shape.box[0] * map.elementBytes;
  if (map.isImage) return bytes * map.pixels;
  for (int i = 1; i < shape.rank; ++i) bytes *= shape.count(i);
  return bytes;
}

// The NaN that takes the place of what lies outside.
constexpr u64 nanBits(u32 elementBytes) {
  return elementBytes == 2 ? 0x7fff : elementBytes == 4 ? 0x7fffffff : 0x7fffffffffffffff;
}

enum TensorType : u8 { Float32Flushed = 10, TensorFloat32 = 11, TensorFloat32Flushed = 12 };

bool isTensorFloat(const TensorMap &map) { return map.type == TensorFloat32 || map.type == TensorFloat32Flushed; }

// asCopied() is an element as it arrives: TF32 numbers are rounded to theirs. What the types that are named after
// flushing do to subnormal numbers is nothing: a GPU copies them.
u64 asCopied(const TensorMap &map, u64 bits) {
  const bool isFinite = (bits & 0x7f800000) != 0x7f800000;
  return isTensorFloat(map) && isFinite ? (bits + 0x1000) & ~u64(0x1fff) : bits;
}

void loadChunk(const TensorMap &map, const Shape &shape, const Row &row, u32 first, char *to) {
  const u32 count = chunk / map.elementBytes;
  const char *from = row.start + s64(first) * map.elementBytes;
  if (!isTensorFloat(map) && holds(shape, row, first) && holds(shape, row, first + count - 1)) {
    __builtin_memcpy(to, from, chunk);
    return;
  }
  for (u32 i = 0; i < count; ++i) {
    u64 bits = map.fillsNan ? nanBits(map.elementBytes) : 0;
    if (holds(shape, row, first + i)) {
      bits = 0;
      __builtin_memcpy(&bits, from + i * map.elementBytes, map.elementBytes);
      bits = asCopied(map, bits);
    }
    __builtin_memcpy(to + i * map.elementBytes, &bits, map.elementBytes);
  }
}

// forEachChunk() calls visit(row, first element, place in shared memory) for all of a box.
template <class Visit>
void forEachChunk(const TensorMap &map, const Shape &shape, const s32 *corner, const u32 *offsets, char *to,
                  Visit visit) {
  const u32 elements = shape.box[0], pitch = rowPitch(map, shape), perChunk = chunk / map.elementBytes;
  forEachRow(map, shape, {map, corner}, offsets, [&](u32 number, const Row &row) {
    for (u32 x = 0; x < elements; x += perChunk)
      visit(row, x, swizzled(map, to + number * pitch + x * map.elementBytes));
  });
}

// Kept is a copy that is made later: what its operands were.
struct Kept {
  TensorMap map;
  s32 corner[TensorMap::kMostDimensions];
  u32 offsets[TensorMap::kMostSpatial];
  char *shared;
  u64 *barrier;
};

void load(const TensorMap &map, const s32 *corner, const u32 *offsets, char *to, u64 *barrier) {
  const Shape shape = shapeOf(map);
  forEachChunk(map, shape, corner, offsets, to,
               [&](const Row &row, u32 x, char *place) { loadChunk(map, shape, row, x, place); });
  hwptx_mbarrier_complete_tx(barrier, copiedBytes(map, shape));
}

// tellOfChunk() tells of what a chunk has of the tensor.
void tellOfChunk(const TensorMap &map, const Shape &shape, const Row &row, u32 first, hw_async_event event) {
  u32 from = first, end = first + chunk / map.elementBytes;
  while (from < end && !holds(shape, row, from)) ++from;
  while (from < end && !holds(shape, row, end - 1)) --end;
  if (from < end) tell(event, row.start + s64(from) * map.elementBytes, (end - from) * map.elementBytes);
}

void tellOfLoad(const TensorMap &map, const s32 *corner, const u32 *offsets, char *to) {
  const Shape shape = shapeOf(map);
  forEachChunk(map, shape, corner, offsets, to, [&](const Row &row, u32 x, char *place) {
    tellOfChunk(map, shape, row, x, HW_ASYNC_READS);
    tell(HW_ASYNC_WRITES, place, chunk);
  });
}

constexpr u32 elementOf(u32 type) { return type > ptx::BulkBF16 ? u32(ptx::BulkF32) : type; }

void storeElement(const TensorMap &map, u32 operation, char *to, const char *from) {
  if (operation == ptx::BulkStore)
    __builtin_memcpy(to, from, map.elementBytes);
  else
    reduceElement(operation, elementOf(map.type), to, from);
}

// checkRows(): rows begin at a multiple of 16 bytes; slices always do.
void checkRows(const TensorMap &map, const s32 *corner) {
  if (!map.interleave && u32(corner[0]) * map.elementBytes % chunk)
    hw_illegal_instruction("the first coordinate of a tensor copy is a multiple of 16 bytes");
}

}  // namespace

namespace {

[[gnu::noinline]] void loadInto(const TensorMap *map, const s32 *corner, const u32 *offsets, char *to, u64 *barrier) {
  checkRows(*map, corner);
  checkAligned(to, tileAlignment);
  checkAligned(barrier, sizeof *barrier);
  if (isTold()) tellOfLoad(*map, corner, offsets, to);
  if (!isLate()) return load(*map, corner, offsets, to, barrier);
  Kept kept = {*map, {}, {}, to, barrier};
  for (u32 i = 0; i < TensorMap::kMostDimensions; ++i) kept.corner[i] = corner[i];
  for (u32 i = 0; i < TensorMap::kMostSpatial; ++i) kept.offsets[i] = offsets[i];
  later([=] { load(kept.map, kept.corner, kept.offsets, kept.shared, kept.barrier); });
}

void store(const TensorMap &map, const s32 *corner, char *from, u32 operation) {
  const Shape shape = shapeOf(map);
  const u32 noOffsets[TensorMap::kMostSpatial] = {}, perChunk = chunk / map.elementBytes;
  forEachChunk(map, shape, corner, noOffsets, from, [&](const Row &row, u32 first, char *place) {
    for (u32 i = 0; i < perChunk && first + i < shape.box[0]; ++i)
      if (holds(shape, row, first + i))
        storeElement(map, operation, row.start + s64(first + i) * map.elementBytes, place + i * map.elementBytes);
  });
}

void tellOfStore(const TensorMap &map, const s32 *corner, char *from, u32 operation) {
  const Shape shape = shapeOf(map);
  const u32 noOffsets[TensorMap::kMostSpatial] = {};
  forEachChunk(map, shape, corner, noOffsets, from, [&](const Row &row, u32 x, char *place) {
    tell(HW_ASYNC_READS, place, chunk);
    tellOfChunk(map, shape, row, x, operation == ptx::BulkStore ? HW_ASYNC_WRITES : updateEvent(operation, elementOf(map.type)));
  });
}

[[gnu::noinline]] void storeFrom(const TensorMap *map, const s32 *corner, char *from, u32 operation) {
  checkRows(*map, corner);
  // The hardware leaves out what lies behind a tensor, but not what lies before it.
  for (int i = 0; i < map->rank; ++i)
    if (corner[i] < 0) hw_illegal_instruction("a store to a tensor cannot begin at a negative coordinate");
  checkAligned(from, tileAlignment);
  if (isTold()) tellOfStore(*map, corner, from, operation);
  if (!isLate()) return store(*map, corner, from, operation);
  Kept kept = {*map, {}, {}, from, nullptr};
  for (u32 i = 0; i < TensorMap::kMostDimensions; ++i) kept.corner[i] = corner[i];
  later([=] { store(kept.map, kept.corner, kept.shared, operation); });
}

}  // namespace

// The corner has five coordinates, the offsets have three, as many as the map needs in use.
HWPTX void hwptx_tensor_load(const TensorMap *map, const s32 *corner, const u32 *offsets, char *to, u64 *barrier,
                             u32 blocks) {
  copyToBlocks(to, barrier, blocks,
               [=](char *place, u64 *told) { loadInto(map, corner, offsets, place, told); });
}

HWPTX void hwptx_tensor_store(const TensorMap *map, const s32 *corner, char *from, u32 operation) {
  tell(HW_ASYNC_BULK);
  storeFrom(map, corner, from, operation);
}

HWPTX_APART void hwptx_tensor_prefetch(const TensorMap *map, const s32 *corner) { checkRows(*map, corner); }

namespace {

// PTX numbers the types of elements in an order of its own.
constexpr u8 typesOfReplace[] = {0, 1, 2, 3, 4, 5, 6, 7, Float32Flushed, 8, 9, TensorFloat32, TensorFloat32Flushed};
constexpr u8 bytesOfTypes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

void setType(TensorMap &map, u64 type) {
  if (type >= sizeof typesOfReplace) __builtin_trap();
  map.type = typesOfReplace[type];
  map.elementBytes = bytesOfTypes[map.type];
}

}  // namespace

// `which` is the dimension of the fields that each of them has.
HWPTX_APART void hwptx_tensormap_replace(TensorMap *map, u32 field, u32 which, u64 value) {
  if (which >= TensorMap::kMostDimensions) __builtin_trap();
  switch (field) {
    case ptx::MapAddress:
      map->address = value;
      return;
    case ptx::MapRank:
      map->rank = u8(value + 1);
      return;
    case ptx::MapBox:
      map->box[which] = u16(value);
      return;
    case ptx::MapDimension:
      map->last[which] = u32(value - 1);
      return;
    case ptx::MapStride:
      if (which < TensorMap::kMostDimensions - 1) map->strides[which] = value;
      return;
    case ptx::MapStep:
      map->steps[which] = u8(value);
      return;
    case ptx::MapType:
      return setType(*map, value);
    case ptx::MapSwizzle:
      if (value > 3) __builtin_trap();
      map->swizzle = u8(value);
      return;
    case ptx::MapFill:
      map->fillsNan = value != 0;
      return;
    default:
      if (value > 2) __builtin_trap();
      map->interleave = u8(value);
      return;
  }
}
