// Threads with several neighbouring elements each: members of structures, rows of a table, loops over a few numbers that
// a compiler unrolls; read, written, both in turn, some members only, in narrow and wide types, by some threads only.
// Each thread must see what it has written itself, in order [CUDA 3.2.2].
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "../check.h"

struct Pixel {
  unsigned char r, g, b, a;
};
struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
};
struct Odd {
  short a, b, c;
};

template <class T, int n>
struct Row {
  T v[n];
};

// Each kernel's work for one thread, on either side.
struct Mix {
  using Element = int4;
  __host__ __device__ static void run(Element *all, int t, int k) {
    int4 v = all[t];
    v.x += v.y;
    v.z ^= v.w;
    all[t] = int4{v.w, v.x + k, v.z, v.y};
  }
};
struct Complex {
  using Element = float2;
  __host__ __device__ static void run(Element *all, int t, int k) {
    const float2 v = all[t];
    all[t].x = v.y + (float)k;
    all[t].y = v.x - (float)k;
  }
};
struct ThreeOfFour {
  using Element = float4;
  __host__ __device__ static void run(Element *all, int t, int) {
    const float x = all[t].x, y = all[t].y, z = all[t].z;
    all[t].w = x * 2 + y * 4 + z;
  }
};
struct Three {
  using Element = float3;
  __host__ __device__ static void run(Element *all, int t, int k) {
    float3 v = all[t];
    v.x = v.y + (float)k;
    v.z = v.x + v.z;
    all[t] = v;
  }
};
struct Colours {
  using Element = Pixel;
  __host__ __device__ static void run(Element *all, int t, int k) {
    Pixel p = all[t];
    const unsigned char grey = (unsigned char)((p.r * 3 + p.g * 6 + p.b + k) / 10);
    all[t] = Pixel{p.b, grey, p.r, (unsigned char)~p.a};
  }
};
struct Particles {
  using Element = Particle;
  __host__ __device__ static void run(Element *all, int t, int k) {
    Particle &p = all[t];
    p.x += p.vx;
    p.y += p.vy;
    p.z += p.vz;
    if (((int)p.mass + k) % 5 == 0) p.charge = -p.charge;
  }
};
struct OddShorts {
  using Element = Odd;
  __host__ __device__ static void run(Element *all, int t, int k) {
    const Odd o = all[t];
    all[t] = Odd{o.c, (short)(o.a + k), o.b};
  }
};
// The sum before each element: what is read has not been written yet, what is written is not read again.
struct Prefix {
  using Element = Row<unsigned, 16>;
  __host__ __device__ static void run(Element *all, int t, int) {
    unsigned sum = 0;
    for (int i = 0; i < 16; ++i) {
      const unsigned v = all[t].v[i];
      all[t].v[i] = sum;
      sum += v;
    }
  }
};
// Each element depends on the one that has just been written.
struct Chain {
  using Element = Row<int, 8>;
  __host__ __device__ static void run(Element *all, int t, int k) {
    for (int i = 1; i < 8; ++i) all[t].v[i] = all[t].v[i - 1] * 3 + all[t].v[i] + k;
  }
};
struct Twice {
  using Element = Row<int, 4>;
  __host__ __device__ static void run(Element *all, int t, int k) {
    for (int i = 0; i < 4; ++i) all[t].v[i] += k;
    all[t].v[1] = all[t].v[0] + all[t].v[2];
    for (int i = 0; i < 4; ++i) all[t].v[3 - i] ^= i;
  }
};
struct Bits {
  using Element = Row<double, 8>;
  __host__ __device__ static void run(Element *all, int t, int k) {
    unsigned word = 0;
    for (int i = 0; i < 8; ++i)
      if (all[t].v[i] > k) word |= 1u << i;
    all[t].v[k & 7] = word;
  }
};
struct Bytes16 {
  using Element = Row<unsigned char, 16>;
  __host__ __device__ static void run(Element *all, int t, int) {
    for (int i = 0; i < 8; ++i) {
      const unsigned char low = all[t].v[i];
      all[t].v[i] = all[t].v[15 - i];
      all[t].v[15 - i] = low;
    }
  }
};
// Parts of elements are written before the whole is read, and read before the next are written.
struct Overlapping {
  using Element = Row<unsigned, 4>;
  __host__ __device__ static void run(Element *all, int t, int k) {
    unsigned *v = all[t].v;
    unsigned char *bytes = (unsigned char *)v;
    const unsigned a = v[0];
    bytes[9] = (unsigned char)(a + k);
    const unsigned b = v[1], c = v[2], d = v[3];
    v[0] = d;
    const unsigned char low = bytes[1];
    v[1] = c;
    v[2] = b + low;
    v[3] = a;
  }
};
struct Longs {
  using Element = Row<long long, 4>;
  __host__ __device__ static void run(Element *all, int t, int k) {
    long long sum = k;
    for (int i = 0; i < 4; ++i) sum += all[t].v[i];
    for (int i = 0; i < 4; ++i) all[t].v[i] = sum >> i;
  }
};

template <class Work>
__global__ void run(typename Work::Element *all, int n, int k) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) Work::run(all, t, k);
}

// The same in shared memory, which another kernel form reaches in another way, and for some threads only.
template <class Work>
__global__ void runShared(typename Work::Element *all, int n, int k) {
  __shared__ typename Work::Element some[64];
  const int t = blockIdx.x * 64 + threadIdx.x;
  if (t < n) some[threadIdx.x] = all[t];
  __syncthreads();
  if (t < n && threadIdx.x % 3 != 1) Work::run(some, threadIdx.x, k);
  __syncthreads();
  if (t < n) Work::run(some, threadIdx.x, k + 1);
  __syncthreads();
  if (t < n) all[t] = some[threadIdx.x];
}

template <class Element>
std::vector<Element> numbers(int n) {
  // Small whole numbers are exact in every type.
  std::vector<Element> values(n);
  unsigned state = 7;
  const auto next = [&] { return (state = state * 1664525 + 1013904223) >> 24; };
  if constexpr (sizeof(Element) % 8 == 0 && std::is_same_v<Element, Row<double, 8>>) {
    for (Element &row : values)
      for (double &v : row.v) v = next() / 32;
  } else if constexpr (std::is_same_v<Element, float2> || std::is_same_v<Element, float3> ||
                       std::is_same_v<Element, float4> || std::is_same_v<Element, Particle>) {
    for (Element &value : values)
      for (size_t i = 0; i < sizeof(Element) / sizeof(float); ++i) ((float *)&value)[i] = (float)next();
  } else {
    for (Element &value : values)
      for (size_t i = 0; i < sizeof(Element); ++i) ((unsigned char *)&value)[i] = (unsigned char)next();
  }
  return values;
}

template <class Work>
void compare(const char *name) {
  using Element = typename Work::Element;
  constexpr int n = 331;
  for (const bool isShared : {false, true})
    for (const int k : {0, 3}) {
      std::vector<Element> values = numbers<Element>(n), expected = values;
      Element *memory;
      CUDA_OK(cudaMalloc(&memory, n * sizeof(Element)));
      CUDA_OK(cudaMemcpy(memory, values.data(), n * sizeof(Element), cudaMemcpyHostToDevice));
      if (isShared)
        runShared<Work><<<(n + 63) / 64, 64>>>(memory, n, k);
      else
        run<Work><<<(n + 127) / 128, 128>>>(memory, n, k);
      CUDA_OK(cudaMemcpy(values.data(), memory, n * sizeof(Element), cudaMemcpyDeviceToHost));
      CUDA_OK(cudaFree(memory));
      for (int t = 0; t < n; ++t) {
        if (!isShared || t % 64 % 3 != 1) Work::run(expected.data(), t, k);
        if (isShared) Work::run(expected.data(), t, k + 1);
      }
      const bool isEqual = std::memcmp(values.data(), expected.data(), n * sizeof(Element)) == 0;
      if (!isEqual) std::printf("%s, %s memory, k = %d\n", name, isShared ? "shared" : "global", k);
      CHECK(isEqual);
    }
}

int main() {
  compare<Mix>("Mix");
  compare<Complex>("Complex");
  compare<ThreeOfFour>("ThreeOfFour");
  compare<Three>("Three");
  compare<Colours>("Colours");
  compare<Particles>("Particles");
  compare<OddShorts>("OddShorts");
  compare<Prefix>("Prefix");
  compare<Chain>("Chain");
  compare<Twice>("Twice");
  compare<Bits>("Bits");
  compare<Bytes16>("Bytes16");
  compare<Overlapping>("Overlapping");
  compare<Longs>("Longs");
  return check::finish();
}
