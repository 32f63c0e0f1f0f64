// Constant expressions in inline PTX, constant operands among them.
#include "../check.h"

__global__ void expressions(unsigned *o, long long *l) {
  asm("mov.u32 %0, (1<<4)|3;" : "=r"(o[0]));
  asm("mov.u32 %0, ~7;" : "=r"(o[1]));
  asm("mov.s32 %0, -(2 + 3) * 4;" : "=r"(o[2]));
  asm("mov.u32 %0, 1 + 2 * 3 == 7 ? 0x10 : 5;" : "=r"(o[3]));
  asm("mov.u32 %0, 7 - 2 - 1;" : "=r"(o[4]));
  asm("mov.u32 %0, 1 < 2 && 3 >= 3;" : "=r"(o[5]));
  asm("mov.s64 %0, (.s64)0xffffffffffffffff >> 1;" : "=l"(l[0]));
  asm("mov.s64 %0, -7 / 2;" : "=l"(l[1]));
  asm("mov.s64 %0, 5 & 6 ^ 1;" : "=l"(l[2]));
  asm("add.s64 %0, %1, %2 * 4;" : "=l"(l[3]) : "l"(l[2]), "n"(8));
  asm volatile("st.global.u32 [%0 + 4*(2+6) - 2*2], 77;" ::"l"(o) : "memory");
  asm volatile("st.global.u32 [%0 + %1 * 4 + 4], 78;" ::"l"(o), "n"(7) : "memory");
}

int main() {
  check::DeviceArray<unsigned> o(16, 0u);
  check::DeviceArray<long long> l(4, 0ll);
  expressions<<<1, 1>>>(o.get(), l.get());
  const std::vector<unsigned> narrow = o.download();
  const std::vector<long long> wide = l.download();
  const unsigned expected[] = {19, ~7u, unsigned(-20), 16, 4, 1, 0, 77, 78};
  for (size_t i = 0; i < 9; ++i) CHECK_EQ(narrow[i], expected[i]);
  const long long expectedWide[] = {-1, -3, 5, 37};
  for (size_t i = 0; i < 4; ++i) CHECK_EQ(wide[i], expectedWide[i]);
  return check::finish();
}
