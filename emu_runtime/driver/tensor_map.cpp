// Tensor maps: what cp.async.bulk.tensor needs to know of a tensor in global memory.
#include <algorithm>
#include <cstring>
#include <span>

#include "emu_runtime/driver/driver.h"
#include "include/hostwarp/tensor_map.h"

namespace hostwarp::driver_api {

namespace {

static_assert(sizeof(CUtensorMap) == sizeof(TensorMap));

constexpr uint64_t kAlignment = 16;
constexpr uint64_t kMostStride = uint64_t{1} << 40, kMostElements = uint64_t{1} << 32;

// elementBytes() is 0 for the packed types, which compute capability 9.0 does not know.
uint8_t elementBytes(CUtensorMapDataType type) {
  static constexpr uint8_t kBytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return static_cast<size_t>(type) < std::size(kBytes) ? kBytes[type] : uint8_t{0};
}

bool isFloat(CUtensorMapDataType type) { return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16; }

// swizzleSpan() is the number of bytes within which chunks change their places; 0 for modes of later GPUs.
uint32_t swizzleSpan(CUtensorMapSwizzle swizzle) {
  static constexpr uint32_t kSpans[] = {~0u, 32, 64, 128};
  return static_cast<size_t>(swizzle) < std::size(kSpans) ? kSpans[swizzle] : 0;
}

// Tensor is what both kinds of map say of the memory.
struct Tensor {
  CUtensorMapDataType type;
  cuuint32_t rank;
  void *address;
  const cuuint64_t *dimensions, *strides;
  const cuuint32_t *steps;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapFloatOOBfill fill;
};

// alignment() is what a tensor's address and strides are multiples of: slices of 32 bytes are aligned.
uint64_t alignment(const Tensor &tensor) {
  return tensor.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 2 * kAlignment : kAlignment;
}

// fitsInterleave(): slices belong to images of one to three dimensions.
bool fitsInterleave(const Tensor &tensor) {
  if (tensor.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE) return true;
  return tensor.interleave <= CU_TENSOR_MAP_INTERLEAVE_32B && tensor.rank >= 3;
}

bool isValid(const Tensor &tensor) {
  if (tensor.rank == 0 || tensor.rank > TensorMap::kMostDimensions || elementBytes(tensor.type) == 0) return false;
  if (!fitsInterleave(tensor)) return false;
  const uint64_t aligned = alignment(tensor);
  if (tensor.dimensions == nullptr || tensor.steps == nullptr || tensor.strides == nullptr) return false;
  if (tensor.address == nullptr || reinterpret_cast<uintptr_t>(tensor.address) % aligned != 0) return false;
  const bool fillsNan = tensor.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  if (!fillsNan && tensor.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) return false;
  if ((fillsNan && !isFloat(tensor.type)) || swizzleSpan(tensor.swizzle) == 0) return false;
  return std::ranges::all_of(std::span(tensor.dimensions, tensor.rank),
                             [](cuuint64_t size) { return size != 0 && size <= kMostElements; }) &&
         std::ranges::all_of(std::span(tensor.strides, tensor.rank - 1),
                             [&](cuuint64_t stride) { return stride % aligned == 0 && stride < kMostStride; }) &&
         std::ranges::all_of(std::span(tensor.steps, tensor.rank),
                             [](cuuint32_t step) { return step != 0 && step <= 8; });
}

TensorMap describe(const Tensor &tensor) {
  TensorMap map{};
  map.address = reinterpret_cast<uintptr_t>(tensor.address);
  map.rank = static_cast<uint8_t>(tensor.rank);
  map.type = static_cast<uint8_t>(tensor.type);
  map.elementBytes = elementBytes(tensor.type);
  map.interleave = static_cast<uint8_t>(tensor.interleave);
  map.swizzle = static_cast<uint8_t>(tensor.swizzle);
  map.fillsNan = tensor.fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  for (cuuint32_t i = 0; i < tensor.rank; ++i) {
    map.last[i] = static_cast<uint32_t>(tensor.dimensions[i] - 1);
    map.steps[i] = static_cast<uint8_t>(tensor.steps[i]);
    if (i != 0) map.strides[i - 1] = tensor.strides[i - 1];
  }
  return map;
}

// fitsInner() tells whether the innermost dimension of what is copied suits shared memory. Slices always fit in a span;
// the numbers that stand there for them all the same have to be multiples.
bool fitsInner(const TensorMap &map, uint64_t elements) {
  const uint64_t bytes = elements * map.elementBytes;
  if (bytes % kAlignment != 0) return false;
  return map.interleave || bytes <= swizzleSpan(static_cast<CUtensorMapSwizzle>(map.swizzle));
}

// store() writes a map to wherever it shall be: a driver asks for no alignment, and Python's objects have 16 bytes' at
// most.
Status store(void *target, const TensorMap &map) {
  std::memcpy(target, &map, sizeof map);
  return {};
}

}  // namespace

Status cuTensorMapEncodeTiled(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                              void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
                              const cuuint32_t *boxDim, const cuuint32_t *elementStrides,
                              CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                              CUtensorMapFloatOOBfill oobFill) {
  const Tensor tensor{tensorDataType, tensorRank, globalAddress, globalDim, globalStrides,
                      elementStrides, interleave, swizzle,       oobFill};
  if (tensorMap == nullptr || boxDim == nullptr || !isValid(tensor)) return cudaErrorInvalidValue;
  TensorMap map = describe(tensor);
  for (cuuint32_t i = 0; i < tensorRank; ++i) {
    if (boxDim[i] == 0 || boxDim[i] > 256) return cudaErrorInvalidValue;
    map.box[i] = static_cast<uint16_t>(boxDim[i]);
  }
  if (!fitsInner(map, map.box[0])) return cudaErrorInvalidValue;
  return store(tensorMap, map);
}

Status cuTensorMapEncodeIm2col(CUtensorMap *tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                               void *globalAddress, const cuuint64_t *globalDim, const cuuint64_t *globalStrides,
                               const int *pixelBoxLowerCorner, const int *pixelBoxUpperCorner,
                               cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
                               const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
                               CUtensorMapSwizzle swizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill oobFill) {
  const Tensor tensor{tensorDataType, tensorRank, globalAddress, globalDim, globalStrides,
                      elementStrides, interleave, swizzle,       oobFill};
  if (tensorMap == nullptr || pixelBoxLowerCorner == nullptr || pixelBoxUpperCorner == nullptr || !isValid(tensor) ||
      tensorRank < 3 || channelsPerPixel == 0 || channelsPerPixel > 256 || pixelsPerColumn == 0 ||
      pixelsPerColumn > 1024)
    return cudaErrorInvalidValue;
  TensorMap map = describe(tensor);
  map.isImage = 1;
  map.channels = static_cast<uint16_t>(channelsPerPixel);
  map.pixels = static_cast<uint16_t>(pixelsPerColumn);
  // The more dimensions, the fewer bits has each offset.
  const int most = tensorRank == 3 ? 32767 : tensorRank == 4 ? 127 : 15;
  for (cuuint32_t i = 0; i < tensorRank - 2; ++i) {
    const int lower = pixelBoxLowerCorner[i], upper = pixelBoxUpperCorner[i];
    if (std::min(lower, upper) < -most - 1 || std::max(lower, upper) > most) return cudaErrorInvalidValue;
    if (int64_t{map.last[i + (map.interleave ? 0 : 1)]} + upper < lower) return cudaErrorInvalidValue;
    map.lower[i] = static_cast<int16_t>(lower);
    map.upper[i] = static_cast<int16_t>(upper);
  }
  if (!fitsInner(map, channelsPerPixel)) return cudaErrorInvalidValue;
  return store(tensorMap, map);
}

Status cuTensorMapReplaceAddress(CUtensorMap *tensorMap, void *globalAddress) {
  if (tensorMap == nullptr || globalAddress == nullptr || reinterpret_cast<uintptr_t>(globalAddress) % kAlignment != 0)
    return cudaErrorInvalidValue;
  TensorMap map;
  std::memcpy(&map, tensorMap, sizeof map);
  map.address = reinterpret_cast<uintptr_t>(globalAddress);
  return store(tensorMap, map);
}

}  // namespace hostwarp::driver_api
