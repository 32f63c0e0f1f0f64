// options: -lcuda
// PTX as text with functions: scalars, structures and registers as parameters, results, recursion, calls through
// pointers, jump tables, and variables that hold addresses.
#include <cuda.h>

#include <string>

#include "../check.h"

#define CU(...) CHECK_EQ(__VA_ARGS__, CUDA_SUCCESS)

static const char *module = R"(
.version 7.3
.target sm_70
.address_size 64

.func (.param .b32 result) twice(.param .b32 value);
.func (.param .b32 result) factorial(.param .b32 n);
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 memory);

.global .align 8 .u64 operations[3] = {twice, factorial, 0};
.global .align 4 .u32 values[4] = {11, 22, 33, 44};
.global .align 8 .u8 record[24] = {7, 0, 0, 0, 0, 0, 0, 0, 0xFF(generic(values)+8), 0xFF00(generic(values)+8),
  0xFF0000(generic(values)+8), 0xFF000000(generic(values)+8), 0xFF00000000(generic(values)+8),
  0xFF0000000000(generic(values)+8), 0xFF000000000000(generic(values)+8), 0xFF00000000000000(generic(values)+8), 5};
.const .align 8 .u64 place = generic(values);

.func (.param .b32 result) twice(.param .b32 value)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [value];
  add.u32 %r2, %r1, %r1;
  st.param.b32 [result], %r2;
  ret;
}

.func (.param .b32 result) factorial(.param .b32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  ld.param.u32 %r1, [n];
  setp.gt.u32 %p1, %r1, 1;
  mov.u32 %r4, 1;
  @!%p1 bra $L_end;
  add.u32 %r2, %r1, -1;
  {
    .param .b32 param0;
    st.param.b32 [param0+0], %r2;
    .param .b32 retval0;
    call.uni (retval0), factorial, (param0);
    ld.param.b32 %r3, [retval0+0];
  }
  mul.lo.u32 %r4, %r3, %r1;
$L_end:
  st.param.b32 [result], %r4;
  ret;
}

// {a, b} -> {b, a + offset} for a structure of an int and a double
.func (.param .align 8 .b8 result[16]) exchanged(.param .align 8 .b8 pair[16], .param .b32 offset)
{
  .reg .b32 %r<4>;
  .reg .f64 %fd<3>;
  ld.param.u32 %r1, [pair];
  ld.param.f64 %fd1, [pair+8];
  ld.param.u32 %r2, [offset];
  add.u32 %r1, %r1, %r2;
  cvt.rzi.u32.f64 %r3, %fd1;
  cvt.rn.f64.u32 %fd2, %r1;
  st.param.b32 [result+0], %r3;
  st.param.f64 [result+8], %fd2;
  ret;
}

.func (.reg .b32 sum) registers(.reg .b32 a, .reg .b32 b)
{
  add.u32 sum, a, b;
  ret;
}

.visible .entry calls(.param .u64 out)
{
  .reg .b32 %r<10>;
  .reg .b64 %rd<10>;
  .reg .f64 %fd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  {
    .param .b32 param0;
    st.param.b32 [param0], 5;
    .param .b32 retval0;
    call.uni (retval0), factorial, (param0);
    ld.param.b32 %r1, [retval0];
  }
  st.global.u32 [%rd1], %r1;
  {
    .param .align 8 .b8 param0[16];
    st.param.b32 [param0+0], 3;
    st.param.f64 [param0+8], 0d4022000000000000;
    .param .b32 param1;
    st.param.b32 [param1], 100;
    .param .align 8 .b8 retval0[16];
    call.uni (retval0), exchanged, (param0, param1);
    ld.param.b32 %r2, [retval0];
    ld.param.f64 %fd1, [retval0+8];
  }
  cvt.rzi.u32.f64 %r3, %fd1;
  st.global.u32 [%rd1+4], %r2;
  st.global.u32 [%rd1+8], %r3;
  call.uni (%r4), registers, (%r2, %r3);
  st.global.u32 [%rd1+12], %r4;
  ret;
}

// out[i] = operations[i % 2](i + 1)
.visible .entry pointers(.param .u64 out)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  mul.wide.u32 %rd2, %r2, 8;
  mov.u64 %rd3, operations;
  add.s64 %rd4, %rd3, %rd2;
  ld.global.u64 %rd5, [%rd4];
  add.u32 %r3, %r1, 1;
  {
    .param .b32 param0;
    st.param.b32 [param0], %r3;
    .param .b32 retval0;
    prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
    call (retval0), %rd5, (param0), prototype;
    ld.param.b32 %r4, [retval0];
  }
  mul.wide.u32 %rd6, %r1, 4;
  add.s64 %rd7, %rd1, %rd6;
  st.global.u32 [%rd7], %r4;
  ret;
}

.visible .entry tables(.param .u64 out)
.maxntid 32, 1, 1
{
  .local .align 8 .b8 depot[128];
  .reg .pred %p<2>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  min.u32 %r2, %r1, 3;
$L_table: .branchtargets $L_zero, $L_one, $L_one, $L_rest;
  brx.idx %r2, $L_table;
$L_zero:
  ld.global.u32 %r3, [record];
  bra.uni $L_store;
$L_one:
  ld.global.u64 %rd2, [record+8];
  ld.u32 %r3, [%rd2];
  bra.uni $L_store;
$L_rest:
  ld.const.u64 %rd3, [place];
  ld.u32 %r3, [%rd3+12];
$L_store:
  mov.u64 %rd4, depot;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd6, %rd4, %rd5;
  st.local.u32 [%rd6], %r3;
  cvta.local.u64 %rd7, %rd6;
  ld.u32 %r4, [%rd7];
  {
    .param .b64 param0;
    st.param.b64 [param0], 16;
    .param .b64 retval0;
    call.uni (retval0), malloc, (param0);
    ld.param.b64 %rd8, [retval0];
  }
  st.u32 [%rd8+4], %r4;
  ld.volatile.u32 %r5, [%rd8+4];
  {
    .param .b64 param0;
    st.param.b64 [param0], %rd8;
    call.uni free, (param0);
  }
  add.s64 %rd9, %rd1, %rd5;
  st.global.u32 [%rd9], %r5;
  ret;
}
)";

static void run(CUmodule loaded, const char *name, unsigned threads, int *out) {
  CUfunction function;
  CU(cuModuleGetFunction(&function, loaded, name));
  void *arguments[] = {&out};
  CU(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
}

int main() {
  int *out;
  CUDA_OK(cudaMallocManaged(&out, 32 * sizeof *out));
  CUmodule loaded;
  if (cuModuleLoadData(&loaded, module) != CUDA_SUCCESS) {
    check::fail(__FILE__, __LINE__, "the module is not loaded");
    return check::finish();
  }
  run(loaded, "calls", 1, out);
  CHECK_EQ(out[0], 120);
  CHECK_EQ(out[1], 9);
  CHECK_EQ(out[2], 103);
  CHECK_EQ(out[3], 112);
  run(loaded, "pointers", 6, out);
  const int expected[] = {2, 2, 6, 24, 10, 720};
  for (int i = 0; i < 6; ++i) CHECK_EQ(out[i], expected[i]);
  run(loaded, "tables", 5, out);
  const int chosen[] = {7, 33, 33, 44, 44};
  for (int i = 0; i < 5; ++i) CHECK_EQ(out[i], chosen[i]);
  CU(cuModuleUnload(loaded));
  CUDA_OK(cudaFree(out));
  return check::finish();
}
