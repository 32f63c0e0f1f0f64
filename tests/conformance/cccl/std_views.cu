// cuda::std's newer classes in kernels and on the host: optional, variant, expected, span, mdspan and containers.
// needs: cuda/std/expected cuda/std/inplace_vector cuda/std/mdspan cuda/std/optional cuda/std/span cuda/std/variant
#include "../check.h"

#include <cuda/std/bitset>
#include <cuda/std/expected>
#include <cuda/std/inplace_vector>
#include <cuda/std/mdspan>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/variant>

namespace cs = cuda::std;

__host__ __device__ cs::optional<int> halve(int x) {
  if (x % 2) return cs::nullopt;
  return x / 2;
}

__host__ __device__ cs::expected<int, char> checkedHalve(int x) {
  if (x % 2) return cs::unexpected<char>('o');
  return x / 2;
}

__host__ __device__ int sums() {
  const int maybe = halve(8).value_or(-1) * 10 + halve(7).value_or(-1) + halve(4).has_value();
  const int expected = *checkedHalve(6) + checkedHalve(5).error();
  return maybe * 1000 + expected;
}

struct Measure {
  __host__ __device__ int operator()(int i) const { return i; }
  __host__ __device__ int operator()(double d) const { return static_cast<int>(d * 10); }
};

__host__ __device__ int variants() {
  cs::variant<int, double> v = 3;
  int result = cs::visit(Measure(), v);
  v = 2.5;
  result += cs::visit(Measure(), v) + cs::holds_alternative<double>(v) * 100 + static_cast<int>(v.index()) * 1000;
  return result + (cs::get_if<int>(&v) == nullptr);
}

__host__ __device__ int containers() {
  cs::inplace_vector<int, 8> list;
  for (int i = 0; i < 5; ++i) list.push_back(i * i);
  list.pop_back();
  const cs::span<int> tail = cs::span<int>(list.data(), list.size()).subspan(1);
  cs::bitset<40> bits;
  bits.set(3).set(35).flip(3);
  return cs::accumulate(tail.begin(), tail.end(), 0) * 100 + static_cast<int>(bits.count()) * 10 + bits.test(35);
}

// A matrix transposed through two views of the same memory layout.
using Matrix = cs::mdspan<int, cs::extents<int, cs::dynamic_extent, 3>>;
using Columns = cs::mdspan<int, cs::dextents<int, 2>, cs::layout_left>;

__host__ __device__ int views(cs::span<int> storage) {
  const Matrix rows(storage.data(), 2);
  for (int i = 0; i < rows.extent(0); ++i)
    for (int j = 0; j < rows.extent(1); ++j) rows(i, j) = 10 * i + j;
  const Columns columns(storage.data(), 3, 2);
  return columns(2, 1) * 100 + columns(0, 1) + rows.size();
}

__global__ void onDevice(int *result, int *storage) {
  result[0] = sums();
  result[1] = variants();
  result[2] = containers();
  result[3] = views({storage, 6});
}

int main() {
  int storage[6], expected[4] = {40 * 1000 + 3 + 'o', 3 + 25 + 100 + 1000 + 1, (1 + 4 + 9) * 100 + 11, 1200 + 10 + 6};
  const int onHost[4] = {sums(), variants(), containers(), views(storage)};
  check::DeviceArray<int> result(4), memory(6);
  onDevice<<<1, 1>>>(result.get(), memory.get());
  LAUNCH_OK();
  const auto values = result.download();
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(onHost[i], expected[i]);
    CHECK_EQ(values[i], expected[i]);
  }
  return check::finish();
}
