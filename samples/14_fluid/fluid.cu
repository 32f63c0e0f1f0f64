// Dyes in a fluid between walls, after Stam's "Stable Fluids": carry all along, let go of what is not free of
// divergence. Usage: fluid [cells-per-side steps]. Writes fluid.ppm.
#include <utility>
#include <vector>

#include "../common.h"

constexpr float timeStep = 0.5f;
constexpr int sweeps = 40;

// The element at a cell; beyond the walls, that of the nearest cell.
template <typename T>
__device__ T at(const T *field, int x, int y, int n) {
  return field[min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1)];
}

__device__ float mix(float a, float b, float t) { return a + t * (b - a); }
__device__ float2 mix(float2 a, float2 b, float t) { return make_float2(mix(a.x, b.x, t), mix(a.y, b.y, t)); }
__device__ float4 mix(float4 a, float4 b, float t) {
  return make_float4(mix(a.x, b.x, t), mix(a.y, b.y, t), mix(a.z, b.z, t), 0);
}

// What was where the fluid of each cell comes from, between the four cells there.
template <typename T>
__global__ void advect(const float2 *velocity, const T *from, T *to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const float2 v = velocity[y * n + x];
  const float px = fminf(fmaxf(x - timeStep * v.x, 0.0f), n - 1.0f),
              py = fminf(fmaxf(y - timeStep * v.y, 0.0f), n - 1.0f);
  const int ix = static_cast<int>(px), iy = static_cast<int>(py);
  const T upper = mix(at(from, ix, iy, n), at(from, ix + 1, iy, n), px - ix);
  const T lower = mix(at(from, ix, iy + 1, n), at(from, ix + 1, iy + 1, n), px - ix);
  to[y * n + x] = mix(upper, lower, py - iy);
}

// Three nozzles that blow dye towards the middle.
__global__ void blow(float2 *velocity, float4 *dye, int n, int step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  for (int nozzle = 0; nozzle < 3; ++nozzle) {
    const float turn = 2.0944f * nozzle + 0.4f, sway = 0.7f * sinf(0.05f * step + 2 * nozzle);
    const float dx = x - n * (0.5f + 0.36f * cosf(turn)), dy = y - n * (0.5f + 0.36f * sinf(turn));
    if (dx * dx + dy * dy > n * n * 0.0016f) continue;
    const float speed = 0.008f * n;
    velocity[y * n + x] = make_float2(-speed * cosf(turn + sway), -speed * sinf(turn + sway));
    dye[y * n + x] = make_float4(nozzle == 0, nozzle == 1, nozzle == 2, 0);
  }
  if (x == 0 || y == 0 || x == n - 1 || y == n - 1) velocity[y * n + x] = make_float2(0, 0);
}

// What flows out of each cell. The parts of a velocity stand at the cell's left and upper face.
__global__ void divergence(const float2 *velocity, float *result, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const float2 v = velocity[y * n + x];
  result[y * n + x] = at(velocity, x + 1, y, n).x - v.x + at(velocity, x, y + 1, n).y - v.y;
}

// One sweep of Jacobi's method for the pressure whose gradient has this divergence.
__global__ void jacobi(const float *pressure, const float *wanted, float *better, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  better[y * n + x] = 0.25f * (at(pressure, x + 1, y, n) + at(pressure, x - 1, y, n) + at(pressure, x, y + 1, n) +
                               at(pressure, x, y - 1, n) - wanted[y * n + x]);
}

__global__ void subtractGradient(const float *pressure, float2 *velocity, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const float here = pressure[y * n + x];
  velocity[y * n + x].x -= here - at(pressure, x - 1, y, n);
  velocity[y * n + x].y -= here - at(pressure, x, y - 1, n);
}

template <typename T>
T *zeros(int count) {
  T *memory;
  CUDA_CHECK(cudaMalloc(&memory, count * sizeof(T)));
  CUDA_CHECK(cudaMemset(memory, 0, count * sizeof(T)));
  return memory;
}

// The mean square of the divergence.
double divergenceOf(const float *device, int count) {
  std::vector<float> host(count);
  CUDA_CHECK(cudaMemcpy(host.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0;
  for (const float d : host) sum += d * d;
  return sum / count;
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[1]) : 64, steps = argc > 2 ? atoi(argv[2]) : 10, count = n * n;
  float2 *velocity = zeros<float2>(count), *nextVelocity = zeros<float2>(count);
  float4 *dye = zeros<float4>(count), *nextDye = zeros<float4>(count);
  float *pressure = zeros<float>(count), *better = zeros<float>(count), *wanted = zeros<float>(count);
  const dim3 block(16, 16), grid(divideUp(n, block.x), divideUp(n, block.y));
  double before = 0;
  for (int step = 0; step < steps; ++step) {
    blow<<<grid, block>>>(velocity, dye, n, step);
    divergence<<<grid, block>>>(velocity, wanted, n);
    if (step == steps - 1) before = divergenceOf(wanted, count);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      jacobi<<<grid, block>>>(pressure, wanted, better, n);
      std::swap(pressure, better);
    }
    subtractGradient<<<grid, block>>>(pressure, velocity, n);
    if (step == steps - 1) break;
    advect<float2><<<grid, block>>>(velocity, velocity, nextVelocity, n);
    advect<float4><<<grid, block>>>(velocity, dye, nextDye, n);
    std::swap(velocity, nextVelocity);
    std::swap(dye, nextDye);
  }
  divergence<<<grid, block>>>(velocity, wanted, n);
  CUDA_CHECK(cudaGetLastError());
  const double after = divergenceOf(wanted, count);
  std::vector<float4> dyes(count);
  CUDA_CHECK(cudaMemcpy(dyes.data(), dye, count * sizeof(float4), cudaMemcpyDeviceToHost));
  for (void *memory : {static_cast<void *>(velocity), static_cast<void *>(nextVelocity), static_cast<void *>(dye),
                       static_cast<void *>(nextDye), static_cast<void *>(pressure), static_cast<void *>(better),
                       static_cast<void *>(wanted)})
    CUDA_CHECK(cudaFree(memory));

  // Dye is carried about and mixed: there is none of less than nothing, nor of more than all.
  std::vector<uchar3> image(count);
  bool fine = true;
  for (int i = 0; i < count; ++i) {
    const float4 d = dyes[i];
    fine = fine && fminf(fminf(d.x, d.y), d.z) >= 0 && fmaxf(fmaxf(d.x, d.y), d.z) <= 1;
    image[i] =
        make_uchar3(20 + 235 * fminf(d.x + 0.1f * d.y, 1), 24 + 200 * fminf(0.45f * d.x + 0.75f * d.y + 0.25f * d.z, 1),
                    48 + 207 * fminf(d.z + 0.5f * d.y, 1));
  }
  const bool calm = before > 0 && after < before / 4;
  printf("fluid.ppm: %d x %d cells, %d steps; the pressure takes away %s of the divergence\n", n, n, steps,
         calm ? "most" : "little");
  return report(writePicture("fluid.ppm", image.data(), n, n) && fine && calm);
}
