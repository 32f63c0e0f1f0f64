// Shapes that made real programs slow, a kernel each.
#include "shapes.h"

#include "../harness/cuda.h"

__constant__ int transitions[256];

// A loop of each thread with branches that depend on its data, over a table in constant memory.
__global__ void automaton(const unsigned char *text, unsigned *out, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned char *own = text + i * length;
  int state = 0;
  unsigned result = 0;
  for (int k = 0; k < length; ++k) {
    state = transitions[state * 16 + own[k]];
    if (state == 3) {
      result += k;
    } else if (state > 11) {
      result ^= result << 3;
    } else if (state == 7 && own[k] < 4) {
      result += 17;
      ++k;
    }
  }
  out[i] = result;
}

// All pairs, through tiles in shared memory.
__global__ void pairs(const float *x, const float *y, int *out, int n, float radius) {
  __shared__ float sx[256], sy[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t, count = 0;
  float ownX = x[i], ownY = y[i];
  for (int first = 0; first < n; first += 256) {
    sx[t] = x[first + t];
    sy[t] = y[first + t];
    __syncthreads();
    for (int j = 0; j < 256; ++j) {
      float dx = sx[j] - ownX, dy = sy[j] - ownY;
      if (dx * dx + dy * dy < radius * radius) ++count;
    }
    __syncthreads();
  }
  out[i] = count;
}

// Reads, changes and writes wherever the data say.
__global__ void scattered(const int *places, unsigned *table, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&table[places[i]], (unsigned)i);
}

// Three loops, two of them the grid; b is read with a stride.
__global__ void naive(const float *a, const float *b, float *c, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[column * n + k];
  c[row * n + column] = sum;
}

// A thread packs 32 bits.
__global__ void packing(const float *in, unsigned *out, int words, float threshold) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  unsigned word = 0;
  for (int bit = 0; bit < 32; ++bit)
    if (in[i * 32 + bit] > threshold) word |= 1u << bit;
  out[i] = word;
}

__global__ void division(int *out, int n, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = i % width, y = i / width % height, z = i / (width * height);
  out[i] = (z * height + (y + 1) % height) * width + (x + z) % width;
}

BENCH_CASE(automaton) {
  const Automaton input;
  bench::Buffer<unsigned char> text(input.text);
  bench::Buffer<unsigned> out(Automaton::strings);
  BENCH_CONSTANT(int, transitions, input.next);
  run.time([&] {
    automaton<<<Automaton::strings / 128, 128>>>(text, out, Automaton::length);
    bench::finish();
  });
  run.result(out.host());
}

BENCH_CASE(pairs) {
  const Pairs input;
  bench::Buffer<float> x(input.x), y(input.y);
  bench::Buffer<int> out(Pairs::n);
  run.time([&] {
    pairs<<<Pairs::n / 256, 256>>>(x, y, out, Pairs::n, Pairs::radius);
    bench::finish();
  });
  run.result(out.host(), Pairs::accept);
}

BENCH_CASE(scattered) {
  const Scattered input;
  bench::Buffer<int> places(input.places);
  bench::Buffer<unsigned> table(Scattered::table);
  run.time([&] {
    table.clear();
    scattered<<<Scattered::updates / 256, 256>>>(places, table, Scattered::updates);
    bench::finish();
  });
  run.result(table.host());
}

BENCH_CASE(naive) {
  const Naive input;
  const int n = Naive::n;
  bench::Buffer<float> a(input.a), b(input.b), c(input.a.size());
  run.time([&] {
    naive<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
    bench::finish();
  });
  run.result(c.host(), Naive::accept);
}

BENCH_CASE(packing) {
  const Packing input;
  bench::Buffer<float> in(input.in);
  bench::Buffer<unsigned> out(Packing::words);
  run.time([&] {
    packing<<<Packing::words / 256, 256>>>(in, out, Packing::words, Packing::threshold);
    bench::finish();
  });
  run.result(out.host());
}

BENCH_CASE(division) {
  const Division input;
  bench::Buffer<int> out(Division::n);
  run.time([&] {
    division<<<Division::n / 256, 256>>>(out, Division::n, input.sizes[0], input.sizes[1]);
    bench::finish();
  });
  run.result(out.host());
}
