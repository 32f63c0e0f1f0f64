// What programs may use. Each piece begins with the names that make it part of a program; pieces.py puts them together.
//== Array
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  printf("%s: %s\n", what, cudaGetErrorName(error));
  exit(1);
}

static bool printsElements = false, printsFused = false;
static volatile unsigned one = 1;  // which the compiler does not know

static unsigned long long mixed64(unsigned long long x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

enum Fill { NOTHING, RANDOM };

// Array: memory that a kernel changes or reads, filled with numbers that its seed decides.
template <typename T>
struct Array {
  const char *name;
  size_t count;
  T *data;

  Array(const char *name, size_t count, Fill fill, unsigned seed) : name(name), count(count) {
    check(cudaMallocManaged(&data, count * sizeof(T)), "cudaMallocManaged");
    memset(data, 0, count * sizeof(T));
    for (size_t i = 0; fill == RANDOM && i < count; ++i) data[i] = number(mixed64(seed * 1000003ull + i));
  }
  ~Array() { cudaFree(data); }

  static T number(unsigned long long bits) {
    if constexpr (T(0.5) != T(0)) return T(int(bits >> 40 & 2047) - 1000) / 64;
    return T(bits >> (bits >> 8 & 31));
  }

  void show(const char *kernel) const {
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(data);
    unsigned long long sum = 0xCBF29CE484222325ull;
    for (size_t i = 0; i < count * sizeof(T); ++i) sum = (sum ^ bytes[i]) * 0x100000001B3ull;
    printf("%s %s %016llx\n", kernel, name, sum);
    for (size_t i = 0; printsElements && i < count; ++i) printf("  %s[%zu] = %.9g\n", name, i, double(data[i]));
  }
};

static void finish(const char *kernel) {
  check(cudaGetLastError(), kernel);
  check(cudaDeviceSynchronize(), kernel);
}

//== Texture
// Texture: numbers that kernels read as texels; of a line if there is one row, else of a plane.
struct Texture {
  cudaTextureObject_t object = 0;
  cudaArray_t plane = nullptr;
  unsigned *line = nullptr;

  Texture(unsigned width, unsigned height, cudaTextureAddressMode mode) {
    cudaResourceDesc resource = {};
    cudaTextureDesc texture = {};
    texture.addressMode[0] = texture.addressMode[1] = mode;
    unsigned texels[256];
    for (unsigned i = 0; i < 256; ++i) texels[i] = unsigned(mixed64(i + 77));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
    if (height == 1) {
      check(cudaMalloc(&line, 4 * width), "cudaMalloc");
      check(cudaMemcpy(line, texels, 4 * width, cudaMemcpyHostToDevice), "cudaMemcpy");
      resource.resType = cudaResourceTypeLinear;
      resource.res.linear.devPtr = line;
      resource.res.linear.desc = format;
      resource.res.linear.sizeInBytes = 4 * width;
    } else {
      check(cudaMallocArray(&plane, &format, width, height), "cudaMallocArray");
      check(cudaMemcpy2DToArray(plane, 0, 0, texels, 4 * width, 4 * width, height, cudaMemcpyHostToDevice), "copy");
      resource.resType = cudaResourceTypeArray;
      resource.res.array.array = plane;
    }
    check(cudaCreateTextureObject(&object, &resource, &texture, nullptr), "cudaCreateTextureObject");
  }
  ~Texture() {
    cudaDestroyTextureObject(object);
    cudaFree(line);
    cudaFreeArray(plane);
  }
};

//== launchPtx
static void launchPtx(const char *text, const char *name, unsigned blocks, unsigned threads, void **arguments) {
  cudaLibrary_t library;
  cudaKernel_t kernel;
  check(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0), "cudaLibraryLoadData");
  check(cudaLibraryGetKernel(&kernel, library, name), "cudaLibraryGetKernel");
  check(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(blocks), dim3(threads), arguments, 0, 0), name);
}

//== globalThread
__device__ unsigned globalThread() {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
         threadIdx.x;
}

//== localThread
__device__ unsigned localThread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

//== addByRetry
__device__ void addByRetry(unsigned *sum, unsigned value) {
  unsigned old = *sum, assumed;
  do {
    assumed = old;
    old = atomicCAS(sum, assumed, assumed + value);
  } while (assumed != old);
}

//== raiseByRetry
__device__ void raiseByRetry(unsigned *most, unsigned value) {
  unsigned old = *most;
  while (value > old) {
    const unsigned assumed = old;
    old = atomicCAS(most, assumed, value);
    if (old == assumed) break;
  }
}

//== laneId
__device__ unsigned laneId() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

//== lanesOf
// lanesOf(): the lanes of the thread's warp that there are in a block of so many threads.
__device__ unsigned lanesOf(unsigned threads, unsigned local) {
  const unsigned left = threads - (local & ~31u);
  return left >= 32 ? ~0u : (1u << left) - 1;
}

//== ofLane
// ofLane(): another lane's value, the thread's own where the mask lacks that lane.
template <typename T>
__device__ T ofLane(unsigned mask, T value, unsigned lane) {
  const T other = __shfl_sync(mask, value, lane & 31);
  return mask >> (lane & 31) & 1 ? other : value;
}

//== ofLaneApart
// ofLaneApart(): ofLane() in a function of its own.
template <typename T>
__device__ __noinline__ T ofLaneApart(unsigned mask, T value, unsigned lane) {
  const T other = __shfl_sync(mask, value, lane & 31);
  return mask >> (lane & 31) & 1 ? other : value;
}

//== bounded
// bounded(): the number if it is not large, so that sums of products never become infinite.
template <typename T>
__device__ T bounded(T x) {
  return x > T(-512) && x < T(512) ? x : T(0.75);
}

//== sixteen
// sixteen(): a number, or two, of all digits, between 1/4 and 4.
template <typename T>
__device__ T sixteen(unsigned bits);
template <>
__device__ __half sixteen<__half>(unsigned bits) {
  return __ushort_as_half((bits & 0x8fff) + 0x3400);
}
template <>
__device__ __nv_bfloat16 sixteen<__nv_bfloat16>(unsigned bits) {
  return __ushort_as_bfloat16((bits & 0x81ff) + 0x3e80);
}
template <>
__device__ __half2 sixteen<__half2>(unsigned bits) {
  return __halves2half2(sixteen<__half>(bits), sixteen<__half>(bits >> 16));
}
template <>
__device__ __nv_bfloat162 sixteen<__nv_bfloat162>(unsigned bits) {
  return __halves2bfloat162(sixteen<__nv_bfloat16>(bits), sixteen<__nv_bfloat16>(bits >> 16));
}

//== bitsOf
__device__ unsigned bitsOf(__half x) { return __half_as_ushort(x); }
__device__ unsigned bitsOf(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }
__device__ unsigned bitsOf(__half2 x) { return bitsOf(__low2half(x)) | bitsOf(__high2half(x)) << 16; }
__device__ unsigned bitsOf(__nv_bfloat162 x) { return bitsOf(__low2bfloat16(x)) | bitsOf(__high2bfloat16(x)) << 16; }

//== within
// within(): the number, or two, if it is not large.
template <typename T>
__device__ T within(T x) {
  return x > T(-16) && x < T(16) ? x : T(0.75);
}
__device__ __half2 within(__half2 x) { return __halves2half2(within(__low2half(x)), within(__high2half(x))); }
__device__ __nv_bfloat162 within(__nv_bfloat162 x) {
  return __halves2bfloat162(within(__low2bfloat16(x)), within(__high2bfloat16(x)));
}

//== sumApart
template <typename T>
__device__ __noinline__ T sumApart(T a, T b, T c) {
  return a * b + c;
}

//== productApart
template <typename T>
__device__ __noinline__ T productApart(T a, T b) {
  return a * b;
}

//== sumInPtx
__device__ __half sumInPtx(__half a, __half b, __half c) {
  unsigned short sum;
  asm("{\n.reg .b16 p;\nmul.f16 p, %1, %2;\nadd.f16 %0, p, %3;\n}"
      : "=h"(sum)
      : "h"(__half_as_ushort(a)), "h"(__half_as_ushort(b)), "h"(__half_as_ushort(c)));
  return __ushort_as_half(sum);
}
__device__ __nv_bfloat16 sumInPtx(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  unsigned short sum;
  asm("{\n.reg .b16 p;\nmul.bf16 p, %1, %2;\nsub.bf16 %0, %3, p;\n}"
      : "=h"(sum)
      : "h"(__bfloat16_as_ushort(a)), "h"(__bfloat16_as_ushort(b)), "h"(__bfloat16_as_ushort(c)));
  return __ushort_as_bfloat16(sum);
}

//== beginPhases arriveAtPhase waitForPhase endPhases
__device__ unsigned shared32(const void *pointer) { return static_cast<unsigned>(__cvta_generic_to_shared(pointer)); }
__device__ void beginPhases(unsigned long long *object, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared32(object)), "r"(count) : "memory");
}
__device__ unsigned long long arriveAtPhase(unsigned long long *object) {
  unsigned long long token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared32(object)) : "memory");
  return token;
}
__device__ void waitForPhase(unsigned long long *object, unsigned long long token) {
  unsigned done;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(shared32(object)), "l"(token)
                 : "memory");
  } while (!done);
}
__device__ void endPhases(unsigned long long *object) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(shared32(object)) : "memory");
}

//== countAtBarrier
__device__ unsigned countAtBarrier(unsigned value) {
  unsigned count;
  asm volatile("{\n.reg .pred p;\nsetp.ne.u32 p, %1, 0;\nbar.red.popc.u32 %0, 0, p;\n}"
               : "=r"(count)
               : "r"(value)
               : "memory");
  return count;
}

//== storeShared loadShared
__device__ void storeShared(unsigned *pointer, unsigned value) {
  const unsigned where = static_cast<unsigned>(__cvta_generic_to_shared(pointer));
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(where), "r"(value) : "memory");
}
__device__ unsigned loadShared(const unsigned *pointer) {
  unsigned value;
  const unsigned where = static_cast<unsigned>(__cvta_generic_to_shared(pointer));
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(where) : "memory");
  return value;
}

//== throughPointer
__device__ __noinline__ unsigned throughPointer(unsigned *p) {
  *p = *p * 3 + (__isShared(p) ? 1 : 2);
  return *p ^ 0x55;
}

//== spaceOf
__device__ unsigned spaceOf(const void *p) {
  unsigned local, global;
  asm("{\n.reg .pred p;\nisspacep.local p, %1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(local) : "l"(p));
  asm("{\n.reg .pred p;\nisspacep.global p, %1;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(global) : "l"(p));
  return local * 2 + global;
}

//== stir
__device__ __noinline__ void stir(unsigned *values, unsigned x) {
  for (unsigned i = 0; i < 4; ++i) values[(i + x) & 3] += values[x & 3] * 5 + i;
}

//== Record
struct Inner {
  short small;
  unsigned char bytes[3];
  unsigned long long wide;
};
struct Record {
  Inner in[2];
  uint2 pair;
  unsigned bits : 5, more : 11;
  signed char last;
};
__device__ Record record(unsigned x) {
  Record made = {};
  made.in[x & 1].small = short(x);
  made.in[1].wide = x * 0x100000001ull;
  made.in[0].bytes[x % 3] = static_cast<unsigned char>(x >> 4);
  made.pair = make_uint2(x, ~x);
  made.bits = x;
  made.more = x >> 3;
  made.last = static_cast<signed char>(x >> 9);
  return made;
}
__device__ __noinline__ Record turned(Record from, unsigned x) {
  const Inner kept = from.in[x & 1];
  from.in[x & 1] = from.in[~x & 1];
  from.in[~x & 1] = kept;
  from.more += x;
  return from;
}
__device__ unsigned digest(const Record &of) {
  unsigned sum = of.pair.x + of.pair.y * 3 + of.bits * 5 + of.more * 7 + of.last;
  for (const Inner &inner : of.in)
    sum = sum * 31 + inner.small + inner.bytes[0] + inner.bytes[1] * 3 + inner.bytes[2] * 9 + unsigned(inner.wide) +
          unsigned(inner.wide >> 32);
  return sum;
}

//== mixed table
__device__ __noinline__ unsigned mixed(unsigned x, unsigned y) { return (x ^ (y >> 7)) * 0x9E3779B1u + y; }

//== ownPlace table
__device__ __noinline__ unsigned ownPlace(unsigned x, unsigned y) {
  return x * threadIdx.x + y * (threadIdx.y + 1) + blockIdx.x;
}

//== byIndex table
__device__ __noinline__ unsigned byIndex(unsigned x, unsigned y) {
  unsigned values[4] = {x, y, x + y, threadIdx.x};
  return values[x & 3] + values[y & 3] * 2;
}

//== choose table
__device__ __noinline__ unsigned choose(unsigned x, unsigned y) {
  if (x % 3 == 0) return y + threadIdx.x;
  for (unsigned i = 0; i < (y & 3); ++i) x = x * 5 + (i & 1 ? threadIdx.y : threadIdx.x);
  return x;
}

//== table
using Function = unsigned (*)(unsigned, unsigned);
__device__ Function table[4] = {mixed, ownPlace, byIndex, choose};

//== Shape Circle Square
struct Shape {
  unsigned size;
  __device__ explicit Shape(unsigned size) : size(size) {}
  __device__ virtual unsigned area(unsigned scale) const = 0;
};
struct Circle : Shape {
  using Shape::Shape;
  __device__ unsigned area(unsigned scale) const override { return size * size * 3 + scale; }
};
struct Square : Shape {
  using Shape::Shape;
  __device__ unsigned area(unsigned scale) const override { return (size ^ threadIdx.x) * scale; }
};

//== descend
__device__ __noinline__ unsigned descend(unsigned depth, unsigned x) {
  return depth == 0 ? x ^ threadIdx.x : descend(depth - 1, x * 3 + depth) + depth;
}

//== ping
__device__ unsigned pong(unsigned depth, unsigned x);
__device__ __noinline__ unsigned ping(unsigned depth, unsigned x) {
  return depth == 0 ? x : pong(depth - 1, x + 5) * 3;
}
__device__ __noinline__ unsigned pong(unsigned depth, unsigned x) {
  return depth == 0 ? ~x : ping(depth - 1, x ^ 0x33) + 1;
}

//== applied
template <typename F>
__device__ __noinline__ unsigned applied(F f, unsigned x) {
  return f(x) + f(x + 1);
}

//== child
__global__ void child(unsigned *out, unsigned x) {
  out[threadIdx.x] = x * (threadIdx.x + 1) ^ (threadIdx.x & 1 ? blockDim.x : threadIdx.x);
}

//== farMixed farPlace farTable
extern __device__ unsigned farNumbers[8];
__device__ unsigned farMixed(unsigned x, unsigned y);
__device__ unsigned farPlace(unsigned x, unsigned y);
__device__ unsigned farTable(unsigned x, unsigned y);

//== secondUnit
__device__ unsigned farNumbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ unsigned farMixed(unsigned x, unsigned y) { return x * 33 + y * farNumbers[x & 7]; }
__device__ unsigned farPlace(unsigned x, unsigned y) {
  return (x & 1 ? threadIdx.x : threadIdx.y) * y + (threadIdx.x & 31);
}
__device__ unsigned farTable(unsigned x, unsigned y) {
  unsigned sum = 0;
  for (unsigned i = 0; i < (y & 7); ++i) sum += farNumbers[(x + i) & 7] << i;
  return sum;
}
