// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: what a tensor map (include/hostwarp/tensor_map.h) describes,
// from and to shared memory, where it lies dense, innermost dimension first, and swizzled if the map says so.
#include "compiler/ptx/library/cluster.h"
#include "compiler/ptx/library/reduce_element.h"
#include "include/hostwarp/tensor_map.h"

using hostwarp::TensorMap;

namespace {

constexpr int most = TensorMap::kMostDimensions;
constexpr u32 chunk = 16;

// swizzled() is the place of a byte in shared memory: in spans of 32, 64 or 128 bytes, 16-byte chunks change places by
// the number of the 128-byte line. Blocks' shared memory is aligned to the 1024 bytes after which all repeats.
char *swizzled(const TensorMap &map, char *place) {
  const u64 address = reinterpret_cast<u64>(place);
  const u64 mask = map.swizzle ? (u64(1) << map.swizzle) - 1 : 0;
  return reinterpret_cast<char *>(address ^ (address >> 7 & mask) << 4);
}

// rowPitch() is how far apart rows lie in shared memory: a swizzled row takes its whole span.
u32 rowPitch(const TensorMap &map, u32 elements) {
  const u32 bytes = elements * map.elementBytes, span = map.swizzle ? 16u << map.swizzle : 0;
  return bytes < span ? span : bytes;
}

// Row is a run along the innermost dimension: where it begins in the tensor, and whether it lies inside of the others.
struct Row {
  s64 at[most];
  bool inside;
};

Row rowAt(const TensorMap &map, const s64 (&at)[most]) {
  Row row = {{}, true};
  for (int i = 0; i < map.rank; ++i) {
    row.at[i] = at[i];
    if (i && (at[i] < 0 || at[i] > s64(map.last[i]))) row.inside = false;
  }
  return row;
}

char *inTensor(const TensorMap &map, const Row &row) {
  s64 offset = row.at[0] * map.elementBytes;
  for (int i = 1; i < map.rank; ++i) offset += row.at[i] * s64(map.strides[i - 1]);
  return reinterpret_cast<char *>(map.address) + offset;
}

bool holds(const TensorMap &map, const Row &row, u32 element) {
  const s64 x = row.at[0] + element;
  return row.inside && x >= 0 && x <= s64(map.last[0]);
}

// forEachRow() visits the rows of a box with their numbers; the coordinates are those of its corner.
template <class Visit>
void forEachTiledRow(const TensorMap &map, const s32 *corner, Visit visit) {
  u32 counts[most] = {1, 1, 1, 1, 1}, index[most] = {}, rows = 1;
  for (int i = 1; i < map.rank; ++i) {
    counts[i] = (map.box[i] + map.steps[i] - 1u) / map.steps[i];
    rows *= counts[i];
  }
  for (u32 number = 0; number < rows; ++number) {
    s64 at[most] = {corner[0]};
    for (int i = 1; i < map.rank; ++i) at[i] = s64(corner[i]) + index[i] * map.steps[i];
    visit(number, rowAt(map, at));
    for (int i = 1; i < map.rank && ++index[i] == counts[i]; ++i) index[i] = 0;
  }
}

// Image to column: pixel after pixel of the box in which a filter's first pixel moves, each displaced by the offsets of
// one of the filter's pixels.
template <class Visit>
void forEachPixel(const TensorMap &map, const s32 *corner, const u32 *offsets, Visit visit) {
  const int spatial = map.rank - 2, batch = map.rank - 1;
  s64 base[most] = {};
  for (int i = 0; i < map.rank; ++i) base[i] = corner[i];
  for (u32 number = 0; number < map.pixels; ++number) {
    s64 at[most] = {base[0]};
    for (int i = 1; i < map.rank; ++i) at[i] = base[i] + (i <= spatial ? s64(offsets[i - 1]) : 0);
    visit(number, rowAt(map, at));
    int i = 1;
    for (; i <= spatial; ++i) {
      base[i] += map.steps[i];
      if (base[i] <= s64(map.last[i]) + map.upper[i - 1]) break;
      base[i] = map.lower[i - 1];
    }
    if (i > spatial) ++base[batch];
  }
}

template <class Visit>
void forEachRow(const TensorMap &map, const s32 *corner, const u32 *offsets, Visit visit) {
  if (map.isImage) return forEachPixel(map, corner, offsets, visit);
  forEachTiledRow(map, corner, visit);
}

u32 rowElements(const TensorMap &map) { return map.isImage ? map.channels : map.box[0]; }

u32 copiedBytes(const TensorMap &map) {
  u32 bytes = rowElements(map) * map.elementBytes;
  if (map.isImage) return bytes * map.pixels;
  for (int i = 1; i < map.rank; ++i) bytes *= (map.box[i] + map.steps[i] - 1u) / map.steps[i];
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

void loadChunk(const TensorMap &map, const Row &row, u32 first, char *to) {
  const u32 count = chunk / map.elementBytes;
  const char *from = inTensor(map, row) + s64(first) * map.elementBytes;
  if (!isTensorFloat(map) && holds(map, row, first) && holds(map, row, first + count - 1)) {
    __builtin_memcpy(to, from, chunk);
    return;
  }
  for (u32 i = 0; i < count; ++i) {
    u64 bits = map.fillsNan ? nanBits(map.elementBytes) : 0;
    if (holds(map, row, first + i)) {
      bits = 0;
      __builtin_memcpy(&bits, from + i * map.elementBytes, map.elementBytes);
      bits = asCopied(map, bits);
    }
    __builtin_memcpy(to + i * map.elementBytes, &bits, map.elementBytes);
  }
}

void load(const TensorMap &map, const s32 *corner, const u32 *offsets, char *to) {
  const u32 elements = rowElements(map), pitch = rowPitch(map, elements), perChunk = chunk / map.elementBytes;
  forEachRow(map, corner, offsets, [&](u32 number, const Row &row) {
    for (u32 x = 0; x < elements; x += perChunk)
      loadChunk(map, row, x, swizzled(map, to + number * pitch + x * map.elementBytes));
  });
}

constexpr u32 elementOf(u32 type) { return type > ptx::BulkBF16 ? u32(ptx::BulkF32) : type; }

void storeElement(const TensorMap &map, u32 operation, char *to, const char *from) {
  if (operation == ptx::BulkStore)
    __builtin_memcpy(to, from, map.elementBytes);
  else
    reduceElement(operation, elementOf(map.type), to, from);
}

}  // namespace

// The corner has five coordinates, the offsets have three, as many as the map needs in use.
HWPTX_APART void hwptx_tensor_load(const TensorMap *map, const s32 *corner, const u32 *offsets, char *to, u64 *barrier,
                                   u32 blocks) {
  copyToBlocks(to, barrier, copiedBytes(*map), blocks, [&](char *place) { load(*map, corner, offsets, place); });
}

HWPTX_APART void hwptx_tensor_store(const TensorMap *map, const s32 *corner, char *from, u32 operation) {
  const u32 elements = rowElements(*map), pitch = rowPitch(*map, elements), perChunk = chunk / map->elementBytes;
  const u32 noOffsets[TensorMap::kMostSpatial] = {};
  forEachRow(*map, corner, noOffsets, [&](u32 number, const Row &row) {
    char *to = inTensor(*map, row);
    for (u32 x = 0; x < elements; ++x) {
      if (!holds(*map, row, x)) continue;
      const char *source =
          swizzled(*map, from + number * pitch + x / perChunk * chunk) + x % perChunk * map->elementBytes;
      storeElement(*map, operation, to + s64(x) * map->elementBytes, source);
    }
  });
}

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
  if (which >= most) __builtin_trap();
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
      if (which < most - 1) map->strides[which] = value;
      return;
    case ptx::MapStep:
      map->steps[which] = u8(which == 0 ? 1 : value);
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
      if (value != 0) __builtin_trap();  // no layout is interleaved
  }
}
