// options: -lcuda
// PTX as text: other names of functions, several results, parameters of a kernel by address, the registers that tell of
// shared memory.
#include <cuda.h>

#include <vector>

#include "../check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

static const char *aliases = R"(
.version 7.7
.target sm_70
.address_size 64

.visible .func (.param .b32 result) plusOne(.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [value];
  add.u32 %r2, %r1, 1;
  st.param.b32 [result], %r2;
  ret;
}
.visible .func (.param .b32 result) successor(.param .b32 value);
.alias successor, plusOne;

.func (.param .align 8 .b8 result[16]) swapped(.param .align 8 .b8 pair[16])
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [pair];
  ld.param.u64 %rd2, [pair+8];
  st.param.b64 [result], %rd2;
  st.param.b64 [result+8], %rd1;
  ret;
}
.weak .func (.param .align 8 .b8 result[16]) turned(.param .align 8 .b8 pair[16]);
.alias turned, swapped;

.visible .entry run(.param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  {
    .param .b32 param0;
    st.param.b32 [param0], 41;
    .param .b32 retval0;
    call.uni (retval0), successor, (param0);
    ld.param.b32 %r1, [retval0];
  }
  st.global.u32 [%rd1], %r1;
  {
    .param .align 8 .b8 param0[16];
    st.param.b64 [param0], 7;
    st.param.b64 [param0+8], 9;
    .param .align 8 .b8 retval0[16];
    call.uni (retval0), turned, (param0);
    ld.param.b64 %rd2, [retval0];
    ld.param.b64 %rd3, [retval0+8];
  }
  cvt.u32.u64 %r2, %rd2;
  cvt.u32.u64 %r3, %rd3;
  st.global.u32 [%rd1+4], %r2;
  st.global.u32 [%rd1+8], %r3;
  ret;
}
)";

static const char *severalResults = R"(
.version 7.7
.target sm_70
.address_size 64

.func (.reg .u32 quotient, .reg .u64 rest) divide(.reg .u32 a, .reg .u32 b)
{
  .reg .u32 %r<3>;
  div.u32 quotient, a, b;
  rem.u32 %r1, a, b;
  cvt.u64.u32 rest, %r1;
  ret;
}

.visible .entry run(.param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, 100;
  mov.u32 %r2, 7;
  call (%r3, %rd2), divide, (%r1, %r2);
  st.global.u32 [%rd1], %r3;
  cvt.u32.u64 %r4, %rd2;
  st.global.u32 [%rd1+4], %r4;
  ret;
}
)";

// out[t] is the sum of the parameters, read through the addresses that thread 0 has found.
static const char *addresses = R"(
.version 7.7
.target sm_70
.address_size 64
.shared .align 8 .b64 places[2];

.visible .entry run(.param .u64 out, .param .align 8 .b8 pair[16], .param .u32 number)
{
  .reg .pred %p<6>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $L_wait;
  mov.b64 %rd1, pair;
  cvta.param.u64 %rd1, %rd1;
  cvta.param.u64 %rd2, number;
  st.shared.u64 [places], %rd1;
  st.shared.u64 [places+8], %rd2;
$L_wait:
  bar.sync 0;
  ld.shared.u64 %rd3, [places];
  ld.shared.u64 %rd4, [places+8];
  ld.u32 %r2, [%rd3+8];
  ld.u32 %r3, [%rd4];
  add.u32 %r4, %r2, %r3;
  ld.param.u32 %r5, [pair];
  add.u32 %r4, %r4, %r5;
  isspacep.param %p2, %rd3;
  isspacep.param %p3, %rd4;
  and.pred %p2, %p2, %p3;
  @!%p2 mov.u32 %r4, -1;
  ld.param.u64 %rd5, [out];
  cvta.to.global.u64 %rd5, %rd5;
  isspacep.param %p4, %rd5;
  @%p4 mov.u32 %r4, -2;
  mul.wide.u32 %rd6, %r1, 4;
  add.s64 %rd7, %rd5, %rd6;
  st.global.u32 [%rd7], %r4;
  ret;
}
)";

static const char *reserved = R"(
.version 7.7
.target sm_80
.address_size 64

.visible .entry run(.param .u64 out)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %reserved_smem_offset_begin;
  mov.u32 %r2, %reserved_smem_offset_end;
  mov.u32 %r3, %reserved_smem_offset_cap;
  mov.u32 %r4, %reserved_smem_offset_0;
  mov.u32 %r5, %reserved_smem_offset_1;
  st.global.u32 [%rd1], %r1;
  st.global.u32 [%rd1+4], %r2;
  st.global.u32 [%rd1+8], %r3;
  ret;
}
)";

struct Pair {
  unsigned long long first, second;
};

static std::vector<int> run(const char *text, unsigned threads) {
  std::vector<int> result(32, -100);
  CUmodule loaded;
  if (cuModuleLoadData(&loaded, text) != CUDA_SUCCESS) {
    check::fail(__FILE__, __LINE__, "the module is not loaded");
    return result;
  }
  check::DeviceArray<int> out(result);
  CUfunction function;
  CU(cuModuleGetFunction(&function, loaded, "run"));
  int *place = out.get();
  Pair pair{3, 40};
  int number = 500;
  void *arguments[] = {&place, &pair, &number};
  CU(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  result = out.download();
  CU(cuModuleUnload(loaded));
  return result;
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  const std::vector<int> named = run(aliases, 1);
  CHECK_EQ(named[0], 42);
  CHECK_EQ(named[1], 9);
  CHECK_EQ(named[2], 7);
  const std::vector<int> divided = run(severalResults, 1);
  CHECK_EQ(divided[0], 14);
  CHECK_EQ(divided[1], 2);
  for (int sum : run(addresses, 32)) CHECK_EQ(sum, 543);
  const std::vector<int> region = run(reserved, 1);
  CHECK(region[0] >= 0);
  CHECK(region[1] >= region[0]);
  return check::finish();
}
