// Variables that are the device's only where __CUDA_ARCH__ is defined, in a unit that has no kernel: the host finds
// them by its own variables of these names, static ones, too.
#include "../../check.h"
#include "shared.h"

__global__ void read(int *out) {
  for (int i = 0; i < variables; ++i) out[i] = valueOf(i);
}

int main() {
  check::DeviceArray<int> out(variables);
  read<<<1, 1>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < variables; ++i) CHECK_EQ(out.download()[i], firstValue + i);
  replaceAll();
  read<<<1, 1>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < variables; ++i) CHECK_EQ(out.download()[i], secondValue + i);
  return check::finish();
}
