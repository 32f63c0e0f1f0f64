// Objects that are not trivially copyable, passed by value to functions of another file.
#include "../../check.h"
#include "shared.h"

__global__ void call(int *out) {
  Copied words = {{5, 0, 0, 0, 0, 0, 0, 0, 7}};
  const Counted object(20);
  out[0] = sum(Counted(1), words);
  out[1] = sum(object, words);
  out[2] = sumByPointer()(object, words);
  out[3] = words.words[0];
}

int main() {
  check::DeviceArray<int> out(4);
  call<<<1, 1>>>(out.get());
  LAUNCH_OK();
  const int expected[] = {8, 127, 127, 5};
  for (int i = 0; i < 4; ++i) CHECK_EQ(out.download()[i], expected[i]);
  return check::finish();
}
