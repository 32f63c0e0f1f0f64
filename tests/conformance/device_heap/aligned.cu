// Memory of the device heap with an alignment of its own: over-aligned types, aligned new and delete.
#include <new>

#include "../check.h"

struct alignas(64) Line {
  int values[16];
};

// The large blocks and the small ones between them lie as they may.
__global__ void allocate(Line **lines, char **bytes, int *wrong) {
  const int i = threadIdx.x;
  char *between = static_cast<char *>(malloc(i % 7 + 1));
  lines[2 * i] = new Line;
  lines[2 * i + 1] = new (std::align_val_t(256)) Line;
  bytes[i] = static_cast<char *>(__nv_aligned_device_malloc(100, 1024));
  const auto isAligned = [](const void *pointer, size_t to) {
    return pointer && reinterpret_cast<size_t>(pointer) % to == 0;
  };
  if (!isAligned(lines[2 * i], 64) || !isAligned(lines[2 * i + 1], 256) || !isAligned(bytes[i], 1024))
    atomicAdd(wrong, 1);
  else
    for (int k = 0; k < 16; ++k) lines[2 * i]->values[k] = lines[2 * i + 1]->values[k] = i * 16 + k;
  free(between);
}

__global__ void verify(Line **lines, char **bytes, int *wrong) {
  const int i = threadIdx.x;
  for (int k = 0; k < 16; ++k)
    if (lines[2 * i]->values[k] != i * 16 + k || lines[2 * i + 1]->values[k] != i * 16 + k) atomicAdd(wrong, 1);
  delete lines[2 * i];
  ::operator delete(lines[2 * i + 1], std::align_val_t(256));
  free(bytes[i]);
}

int main() {
  constexpr int threads = 96;
  check::DeviceArray<Line *> lines(2 * threads, nullptr);
  check::DeviceArray<char *> bytes(threads, nullptr);
  check::DeviceArray<int> wrong(1, 0);
  for (int round = 0; round < 20; ++round) {
    allocate<<<1, threads>>>(lines.get(), bytes.get(), wrong.get());
    verify<<<1, threads>>>(lines.get(), bytes.get(), wrong.get());
    LAUNCH_OK();
  }
  CHECK_EQ(wrong.download()[0], 0);
  return check::finish();
}
