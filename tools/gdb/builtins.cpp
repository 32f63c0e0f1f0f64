// threadIdx and its kin for gdb, which asks for these where it reads a condition before the code is there that has them:
// each function of the debug build has its own. gdb loads the object at an address that no program uses; no program is
// linked with it.
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
};
uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;
int warpSize;
