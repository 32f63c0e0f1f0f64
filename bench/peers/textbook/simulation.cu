// The forces of all bodies on each, by tiles in shared memory, and prices of options by Black and Scholes.
#include "../harness/cuda.h"

// Blocks of 256 threads.
__global__ void bodies(const float4 *all, float4 *out, int n) {
  __shared__ float4 s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float4 me = all[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int first = 0; first < n; first += 256) {
    s[t] = all[first + t];
    __syncthreads();
    for (int j = 0; j < 256; j++) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
      float f = s[j].w * r * r * r;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  float4 o;
  o.x = ax;
  o.y = ay;
  o.z = az;
  o.w = 0.0f;
  out[i] = o;
}

// The normal distribution by a polynomial (Abramowitz and Stegun, 26.2.17).
__device__ inline float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float p = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float c = 0.39894228040f * expf(-0.5f * d * d) * p;
  return d > 0.0f ? 1.0f - c : c;
}

__global__ void blackScholes(const float *price, const float *strike, const float *years, float *call, float *put,
                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float rate = 0.02f, volatility = 0.30f;
  float s = price[i], x = strike[i], t = years[i];
  float root = sqrtf(t);
  float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = normal(d1), n2 = normal(d2);
  float e = expf(-rate * t);
  call[i] = s * n1 - x * e * n2;
  put[i] = x * e * (1.0f - n2) - s * (1.0f - n1);
}

#include "simulation_cases.h"
