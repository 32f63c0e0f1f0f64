// The brackets of a launch may have spaces in them, as some editors format them.
#include "../conformance/check.h"

__global__ void add(int *value, int amount) { *value += amount; }

// clang-format off
int main() {
  check::DeviceArray<int> value(1, 0);
  add << <1, 1 >> > (value.get(), 1);
  add <<< 1, 1 >>> (value.get(), 10);
  add << < 1, 1, 0, nullptr >> >(value.get(), 100);
  LAUNCH_OK();
  CHECK_EQ(value.download()[0], 111);
  return check::finish();
}
