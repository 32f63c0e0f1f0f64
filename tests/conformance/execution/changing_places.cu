// What decides where a thread reads changes somewhere within a warp: an index comes to a bound, a row ends, a number
// wraps around. Each thread reads its own place all the same.
#include "../check.h"

constexpr unsigned blocks = 2, threads = 96, inAll = blocks * threads, middle = 1024;

// Places follow from the thread's number, and lie within `middle` of the array's middle.
struct Clamped {
  int shift, last;
  __host__ __device__ long long operator()(unsigned i) const {
    const int at = int(i) + shift, low = at > 0 ? at : 0;
    return low < last ? low : last;
  }
};

// All but a few of the numbers that are around zero pass the bound.
struct ClampedFromBelow {
  unsigned shift, least;
  __host__ __device__ long long operator()(unsigned i) const {
    const unsigned at = i + shift;
    return (at > least ? at : least) + 64;
  }
};

struct OtherAtOne {
  unsigned edge;
  __host__ __device__ long long operator()(unsigned i) const { return i == edge ? 0 : i; }
};

struct OtherAtOneFromEnd {
  unsigned last, edge;
  __host__ __device__ long long operator()(unsigned i) const { return last - i == edge ? 0 : i; }
};

struct OtherFrom {
  unsigned shift, edge;
  __host__ __device__ long long operator()(unsigned i) const { return i + shift > edge ? i : i + 100; }
};

struct OtherBelow {
  unsigned edge;
  __host__ __device__ long long operator()(unsigned i) const { return (edge ^ 1) < i ? i : i + 100; }
};

struct OtherStepFrom {
  unsigned edge;
  __host__ __device__ long long operator()(unsigned i) const { return i < edge ? i : i * 2 + 1; }
};

// The product comes around several times within a warp.
struct OtherByProduct {
  unsigned edge;
  __host__ __device__ long long operator()(unsigned i) const { return i * 0x30000001u < edge ? i : i + 100; }
};

struct Extended {
  unsigned shift;
  __host__ __device__ long long operator()(unsigned i) const {
    return (static_cast<unsigned long long>(i + shift) + 256) >> 32;
  }
};

struct BoundExtended {
  int shift, last;
  __host__ __device__ long long operator()(unsigned i) const {
    const int at = int(i) + shift, low = at < last ? at : last;
    return (static_cast<unsigned long long>(static_cast<unsigned>(low)) + 256) >> 32;
  }
};

struct Row {
  unsigned shift, width;
  __host__ __device__ long long operator()(unsigned i) const { return (i + shift) / width; }
};

struct RowFromEnd {
  unsigned last, width;
  __host__ __device__ long long operator()(unsigned i) const { return (last - i) / width; }
};

struct Tile {
  int shift, width, pitch;
  __host__ __device__ long long operator()(unsigned i) const {
    const int at = int(i) + shift;
    return at / width * pitch + at % width;
  }
};

struct Masked {
  unsigned shift, mask;
  __host__ __device__ long long operator()(unsigned i) const { return (i + shift) & mask; }
};

struct Sixteenths {
  unsigned shift;
  __host__ __device__ long long operator()(unsigned i) const { return (i + shift) >> 4; }
};

struct MaskedHigh {
  unsigned shift;
  __host__ __device__ long long operator()(unsigned i) const { return (i + shift) & 0x70; }
};

struct MaskedTwice {
  unsigned shift;
  __host__ __device__ long long operator()(unsigned i) const { return (i * 2 + shift) & 0x70; }
};

struct Flipped {
  unsigned flip;
  __host__ __device__ long long operator()(unsigned i) const { return i ^ flip; }
};

struct FlippedTwice {
  unsigned flip;
  __host__ __device__ long long operator()(unsigned i) const { return int((i * 2) ^ flip) - int(i); }
};

template <class Place, class... Numbers>
__global__ void read(const int *in, int *out, Numbers... numbers) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  out[i] = in[Place{numbers...}(i)];
}

// The divisor is zero for threads that do not divide.
__global__ void divideSome(const int *in, int *out, unsigned edge, unsigned low, unsigned high, unsigned pitch) {
  const unsigned i = blockIdx.x * threads + threadIdx.x, divisor = i < edge ? low : high;
  out[i] = -1;
  if (divisor != 0) out[i] = in[i / divisor * pitch + i % divisor];
}

// The quotient would overflow in threads that do not divide.
__global__ void divideLowest(const int *in, int *out, int lowest, unsigned edge, int low, int high, int distance) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  const int divisor = i < edge ? low : high;
  out[i] = -1;
  const int at = int(i) + lowest;
  if (divisor > 0) out[i] = in[at / divisor + at % divisor + distance];
}

// The difference would overflow in threads that do not compute it.
__global__ void subtractSome(const int *in, const int *takes, int *out, int shift, int last, int first) {
  const int i = int(blockIdx.x * threads + threadIdx.x);
  out[i] = -1;
  if (takes[i]) {
    const int at = i + shift;
    out[i] = in[((at < last ? at : last) - first) + (1ll << 31)];
  }
}

// Numbers that have no bits in common, in the threads that use them.
__global__ void joinSome(const int *in, int *out, long long shift, long long least, long long piece) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  const long long at = i + shift, column = at > least ? at : least;
  out[i] = -1;
  if (static_cast<unsigned long long>(column) < 16) out[i] = in[(piece << 4) | column];
}

// At most one thread of each row takes a number, and leaves another one behind.
__global__ void takeTurns(const int *in, int *rows, const int *takes, int *out, unsigned shift) {
  const unsigned i = blockIdx.x * threads + threadIdx.x, row = (i + shift) >> 5;
  out[i] = -1;
  if (takes[i]) {
    const int number = rows[row];
    rows[row] = number + 2 * int(i);
    if (number & 1) out[i] = in[number] + in[row];
  }
}

struct Arrays {
  std::vector<int> numbers = std::vector<int>(2 * middle);
  check::DeviceArray<int> in{2 * middle}, out{inAll};
  Arrays() {
    for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 7);
    in.upload(numbers);
  }
  const int *first() const { return in.get() + middle; }
  int number(long long place) const { return numbers[middle + place]; }

  // checkFrom(): threads from `first` on have read what lies at their places.
  template <class Place>
  void checkFrom(unsigned first, Place place) const {
    const std::vector<int> result = out.download();
    for (unsigned i = 0; i < inAll; ++i) CHECK_EQ(result[i], i < first ? -1 : number(place(i)));
  }
};

template <class Place, class... Numbers>
void checkReads(Arrays &arrays, Numbers... numbers) {
  read<Place><<<blocks, threads>>>(arrays.first(), arrays.out.get(), numbers...);
  LAUNCH_OK();
  arrays.checkFrom(0, Place{numbers...});
}

void checkBounds(Arrays &arrays) {
  for (int shift = -20; shift <= 20; shift += 3)
    for (int last : {0, 5, 31, 40, 77, 100, 300}) checkReads<Clamped>(arrays, shift, last);
  for (unsigned shift = 0; shift < 50; ++shift)
    for (unsigned least : {0u, 1u, 5u, 14u}) checkReads<ClampedFromBelow>(arrays, 0u - shift, least);
}

void checkComparisons(Arrays &arrays) {
  for (unsigned edge = 0; edge < 70; ++edge) {
    checkReads<OtherAtOne>(arrays, edge);
    checkReads<OtherAtOneFromEnd>(arrays, inAll - 1, edge);
    checkReads<OtherBelow>(arrays, edge);
    checkReads<OtherStepFrom>(arrays, edge);
    for (unsigned least : {0u, 1u, 5u, 14u}) checkReads<OtherFrom>(arrays, 0u - edge, least);
    checkReads<OtherByProduct>(arrays, edge << 26);
  }
}

void checkExtensions(Arrays &arrays) {
  for (unsigned shift = 0; shift < 50; ++shift) {
    checkReads<Extended>(arrays, 0u - shift);
    checkReads<BoundExtended>(arrays, -static_cast<int>(shift), 300);
    checkReads<BoundExtended>(arrays, -static_cast<int>(shift), 40);
  }
}

void checkQuotients(Arrays &arrays) {
  for (unsigned width = 1; width < 40; ++width) {
    checkReads<Row>(arrays, width * 3, width);
    checkReads<Row>(arrays, 0u - width, 0u - width / 2 - 1);
    checkReads<RowFromEnd>(arrays, inAll + width, width);
    checkReads<RowFromEnd>(arrays, width, 0u - width / 2 - 1);
    for (int shift : {-41, -7, 0, 5})
      checkReads<Tile>(arrays, shift, static_cast<int>(width) + 3, static_cast<int>(width) + 5);
  }
}

void checkMasks(Arrays &arrays) {
  for (unsigned mask = 0; mask < 64; ++mask) {
    checkReads<Masked>(arrays, 0u, mask);
    checkReads<Masked>(arrays, mask, 0x1f0 + mask % 16);
    checkReads<Sixteenths>(arrays, mask);
    checkReads<MaskedHigh>(arrays, mask);
    checkReads<MaskedTwice>(arrays, mask);
    checkReads<Flipped>(arrays, mask);
    checkReads<FlippedTwice>(arrays, mask);
  }
}

void checkDivisors(Arrays &arrays) {
  constexpr int lowest = -2147483647 - 1;
  for (unsigned edge = 0; edge < 40; ++edge)
    for (unsigned divisor : {3, 16, 50}) {
      divideSome<<<blocks, threads>>>(arrays.first(), arrays.out.get(), edge, 0, divisor, divisor + 1);
      LAUNCH_OK();
      arrays.checkFrom(edge, [=](unsigned i) { return i / divisor * (divisor + 1) + i % divisor; });
      divideLowest<<<blocks, threads>>>(arrays.first(), arrays.out.get(), lowest, edge, -1, 512, 1 << 22);
      LAUNCH_OK();
      arrays.checkFrom(edge, [](unsigned i) {
        const int at = int(i) + lowest;
        return at / 512 + at % 512 + (1 << 22);
      });
    }
}

void checkDifferences(Arrays &arrays) {
  for (unsigned first = 0; first < 40; ++first) {
    std::vector<int> takes(inAll);
    for (unsigned i = 0; i < inAll; ++i) takes[i] = i >= first;
    check::DeviceArray<int> who(takes);
    subtractSome<<<blocks, threads>>>(arrays.first(), who.get(), arrays.out.get(), -2147483647 - 1, 0, int(first));
    LAUNCH_OK();
    arrays.checkFrom(first, [=](unsigned i) { return i - first; });
  }
}

void checkPieces(Arrays &arrays) {
  for (int shift = -40; shift <= 0; ++shift) {
    joinSome<<<blocks, threads>>>(arrays.first(), arrays.out.get(), shift, -100, 3);
    LAUNCH_OK();
    const std::vector<int> result = arrays.out.download();
    for (int i = 0; i < int(inAll); ++i) {
      const int column = i + shift;
      CHECK_EQ(result[i], column < 0 || column >= 16 ? -1 : arrays.number(3 * 16 + column));
    }
  }
}

void checkTurns(Arrays &arrays) {
  constexpr unsigned most = inAll / 32 + 2;
  for (unsigned shift = 0; shift < 40; ++shift) {
    std::vector<int> before(most), takes(inAll), expected(inAll, -1);
    for (unsigned row = 0; row < most; ++row) before[row] = static_cast<int>(row * 3 + shift);
    std::vector<int> after = before;
    for (unsigned i = 0; i < inAll; ++i) {
      const unsigned row = (i + shift) >> 5;
      takes[i] = (i + shift) % 32 == row * 5 % 32;
      if (!takes[i]) continue;
      if (before[row] & 1) expected[i] = arrays.number(before[row]) + arrays.number(row);
      after[row] += 2 * int(i);
    }
    check::DeviceArray<int> rows(before), who(takes);
    takeTurns<<<blocks, threads>>>(arrays.first(), rows.get(), who.get(), arrays.out.get(), shift);
    LAUNCH_OK();
    CHECK_EQ(arrays.out.download() == expected, true);
    CHECK_EQ(rows.download() == after, true);
  }
}

int main() {
  Arrays arrays;
  checkBounds(arrays);
  checkComparisons(arrays);
  checkExtensions(arrays);
  checkQuotients(arrays);
  checkMasks(arrays);
  checkDivisors(arrays);
  checkDifferences(arrays);
  checkPieces(arrays);
  checkTurns(arrays);
  return check::finish();
}
