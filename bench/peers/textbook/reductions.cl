// reductions.cu in OpenCL C. Where that shuffles, this goes through local memory: PoCL has no shuffles for processors.
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)

kernel void reduceShared(global const float *in, global float *out, int n) {
  local float s[256];
  int t = get_local_id(0), i = get_group_id(0) * 512 + t;
  float v = i < n ? in[i] : 0.0f;
  if (i + 256 < n) v += in[i + 256];
  s[t] = v;
  BARRIER;
  for (int half_ = 128; half_ > 0; half_ >>= 1) {
    if (t < half_) s[t] += s[t + half_];
    BARRIER;
  }
  if (t == 0) out[get_group_id(0)] = s[0];
}

kernel void reduceShuffle(global const float *in, global float *out, int n) {
  local float lanes[256], s[32];
  int t = get_local_id(0), lane = t % 32;
  float v = 0.0f;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) v += in[i];
  lanes[t] = v;
  BARRIER;
  for (int delta = 16; delta > 0; delta >>= 1) {
    if (lane < delta) lanes[t] += lanes[t + delta];
    BARRIER;
  }
  if (lane == 0) s[t / 32] = lanes[t];
  BARRIER;
  if (t == 0) {
    float sum = 0.0f;
    for (int w = 0; w < 8; ++w) sum += s[w];
    out[get_group_id(0)] = sum;
  }
}

kernel void scanBlock(global const int *in, global int *out, global int *sums, int n) {
  local int s[1024];
  int t = get_local_id(0), i = get_group_id(0) * 1024 + t;
  s[t] = i < n ? in[i] : 0;
  BARRIER;
  for (int delta = 1; delta < 1024; delta <<= 1) {
    int v = t >= delta ? s[t - delta] : 0;
    BARRIER;
    s[t] += v;
    BARRIER;
  }
  if (i < n) out[i] = s[t];
  if (t == 1023) sums[get_group_id(0)] = s[t];
}

kernel void scanAdd(global int *out, global const int *sums, int n) {
  int i = get_group_id(0) * 1024 + get_local_id(0);
  if (get_group_id(0) > 0 && i < n) out[i] += sums[get_group_id(0) - 1];
}

kernel void softmax(global const float *in, global float *out, int columns) {
  local float s[256];
  int t = get_local_id(0);
  global const float *x = in + (size_t)get_group_id(0) * columns;
  global float *y = out + (size_t)get_group_id(0) * columns;
  float m = -INFINITY;
  for (int c = t; c < columns; c += 256) m = fmax(m, x[c]);
  s[t] = m;
  BARRIER;
  for (int half_ = 128; half_ > 0; half_ >>= 1) {
    if (t < half_) s[t] = fmax(s[t], s[t + half_]);
    BARRIER;
  }
  m = s[0];
  BARRIER;
  float sum = 0.0f;
  for (int c = t; c < columns; c += 256) {
    float e = exp(x[c] - m);
    y[c] = e;
    sum += e;
  }
  s[t] = sum;
  BARRIER;
  for (int half_ = 128; half_ > 0; half_ >>= 1) {
    if (t < half_) s[t] += s[t + half_];
    BARRIER;
  }
  float inverse = 1.0f / s[0];
  for (int c = t; c < columns; c += 256) y[c] *= inverse;
}

kernel void histogram(global const uchar *in, global uint *bins, int n) {
  local uint s[256];
  int t = get_local_id(0);
  s[t] = 0;
  BARRIER;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_add(&s[in[i]], 1u);
  BARRIER;
  atomic_add(&bins[t], s[t]);
}
