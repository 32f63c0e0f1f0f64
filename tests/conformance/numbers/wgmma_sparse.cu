// wgmma with a sparse matrix A, from shared memory and from registers.
// options: -gencode arch=compute_90a,code=sm_90a
#include "../check.h"

#include <cuda_fp16.h>

#include <cstring>

typedef unsigned long long u64;

struct Task {
  u64 a, b;  // descriptors, whose addresses are offsets in `image`
  unsigned bytes;
  int which;
};

#define D8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define R8 "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
#define SS(text, selector, after)                                                                        \
  asm volatile("wgmma.mma_async.sp.sync.aligned." text " " D8 ", %8, %9, %10, " selector ", 1" after ";" \
               : R8                                                                                      \
               : "l"(a), "l"(b), "r"(metadata)                                                           \
               : "memory")
#define RS(text, selector, after)                                                                                      \
  asm volatile("wgmma.mma_async.sp.sync.aligned." text " " D8 ", {%8,%9,%10,%11}, %12, %13, " selector ", 1" after ";" \
               : R8                                                                                                    \
               : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "l"(b), "r"(metadata)                                 \
               : "memory")

// Only sm_90a has these instructions; nvcc may make code for others beside it.
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
__device__ void multiply(unsigned *d, const unsigned *ra, unsigned metadata, u64 a, u64 b, int which) {
  switch (which) {
    case 0:
      SS("m64n16k32.f32.f16.f16", "0", ", 1, 1, 0, 0");
      break;
    case 1:
      SS("m64n16k32.f32.f16.f16", "1", ", 1, 1, 0, 0");
      break;
    case 2:
      RS("m64n16k32.f32.f16.f16", "1", ", 1, 1, 0");
      break;
    case 3:
      SS("m64n16k64.s32.s8.s8", "0", "");
      break;
    case 4:
      RS("m64n16k64.s32.s8.s8", "0", "");
      break;
  }
}
#endif

__global__ void __launch_bounds__(128)
    run(unsigned (*out)[8], const uint4 *image, const unsigned (*registers)[5], Task task) {
  extern __shared__ __align__(1024) uint4 shared[];
  for (unsigned i = threadIdx.x; i < task.bytes / 16; i += blockDim.x) shared[i] = image[i];
  unsigned d[8], r[5];
  for (int i = 0; i < 8; ++i) d[i] = 0;
  for (int i = 0; i < 5; ++i) r[i] = registers[threadIdx.x][i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  const u64 base = (unsigned(__cvta_generic_to_shared(shared)) & 0x3ffff) >> 4;
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  multiply(d, r, r[4], task.a + base, task.b + base, task.which);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
  for (int i = 0; i < 8; ++i) out[threadIdx.x][i] = d[i];
}

struct Instruction {
  bool half;
  int selector;
  bool registersA;
};
static const Instruction instructions[] = {
    {true, 0, false}, {true, 1, false}, {true, 1, true}, {false, 0, false}, {false, 0, true}};

constexpr int n = 16;
constexpr unsigned placeB = 8192, imageBytes = 16384;

static int element(int i) { return (i * 5 + i / 7) % 7 - 3; }
static int storedA(int row, int index) { return element(row * 29 + index * 3); }
static int elementB(int k, int column) { return element(k + column * 17); }

static unsigned encode(const Instruction &w, int x) {
  return w.half ? __half_as_ushort(__float2half(float(x))) : unsigned(x) & 255;
}

// choice() is the two places, in order, that are taken of four elements.
static unsigned choice(int row, int group) {
  static const unsigned pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};  // 01 02 03 12 13 23
  return pairs[(row * 7 + group * 3 + row / 8) % 6];
}
static int columnOf(int row, int index) { return index / 2 * 4 + int(choice(row, index / 2) >> index % 2 * 2 & 3); }

static unsigned metadataOf(const Instruction &w, int thread) {
  const int holders = w.half ? 2 : 4, member = thread % 4 - w.selector * holders;
  const int row = thread / 32 * 16 + thread % 32 / 4;
  if (member < 0 || member >= holders) return 0xdeadbeef;
  unsigned word = 0;
  for (int i = 0; i < 8; ++i)
    word |= (w.half ? choice(row + i / 4 * 8, member * 4 + i % 4) : choice(row + member % 2 * 8, member / 2 * 8 + i))
            << 4 * i;
  return word;
}

// put() stores an element of a matrix along k, with spans of 128 bytes or, without swizzling, of 16.
static void put(std::vector<char> &image, unsigned at, bool swizzled, unsigned bytes, unsigned row, unsigned k,
                unsigned value) {
  const unsigned x = k * bytes,
                 place = row / 8 * 1024 + (swizzled ? row % 8 * 128 + x : row % 8 * 16 + x / 16 * 128 + x % 16);
  memcpy(&image[at + (swizzled ? place ^ (place >> 7 & 7) << 4 : place)], &value, bytes);
}

static u64 descriptor(bool swizzled, unsigned at) {
  return u64(at >> 4) | u64(128 >> 4) << 16 | u64(1024 >> 4) << 32 | (swizzled ? u64(1) << 62 : 0);
}

static std::vector<unsigned> pack(const Instruction &w) {
  std::vector<unsigned> registers(128 * 5);
  const int bits = w.half ? 16 : 8, perWord = 32 / bits;
  for (int thread = 0; thread < 128; ++thread) {
    for (int word = 0; word < 4; ++word)
      for (int e = 0; e < perWord; ++e)
        registers[size_t(thread * 5 + word)] |= encode(w, storedA(thread / 32 * 16 + thread % 32 / 4 + 8 * (word % 2),
                                                                  4 * perWord * (word / 2) + thread % 4 * perWord + e))
                                                << e * bits;
    registers[size_t(thread * 5 + 4)] = metadataOf(w, thread);
  }
  return registers;
}

static void test(int which, bool swizzled) {
  const Instruction &w = instructions[which];
  const int k = w.half ? 32 : 64;
  const unsigned bytes = w.half ? 2 : 1;
  std::vector<char> image(imageBytes, 0);
  for (int row = 0; row < 64; ++row)
    for (int i = 0; i < k / 2; ++i)
      put(image, 0, swizzled, bytes, unsigned(row), unsigned(i), encode(w, storedA(row, i)));
  for (int column = 0; column < n; ++column)
    for (int i = 0; i < k; ++i)
      put(image, placeB, swizzled, bytes, unsigned(column), unsigned(i), encode(w, elementB(i, column)));
  check::DeviceArray<char> memory(image);
  check::DeviceArray<unsigned> out(128 * 8, 0), registers(pack(w));
  const Task task{descriptor(swizzled, 0), descriptor(swizzled, placeB), imageBytes, which};
  run<<<1, 128, imageBytes>>>(reinterpret_cast<unsigned(*)[8]>(out.get()),
                              reinterpret_cast<const uint4 *>(memory.get()),
                              reinterpret_cast<const unsigned(*)[5]>(registers.get()), task);
  LAUNCH_OK();
  const std::vector<unsigned> d = out.download();
  int wrong = 0;
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < n / 2; ++i) {
      const int row = thread / 32 * 16 + thread % 32 / 4 + 8 * (i / 2 % 2), column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int sum = 0;
      for (int index = 0; index < k / 2; ++index) sum += storedA(row, index) * elementB(columnOf(row, index), column);
      float f;
      memcpy(&f, &d[size_t(thread * 8 + i)], 4);
      const double actual = w.half ? double(f) : double(int(d[size_t(thread * 8 + i)]));
      if (actual == sum || wrong++) continue;
      char text[128];
      snprintf(text, sizeof text, "instruction %d%s: row %d, column %d is %g, expected %d", which,
               swizzled ? ", swizzled" : "", row, column, actual, sum);
      check::fail(__FILE__, __LINE__, text);
    }
}

int main() {
  for (int which = 0; which < int(sizeof instructions / sizeof *instructions); ++which) {
    test(which, false);
    test(which, true);
  }
  return check::finish();
}
