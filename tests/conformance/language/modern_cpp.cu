// options: --expt-relaxed-constexpr
// C++17 in device code: structured bindings, constexpr, if with initialiser, enum classes, unions, bit fields,
// references, anonymous namespaces, standard constexpr functions.
#include "../check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace {
struct Point {
  int x, y;
  __host__ __device__ constexpr Point operator+(const Point &o) const { return {x + o.x, y + o.y}; }
  __host__ __device__ constexpr bool operator==(const Point &o) const { return x == o.x && y == o.y; }
};
enum class Color : uint8_t { red = 1, green = 2, blue = 4 };
__host__ __device__ constexpr Color operator|(Color a, Color b) {
  return static_cast<Color>(static_cast<int>(a) | static_cast<int>(b));
}
union Word {
  float f;
  uint32_t u;
};
struct Fields {
  unsigned low : 5;
  int middle : 6;
  unsigned high : 21;
};

constexpr std::array<int, 5> makeTable() {
  std::array<int, 5> table{};
  for (int i = 0; i < 5; ++i) table[i] = i * i + 1;
  return table;
}
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__device__ void swapInto(int &a, int &&b, const int &c) {
  a = b * 2 + c;
  b = 0;
}

__global__ void hidden(int *out) {
  int i = 0;
  const Point p{3, 4};
  const auto [x, y] = p + Point{10, 20};
  out[i++] = x * 100 + y;
  constexpr auto table = makeTable();
  int sum = 0;
  for (int v : table) sum += v;
  out[i++] = sum;
  out[i++] = factorial(6);
  static_assert(factorial(4) == 24);
  constexpr int limits[] = {1, 10, 100};
  if (const int t = static_cast<int>(threadIdx.x); t < 3)
    out[i++] = limits[t];
  else
    out[i++] = -1;
  const Color both = Color::red | Color::blue;
  switch (both) {
    case Color::red:
      out[i++] = 1;
      break;
    default:
      out[i++] = static_cast<int>(both);
  }
  Word word;
  word.f = 1.0f;
  out[i++] = word.u == 0x3F800000u;
  Fields fields{31, -3, 70000};
  fields.low += 1;
  out[i++] = fields.low == 0 && fields.middle == -3 && fields.high == 70000;
  int target = 5;
  swapInto(target, 20, 2);
  out[i++] = target;
  out[i++] = std::max(3, 9) + std::min(4, 2);
  out[i++] = std::numeric_limits<int>::max() == 0x7FFFFFFF;
  const auto pair = std::make_pair(7, 2.5f);
  out[i++] = static_cast<int>(pair.first * pair.second);
  static const int fixed[] = {2, 3, 5, 7};
  out[i++] = fixed[threadIdx.x + 3];
  out[i++] = [](auto... v) { return (v + ...); }(1, 2, 3);
  out[i++] = p == Point{3, 4} ? 1 : 0;
}
}  // namespace

namespace outer::inner {
template <class T>
class Holder {
 public:
  __device__ explicit Holder(T value) : value_(value) {}
  __device__ T value() const { return value_; }
  __device__ friend T operator*(const Holder &a, T b) { return a.value_ * b; }

 private:
  T value_ = T{};
  static constexpr int instances = 1;
};
__global__ void nested(int *out) {
  Holder<int> holder(6);
  *out = holder * 7 + (holder.value() == 6 ? 0 : 1);
}
}  // namespace outer::inner

int main() {
  check::DeviceArray<int> out(32, -9);
  hidden<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<int> host = out.download();
  const int expected[] = {1324, 35, 720, 1, 5, 1, 1, 42, 11, 1, 17, 7, 6, 1};
  for (int i = 0; i < int(std::size(expected)); ++i) CHECK_EQ(host[i], expected[i]);
  outer::inner::nested<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 42);
  return check::finish();
}
