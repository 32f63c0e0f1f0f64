// The shapes as plain C++ on the same cores.
#include "shapes.h"

#include <algorithm>

#include "../harness/native.h"

using bench::Memory;

static uint32_t automaton(const uint8_t *text, const int *next) {
  int state = 0;
  uint32_t result = 0;
  for (uint32_t k = 0; k < Automaton::length; ++k) {
    state = next[state * Automaton::letters + text[k]];
    if (state == 3) {
      result += k;
    } else if (state > 11) {
      result ^= result << 3;
    } else if (state == 7 && text[k] < 4) {
      result += 17;
      ++k;
    }
  }
  return result;
}

BENCH_CASE(automaton) {
  const Automaton input;
  const Memory<uint8_t> text(input.text);
  std::vector<uint32_t> out(Automaton::strings);
  run.time([&] {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < Automaton::strings; ++i) out[i] = automaton(&text[i * Automaton::length], input.next.data());
  });
  run.result(out);
}

BENCH_CASE(pairs) {
  const Pairs input;
  std::vector<int> out(Pairs::n);
  run.time([&, x = input.x.data(), y = input.y.data()] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < Pairs::n; ++i) {
      int count = 0;
#pragma omp simd reduction(+ : count)
      for (int j = 0; j < Pairs::n; ++j) {
        const float dx = x[j] - x[i], dy = y[j] - y[i];
        count += dx * dx + dy * dy < Pairs::radius * Pairs::radius;
      }
      out[size_t(i)] = count;
    }
  });
  run.result(out, Pairs::accept);
}

// The sums have no order, so that the cores may share one table.
BENCH_CASE(scattered) {
  const Scattered input;
  const Memory<int> places(input.places);
  Memory<uint32_t> table(Scattered::table);
  run.time([&] {
    std::fill_n(table.data(), Scattered::table, 0U);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < Scattered::updates; ++i)
      __atomic_fetch_add(&table[size_t(places[i])], uint32_t(i), __ATOMIC_RELAXED);
  });
  run.result(table.data(), table.size());
}

BENCH_CASE(naive) {
  const Naive input;
  constexpr int n = Naive::n;
  std::vector<float> c(size_t(n) * n);
  run.time([&, a = input.a.data(), b = input.b.data()] {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column) {
        float sum = 0;
        for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[column * n + k];
        c[size_t(row) * n + size_t(column)] = sum;
      }
  });
  run.result(c, Naive::accept);
}

BENCH_CASE(packing) {
  const Packing input;
  const Memory<float> in(input.in);
  Memory<uint32_t> out(Packing::words);
  run.time([&, from = in.data()] {
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < Packing::words; ++i) {
      uint32_t word = 0;
      for (uint32_t bit = 0; bit < 32; ++bit) word |= uint32_t(from[i * 32 + bit] > Packing::threshold) << bit;
      out[i] = word;
    }
  });
  run.result(out.data(), out.size());
}

BENCH_CASE(division) {
  const Division input;
  Memory<int> out(Division::n);
  run.time([&, to = out.data(), width = input.sizes[0], height = input.sizes[1]] {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < Division::n; ++i) {
      const int x = i % width, y = i / width % height, z = i / (width * height);
      to[i] = (z * height + (y + 1) % height) * width + (x + z) % width;
    }
  });
  run.result(out.data(), out.size());
}
