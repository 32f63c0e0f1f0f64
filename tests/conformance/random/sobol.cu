// Sobol' sequences of 32 and 64 bits, plain and scrambled: the points, skipping ahead, and what distributions make of
// them.
#include <curand_kernel.h>

#include <cmath>

#include "../check.h"

// directions() is the dimension of polynomial x^3 + x + 1 and initial numbers 1, 3, 1.
template <class Word>
std::vector<Word> directions() {
  const int bits = 8 * sizeof(Word);
  const Word initial[3] = {1, 3, 1};
  std::vector<Word> v(bits);
  for (int k = 0; k < bits; ++k) v[k] = k < 3 ? initial[k] << (bits - 1 - k) : v[k - 2] ^ v[k - 3] ^ (v[k - 3] >> 3);
  return v;
}

struct Numbers {
  unsigned long long points[6], skipped;
  float uniform[4], normal[4], logNormal[4];
  double uniformDouble[4], normalDouble[4], logNormalDouble[4];
  unsigned poisson[6];
};

template <class Word, class State>
__device__ void begin(Word *v, Word, Word offset, State *state) {
  curand_init(v, offset, state);
}
template <class Word>
__device__ void begin(Word *v, Word scramble, Word offset, curandStateScrambledSobol32_t *state) {
  curand_init(v, scramble, offset, state);
}
template <class Word>
__device__ void begin(Word *v, Word scramble, Word offset, curandStateScrambledSobol64_t *state) {
  curand_init(v, scramble, offset, state);
}

template <class State, class Word>
__global__ void draw(Word *v, Word scramble, Numbers *out) {
  State state;
  begin(v, scramble, Word(1000), &state);
  for (auto &x : out->points) x = curand(&state);
  for (float &x : out->uniform) x = curand_uniform(&state);
  for (double &x : out->uniformDouble) x = curand_uniform_double(&state);
  int i = 0;
  for (double mean : {0.5, 20.0, 900.0})
    for (int k = 0; k < 2; ++k) out->poisson[i++] = curand_poisson(&state, mean);
  skipahead(1000000u, &state);
  out->skipped = curand(&state);
  begin(v, scramble, Word(1000), &state);
  for (float &x : out->normal) x = curand_normal(&state);
  begin(v, scramble, Word(1000), &state);
  for (double &x : out->normalDouble) x = curand_normal_double(&state);
  begin(v, scramble, Word(1000), &state);
  for (float &x : out->logNormal) x = curand_log_normal(&state, 0.5f, 0.25f);
  begin(v, scramble, Word(1000), &state);
  for (double &x : out->logNormalDouble) x = curand_log_normal_double(&state, 0.5, 0.25);
}

// Normal numbers are the inverse distribution function of the points.
void checkNormals(const Numbers &actual, int bits) {
  for (int i = 0; i < 4; ++i) {
    const double u = (actual.points[i] + 0.5) / std::pow(2.0, bits);
    const double expected = -std::sqrt(2.0) * erfcinv(2 * u);
    CHECK(std::fabs(actual.normal[i] - expected) < 1e-5);
    CHECK(std::fabs(actual.normalDouble[i] - expected) < 1e-12);
    CHECK(std::fabs(actual.logNormal[i] - std::exp(0.5 + 0.25 * expected)) < 1e-5);
    CHECK(std::fabs(actual.logNormalDouble[i] - std::exp(0.5 + 0.25 * expected)) < 1e-12);
  }
}

template <class State, class Word>
void checkNumbers(Word scramble, const Numbers &expected) {
  check::DeviceArray<Word> v(directions<Word>());
  check::DeviceArray<Numbers> out(1);
  draw<State><<<1, 1>>>(v.get(), scramble, out.get());
  LAUNCH_OK();
  const Numbers actual = out.download()[0];
  for (int i = 0; i < 6; ++i) CHECK_EQ(actual.points[i], expected.points[i]);
  for (int i = 0; i < 4; ++i) CHECK_EQ(actual.uniform[i], expected.uniform[i]);
  for (int i = 0; i < 4; ++i) CHECK_EQ(actual.uniformDouble[i], expected.uniformDouble[i]);
  for (int i = 0; i < 6; ++i) CHECK_EQ(actual.poisson[i], expected.poisson[i]);
  CHECK_EQ(actual.skipped, expected.skipped);
  checkNormals(actual, 8 * sizeof(Word));
}

// Every offset is a place in one sequence; its first 256 points are different in the upper 8 bits.
template <class State, class Word>
__global__ void places(Word *v, Word scramble, int *differences, int *seen) {
  State state, walked;
  begin(v, scramble, Word(threadIdx.x), &state);
  begin(v, scramble, Word(0), &walked);
  for (unsigned i = 0; i < threadIdx.x; ++i) curand(&walked);
  const Word point = curand(&state);
  if (point != curand(&walked)) atomicAdd(differences, 1);
  atomicAdd(&seen[point >> (8 * sizeof(Word) - 8)], 1);
}

template <class State, class Word>
void checkPlaces(Word scramble) {
  check::DeviceArray<Word> v(directions<Word>());
  check::DeviceArray<int> differences(1, 0), seen(256, 0);
  places<State><<<1, 256>>>(v.get(), scramble, differences.get(), seen.get());
  LAUNCH_OK();
  CHECK_EQ(differences.download()[0], 0);
  for (int times : seen.download()) CHECK_EQ(times, 1);
}

int main() {
  Numbers expected = {{0xad400000, 0x2d400000, 0xed400000, 0x6d400000, 0x4d400000, 0xcd400000},
                      0xb5b23000,
                      {0x1.a8p-5f, 0x1.1a8p-1f, 0x1.d5p-2f, 0x1.ea8p-1f},
                      {},
                      {},
                      {0x1.aa000008p-3, 0x1.6a800002p-1, 0x1.2a800002p-1, 0x1.5400001p-4},
                      {},
                      {},
                      {1, 0, 11, 20, 882, 922}};
  checkNumbers<curandStateSobol32_t>(0u, expected);
  checkPlaces<curandStateSobol32_t>(0u);
  expected = {{0xbf745678, 0x3f745678, 0xff745678, 0x7f745678, 0x5f745678, 0xdf745678},
              0xa7866678,
              {0x1.f74568p-4f, 0x1.3ee8acp-1f, 0x1.9dd15ap-2f, 0x1.cee8acp-1f},
              {},
              {},
              {0x1.3ba2b3c8p-3, 0x1.4ee8acf2p-1, 0x1.0ee8acf2p-1, 0x1.dd159e4p-6},
              {},
              {},
              {1, 0, 14, 21, 888, 930}};
  checkNumbers<curandStateScrambledSobol32_t>(0x12345678u, expected);
  checkPlaces<curandStateScrambledSobol32_t>(0x12345678u);
  expected = {{0xad40000000000000, 0x2d40000000000000, 0xed40000000000000, 0x6d40000000000000, 0x4d40000000000000,
               0xcd40000000000000},
              0xb5b2300000000000,
              {0x1.a8p-5f, 0x1.1a8p-1f, 0x1.d5p-2f, 0x1.ea8p-1f},
              {},
              {},
              {0x1.aa00000000002p-3, 0x1.6a8p-1, 0x1.2a8p-1, 0x1.5400000000004p-4},
              {},
              {},
              {1, 0, 11, 20, 882, 922}};
  checkNumbers<curandStateSobol64_t>(0ull, expected);
  checkPlaces<curandStateSobol64_t>(0ull);
  expected = {{0xac63456789abcdef, 0x2c63456789abcdef, 0xec63456789abcdef, 0x6c63456789abcdef, 0x4c63456789abcdef,
               0xcc63456789abcdef},
              0xb491756789abcdef,
              {0x1.8c68acp-5f, 0x1.18c68ap-1f, 0x1.d18d16p-2f, 0x1.e8c68ap-1f},
              {},
              {},
              {0x1.a31a2b3c4d5e6p-3, 0x1.68c68acf1357ap-1, 0x1.28c68acf1357ap-1, 0x1.463456789abccp-4},
              {},
              {},
              {1, 0, 11, 20, 881, 922}};
  checkNumbers<curandStateScrambledSobol64_t>(0x123456789abcdefull, expected);
  checkPlaces<curandStateScrambledSobol64_t>(0x123456789abcdefull);
  return check::finish();
}
