// sparse.cu in OpenCL C; a warp's sum goes through local memory.
kernel void spmvScalar(int rows, global const int *begins, global const int *columns, global const float *values,
                       global const float *x, global float *y) {
  int row = get_global_id(0);
  if (row < rows) {
    float sum = 0.0f;
    for (int i = begins[row]; i < begins[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

kernel void spmvVector(int rows, global const int *begins, global const int *columns, global const float *values,
                       global const float *x, global float *y) {
  local float lanes[256];
  int t = get_local_id(0), row = get_global_id(0) / 32, lane = t % 32;
  float sum = 0.0f;
  for (int i = begins[row] + lane; i < begins[row + 1]; i += 32) sum += values[i] * x[columns[i]];
  lanes[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int delta = 16; delta > 0; delta >>= 1) {
    if (lane < delta) lanes[t] += lanes[t + delta];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lane == 0) y[row] = lanes[t];
}
