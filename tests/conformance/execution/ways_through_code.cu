// Threads of a block that take different ways through the same code: loops with different numbers of turns, left in
// several places, nested, with switches and gotos; memory side by side, with strides, anywhere, in narrow types. Each
// thread must compute what the same function computes on the host [CUDA 3.2.2, 5.1].
#include <cstdint>
#include <cstring>

#include "../check.h"

// Work is what one thread sees: where it is, what it may read, and its own elements to write.
struct Work {
  const int *in;  // 4096 random numbers of 16 bits, so that no sum overflows
  const unsigned char *bytes;
  const short *shorts;
  int t, threads, n;
  int *out;            // out[t], out[t + threads], out[t + 2 * threads] are the thread's
  unsigned char *low;  // low[t]
};

#define SHAPE(name)                              \
  struct name {                                  \
    static const char *title() { return #name; } \
    __host__ __device__ static void run(const Work &w)
#define END }

SHAPE(LoopByData) {
  int v = w.in[w.t & 4095] & 63, turns = 0;
  while (v != 1 && v != 0) {
    v = v % 2 ? 3 * v + 1 : v / 2;
    ++turns;
  }
  w.out[w.t] = turns;
}
END;

SHAPE(SeveralExits) {
  int sum = 0, i = 0, how = 0;
  for (;; ++i) {
    const int v = w.in[(w.t * 7 + i) & 4095];
    if (v % 11 == 0) {
      how = 1;
      break;
    }
    sum += v & 255;
    if (sum > 2000) {
      how = 2;
      break;
    }
    if (i >= w.n + w.t % 5) {
      how = 3;
      break;
    }
    if (v % 7 == 0) continue;
    sum ^= i;
  }
  w.out[w.t] = sum;
  w.out[w.t + w.threads] = i;
  w.out[w.t + 2 * w.threads] = how;
}
END;

SHAPE(TwoLevelsAtOnce) {
  int found = -1, steps = 0;
  for (int i = 0; i < 9; ++i) {
    for (int j = 0; j <= i + w.t % 3; ++j) {
      ++steps;
      if (w.in[(i * 64 + j * 5 + w.t) & 4095] % 37 == 3) {
        found = i * 100 + j;
        goto out;
      }
      if (w.in[(i + j + w.t) & 4095] % 5 == 0) break;
    }
    steps += 1000;
  }
out:
  w.out[w.t] = found;
  w.out[w.t + w.threads] = steps;
}
END;

SHAPE(Switches) {
  int value = 0;
  for (int i = 0; i < 6; ++i) {
    switch ((w.in[(w.t + i) & 4095] + i) & 7) {
      case 0:
        value += 3;  // goes on into the next
      case 1:
        value ^= i;
        break;
      case 2:
        value -= w.t;
        break;
      case 3:
        if (w.t & 1) {
          value *= 3;
          break;
        }
      case 4:
        value += w.in[(value & 63) + i];
        break;
      case 6:
        continue;
      default:
        value = ~value;
    }
    value += 1;
  }
  w.out[w.t] = value;
}
END;

SHAPE(Divisions) {
  // A thread that does not come by must not divide by zero.
  const int a = w.in[w.t & 4095], b = w.in[(w.t + 1) & 4095] % 3;
  int r = 5;
  for (int i = 0; i < 3; ++i) {
    if (b - i != 0) r += a / (b - i) + a % (b - i);
    if (b == i) r = r * 2 + 1;
  }
  const unsigned u = static_cast<unsigned>(b) & 1u;
  if (u) r += static_cast<int>(static_cast<unsigned>(a) / u);
  w.out[w.t] = r;
}
END;

SHAPE(SideBySide) {
  // The index is not a multiple of the thread's number, and its elements lie side by side mostly.
  const int width = 61, x = w.t % width;
  const int left = x == 0 ? w.t + width - 1 : w.t - 1, right = x == width - 1 ? w.t - width + 1 : w.t + 1;
  int sum = w.in[left & 4095] + 2 * w.in[w.t & 4095] + w.in[right & 4095];
  for (int i = 0; i < w.n; ++i) sum += w.in[(w.t + i * width) & 4095] * i;
  w.out[w.t] = sum;
}
END;

SHAPE(NarrowTypes) {
  unsigned char c = w.bytes[w.t & 4095];
  short s = w.shorts[(w.t * 3) & 4095];
  for (int i = 0; i < (c & 7); ++i) {
    c = static_cast<unsigned char>(c + w.bytes[(w.t + i) & 4095]);
    s = static_cast<short>(s * 3 + c);
    if (s < 0 && (c & 16)) break;
  }
  w.low[w.t] = c;
  w.out[w.t] = s;
}
END;

SHAPE(Strides) {
  int sum = 0;
  for (int i = 0; i < 5; ++i) sum = sum * 5 + w.in[(2 * w.t + i) & 4095] - w.in[(4095 - w.t + i) & 4095];
  w.out[3 * w.threads - 1 - w.t] = sum;  // backwards
  if (sum & 1) w.out[w.t] = 7 - sum;
}
END;

SHAPE(WideNumbers) {
  unsigned long long product = w.in[w.t & 4095];
  double x = w.in[(w.t + 9) & 4095] * 0.25;
  for (int i = w.t % 4; i < 8; ++i) {
    product = product * 6364136223846793005ull + 1442695040888963407ull;
    if (static_cast<long long>(product) < 0)
      x = x * 0.5 + i;
    else if (x > 100)
      x -= 64;
  }
  w.out[w.t] = static_cast<int>(product >> 33);
  w.out[w.t + w.threads] = static_cast<int>(x);
}
END;

SHAPE(UniformInside) {
  // All threads that are in the branch take the same way through what is inside.
  int v = w.in[w.t & 4095];
  if (v & 1) {
    int common = w.n > 4 ? 10 : 20;
    for (int i = 0; i < w.n; ++i) {
      if (i & 1)
        common += w.in[i];
      else
        common ^= w.in[i + 64];
      v += common;
    }
    if (w.n == 3) v = -v;
  } else if (w.n & 1) {
    v *= 3;
  }
  w.out[w.t] = v;
}
END;

SHAPE(OwnArray) {
  int stack[12], top = 0, sum = 0;
  stack[top++] = w.t % 9;
  while (top > 0) {
    const int v = stack[--top];
    sum = sum * 3 + v;
    if (v > 1) {
      stack[top++] = v / 2;
      if (v & 1) stack[top++] = v / 3;
    }
  }
  w.out[w.t] = sum;
}
END;

SHAPE(Pieces) {
  // The index wraps around as an unsigned number does.
  unsigned start = 0xfffffff0u + static_cast<unsigned>(w.t);
  int sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum = sum * 31 + w.in[(start + i) & 4095u];
  w.out[w.t] = sum;
}
END;

SHAPE(LeavesEarly) {
  if (w.t % 3 == 1) return;
  int v = w.in[w.t & 4095];
  for (int i = 0; i < w.n; ++i) {
    v = v * 5 + i;
    if (v % 13 == 0) return;
    if (v % 17 == 0) w.out[w.t + w.threads] = v;
  }
  w.out[w.t] = v;
}
END;

SHAPE(FloatsByData) {
  float x = 0, y = 0;
  const float cx = (w.t % 32) * 0.0625f - 1.5f, cy = (w.t / 32) * 0.125f - 1.0f;
  int i = 0;
  while (i < 50 && x * x + y * y <= 4.0f) {
    // Multiples of powers of two, few bits: nothing is rounded in another way when sums are fused.
    const float x2 = truncated(x * x) - truncated(y * y) + cx;
    y = 2 * truncated(x * y) + cy;
    x = x2;
    ++i;
  }
  w.out[w.t] = i;
}
__host__ __device__ static float truncated(float v) { return static_cast<int>(v * 1024) * 0.0009765625f; }
END;

SHAPE(EndlessUntilFound) {
  int i = 0;
  do {
    i += 1 + (w.t & 1);
  } while (w.in[(i * 13 + w.t) & 4095] % 19 != 4);
  w.out[w.t] = i;
}
END;

template <class Shape>
__global__ void apply(Work w) {
  w.t = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (w.t < w.threads) Shape::run(w);
}

struct Data {
  std::vector<int> in;
  std::vector<unsigned char> bytes;
  std::vector<short> shorts;
};

static Data randomData() {
  Data data;
  uint32_t state = 2463534242u;
  for (int i = 0; i < 4096; ++i) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    data.in.push_back(static_cast<int>(state >> 16));
    data.bytes.push_back(static_cast<unsigned char>(state));
    data.shorts.push_back(static_cast<short>(state >> 16));
  }
  return data;
}

template <class Shape>
static void test(const Data &data, dim3 block, int blocks, int threads, int n) {
  std::vector<int> out(3 * threads, -1);
  std::vector<unsigned char> low(threads, 99);
  check::DeviceArray<int> in(data.in), result(out);
  check::DeviceArray<unsigned char> bytes(data.bytes), lowResult(low);
  check::DeviceArray<short> shorts(data.shorts);
  apply<Shape>
      <<<blocks, block>>>(Work{in.get(), bytes.get(), shorts.get(), 0, threads, n, result.get(), lowResult.get()});
  LAUNCH_OK();
  for (int t = 0; t < threads; ++t)
    Shape::run(Work{data.in.data(), data.bytes.data(), data.shorts.data(), t, threads, n, out.data(), low.data()});
  if (result.download() == out && lowResult.download() == low) return;
  printf("%s, blocks of %u x %u, %d threads, n = %d:\n", Shape::title(), block.x, block.y, threads, n);
  CHECK(!"threads computed something else than the host");
}

template <class... Shapes>
static void testAll(const Data &data) {
  const dim3 blocks[] = {{1}, {7}, {16}, {33}, {64}, {100}, {256}, {8, 8}, {16, 16}, {40, 3}};
  for (dim3 block : blocks)
    for (int n : {0, 3, 6}) {
      const int size = static_cast<int>(block.x * block.y);
      // The last block is not whole.
      (test<Shapes>(data, block, 3, 3 * size - size / 3, n), ...);
    }
}

int main() {
  testAll<LoopByData, SeveralExits, TwoLevelsAtOnce, Switches, Divisions, SideBySide, NarrowTypes, Strides, WideNumbers,
          UniformInside, OwnArray, Pieces, LeavesEarly, FloatsByData, EndlessUntilFound>(randomData());
  return check::finish();
}
