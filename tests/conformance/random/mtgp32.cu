// MTGP32: states made on the host, a state of its own for each block, all its threads drawing together.
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>
#include <curand_mtgp32dc_p_11213.h>

#include <cmath>

#include "../check.h"

enum { states = 200, threads = 256 };

__global__ void hashes(curandStateMtgp32_t *s, unsigned *out) {
  unsigned hash = 0;
  for (int i = 0; i < 40; ++i) hash = hash * 31 + curand(&s[blockIdx.x]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = hash;
}

__global__ void line(curandStateMtgp32_t *s, unsigned *out) {
  for (int i = 0; i < 4; ++i) out[i * blockDim.x + threadIdx.x] = curand(s);
}

// The number of threads has to fit into a byte here.
__global__ void specific(curandStateMtgp32_t *s, unsigned *out) {
  for (int i = 0; i < 4; ++i) out[i * blockDim.x + threadIdx.x] = curand_mtgp32_specific(s, threadIdx.x, blockDim.x);
}

// Two dimensions of threads count like one.
__global__ void plane(curandStateMtgp32_t *s, unsigned *out) {
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = 0; i < 4; ++i) out[i * blockDim.x * blockDim.y + thread] = curand(s);
}

struct Sums {
  double uniform, uniformDouble, normal, squares, logNormal, poisson;
};
__global__ void distributions(curandStateMtgp32_t *s, Sums *out) {
  curandStateMtgp32_t *state = &s[blockIdx.x];
  Sums sums = {};
  for (int i = 0; i < 20; ++i) {
    sums.uniform += curand_uniform(state);
    sums.uniformDouble += curand_uniform_double(state);
    sums.normal += curand_normal(state);
    const double normal = curand_normal_double(state);
    sums.squares += normal * normal;
    sums.logNormal += log(curand_log_normal_double(state, 3, 1)) + curand_log_normal(state, 0, 0);
    sums.poisson += curand_poisson(state, 7.5);
  }
  atomicAdd(&out->uniform, sums.uniform);
  atomicAdd(&out->uniformDouble, sums.uniformDouble);
  atomicAdd(&out->normal, sums.normal);
  atomicAdd(&out->squares, sums.squares);
  atomicAdd(&out->logNormal, sums.logNormal);
  atomicAdd(&out->poisson, sums.poisson);
}

struct Generator {
  check::DeviceArray<mtgp32_kernel_params_t> constants{1};
  check::DeviceArray<curandStateMtgp32_t> state{states};

  void seed(unsigned long long value) {
    CHECK_EQ(curandMakeMTGP32Constants(mtgp32dc_params_fast_11213, constants.get()), CURAND_STATUS_SUCCESS);
    CHECK_EQ(curandMakeMTGP32KernelState(state.get(), mtgp32dc_params_fast_11213, constants.get(), states, value),
             CURAND_STATUS_SUCCESS);
  }
};

void checkNumbers(Generator &generator) {
  generator.seed(0);
  check::DeviceArray<unsigned> numbers(4 * threads), other(4 * threads);
  line<<<1, threads>>>(generator.state.get(), numbers.get());
  LAUNCH_OK();
  const unsigned expected[4] = {360948779, 1200908298, 2313932395, 2218157478};
  for (int i = 0; i < 4; ++i) CHECK_EQ(numbers.download()[i], expected[i]);
  generator.seed(0);
  plane<<<1, dim3(32, 8)>>>(generator.state.get(), other.get());
  LAUNCH_OK();
  CHECK(numbers.download() == other.download());
  // Fewer threads at a time draw the same numbers in the same order.
  generator.seed(0);
  specific<<<1, 64>>>(generator.state.get(), other.get());
  LAUNCH_OK();
  for (int i = 0; i < threads; ++i) CHECK_EQ(other.download()[i], numbers.download()[i]);
}

void checkHash(Generator &generator, unsigned expected) {
  generator.seed(0x123456789abcdefull);
  check::DeviceArray<unsigned> out(states * threads);
  hashes<<<states, threads>>>(generator.state.get(), out.get());
  LAUNCH_OK();
  unsigned hash = 0;
  for (unsigned value : out.download()) hash = hash * 31 + value;
  CHECK_EQ(hash, expected);
}

void checkDistributions(Generator &generator) {
  check::DeviceArray<Sums> out(1, Sums{});
  distributions<<<10, threads>>>(generator.state.get(), out.get());
  LAUNCH_OK();
  const Sums sums = out.download()[0];
  const double n = 10 * threads * 20, tolerance = 5 / std::sqrt(n);
  CHECK(std::fabs(sums.uniform / n - 0.5) < tolerance * 0.289);
  CHECK(std::fabs(sums.uniformDouble / n - 0.5) < tolerance * 0.289);
  CHECK(std::fabs(sums.normal / n) < tolerance);
  CHECK(std::fabs(sums.squares / n - 1) < tolerance * 1.42);
  CHECK(std::fabs(sums.logNormal / n - 4) < tolerance);
  CHECK(std::fabs(sums.poisson / n - 7.5) < tolerance * 2.74);
}

int main() {
  Generator generator;
  checkNumbers(generator);
  checkHash(generator, 138516704);
  checkDistributions(generator);
  return check::finish();
}
