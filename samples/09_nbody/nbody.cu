// Gravity among all pairs of bodies: a block loads bodies into shared memory tile by tile and every thread uses them.
// Usage: nbody [bodies steps]. With these it draws where the bodies are in the end, into nbody.ppm.
#include <algorithm>
#include <vector>

#include "../common.h"

constexpr int blockSize = 128;
constexpr float softening = 0.01f, timeStep = 0.005f;

__device__ float3 attraction(float4 self, float4 other) {
  const float dx = other.x - self.x, dy = other.y - self.y, dz = other.z - self.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
  const float scale = other.w * inverse * inverse * inverse;  // w is the mass
  return make_float3(scale * dx, scale * dy, scale * dz);
}

__global__ void step(const float4 *bodies, float4 *moved, float3 *velocities, int n) {
  __shared__ float4 tile[blockSize];
  const int i = blockIdx.x * blockSize + threadIdx.x;
  const float4 self = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float3 force = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += blockSize) {
    const int k = start + threadIdx.x;
    tile[threadIdx.x] = k < n ? bodies[k] : make_float4(0, 0, 0, 0);  // no mass, no force
    __syncthreads();
    for (const float4 &other : tile) {
      const float3 f = attraction(self, other);
      force.x += f.x;
      force.y += f.y;
      force.z += f.z;
    }
    __syncthreads();
  }
  if (i >= n) return;
  float3 v = velocities[i];
  v = make_float3(v.x + force.x * timeStep, v.y + force.y * timeStep, v.z + force.z * timeStep);
  velocities[i] = v;
  moved[i] = make_float4(self.x + v.x * timeStep, self.y + v.y * timeStep, self.z + v.z * timeStep, self.w);
}

// The bodies from in front; the brighter, the more of them are behind each other.
bool draw(const std::vector<float4> &bodies) {
  constexpr int side = 480;
  std::vector<int> seen(side * side);
  for (const float4 &body : bodies) {
    const int x = static_cast<int>((0.5f + 0.42f * body.x) * side),
              y = static_cast<int>((0.5f - 0.42f * body.y) * side);
    if (x < 1 || y < 1 || x >= side - 1 || y >= side - 1) continue;
    seen[y * side + x] += 3;
    for (const int beside : {-side, -1, 1, side}) ++seen[y * side + x + beside];
  }
  std::vector<uchar3> image(side * side);
  for (int i = 0; i < side * side; ++i)
    image[i] = make_uchar3(std::min(10 + 50 * seen[i], 255), std::min(12 + 42 * seen[i], 255),
                           std::min(30 + 70 * seen[i], 255));
  return writePicture("nbody.ppm", image.data(), side, side);
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[1]) : 1000, steps = argc > 2 ? atoi(argv[2]) : 10;
  std::vector<float4> bodies(n);
  unsigned random = 7;
  const auto next = [&] { return ((random = random * 1664525u + 1013904223u) >> 8) / 16777216.0f * 2 - 1; };
  for (float4 &body : bodies) body = make_float4(next(), next(), next(), 1.0f / n);

  float4 *current, *moved;
  float3 *velocities;
  CUDA_CHECK(cudaMalloc(&current, n * sizeof(float4)));
  CUDA_CHECK(cudaMalloc(&moved, n * sizeof(float4)));
  CUDA_CHECK(cudaMalloc(&velocities, n * sizeof(float3)));
  CUDA_CHECK(cudaMemcpy(current, bodies.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(velocities, 0, n * sizeof(float3)));
  for (int s = 0; s < steps; ++s) {
    step<<<divideUp(n, blockSize), blockSize>>>(current, moved, velocities, n);
    std::swap(current, moved);
  }
  CUDA_CHECK(cudaGetLastError());
  std::vector<float3> v(n);
  CUDA_CHECK(cudaMemcpy(v.data(), velocities, n * sizeof(float3), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(bodies.data(), current, n * sizeof(float4), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(current));
  CUDA_CHECK(cudaFree(moved));
  CUDA_CHECK(cudaFree(velocities));

  // All forces come in opposite pairs: the total momentum stays zero while the bodies gain speed.
  double x = 0, y = 0, z = 0, energy = 0;
  for (const float3 &u : v) {
    x += u.x / n;
    y += u.y / n;
    z += u.z / n;
    energy += 0.5 / n * (u.x * u.x + u.y * u.y + u.z * u.z);
  }
  printf("%d bodies, %d steps: they move, and their momentum is %s\n", n, steps,
         close(x, 0, 1e-5) && close(y, 0, 1e-5) && close(z, 0, 1e-5) ? "still zero" : "not zero");
  if (argc > 2 && !draw(bodies)) return report(false);
  return report(close(x, 0, 1e-5) && close(y, 0, 1e-5) && close(z, 0, 1e-5) && energy > 1e-5);
}
