// memcpy_async() by bytes and by elements, wait() and wait_prior(), in a kernel that keeps two batches in flight.
#include "../check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

constexpr int batch = 96;

__global__ void inFlight(const int *in, int *out, int batches) {
  __shared__ int stage[2][batch];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, stage[0], in, sizeof(int) * batch);
  for (int i = 0; i < batches; ++i) {
    if (i + 1 < batches) {
      cg::memcpy_async(block, stage[(i + 1) % 2], in + (i + 1) * batch, sizeof(int) * batch);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (int j = block.thread_rank(); j < batch; j += block.size()) out[i * batch + j] = stage[i % 2][batch - 1 - j];
    block.sync();
  }
}

// Counts of elements: the smaller one holds. Odd sizes and alignments.
__global__ void elements(const char *in, const short *shorts, char *out, short *outShorts) {
  __shared__ char text[100];
  __shared__ short numbers[64];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  if (tile.thread_rank() == 0) text[37] = 'x';
  if (tile.thread_rank() < 2) numbers[40 + tile.thread_rank()] = -1;
  tile.sync();
  cg::memcpy_async(tile, text, 100, in + 3, 37);
  cg::memcpy_async(tile, numbers, 40, shorts, 64);
  cg::wait(tile);
  for (unsigned i = tile.thread_rank(); i < 38; i += 32) out[i] = text[i];
  for (unsigned i = tile.thread_rank(); i < 42; i += 32) outShorts[i] = numbers[i];
}

int main() {
  const int batches = 7;
  std::vector<int> values(batches * batch);
  for (size_t i = 0; i < values.size(); ++i) values[i] = int(i * 3);
  for (int threads : {32, 96, 100, 256}) {
    check::DeviceArray<int> in(values), out(values.size(), 0);
    inFlight<<<1, threads>>>(in.get(), out.get(), batches);
    LAUNCH_OK();
    const std::vector<int> host = out.download();
    for (int i = 0; i < batches * batch; ++i) CHECK_EQ(host[i], (i / batch * batch + batch - 1 - i % batch) * 3);
  }
  std::vector<char> text(64);
  std::vector<short> numbers(64);
  for (int i = 0; i < 64; ++i) text[i] = char('A' + i), numbers[i] = short(i * 5);
  check::DeviceArray<char> in(text), out(38, '-');
  check::DeviceArray<short> shorts(numbers), outShorts(42, 0);
  elements<<<1, 32>>>(in.get(), shorts.get(), out.get(), outShorts.get());
  LAUNCH_OK();
  for (int i = 0; i < 38; ++i) CHECK_EQ(out.download()[i], i == 37 ? 'x' : char('A' + i + 3));
  for (int i = 0; i < 42; ++i) CHECK_EQ(outShorts.download()[i], i >= 40 ? -1 : short(i * 5));
  return check::finish();
}
