// Symptom: "invalid % escape in inline assembly string" for a special register written with one percent sign.
// Cause: clang wants two where nvcc takes one or two.
#include "../conformance/check.h"

#define LANE(x) asm volatile("mov.u32 %0, %laneid;" : "=r"(x))

__global__ void read(unsigned *result) {
  unsigned lane, tid, both;
  LANE(lane);
  asm("{ .reg .u32 %more;\n\tmov.u32 %0, %tid.x;\n\t"
      "mov.u32 %more, %ntid.x; add.u32 %0, %0, %more; }"
      : "=r"(tid));
  asm volatile("{ .reg .u32 %temp;\n mov.u32 %temp, %%laneid; add.u32 %0, %temp, %1; }" : "=r"(both) : "r"(1000));
  result[threadIdx.x] = lane + 100 * tid + 1000000 * (both - 1000);
}

int main() {
  check::DeviceArray<unsigned> result(40);
  read<<<1, 40>>>(result.get());
  LAUNCH_OK();
  const auto values = result.download();
  for (unsigned i = 0; i < 40; ++i) CHECK_EQ(values[i], i % 32 + 100 * (i + 40) + 1000000 * (i % 32));
  return check::finish();
}
