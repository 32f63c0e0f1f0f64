// A product of the thread's number and a constant is fused with the sum around it as one of loaded factors is, whatever
// the compiler knows of the threads. (A whole block's lanes have constants for numbers; LLVM took fmuladd apart there.)
#include <cstdio>
#include <cstring>

__global__ void known(const float *in, float *out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  out[t] = float(l + 1) * 1.1f + in[t];
}

__global__ void loaded(const float *in, const float *factors, float *out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  out[t] = factors[l] * 1.1f + in[t];
}

__global__ void knownDouble(const double *in, double *out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  out[t] = in[t] - double(l + 1) * 1.1;
}

__global__ void loadedDouble(const double *in, const double *factors, double *out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x;
  out[t] = in[t] - factors[l] * 1.1;
}

template <typename T>
T *array(unsigned count) {
  T *data;
  cudaMallocManaged(&data, count * sizeof(T));
  return data;
}

// The numbers stand in the source: then the kernels have an entry for blocks of just this shape.
template <unsigned threads>
int differing() {
  constexpr unsigned blocks = 3, count = blocks * threads;
  int wrong = 0;
  float *in = array<float>(count), *factors = array<float>(threads), *one = array<float>(count),
        *two = array<float>(count);
  double *in2 = array<double>(count), *factors2 = array<double>(threads), *three = array<double>(count),
         *four = array<double>(count);
  for (unsigned i = 0; i < count; ++i) in2[i] = in[i] = 0.013f * (i * 37 % 41);
  for (unsigned i = 0; i < threads; ++i) factors2[i] = factors[i] = i + 1;
  known<<<blocks, threads>>>(in, one);
  loaded<<<blocks, threads>>>(in, factors, two);
  knownDouble<<<blocks, threads>>>(in2, three);
  loadedDouble<<<blocks, threads>>>(in2, factors2, four);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (unsigned i = 0; i < count; ++i) {
    if (memcmp(&one[i], &two[i], sizeof(float)) && wrong++ < 5)
      printf("%u threads, %u: %.9g, not %.9g\n", threads, i, one[i], two[i]);
    if (memcmp(&three[i], &four[i], sizeof(double)) && wrong++ < 5)
      printf("%u threads, %u: %.17g, not %.17g\n", threads, i, three[i], four[i]);
  }
  return wrong;
}

int main() {
  const int wrong = differing<8>() + differing<32>() + differing<33>() + differing<64>();
  if (wrong)
    printf("%d wrong\n", wrong);
  else
    printf("PASS\n");
  return wrong != 0;
}
