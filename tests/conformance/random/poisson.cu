// Poisson numbers of the pseudorandom generators: small and large means exactly, medium ones by their moments.
#include <curand_kernel.h>

#include <cmath>

#include "../check.h"

template <class State>
__global__ void draw(unsigned *out) {
  State state;
  curand_init(99, 0, 0, &state);
  for (double mean : {0.5, 5.0, 50.0})
    for (int i = 0; i < 4; ++i) *out++ = curand_poisson(&state, mean);
  curand_init(99, 0, 0, &state);
  for (double mean : {5000.0, 100000.0})
    for (int i = 0; i < 4; ++i) *out++ = curand_poisson(&state, mean);
}

template <class State>
void checkExact(const std::vector<unsigned> &small, const std::vector<unsigned> &large) {
  check::DeviceArray<unsigned> out(20);
  draw<State><<<1, 1>>>(out.get());
  LAUNCH_OK();
  const std::vector<unsigned> actual = out.download();
  for (size_t i = 0; i < 20; ++i) CHECK_EQ(actual[i], i < 12 ? small[i] : large[i - 12]);
}

template <class State>
__device__ void sum(State *state, double mean, double *sums) {
  double first = 0, second = 0;
  for (int i = 0; i < 100; ++i) {
    const double deviation = curand_poisson(state, mean) - mean;
    first += deviation;
    second += deviation * deviation;
  }
  atomicAdd(&sums[0], first);
  atomicAdd(&sums[1], second);
}
__device__ void sumOfFour(curandStatePhilox4_32_10_t *state, double mean, double *sums) {
  for (int i = 0; i < 25; ++i) {
    const uint4 four = curand_poisson4(state, mean);
    const double a = four.x - mean, b = four.y - mean, c = four.z - mean, d = four.w - mean;
    atomicAdd(&sums[0], a + b + c + d);
    atomicAdd(&sums[1], a * a + b * b + c * c + d * d);
  }
}

template <class State, bool fours>
__global__ void moments(double mean, double *sums) {
  State state;
  curand_init(17, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  if constexpr (fours)
    sumOfFour(&state, mean, sums);
  else
    sum(&state, mean, sums);
}

// Mean and variance of a Poisson distribution are the same; 40000 numbers come within five deviations.
template <class State, bool fours = false>
void checkMoments() {
  for (double mean : {0.25, 10.0, 63.0, 64.0, 300.0, 3999.0, 4500.0}) {
    check::DeviceArray<double> sums(2, 0.0);
    moments<State, fours><<<4, 100>>>(mean, sums.get());
    LAUNCH_OK();
    const std::vector<double> actual = sums.download();
    const double n = 40000;
    CHECK(std::fabs(actual[0] / n) < 5 * std::sqrt(mean / n));
    CHECK(std::fabs(actual[1] / n / mean - 1) < 5 * std::sqrt((2 + 1 / mean) / n));
  }
}

int main() {
  checkExact<curandStateXORWOW_t>({0u, 0u, 1u, 0u, 8u, 5u, 3u, 8u, 43u, 53u, 46u, 50u},
                                  {5050u, 5055u, 4990u, 4988u, 99975u, 100171u, 100292u, 99715u});
  checkExact<curandStateMRG32k3a_t>({0u, 3u, 0u, 0u, 5u, 5u, 8u, 5u, 50u, 48u, 48u, 56u},
                                    {4929u, 5076u, 4994u, 5021u, 100242u, 100098u, 100054u, 99294u});
  checkExact<curandStatePhilox4_32_10_t>({1u, 0u, 2u, 2u, 7u, 11u, 4u, 5u, 52u, 54u, 55u, 44u},
                                         {4988u, 5045u, 4951u, 5053u, 100051u, 99714u, 99942u, 99747u});
  checkMoments<curandStateXORWOW_t>();
  checkMoments<curandStateMRG32k3a_t>();
  checkMoments<curandStatePhilox4_32_10_t>();
  checkMoments<curandStatePhilox4_32_10_t, true>();
  return check::finish();
}
