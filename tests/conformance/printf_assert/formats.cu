// Device printf: conversions, flags, widths and strings come out as C's printf writes them.
#include "../check.h"
#include "../child.h"

#include <string>

__global__ void print(float f, double d, const void *pointer) {
  printf("int %d %i %5d|%-5d|%05d|%+d\n", 42, -7, 42, 42, 42, 42);
  printf("unsigned %u %o %x %X %#x\n", 4000000000u, 8u, 255u, 255u, 255u);
  printf("long %ld %lu %lld %llu %llx\n", -5l, 5ul, -(1ll << 40), 1ull << 63, 0xABCDEF0123456789ull);
  printf("float %f %.2f %8.3f|%-10.1f|%e %g\n", f, f, f, f, f, f);
  printf("double %f %.10f %G %E\n", d, d, d, d);
  printf("char %c%c%c string %s|%10s|%-6s|\n", 'a', 'b', '!', "text", "right", "left");
  printf("percent 100%% short %hd\n", (short)-3);
  printf("width %*d|%-*d|\n", 6, 12, 6, 12);
  printf("pointer %p\n", pointer);
  printf("no newline");
  printf(", then one\n");
  printf("%s", "");
}

int main() {
  // The parent formats the same values itself.
  const float f = 3.14159f;
  const double d = -12345.678901;
  char expected[2000];
  int n = 0;
#define ADD(...) n += snprintf(expected + n, sizeof expected - n, __VA_ARGS__)
  ADD("int %d %i %5d|%-5d|%05d|%+d\n", 42, -7, 42, 42, 42, 42);
  ADD("unsigned %u %o %x %X %#x\n", 4000000000u, 8u, 255u, 255u, 255u);
  ADD("long %ld %lu %lld %llu %llx\n", -5l, 5ul, -(1ll << 40), 1ull << 63, 0xABCDEF0123456789ull);
  ADD("float %f %.2f %8.3f|%-10.1f|%e %g\n", f, f, f, f, f, f);
  ADD("double %f %.10f %G %E\n", d, d, d, d);
  ADD("char %c%c%c string %s|%10s|%-6s|\n", 'a', 'b', '!', "text", "right", "left");
  ADD("percent 100%% short %hd\n", (short)-3);
  ADD("width %*d|%-*d|\n", 6, 12, 6, 12);
  ADD("pointer %p\nno newline, then one\n", reinterpret_cast<void *>(0x1234));
  const check::ChildResult child = check::runInChild([&] {
    print<<<1, 1>>>(f, d, reinterpret_cast<void *>(0x1234));
    LAUNCH_OK();
    return 0;
  });
  CHECK_EQ(child.exitCode, 0);
  CHECK(child.output == expected);
  if (child.output != expected) printf("got:\n%s\nexpected:\n%s\n", child.output.c_str(), expected);
  return check::finish();
}
