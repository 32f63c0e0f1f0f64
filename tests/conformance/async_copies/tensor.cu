// Tensor copies: tiles of one to five dimensions, parts outside of the tensor, element strides, swizzles, reductions,
// image to column, multicast.
// options: -lcuda
#include "../check.h"

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <numeric>

namespace cg = cooperative_groups;
typedef unsigned long long u64;

__device__ unsigned sharedAddress(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ void initBarrier(u64 *barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(barrier)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void expectBytes(u64 *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void waitFor(u64 *barrier, unsigned parity) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier)), "r"(parity)
                 : "memory");
}

struct Corner {
  int at[5];
};

#define LOAD(dimensions, coordinates, ...)                                                          \
  asm volatile("cp.async.bulk.tensor." dimensions                                                   \
               ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates \
               "}], [%2];" ::"r"(sharedAddress(tile)),                                              \
               "l"(map), "r"(sharedAddress(barrier)), __VA_ARGS__                                   \
               : "memory")
#define STORE(operation, dimensions, coordinates, ...) \
  asm volatile("cp." operation "async.bulk.tensor." dimensions ".global.shared::cta" __VA_ARGS__)

__device__ void load(const CUtensorMap *map, int rank, const Corner &c, void *tile, u64 *barrier) {
  switch (rank) {
    case 1:
      LOAD("1d", "%3", "r"(c.at[0]));
      break;
    case 2:
      LOAD("2d", "%3, %4", "r"(c.at[0]), "r"(c.at[1]));
      break;
    case 3:
      LOAD("3d", "%3, %4, %5", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]));
      break;
    case 4:
      LOAD("4d", "%3, %4, %5, %6", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]));
      break;
    case 5:
      LOAD("5d", "%3, %4, %5, %6, %7", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]));
      break;
  }
}

#undef STORE
#define STORE(dimensions, coordinates, ...)                                                                \
  asm volatile("cp.async.bulk.tensor." dimensions ".global.shared::cta.tile.bulk_group [%0, {" coordinates \
               "}], [%1];" ::"l"(map),                                                                     \
               "r"(sharedAddress(tile)), __VA_ARGS__                                                       \
               : "memory")

__device__ void store(const CUtensorMap *map, int rank, const Corner &c, void *tile) {
  switch (rank) {
    case 1:
      STORE("1d", "%2", "r"(c.at[0]));
      break;
    case 2:
      STORE("2d", "%2, %3", "r"(c.at[0]), "r"(c.at[1]));
      break;
    case 3:
      STORE("3d", "%2, %3, %4", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]));
      break;
    case 4:
      STORE("4d", "%2, %3, %4, %5", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]));
      break;
    case 5:
      STORE("5d", "%2, %3, %4, %5, %6", "r"(c.at[0]), "r"(c.at[1]), "r"(c.at[2]), "r"(c.at[3]), "r"(c.at[4]));
      break;
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Loads a box, shows what has arrived in shared memory, and stores it somewhere else.
__global__ void throughShared(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to,
                              int rank, Corner fromCorner, Corner toCorner, unsigned bytes, char *seen) {
  extern __shared__ __align__(1024) char tile[];
  __shared__ u64 barrier;
  if (threadIdx.x == 0) {
    initBarrier(&barrier);
    expectBytes(&barrier, bytes);
    load(&from, rank, fromCorner, tile, &barrier);
  }
  __syncthreads();
  waitFor(&barrier, 0);
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x) seen[i] = tile[i];
  __syncthreads();
  if (threadIdx.x == 0) store(&to, rank, toCorner, tile);
}

struct Shape {
  int rank;
  cuuint64_t size[5];
  cuuint32_t box[5], steps[5];
};

static size_t elementBytes(CUtensorMapDataType type) {
  static const size_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[type];
}

static CUtensorMap encode(const Shape &shape, CUtensorMapDataType type, void *memory,
                          CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE,
                          CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) {
  CUtensorMap map;
  cuuint64_t strides[4];
  cuuint64_t stride = shape.size[0] * elementBytes(type);
  for (int i = 0; i < shape.rank - 1; ++i) {
    strides[i] = stride;
    stride *= shape.size[i + 1];
  }
  const CUresult result =
      cuTensorMapEncodeTiled(&map, type, cuuint32_t(shape.rank), memory, shape.size, strides, shape.box, shape.steps,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
  CHECK_EQ(int(result), int(CUDA_SUCCESS));
  return map;
}

// Walks the box; visit(index in the box, index in the tensor or -1 outside).
template <class Visit>
static void forEachElement(const Shape &shape, const Corner &corner, Visit visit) {
  int counts[5] = {1, 1, 1, 1, 1}, total = 1;
  for (int i = 0; i < shape.rank; ++i) {
    const int step = i == 0 ? 1 : int(shape.steps[i]);
    counts[i] = (int(shape.box[i]) + step - 1) / step;
    total *= counts[i];
  }
  for (int n = 0; n < total; ++n) {
    long long index = 0, stride = 1;
    bool inside = true;
    for (int i = 0, rest = n; i < shape.rank; rest /= counts[i], ++i) {
      const long long at = corner.at[i] + rest % counts[i] * (i == 0 ? 1 : int(shape.steps[i]));
      inside = inside && at >= 0 && at < (long long)shape.size[i];
      index += at * stride;
      stride *= (long long)shape.size[i];
    }
    visit(n, inside ? index : -1);
  }
}

static unsigned boxElements(const Shape &shape) {
  unsigned count = 0;
  forEachElement(shape, Corner{}, [&](int, long long) { ++count; });
  return count;
}

static int swizzled(int offset, CUtensorMapSwizzle swizzle) {
  const int mask = (1 << int(swizzle)) - 1;
  return offset ^ (offset >> 7 & mask) << 4;
}

template <class T>
static void testTile(const char *what, const Shape &shape, CUtensorMapDataType type, const Corner &from,
                     const Corner &to, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  size_t total = 1;
  for (int i = 0; i < shape.rank; ++i) total *= shape.size[i];
  std::vector<T> values(total), expected(total, T(1));
  for (size_t i = 0; i < total; ++i) values[i] = T(i % 251 + 2);
  const unsigned bytes = boxElements(shape) * unsigned(sizeof(T));
  check::DeviceArray<T> source(values), target(expected);
  check::DeviceArray<char> seen(bytes, 0);
  const CUtensorMap fromMap = encode(shape, type, source.get(), swizzle),
                    toMap = encode(shape, type, target.get(), swizzle);
  throughShared<<<1, 64, bytes>>>(fromMap, toMap, shape.rank, from, to, bytes, seen.get());
  LAUNCH_OK();
  const std::vector<char> box = seen.download();
  std::vector<T> arrived(bytes / sizeof(T));
  forEachElement(shape, from, [&](int n, long long index) {
    T value;
    memcpy(&value, &box[size_t(swizzled(n * int(sizeof(T)), swizzle))], sizeof value);
    arrived[size_t(n)] = value;
    const T wanted = index < 0 ? T(0) : values[size_t(index)];
    if (value != wanted) check::fail(what, n, "wrong element in shared memory");
  });
  forEachElement(shape, to, [&](int n, long long index) {
    if (index >= 0) expected[size_t(index)] = arrived[size_t(n)];
  });
  const std::vector<T> result = target.download();
  for (size_t i = 0; i < total; ++i)
    if (result[i] != expected[i]) check::fail(what, int(i), "wrong element in global memory");
}

static void testTiles() {
  testTile<int>("1d", {1, {100}, {32}, {1}}, CU_TENSOR_MAP_DATA_TYPE_INT32, {{8}}, {{60}});
  testTile<float>("1d outside", {1, {100}, {64}, {1}}, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, {{-4}}, {{80}});
  testTile<int>("2d", {2, {64, 30}, {16, 8}, {1, 1}}, CU_TENSOR_MAP_DATA_TYPE_INT32, {{8, 4}}, {{40, 20}});
  testTile<short>("2d outside", {2, {64, 30}, {24, 10}, {1, 1}}, CU_TENSOR_MAP_DATA_TYPE_UINT16, {{-8, -3}},
                  {{48, 25}});
  testTile<unsigned char>("2d bytes", {2, {80, 9}, {48, 5}, {1, 1}}, CU_TENSOR_MAP_DATA_TYPE_UINT8, {{48, 6}},
                          {{16, 2}});
  testTile<double>("3d", {3, {10, 7, 5}, {4, 3, 2}, {1, 1, 1}}, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, {{4, 2, 1}},
                   {{8, 5, 4}});
  testTile<int>("4d", {4, {8, 6, 5, 4}, {4, 2, 3, 2}, {1, 1, 1, 1}}, CU_TENSOR_MAP_DATA_TYPE_UINT32, {{4, -1, 3, 1}},
                {{4, 5, 0, 3}});
  testTile<long long>("5d", {5, {6, 5, 4, 3, 3}, {4, 2, 2, 2, 2}, {1, 1, 1, 1, 1}}, CU_TENSOR_MAP_DATA_TYPE_INT64,
                      {{2, 2, -1, 1, 0}}, {{2, 0, 3, 2, 1}});
  testTile<int>("strides", {3, {16, 20, 9}, {8, 9, 4}, {1, 3, 2}}, CU_TENSOR_MAP_DATA_TYPE_INT32, {{4, 2, 1}},
                {{8, 14, 5}});
}

static void testSwizzles() {
  const CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
  testTile<short>("32B", {2, {64, 40}, {16, 32}, {1, 1}}, type, {{16, 3}}, {{40, 20}}, CU_TENSOR_MAP_SWIZZLE_32B);
  testTile<short>("64B", {2, {64, 40}, {32, 32}, {1, 1}}, type, {{-8, 3}}, {{40, 20}}, CU_TENSOR_MAP_SWIZZLE_64B);
  testTile<short>("128B", {2, {128, 40}, {64, 32}, {1, 1}}, type, {{16, 3}}, {{72, 20}}, CU_TENSOR_MAP_SWIZZLE_128B);
}

// Outside of the tensor come NaNs if the map says so.
static void testNanFill() {
  const Shape shape{2, {32, 8}, {16, 4}, {1, 1}};
  check::DeviceArray<float> memory(std::vector<float>(256, 3.0f));
  check::DeviceArray<char> seen(256, 0);
  const CUtensorMap map = encode(shape, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, memory.get(), CU_TENSOR_MAP_SWIZZLE_NONE,
                                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  throughShared<<<1, 32, 256>>>(map, map, 2, Corner{{24, 6}}, Corner{{100, 100}}, 256, seen.get());
  LAUNCH_OK();
  const std::vector<char> box = seen.download();
  for (int i = 0; i < 64; ++i) {
    float value;
    memcpy(&value, &box[size_t(i) * 4], 4);
    if (i % 16 < 8 && i / 16 < 2)
      CHECK_EQ(value, 3.0f);
    else
      CHECK(std::isnan(value));
  }
}

// Numbers of the tensor cores' format arrive rounded to its 10 bits.
static void testTensorFloats() {
  const Shape shape{1, {64}, {32}, {1}};
  std::vector<unsigned> values(64);
  for (unsigned i = 0; i < 64; ++i) values[i] = 0x3f800000u + i * 0x4d57u;
  values[1] = 0x00012345u;
  values[2] = 0x80000001u;
  check::DeviceArray<unsigned> memory(values);
  check::DeviceArray<char> seen(128, 0);
  const CUtensorMap map = encode(shape, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, memory.get());
  throughShared<<<1, 32, 128>>>(map, map, 1, Corner{{0}}, Corner{{64}}, 128, seen.get());
  LAUNCH_OK();
  const std::vector<char> box = seen.download();
  for (unsigned i = 0; i < 32; ++i) {
    unsigned bits;
    memcpy(&bits, &box[size_t(i) * 4], 4);
    CHECK_EQ(bits, (values[i] + 0x1000u) & ~0x1fffu);
  }
}

#define REDUCE(which, text)                                                \
  case which:                                                              \
    asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta." text \
                 ".tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),     \
                 "r"(x), "r"(y), "r"(sharedAddress(tile))                  \
                 : "memory");                                              \
    break;

template <class T>
__global__ void reduceTile(const __grid_constant__ CUtensorMap map, int x, int y, int count, int which) {
  __shared__ alignas(128) T tile[64];
  if (threadIdx.x < unsigned(count)) tile[threadIdx.x] = T(float(threadIdx.x + 1));
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x) return;
  switch (which) {
    REDUCE(0, "add")
    REDUCE(1, "min")
    REDUCE(2, "max")
    REDUCE(3, "and")
    REDUCE(4, "or")
    REDUCE(5, "xor")
    REDUCE(6, "inc")
    REDUCE(7, "dec")
  }
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

template <class T, class Expected>
static void testReduction(CUtensorMapDataType type, int which, Expected expected) {
  const Shape shape{2, {32, 6}, {16, 3}, {1, 1}};
  std::vector<T> values(192);
  for (int i = 0; i < 192; ++i) values[size_t(i)] = T(float(i % 40));
  check::DeviceArray<T> memory(values);
  const CUtensorMap map = encode(shape, type, memory.get());
  const Corner corner{{24, 4}};
  reduceTile<T><<<1, 64>>>(map, corner.at[0], corner.at[1], 48, which);
  LAUNCH_OK();
  forEachElement(shape, corner, [&](int n, long long index) {
    if (index >= 0) values[size_t(index)] = T(expected(float(values[size_t(index)]), float(n + 1)));
  });
  const std::vector<T> result = memory.download();
  for (int i = 0; i < 192; ++i) CHECK_EQ(float(result[size_t(i)]), float(values[size_t(i)]));
}

static void testReductions() {
  const auto bits = [](auto operation) {
    return [=](float a, float b) { return float(operation(unsigned(a), unsigned(b))); };
  };
  const auto add = [](float a, float b) { return a + b; };
  testReduction<float>(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 0, add);
  testReduction<__half>(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 0, add);
  testReduction<int>(CU_TENSOR_MAP_DATA_TYPE_INT32, 0, add);
  testReduction<u64>(CU_TENSOR_MAP_DATA_TYPE_UINT64, 0, add);
  testReduction<int>(CU_TENSOR_MAP_DATA_TYPE_INT32, 1, [](float a, float b) { return a < b ? a : b; });
  testReduction<__half>(CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, [](float a, float b) { return a > b ? a : b; });
  testReduction<unsigned>(CU_TENSOR_MAP_DATA_TYPE_UINT32, 3, bits([](unsigned a, unsigned b) { return a & b; }));
  testReduction<unsigned>(CU_TENSOR_MAP_DATA_TYPE_UINT32, 4, bits([](unsigned a, unsigned b) { return a | b; }));
  testReduction<unsigned>(CU_TENSOR_MAP_DATA_TYPE_UINT32, 5, bits([](unsigned a, unsigned b) { return a ^ b; }));
  testReduction<unsigned>(CU_TENSOR_MAP_DATA_TYPE_UINT32, 6, [](float a, float b) { return a >= b ? 0 : a + 1; });
  testReduction<unsigned>(CU_TENSOR_MAP_DATA_TYPE_UINT32, 7,
                          [](float a, float b) { return a == 0 || a > b ? b : a - 1; });
}

// A filter of 3 by 3 pixels over an image with a border of one: what its pixel (dx, dy) meets.
__global__ void imageToColumn(const __grid_constant__ CUtensorMap map, int x, int y, int n, unsigned short dx,
                              unsigned short dy, short *out) {
  __shared__ alignas(128) short tile[16 * 8];
  __shared__ u64 barrier;
  if (threadIdx.x == 0) {
    initBarrier(&barrier);
    expectBytes(&barrier, sizeof tile);
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
        "%6}], [%2], {%7, %8};" ::"r"(sharedAddress(tile)),
        "l"(&map), "r"(sharedAddress(&barrier)), "r"(0), "r"(x), "r"(y), "r"(n), "h"(dx), "h"(dy)
        : "memory");
  }
  __syncthreads();
  waitFor(&barrier, 0);
  for (unsigned i = threadIdx.x; i < 128; i += blockDim.x) out[i] = tile[i];
}

static void testImageToColumn() {
  const int width = 7, height = 5, images = 3;
  std::vector<short> values(size_t(8 * width * height * images));
  std::iota(values.begin(), values.end(), short(1));
  check::DeviceArray<short> memory(values), out(128, 0);
  CUtensorMap map;
  const cuuint64_t size[] = {8, width, height, images}, strides[] = {16, 16 * width, 16 * width * height};
  const int lower[] = {-1, -1}, upper[] = {-1, -1};
  const cuuint32_t steps[] = {1, 1, 1, 1};
  CHECK_EQ(int(cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, memory.get(), size, strides, lower,
                                       upper, 8, 16, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                       CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
           int(CUDA_SUCCESS));
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) {
      int x = 2, y = 2, n = 1;
      imageToColumn<<<1, 32>>>(map, x, y, n, (unsigned short)dx, (unsigned short)dy, out.get());
      LAUNCH_OK();
      const std::vector<short> column = out.download();
      for (int pixel = 0; pixel < 16; ++pixel) {
        const int u = x + dx, v = y + dy;
        const bool inside = u >= 0 && u < width && v >= 0 && v < height && n < images;
        for (int c = 0; c < 8; ++c)
          CHECK_EQ(column[size_t(pixel * 8 + c)],
                   inside ? values[size_t(c + 8 * (u + width * (v + height * n)))] : short(0));
        if (++x <= width - 2) continue;
        x = -1;
        if (++y <= height - 2) continue;
        y = -1;
        ++n;
      }
    }
}

__global__ void __cluster_dims__(2, 1, 1) multicast(const __grid_constant__ CUtensorMap map, int *out) {
  __shared__ alignas(128) int tile[64];
  __shared__ u64 barrier;
  const cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x == 0) {
    initBarrier(&barrier);
    expectBytes(&barrier, sizeof tile);
  }
  cluster.sync();
  // Each block fetches one half for both.
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
        "[%1, {%3, %4}], [%2], %5;" ::"r"(sharedAddress(tile + cluster.block_rank() * 32)),
        "l"(&map), "r"(sharedAddress(&barrier)), "r"(4), "r"(int(cluster.block_rank()) * 4), "h"((unsigned short)3)
        : "memory");
  waitFor(&barrier, 0);
  out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x];
  cluster.sync();
}

static void testMulticast() {
  std::vector<int> values(160);
  std::iota(values.begin(), values.end(), 0);
  check::DeviceArray<int> memory(values), out(128, -1);
  const CUtensorMap map = encode({2, {16, 10}, {8, 4}, {1, 1}}, CU_TENSOR_MAP_DATA_TYPE_INT32, memory.get());
  multicast<<<2, 64>>>(map, out.get());
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  for (int i = 0; i < 128; ++i) CHECK_EQ(host[size_t(i)], i % 64 / 8 * 16 + 4 + i % 8);
}

// A driver writes maps to any place; kernels get their own copy.
static void testPlaces() {
  std::vector<int> values(160);
  std::iota(values.begin(), values.end(), 0);
  check::DeviceArray<int> memory(values), out(128, -1);
  const cuuint64_t size[] = {16, 10}, strides[] = {64};
  const cuuint32_t box[] = {8, 4}, steps[] = {1, 1};
  alignas(64) char places[256] = {};
  for (const size_t offset : {0, 1, 8, 16, 32, 48}) {
    auto *place = reinterpret_cast<CUtensorMap *>(places + offset);
    CHECK_EQ(int(cuTensorMapEncodeTiled(place, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, memory.get() + 40, size, strides, box,
                                        steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
             int(CUDA_SUCCESS));
    CHECK_EQ(int(cuTensorMapReplaceAddress(place, memory.get())), int(CUDA_SUCCESS));
    CUtensorMap map;
    std::memcpy(&map, places + offset, sizeof map);
    multicast<<<2, 64>>>(map, out.get());
    LAUNCH_OK();
    const std::vector<int> host = out.download();
    for (int i = 0; i < 128; ++i) CHECK_EQ(host[size_t(i)], i % 64 / 8 * 16 + 4 + i % 8);
  }
}

static void testErrors() {
  CUtensorMap map;
  check::DeviceArray<int> memory(1024);
  const cuuint64_t size[] = {64, 16}, strides[] = {256}, oddStrides[] = {260};
  const cuuint32_t box[] = {16, 4}, wideBox[] = {16, 257}, oddBox[] = {3, 4}, steps[] = {1, 1}, longSteps[] = {1, 9};
  const auto encodeWith = [&](cuuint32_t rank, void *address, const cuuint64_t *stride, const cuuint32_t *b,
                              const cuuint32_t *s, CUtensorMapSwizzle swizzle, CUtensorMapFloatOOBfill fill) {
    return int(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, rank, address, size, stride, b, s,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, fill));
  };
  const auto none = CU_TENSOR_MAP_SWIZZLE_NONE;
  const auto zero = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  const int invalid = CUDA_ERROR_INVALID_VALUE;
  CHECK_EQ(encodeWith(2, memory.get(), strides, box, steps, none, zero), int(CUDA_SUCCESS));
  CHECK_EQ(encodeWith(0, memory.get(), strides, box, steps, none, zero), invalid);
  CHECK_EQ(encodeWith(6, memory.get(), strides, box, steps, none, zero), invalid);
  CHECK_EQ(encodeWith(2, memory.get() + 1, strides, box, steps, none, zero), invalid);
  CHECK_EQ(encodeWith(2, memory.get(), oddStrides, box, steps, none, zero), invalid);
  CHECK_EQ(encodeWith(2, memory.get(), strides, wideBox, steps, none, zero), invalid);
  CHECK_EQ(encodeWith(2, memory.get(), strides, oddBox, steps, none, zero), invalid);
  CHECK_EQ(encodeWith(2, memory.get(), strides, box, longSteps, none, zero), invalid);
  CHECK_EQ(encodeWith(2, memory.get(), strides, box, steps, CU_TENSOR_MAP_SWIZZLE_32B, zero), invalid);
  CHECK_EQ(encodeWith(2, memory.get(), strides, box, steps, none, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA),
           invalid);
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  testTiles();
  testSwizzles();
  testNanFill();
  testTensorFloats();
  testReductions();
  testImageToColumn();
  testMulticast();
  testPlaces();
  testErrors();
  return check::finish();
}
