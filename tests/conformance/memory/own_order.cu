// A thread's own accesses come in the order of the program, also where they go through memory with a stride and may
// meet at the same address.
#include "../check.h"

constexpr int threads = 96;

__global__ void storeBetweenLoads(int *f, int *out, int distance) {
  const int t = threadIdx.x;
  const int before = f[2 * t];
  f[2 * t + distance] = before + 7;
  out[t] = before + f[2 * t + 1];
}

__global__ void loadBetweenStores(int *f, int *out, int distance) {
  const int t = threadIdx.x;
  f[3 * t] = 5 * t;
  out[t] = f[3 * t + distance];
  f[3 * t + 1] = -1;
  f[3 * t + 2] = -2;
}

__global__ void storesThatMeet(int *f, int distance) {
  const int t = threadIdx.x;
  f[4 * t] = 1;
  f[4 * t + distance] = 2;
  f[4 * t + 1] = 3;
}

struct Complex {
  float parts[2];
};

__global__ void inPlace(Complex *x, float *out, const int *which) {
  Complex &z = x[threadIdx.x];
  const float real = z.parts[0];
  z.parts[which[threadIdx.x]] = real * 2;
  out[threadIdx.x] = z.parts[1] + real;
}

// Bytes and words of the same element.
__global__ void partsOfWords(unsigned *f, unsigned *out, int part) {
  const int t = threadIdx.x;
  const unsigned first = f[2 * t];
  reinterpret_cast<unsigned char *>(f)[8 * t + part] = 0xee;
  out[t] = f[2 * t + 1] ^ first;
}

template <class T>
T *managed(size_t count) {
  T *memory = nullptr;
  CUDA_OK(cudaMallocManaged(&memory, count * sizeof(T)));
  return memory;
}

void checkIntegers() {
  int *f = managed<int>(4 * threads), *out = managed<int>(threads);
  for (int distance = 0; distance < 2; ++distance) {
    for (int i = 0; i < 4 * threads; ++i) f[i] = 100 * i;
    storeBetweenLoads<<<1, threads>>>(f, out, distance);
    LAUNCH_OK();
    for (int t = 0; t < threads; ++t) CHECK_EQ(out[t], 200 * t + (distance == 1 ? 200 * t + 7 : 200 * t + 100));
  }
  for (int distance = 0; distance < 3; ++distance) {
    for (int i = 0; i < 4 * threads; ++i) f[i] = 100 * i;
    loadBetweenStores<<<1, threads>>>(f, out, distance);
    LAUNCH_OK();
    for (int t = 0; t < threads; ++t) CHECK_EQ(out[t], distance == 0 ? 5 * t : 100 * (3 * t + distance));
  }
  for (int distance = 0; distance < 2; ++distance) {
    storesThatMeet<<<1, threads>>>(f, distance);
    LAUNCH_OK();
    for (int t = 0; t < threads; ++t) CHECK_EQ(f[4 * t] * 10 + f[4 * t + 1], distance == 0 ? 23 : 13);
  }
  CUDA_OK(cudaFree(f));
  CUDA_OK(cudaFree(out));
}

void checkOthers() {
  Complex *x = managed<Complex>(threads);
  float *out = managed<float>(threads);
  int *which = managed<int>(threads);
  for (int t = 0; t < threads; ++t) x[t] = {{10.0f * t, 1.0f}}, which[t] = t % 2;
  inPlace<<<1, threads>>>(x, out, which);
  LAUNCH_OK();
  for (int t = 0; t < threads; ++t) CHECK_EQ(out[t], t % 2 ? 30.0f * t : 10.0f * t + 1);
  unsigned *f = managed<unsigned>(2 * threads), *words = managed<unsigned>(threads);
  for (int i = 0; i < 2 * threads; ++i) f[i] = i;
  partsOfWords<<<1, threads>>>(f, words, 5);
  LAUNCH_OK();
  for (unsigned t = 0; t < threads; ++t) CHECK_EQ(words[t], (((2 * t + 1) & 0xffff00ffu) | 0xee00u) ^ (2 * t));
  CUDA_OK(cudaFree(x));
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaFree(which));
  CUDA_OK(cudaFree(f));
  CUDA_OK(cudaFree(words));
}

int main() {
  checkIntegers();
  checkOthers();
  return check::finish();
}
