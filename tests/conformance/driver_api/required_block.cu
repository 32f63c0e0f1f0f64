// options: -lcuda
// PTX that says how large the blocks of a kernel are: a launch repeats it, or gives a block of one thread.
#include <cuda.h>

#include "../check.h"

#define CHECK_DRIVER(call) CHECK_EQ(call, CUDA_SUCCESS)

static const char *text = R"(
.version 7.8
.target sm_80
.address_size 64
.visible .entry line(.param .u64 count) .reqntid 64 {
  .reg .u64 %address;
  .reg .u32 %old;
  ld.param.u64 %address, [count];
  atom.global.add.u32 %old, [%address], 1;
  ret;
}
.visible .entry box(.param .u64 count) .reqntid 8, 4, 2 {
  .reg .u64 %address;
  .reg .u32 %old;
  ld.param.u64 %address, [count];
  atom.global.add.u32 %old, [%address], 1;
  ret;
}
.visible .entry bound(.param .u64 count) .maxntid 64 { ret; }
)";

static CUresult launch(CUfunction kernel, dim3 block, unsigned *count) {
  void *arguments[] = {&count};
  const CUresult result = cuLaunchKernel(kernel, 2, 1, 1, block.x, block.y, block.z, 0, nullptr, arguments, nullptr);
  CHECK_DRIVER(cuCtxSynchronize());
  return result;
}

int main() {
  check::DeviceArray<unsigned> count(1, 0);
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, text));
  CUfunction line, box, bound;
  CHECK_DRIVER(cuModuleGetFunction(&line, module, "line"));
  CHECK_DRIVER(cuModuleGetFunction(&box, module, "box"));
  CHECK_DRIVER(cuModuleGetFunction(&bound, module, "bound"));

  CHECK_EQ(launch(line, dim3(64), count.get()), CUDA_SUCCESS);
  CHECK_EQ(count.download()[0], 128u);
  CHECK_EQ(launch(line, dim3(1), count.get()), CUDA_SUCCESS);
  CHECK_EQ(count.download()[0], 256u);
  CHECK_EQ(launch(box, dim3(8, 4, 2), count.get()), CUDA_SUCCESS);
  CHECK_EQ(count.download()[0], 384u);
  for (dim3 block : {dim3(32), dim3(128), dim3(32, 2), dim3(8, 4, 2)})
    CHECK_EQ(launch(line, block, count.get()), CUDA_ERROR_INVALID_VALUE);
  for (dim3 block : {dim3(64), dim3(4, 8, 2), dim3(8, 4)})
    CHECK_EQ(launch(box, block, count.get()), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(count.download()[0], 384u);
  CHECK_EQ(launch(bound, dim3(32, 2), count.get()), CUDA_SUCCESS);
  CHECK_EQ(launch(bound, dim3(65), count.get()), CUDA_ERROR_INVALID_VALUE);

  int most = 0;
  CHECK_DRIVER(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, line));
  CHECK_EQ(most, 1024);
  CHECK_DRIVER(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, bound));
  CHECK_EQ(most, 64);
  CHECK_DRIVER(cuModuleUnload(module));
  return check::finish();
}
