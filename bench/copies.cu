// What copies cost: one gibibyte within a device, to and from pinned and pageable memory of the host, and a fill; and a
// few bytes, where the call is all there is.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "timing.h"

#define CHECK(call)                                              \
  do {                                                           \
    cudaError_t error = (call);                                  \
    if (error != cudaSuccess) {                                  \
      std::printf("%s: %s\n", #call, cudaGetErrorString(error)); \
      std::exit(1);                                              \
    }                                                            \
  } while (0)

constexpr size_t bytes = size_t{1} << 30;

static void benchCopy(const char *name, void *to, const void *from, cudaMemcpyKind kind) {
  const double time = bench::seconds([&] {
    CHECK(cudaMemcpyAsync(to, from, bytes, kind));
    CHECK(cudaDeviceSynchronize());
  });
  bench::report(name, time * 1e3, "ms");
}

static void benchSmallCopy(void *to) {
  constexpr int calls = 1000;
  char few[64] = {};
  const double time = bench::seconds([&] {
    for (int i = 0; i < calls; ++i) CHECK(cudaMemcpy(to, few, sizeof few, cudaMemcpyHostToDevice));
  });
  bench::report("copy_64", time / calls * 1e6, "us");
}

int main() {
  void *a, *b, *pinned;
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMallocHost(&pinned, bytes));
  std::vector<char> pageable(bytes, 1);
  const double fill = bench::seconds([&] {
    CHECK(cudaMemset(a, 7, bytes));
    CHECK(cudaDeviceSynchronize());
  });
  bench::report("fill_1G", fill * 1e3, "ms");
  benchCopy("copy_1G", b, a, cudaMemcpyDeviceToDevice);
  benchCopy("copy_1G_to_pinned", pinned, b, cudaMemcpyDeviceToHost);
  benchCopy("copy_1G_from_pinned", a, pinned, cudaMemcpyHostToDevice);
  benchCopy("copy_1G_from_pageable", a, pageable.data(), cudaMemcpyHostToDevice);
  benchSmallCopy(a);
  char last;
  CHECK(cudaMemcpy(&last, static_cast<char *>(b) + bytes - 1, 1, cudaMemcpyDeviceToHost));
  return last == 7 ? 0 : 1;
}
