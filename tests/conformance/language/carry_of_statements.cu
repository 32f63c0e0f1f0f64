// The carry goes from one inline PTX statement to the next, through small functions too, as libraries for large numbers
// have them.
#include <cstdint>

#include "../check.h"

namespace {

constexpr int words = 8, threads = 64;

__device__ __forceinline__ uint32_t addCc(uint32_t x, uint32_t y) {
  uint32_t r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__device__ __forceinline__ uint32_t addcCc(uint32_t x, uint32_t y) {
  uint32_t r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__device__ __forceinline__ uint32_t addc(uint32_t x, uint32_t y) {
  uint32_t r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__device__ __forceinline__ uint32_t subCc(uint32_t x, uint32_t y) {
  uint32_t r;
  asm volatile("sub.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__device__ __forceinline__ uint32_t subcCc(uint32_t x, uint32_t y) {
  uint32_t r;
  asm volatile("subc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__device__ __forceinline__ uint32_t subc(uint32_t x, uint32_t y) {
  uint32_t r;
  asm volatile("subc.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(y));
  return r;
}
__device__ __forceinline__ uint32_t madLoCc(uint32_t x, uint32_t y, uint32_t z) {
  uint32_t r;
  asm volatile("mad.lo.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  return r;
}
__device__ __forceinline__ uint32_t madcHiCc(uint32_t x, uint32_t y, uint32_t z) {
  uint32_t r;
  asm volatile("madc.hi.cc.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(y), "r"(z));
  return r;
}
__device__ __forceinline__ uint64_t addCc64(uint64_t x, uint64_t y) {
  uint64_t r;
  asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  return r;
}
__device__ __forceinline__ uint64_t addc64(uint64_t x, uint64_t y) {
  uint64_t r;
  asm volatile("addc.u64 %0, %1, %2;" : "=l"(r) : "l"(x), "l"(y));
  return r;
}

// Chain remembers whether it has begun, one call for each word.
class Chain {
 public:
  __device__ __forceinline__ uint32_t add(uint32_t x, uint32_t y) { return begun() ? addcCc(x, y) : addCc(x, y); }
  __device__ __forceinline__ uint32_t sub(uint32_t x, uint32_t y) { return begun() ? subcCc(x, y) : subCc(x, y); }

 private:
  __device__ __forceinline__ bool begun() { return position_++ != 0; }
  int position_ = 0;
};

struct Number {
  uint32_t word[words];
};

__global__ void sums(const Number *x, const Number *y, Number *sum, Number *difference, uint32_t *carries) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  sum[t].word[0] = addCc(x[t].word[0], y[t].word[0]);
#pragma unroll
  for (int i = 1; i < words; ++i) sum[t].word[i] = addcCc(x[t].word[i], y[t].word[i]);
  carries[2 * t] = addc(0, 0);
  difference[t].word[0] = subCc(x[t].word[0], y[t].word[0]);
#pragma unroll
  for (int i = 1; i < words; ++i) difference[t].word[i] = subcCc(x[t].word[i], y[t].word[i]);
  carries[2 * t + 1] = subc(0, 0);
}

__global__ void chains(const Number *x, const Number *y, Number *sum, Number *difference, uint32_t *carries) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  Chain up, down;
#pragma unroll
  for (int i = 0; i < words; ++i) sum[t].word[i] = up.add(x[t].word[i], y[t].word[i]);
  carries[2 * t] = up.add(0, 0);
#pragma unroll
  for (int i = 0; i < words; ++i) difference[t].word[i] = down.sub(x[t].word[i], y[t].word[i]);
  carries[2 * t + 1] = down.sub(0, 0);
}

// A number times one word: the products' halves in two chains.
__global__ void products(const Number *x, const Number *y, Number *low, uint32_t *high) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t factor = y[t].word[0];
  uint32_t r[words + 1] = {};
#pragma unroll
  for (int i = 0; i < words; ++i) {
    r[i] = madLoCc(x[t].word[i], factor, r[i]);
    r[i + 1] = madcHiCc(x[t].word[i], factor, r[i + 1]);
  }
#pragma unroll
  for (int i = 0; i < words; ++i) low[t].word[i] = r[i];
  high[t] = r[words];
}

__global__ void wide(const Number *x, const Number *y, uint64_t *out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const auto pair = [](const Number &n, int i) { return static_cast<uint64_t>(n.word[i + 1]) << 32 | n.word[i]; };
  out[2 * t] = addCc64(pair(x[t], 0), pair(y[t], 0));
  out[2 * t + 1] = addc64(pair(x[t], 2), pair(y[t], 2));
}

Number number(unsigned &seed) {
  Number made;
  for (uint32_t &word : made.word) {
    seed = seed * 1664525u + 1013904223u;
    const unsigned kind = seed >> 29;
    word = kind == 0 ? 0 : kind < 3 ? ~0u : seed * 2654435761u;
  }
  return made;
}

void add(const Number &x, const Number &y, Number &sum, uint32_t &carry) {
  uint64_t all = 0;
  for (int i = 0; i < words; ++i) {
    all += static_cast<uint64_t>(x.word[i]) + y.word[i];
    sum.word[i] = static_cast<uint32_t>(all);
    all >>= 32;
  }
  carry = static_cast<uint32_t>(all);
}

void subtract(const Number &x, const Number &y, Number &difference, uint32_t &borrow) {
  int64_t all = 0;
  for (int i = 0; i < words; ++i) {
    all += static_cast<int64_t>(x.word[i]) - y.word[i];
    difference.word[i] = static_cast<uint32_t>(all);
    all >>= 32;
  }
  borrow = static_cast<uint32_t>(all);
}

bool same(const Number &x, const Number &y) {
  for (int i = 0; i < words; ++i)
    if (x.word[i] != y.word[i]) return false;
  return true;
}

}  // namespace

int main() {
  unsigned seed = 1;
  std::vector<Number> left, right;
  for (int i = 0; i < 2 * threads; ++i) {
    left.push_back(number(seed));
    right.push_back(number(seed));
  }
  const check::DeviceArray<Number> x(left), y(right), sum(left.size()), difference(left.size());
  const check::DeviceArray<uint32_t> carries(2 * left.size());
  for (auto *kernel : {sums, chains}) {
    kernel<<<2, threads>>>(x.get(), y.get(), sum.get(), difference.get(), carries.get());
    LAUNCH_OK();
    const auto foundSum = sum.download(), foundDifference = difference.download();
    const auto foundCarries = carries.download();
    for (size_t i = 0; i < left.size(); ++i) {
      Number expected;
      uint32_t carry;
      add(left[i], right[i], expected, carry);
      CHECK(same(foundSum[i], expected) && foundCarries[2 * i] == carry);
      subtract(left[i], right[i], expected, carry);
      CHECK(same(foundDifference[i], expected) && foundCarries[2 * i + 1] == carry);
    }
  }
  const check::DeviceArray<uint32_t> high(left.size());
  products<<<2, threads>>>(x.get(), y.get(), sum.get(), high.get());
  LAUNCH_OK();
  const auto low = sum.download();
  const auto top = high.download();
  const check::DeviceArray<uint64_t> out(2 * left.size());
  wide<<<2, threads>>>(x.get(), y.get(), out.get());
  LAUNCH_OK();
  const auto found = out.download();
  for (size_t i = 0; i < left.size(); ++i) {
    uint64_t carry = 0;
    for (int word = 0; word < words; ++word) {
      carry += static_cast<uint64_t>(left[i].word[word]) * right[i].word[0];
      CHECK_EQ(low[i].word[word], static_cast<uint32_t>(carry));
      carry >>= 32;
    }
    CHECK_EQ(top[i], static_cast<uint32_t>(carry));
    Number expected;
    uint32_t ignored;
    add(left[i], right[i], expected, ignored);
    for (int half = 0; half < 2; ++half)
      CHECK_EQ(found[2 * i + half], static_cast<uint64_t>(expected.word[2 * half + 1]) << 32 | expected.word[2 * half]);
  }
  return check::finish();
}
