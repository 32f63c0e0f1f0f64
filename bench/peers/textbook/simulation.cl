// simulation.cu in OpenCL C.
kernel void bodies(global const float4 *all, global float4 *out, int n) {
  local float4 s[256];
  int t = get_local_id(0), i = get_global_id(0);
  float4 me = all[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += 256) {
    s[t] = all[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 256; j++) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
      float r = rsqrt(dx * dx + dy * dy + dz * dz + 1e-4f);
      float f = s[j].w * r * r * r;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = (float4)(ax, ay, az, 0.0f);
}

float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float p = k * (0.319381530f +
                 k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float c = 0.39894228040f * exp(-0.5f * d * d) * p;
  return d > 0.0f ? 1.0f - c : c;
}

kernel void blackScholes(global const float *price, global const float *strike, global const float *years,
                         global float *call, global float *put, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  const float rate = 0.02f, volatility = 0.30f;
  float s = price[i], x = strike[i], t = years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = normal(d1), n2 = normal(d2);
  float e = exp(-rate * t);
  call[i] = s * n1 - x * e * n2;
  put[i] = x * e * (1.0f - n2) - s * (1.0f - n1);
}
