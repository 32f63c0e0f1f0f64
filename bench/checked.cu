// Kernels whose times `hostwarp check` is measured by: run as it is, with --form=fibers, and under `hostwarp check`.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void saxpy(int n, float a, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float left[16][16], right[16][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    left[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

__global__ void histogram(const unsigned *values, int n, unsigned *bins) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[values[i] & 255], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void sums(const float *values, float *sums) {
  __shared__ float ofWarps[8];
  float sum = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(~0u, sum, distance);
  if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < 8; ++warp) sum += ofWarps[warp];
  sums[blockIdx.x] = sum;
}

__global__ void forces(const float4 *bodies, float4 *forces, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = bodies[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; ++j) {
    const float4 other = bodies[j];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), s = other.w * r * r * r;
    x += s * dx;
    y += s * dy;
    z += s * dz;
  }
  forces[i] = make_float4(x, y, z, 0);
}

template <class Launch>
void time(const char *name, Launch launch) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  float best = 1e9f;
  launch();
  for (int i = 0; i < 3; ++i) {
    cudaEventRecord(begin);
    launch();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    best = std::min(best, ms);
  }
  std::printf("%s %.3f ms\n", name, best);
}

// expect() tells whether the first element is this, and the last one of `count`.
template <class T>
bool expect(const char *name, const void *data, int count, T value) {
  T ends[2];
  cudaMemcpy(&ends[0], data, sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(&ends[1], static_cast<const T *>(data) + count - 1, sizeof(T), cudaMemcpyDeviceToHost);
  if (ends[0] == value && ends[1] == value) return true;
  std::printf("%s: wrong result\n", name);
  return false;
}

int main() {
  constexpr int n = 1 << 20, launches = 4;
  float *x, *y, *z;
  for (float **each : {&x, &y, &z}) {
    cudaMalloc(each, n * sizeof(float));
    cudaMemset(*each, 0, n * sizeof(float));
  }
  const std::vector<float> ones(n, 1.0f);
  cudaMemcpy(x, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  bool right = true;
  time("saxpy", [&] { saxpy<<<n / 256, 256>>>(n, 2, x, y); });
  right &= expect("saxpy", y, n, 2.0f * launches);
  time("product", [&] { product<<<dim3(16, 16), dim3(16, 16)>>>(x, y, z, 256); });
  right &= expect("product", z, 256 * 256, 256 * 2.0f * launches);
  cudaMemset(z, 0, n * sizeof(float));
  time("histogram",
       [&] { histogram<<<16, 256>>>(reinterpret_cast<unsigned *>(x), n, reinterpret_cast<unsigned *>(z)); });
  right &= expect("histogram", z, 1, static_cast<unsigned>(n * launches));
  time("sums", [&] { sums<<<n / 256, 256>>>(x, z); });
  right &= expect("sums", z, n / 256, 256.0f);
  cudaMemset(z, 0, n * sizeof(float));
  // All bodies are at one place.
  time("forces", [&] { forces<<<4, 256>>>(reinterpret_cast<float4 *>(x), reinterpret_cast<float4 *>(z), 1024); });
  right &= expect("forces", z, 4 * 1024, 0.0f);
  return right && cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
