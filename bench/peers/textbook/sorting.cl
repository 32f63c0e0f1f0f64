// sorting.cu in OpenCL C.
#define EXCHANGE(a, b, down)    \
  do {                          \
    uint first = a, second = b; \
    if ((first > second) != (down)) { \
      a = second;               \
      b = first;                \
    }                           \
  } while (0)

kernel void bitonicSort(global uint *keys) {
  local uint s[1024];
  int t = get_local_id(0);
  global uint *own = keys + get_group_id(0) * 1024;
  s[t] = own[t];
  s[t + 512] = own[t + 512];
  for (int size = 2; size <= 1024; size <<= 1) {
    bool down = size == 1024 ? get_group_id(0) & 1 : (t & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      int position = 2 * t - (t & (stride - 1));
      EXCHANGE(s[position], s[position + stride], down);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  own[t] = s[t];
  own[t + 512] = s[t + 512];
}

kernel void bitonicStep(global uint *keys, int size, int stride) {
  int t = get_global_id(0);
  int position = 2 * t - (t & (stride - 1));
  bool down = (t & (size / 2)) != 0;
  EXCHANGE(keys[position], keys[position + stride], down);
}

kernel void bitonicMerge(global uint *keys, int size) {
  local uint s[1024];
  int t = get_local_id(0);
  global uint *own = keys + get_group_id(0) * 1024;
  bool down = ((get_group_id(0) * 512 + t) & (size / 2)) != 0;
  s[t] = own[t];
  s[t + 512] = own[t + 512];
  for (int stride = 512; stride > 0; stride >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int position = 2 * t - (t & (stride - 1));
    EXCHANGE(s[position], s[position + stride], down);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  own[t] = s[t];
  own[t + 512] = s[t + 512];
}
