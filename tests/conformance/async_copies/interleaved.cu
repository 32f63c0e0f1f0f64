// Tensor maps of interleaved layouts: images whose channels come in slices of 16 or 32 bytes. A slice is what a
// coordinate of W counts; the last dimension but one numbers the slices, of which a copy takes one.
// options: -lcuda
#include "../check.h"

#include <cuda.h>

#include <cstring>
#include <numeric>

typedef unsigned long long u64;

__device__ unsigned sharedAddress(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }

__device__ void waitFor(u64 *barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)),
               "r"(bytes)
               : "memory");
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier))
                 : "memory");
}

struct Corner {
  int w, h, slice, n;
};

// Loads 4D boxes, tiled or by pixels from filters' offset (1, 2), shows them and stores them somewhere else.
__global__ void through(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, bool image,
                        Corner c, Corner d, unsigned bytes, short *seen) {
  __shared__ alignas(1024) short tile[1024];
  __shared__ u64 barrier;
  if (threadIdx.x != 0) return;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&barrier)) : "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  if (image)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
        "%6}], [%2], {%7, %8};" ::"r"(sharedAddress(tile)),
        "l"(&from), "r"(sharedAddress(&barrier)), "r"(c.w), "r"(c.h), "r"(c.slice), "r"(c.n), "h"((unsigned short)1),
        "h"((unsigned short)2)
        : "memory");
  else
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, "
        "%6}], [%2];" ::"r"(sharedAddress(tile)),
        "l"(&from), "r"(sharedAddress(&barrier)), "r"(c.w), "r"(c.h), "r"(c.slice), "r"(c.n)
        : "memory");
  waitFor(&barrier, bytes);
  for (unsigned i = 0; i < bytes / sizeof *tile; ++i) seen[i] = tile[i];
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&to),
               "r"(sharedAddress(tile)), "r"(d.w), "r"(d.h), "r"(d.slice), "r"(d.n)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

constexpr int width = 7, height = 5, slices = 3, images = 2;

struct Layout {
  int slice;  // elements
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;

  size_t total() const { return size_t(slice * width * height * slices * images); }
  // The first element of a slice, -1 outside.
  int at(int w, int h, int s, int n) const {
    const bool inside = w >= 0 && w < width && h >= 0 && h < height && s >= 0 && s < slices && n >= 0 && n < images;
    return inside ? slice * (w + width * (h + height * (s + slices * n))) : -1;
  }
  int place(int element) const {  // in shared memory
    const int offset = element * 2, mask = (1 << int(swizzle)) - 1;
    return (offset ^ (offset >> 7 & mask) << 4) / 2;
  }
};

static const cuuint64_t size[] = {width, height, slices, images};

static CUtensorMap encode(const Layout &layout, short *memory, const cuuint32_t (&box)[4],
                          const cuuint32_t (&steps)[4]) {
  CUtensorMap map;
  const cuuint64_t row = cuuint64_t(layout.slice * 2 * width);
  const cuuint64_t strides[] = {row, row * height, row * height * slices};
  CHECK_EQ(int(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, memory, size, strides, box, steps,
                                      layout.interleave, layout.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
           int(CUDA_SUCCESS));
  return map;
}

static CUtensorMap encodeImage(const Layout &layout, short *memory, const int (&lower)[2], const int (&upper)[2],
                               cuuint32_t pixels) {
  CUtensorMap map;
  const cuuint64_t row = cuuint64_t(layout.slice * 2 * width);
  const cuuint64_t strides[] = {row, row * height, row * height * slices};
  const cuuint32_t steps[] = {1, 1, 1, 1};
  CHECK_EQ(int(cuTensorMapEncodeIm2col(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, 4, memory, size, strides, lower, upper, 8,
                                       pixels, steps, layout.interleave, layout.swizzle,
                                       CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
           int(CUDA_SUCCESS));
  return map;
}

// slicesSeen are the first elements, in the order in which they have come. What is stored has a box of 8 by 2.
static void testCopy(const Layout &layout, bool image, const CUtensorMap &from, const std::vector<short> &values,
                     const Corner &c, const Corner &d, const std::vector<int> &slicesSeen) {
  check::DeviceArray<short> target(layout.total(), short(-1)), seen(1024, short(-1));
  const CUtensorMap to = encode(layout, target.get(), {8, 2, 8, 1}, {1, 1, 1, 1});
  const int count = int(slicesSeen.size());
  through<<<1, 32>>>(from, to, image, c, d, unsigned(count * layout.slice * 2), seen.get());
  LAUNCH_OK();
  const std::vector<short> tile = seen.download();
  std::vector<short> arrived, expected(layout.total(), short(-1));
  for (int i = 0; i < count * layout.slice; ++i) {
    const int first = slicesSeen[size_t(i / layout.slice)];
    arrived.push_back(tile[size_t(layout.place(i))]);
    CHECK_EQ(arrived.back(), first < 0 ? short(0) : values[size_t(first + i % layout.slice)]);
  }
  for (int i = 0; i < 16 * layout.slice; ++i) {
    const int pixel = i / layout.slice, first = layout.at(d.w + pixel % 8, d.h + pixel / 8, d.slice, d.n);
    if (first >= 0) expected[size_t(first + i % layout.slice)] = arrived[size_t(i)];
  }
  CHECK(target.download() == expected);
}

static void testTiles(const Layout &layout, const std::vector<short> &values, check::DeviceArray<short> &memory) {
  const struct {
    cuuint32_t box[4], steps[4];
    Corner from, to;
  } cases[] = {
      {{8, 2, 8, 1}, {1, 1, 1, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}},
      {{8, 3, 16, 2}, {1, 1, 1, 1}, {-2, -1, 2, 0}, {3, 4, 1, 1}},
      {{8, 3, 3, 1}, {1, 1, 1, 1}, {3, 3, 1, 1}, {0, 1, 2, 1}},
      {{16, 4, 8, 1}, {2, 1, 2, 1}, {1, 0, 1, 0}, {1, 0, 0, 0}},
      {{24, 4, 8, 1}, {3, 2, 1, 1}, {-1, 1, 2, 1}, {2, 2, 2, 1}},
      {{8, 2, 8, 1}, {1, 1, 1, 1}, {0, 0, 3, 0}, {0, 0, 2, 0}},
  };
  for (const auto &test : cases) {
    std::vector<int> seen;
    for (int n = 0; n < int(test.box[3]); ++n)
      for (int h = 0; h < int(test.box[1]); h += int(test.steps[1]))
        for (int w = 0; w < int(test.box[0]); w += int(test.steps[0]))
          seen.push_back(layout.at(test.from.w + w, test.from.h + h, test.from.slice, test.from.n + n));
    testCopy(layout, false, encode(layout, memory.get(), test.box, test.steps), values, test.from, test.to, seen);
  }
}

// A filter's first pixel moves from (-1, -1) to (width - 2, height - 3); its pixel (1, 2) is what is seen.
static void testImage(const Layout &layout, const std::vector<short> &values, check::DeviceArray<short> &memory) {
  const int lower[] = {-1, -1}, upper[] = {-1, -2};
  const CUtensorMap map = encodeImage(layout, memory.get(), lower, upper, 20);
  for (const Corner &from : {Corner{-1, -1, 0, 0}, Corner{4, 1, 2, 0}, Corner{0, 0, 1, 1}}) {
    std::vector<int> seen;
    Corner at = from;
    for (int pixel = 0; pixel < 20; ++pixel) {
      seen.push_back(layout.at(at.w + 1, at.h + 2, at.slice, at.n));
      if (++at.w <= width - 2) continue;
      at.w = -1;
      if (++at.h <= height - 3) continue;
      at.h = -1;
      ++at.n;
    }
    testCopy(layout, true, map, values, from, {0, 0, 1, 1}, seen);
  }
}

static void testErrors(short *memory) {
  const auto encodeWith = [&](cuuint32_t rank, CUtensorMapInterleave interleave, void *address, cuuint64_t stride,
                              cuuint32_t box) {
    CUtensorMap map;
    const cuuint64_t extent[] = {32, 4, 4, 2}, strides[] = {stride, 16384, 65536};
    const cuuint32_t boxes[] = {box, 2, 1, 1}, steps[] = {1, 1, 1, 1};
    return int(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_UINT16, rank, address, extent, strides, boxes,
                                      steps, interleave, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  };
  const auto i16 = CU_TENSOR_MAP_INTERLEAVE_16B, i32 = CU_TENSOR_MAP_INTERLEAVE_32B;
  const int invalid = CUDA_ERROR_INVALID_VALUE;
  CHECK_EQ(encodeWith(4, i16, memory, 1040, 128), int(CUDA_SUCCESS));
  CHECK_EQ(encodeWith(4, i32, memory, 1024, 128), int(CUDA_SUCCESS));
  CHECK_EQ(encodeWith(2, i16, memory, 1024, 8), invalid);
  CHECK_EQ(encodeWith(4, i16, memory, 1024, 4), invalid);
  CHECK_EQ(encodeWith(4, i32, memory, 1040, 8), invalid);
  CHECK_EQ(encodeWith(4, i16, memory + 8, 1024, 8), int(CUDA_SUCCESS));
  CHECK_EQ(encodeWith(4, i32, memory + 8, 1024, 8), invalid);
  CHECK_EQ(encodeWith(4, CUtensorMapInterleave(3), memory, 1024, 8), invalid);
}

// The hardware leaves out what lies behind a tensor, and takes no store that begins before it.
static void testStoreBefore(const Layout &layout, check::DeviceArray<short> &memory) {
  check::DeviceArray<short> seen(1024, short(-1));
  const CUtensorMap map = encode(layout, memory.get(), {8, 2, 8, 1}, {1, 1, 1, 1});
  through<<<1, 32>>>(map, map, false, {0, 0, 0, 0}, {-1, 0, 0, 0}, unsigned(16 * layout.slice * 2), seen.get());
  CHECK_EQ(int(cudaDeviceSynchronize()), int(cudaErrorIllegalInstruction));
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  const Layout narrow{8, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_SWIZZLE_NONE},
      wide{16, CU_TENSOR_MAP_INTERLEAVE_32B, CU_TENSOR_MAP_SWIZZLE_32B};
  std::vector<short> values(wide.total());
  std::iota(values.begin(), values.end(), short(1));
  check::DeviceArray<short> memory(values);
  for (const Layout &layout : {narrow, wide}) {
    testTiles(layout, values, memory);
    testImage(layout, values, memory);
  }
  testErrors(memory.get());
  testStoreBefore(narrow, memory);
  return check::finish();
}
