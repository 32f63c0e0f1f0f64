// linear_algebra.cu in OpenCL C.
kernel void saxpy(int n, float a, global const float *x, global float *y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

#define MATMUL(tile)                                                                                       \
  kernel void matmul##tile(global const float *a, global const float *b, global float *c, int n) {         \
    local float as[tile][tile], bs[tile][tile];                                                            \
    int tx = get_local_id(0), ty = get_local_id(1);                                                        \
    int row = get_group_id(1) * tile + ty, column = get_group_id(0) * tile + tx;                           \
    float sum = 0.0f;                                                                                      \
    for (int t = 0; t < n / tile; ++t) {                                                                   \
      as[ty][tx] = a[row * n + t * tile + tx];                                                             \
      bs[ty][tx] = b[(t * tile + ty) * n + column];                                                        \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
      for (int k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];                                         \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
    }                                                                                                      \
    c[row * n + column] = sum;                                                                             \
  }
MATMUL(16)
MATMUL(32)

kernel void transpose(global const float *in, global float *out, int width, int height) {
  local float tile[32][33];
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[ty + j][tx] = in[(y + j) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 32 + tx;
  y = get_group_id(0) * 32 + ty;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[tx][ty + j];
}
