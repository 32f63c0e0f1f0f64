// threadIdx and its kin, as types without a place. Each function of the debug build has its own; gdb asks for these where
// it reads a condition before that code is there. gdb loads the object, no program is linked with it.
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
};
extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
extern const int warpSize;

// Declarations that nobody uses have no debug information.
extern const void *const uses[];
const void *const uses[] = {&threadIdx, &blockIdx, &blockDim, &gridDim, &warpSize};
