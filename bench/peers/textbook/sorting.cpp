// The bitonic network as C++ for the processor: pieces that stay in the first cache, vectors of 16 keys.
#include "sorting.h"

#include <algorithm>
#include <utility>

#include "../harness/native.h"

using bench::load;
using bench::Memory;
using bench::store;
using bench::Words;

constexpr int n = Sort::n, piece = 1 << 13;
constexpr Words laneNumbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Keys of one vector change places with those `stride` lanes away.
template <int stride>
static Words exchangeLanes(Words keys, int size, int first) {
#ifdef __clang__
  const Words other = __builtin_shufflevector(keys, keys, 0 ^ stride, 1 ^ stride, 2 ^ stride, 3 ^ stride, 4 ^ stride,
                                              5 ^ stride, 6 ^ stride, 7 ^ stride, 8 ^ stride, 9 ^ stride, 10 ^ stride,
                                              11 ^ stride, 12 ^ stride, 13 ^ stride, 14 ^ stride, 15 ^ stride);
#else
  const Words other = __builtin_shuffle(keys, laneNumbers ^ unsigned(stride));
#endif
  const Words index = laneNumbers + unsigned(first);
  const Words less = keys < other ? keys : other, more = keys < other ? other : keys;
  const auto keepsLess = ((index & unsigned(stride)) == 0) == ((index & unsigned(size)) == 0);
  return keepsLess ? less : more;
}

static void shortSteps(uint32_t *keys, int first, int size) {
  for (int i = 0; i < piece; i += 16) {
    Words vector = load(keys + i);
    if (size > 8) vector = exchangeLanes<8>(vector, size, first + i);
    if (size > 4) vector = exchangeLanes<4>(vector, size, first + i);
    if (size > 2) vector = exchangeLanes<2>(vector, size, first + i);
    store(keys + i, exchangeLanes<1>(vector, size, first + i));
  }
}

// `count` keys from `lower` on get the smaller ones of pairs, when up.
static void exchangeRange(uint32_t *lower, uint32_t *upper, int count, bool up) {
  if (!up) std::swap(lower, upper);
  for (int i = 0; i < count; i += 16) {
    const Words a = load(lower + i), b = load(upper + i);
    store(lower + i, a < b ? a : b);
    store(upper + i, a < b ? b : a);
  }
}

// All steps of strides below a piece.
static void mergePiece(uint32_t *keys, int first, int size) {
  for (int stride = std::min(size, piece) / 2; stride >= 16; stride /= 2)
    for (int i = 0; i < piece; i += 2 * stride)
      exchangeRange(keys + i, keys + i + stride, stride, ((first + i) & size) == 0);
  shortSteps(keys, first, size);
}

static void sortAll(uint32_t *keys) {
#pragma omp parallel for schedule(static)
  for (int first = 0; first < n; first += piece)
    for (int size = 2; size <= piece; size *= 2) mergePiece(keys + first, first, size);
  for (int size = 2 * piece; size <= n; size *= 2) {
    for (int stride = size / 2; stride >= piece; stride /= 2) {
#pragma omp parallel for schedule(static)
      for (int pair = 0; pair < n / 2; pair += piece / 2) {
        const int lower = pair / stride * 2 * stride + pair % stride;
        exchangeRange(keys + lower, keys + lower + stride, piece / 2, (lower & size) == 0);
      }
    }
#pragma omp parallel for schedule(static)
    for (int first = 0; first < n; first += piece) mergePiece(keys + first, first, size);
  }
}

BENCH_CASE(bitonic) {
  const Sort input;
  Memory<uint32_t> keys(n);
  run.time([&] {
    keys.assign(input.keys);
    sortAll(keys.data());
  });
  run.result(keys.data(), keys.size());
}
