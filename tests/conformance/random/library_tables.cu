// What kernels take from the library: direction vectors, scramble constants, discrete distributions.
// options: -lcurand
#include <curand_kernel.h>

#include <cmath>
#include <set>

#include "../check.h"

enum { dimensions = 20000 };

void checkVectors() {
  curandDirectionVectors32_t *v32;
  curandDirectionVectors64_t *v64;
  CHECK_EQ(curandGetDirectionVectors32(&v32, CURAND_DIRECTION_VECTORS_32_JOEKUO6), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGetDirectionVectors64(&v64, CURAND_DIRECTION_VECTORS_64_JOEKUO6), CURAND_STATUS_SUCCESS);
  unsigned hash32 = 0;
  unsigned long long hash64 = 0;
  for (int d = 0; d < dimensions; ++d) {
    for (unsigned value : v32[d]) hash32 = hash32 * 31 + value;
    for (unsigned long long value : v64[d]) hash64 = hash64 * 31 + value;
  }
  CHECK_EQ(hash32, 1059402868u);
  CHECK_EQ(hash64, 12640560119179724784ull);
}

template <class State, class Word>
__global__ void points(Word (*v)[8 * sizeof(Word)], const Word *constants, Word *out) {
  State state;
  curand_init(v[blockIdx.x], constants[blockIdx.x], threadIdx.x, &state);
  out[blockIdx.x * blockDim.x + threadIdx.x] = curand(&state);
}

// checkScrambled(): 256 points of a scrambled sequence are in 256 different intervals, in every dimension.
template <class State, class Word>
void checkScrambled(Word (*vectors)[8 * sizeof(Word)], const Word *constants) {
  const int few = 50;
  using Vectors = Word[8 * sizeof(Word)];
  check::DeviceArray<Vectors> v(few);
  CUDA_OK(cudaMemcpy(v.get(), vectors, v.bytes(), cudaMemcpyHostToDevice));
  check::DeviceArray<Word> c(std::vector<Word>(constants, constants + few)), out(few * 256);
  points<State, Word><<<few, 256>>>(v.get(), c.get(), out.get());
  LAUNCH_OK();
  const std::vector<Word> all = out.download();
  for (int d = 0; d < few; ++d) {
    std::set<Word> intervals;
    for (int i = 0; i < 256; ++i) intervals.insert(all[d * 256 + i] >> (8 * sizeof(Word) - 8));
    CHECK_EQ(intervals.size(), size_t(256));
    CHECK_EQ(all[d * 256], constants[d]);
  }
}

void checkAllScrambled() {
  curandDirectionVectors32_t *v32;
  curandDirectionVectors64_t *v64;
  unsigned *c32;
  unsigned long long *c64;
  CHECK_EQ(curandGetDirectionVectors32(&v32, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGetDirectionVectors64(&v64, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGetScrambleConstants32(&c32), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGetScrambleConstants64(&c64), CURAND_STATUS_SUCCESS);
  checkScrambled<curandStateScrambledSobol32_t>(v32, c32);
  checkScrambled<curandStateScrambledSobol64_t>(v64, c64);
}

template <class State>
__device__ void drawDiscrete(State *state, curandDiscreteDistribution_t distribution, double mean, double *sums) {
  double first = 0, second = 0;
  for (int i = 0; i < 100; ++i) {
    const double deviation = curand_discrete(state, distribution) - mean;
    first += deviation;
    second += deviation * deviation;
  }
  atomicAdd(&sums[0], first);
  atomicAdd(&sums[1], second);
}

template <class State>
__global__ void discrete(curandDiscreteDistribution_t distribution, double mean, double *sums) {
  State state;
  curand_init(3, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  drawDiscrete(&state, distribution, mean, sums);
}

__global__ void discreteFours(curandDiscreteDistribution_t distribution, int *differences) {
  curandStatePhilox4_32_10_t one, four;
  curand_init(3, threadIdx.x, 0, &one);
  four = one;
  const uint4 values = curand_discrete4(&four, distribution);
  if (values.x != curand_discrete(&one, distribution) || values.y != curand_discrete(&one, distribution) ||
      values.z != curand_discrete(&one, distribution) || values.w != curand_discrete(&one, distribution))
    atomicAdd(differences, 1);
}

template <class State>
void checkDiscrete(curandDiscreteDistribution_t distribution, double mean) {
  check::DeviceArray<double> sums(2, 0.0);
  discrete<State><<<4, 100>>>(distribution, mean, sums.get());
  LAUNCH_OK();
  const std::vector<double> actual = sums.download();
  const double n = 40000;
  CHECK(std::fabs(actual[0] / n) < 5 * std::sqrt(mean / n));
  CHECK(std::fabs(actual[1] / n / mean - 1) < 5 * std::sqrt((2 + 1 / mean) / n));
}

int main() {
  checkVectors();
  checkAllScrambled();
  for (double mean : {0.3, 12.0, 900.0, 30000.0}) {
    curandDiscreteDistribution_t distribution;
    CHECK_EQ(curandCreatePoissonDistribution(mean, &distribution), CURAND_STATUS_SUCCESS);
    checkDiscrete<curandStateXORWOW_t>(distribution, mean);
    checkDiscrete<curandStateMRG32k3a_t>(distribution, mean);
    checkDiscrete<curandStatePhilox4_32_10_t>(distribution, mean);
    if (mean < 1000) {
      check::DeviceArray<int> differences(1, 0);
      discreteFours<<<1, 64>>>(distribution, differences.get());
      LAUNCH_OK();
      CHECK_EQ(differences.download()[0], 0);
    }
    CHECK_EQ(curandDestroyDistribution(distribution), CURAND_STATUS_SUCCESS);
  }
  curandDiscreteDistribution_t distribution;
  CHECK_EQ(curandCreatePoissonDistribution(-1, &distribution), CURAND_STATUS_OUT_OF_RANGE);
  return check::finish();
}
