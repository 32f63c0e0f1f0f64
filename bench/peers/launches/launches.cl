// launches.cu in OpenCL C.
kernel void increment(global int *count) {
  if (get_local_id(0) == 0) ++*count;
}

kernel void emptyBlocks(global int *out, int limit) {
  if (get_local_id(0) >= limit) *out = 1;
}

kernel void barriers(global int *out, int rounds) {
  local int s[256];
  int t = get_local_id(0);
  s[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < rounds; ++i) {
    int v = s[(t + 1) & 255];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] = v + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = s[t];
}
