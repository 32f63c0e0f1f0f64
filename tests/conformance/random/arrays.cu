// Random numbers by the array: each generator's order, on the device and on the host, in one call or many.
// options: -lcurand
#include <curand.h>

#include <cmath>

#include "../check.h"

#define CURAND_OK(call) CHECK_EQ(call, CURAND_STATUS_SUCCESS)

enum { count = 200000 };

// Generator owns one of the device or of the host; numbers() brings what it made to the host.
struct Generator {
  curandGenerator_t handle = nullptr;
  bool onHost;

  Generator(curandRngType_t type, bool host) : onHost(host) {
    CURAND_OK(host ? curandCreateGeneratorHost(&handle, type) : curandCreateGenerator(&handle, type));
    if (type < CURAND_RNG_QUASI_DEFAULT)
      CURAND_OK(curandSetPseudoRandomGeneratorSeed(handle, 1234));
    else
      CURAND_OK(curandSetQuasiRandomGeneratorDimensions(handle, 4));
  }
  ~Generator() { CURAND_OK(curandDestroyGenerator(handle)); }

  template <class T, class Function>
  std::vector<T> numbers(size_t n, Function generate) {
    std::vector<T> values(n);
    if (onHost) {
      CURAND_OK(generate(handle, values.data(), n));
      return values;
    }
    check::DeviceArray<T> array(n);
    CURAND_OK(generate(handle, array.get(), n));
    return array.download();
  }
  std::vector<unsigned> integers(size_t n) { return numbers<unsigned>(n, curandGenerate); }
};

struct Expected {
  curandRngType_t type;
  unsigned numbers[4];  // 0, 1, 5000 and the last
  unsigned hash;
};

const Expected table[] = {
    {CURAND_RNG_PSEUDO_XORWOW, {624778773u, 3522650202u, 1378181827u, 1914604538u}, 2624876376u},
    {CURAND_RNG_PSEUDO_MRG32K3A, {3379073520u, 653317650u, 3869769518u, 2543695116u}, 1278220992u},
    {CURAND_RNG_PSEUDO_MTGP32, {2501053709u, 1991185121u, 4193219305u, 2313397694u}, 2514486039u},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, {546353992u, 3665621163u, 4164562676u, 2498328695u}, 3167911837u},
    {CURAND_RNG_QUASI_SOBOL32, {0u, 2147483648u, 844627968u, 1195966464u}, 3523215360u},
};

void checkOrder(const Expected &expected, bool onHost) {
  Generator generator(expected.type, onHost);
  const std::vector<unsigned> all = generator.integers(count);
  unsigned hash = 0;
  for (unsigned value : all) hash = hash * 31 + value;
  CHECK_EQ(all[0], expected.numbers[0]);
  CHECK_EQ(all[1], expected.numbers[1]);
  CHECK_EQ(all[5000], expected.numbers[2]);
  CHECK_EQ(all[count - 1], expected.numbers[3]);
  CHECK_EQ(hash, expected.hash);
  if (expected.type >= CURAND_RNG_QUASI_DEFAULT) return;

  Generator pieces(expected.type, onHost);
  std::vector<unsigned> joined;
  for (size_t size : {10, 1, 300, 4096, 20000, 90000}) {
    const std::vector<unsigned> piece = pieces.integers(size);
    joined.insert(joined.end(), piece.begin(), piece.end());
  }
  CHECK(std::equal(joined.begin(), joined.end(), all.begin()));
  if (expected.type == CURAND_RNG_PSEUDO_MTGP32) return;

  Generator later(expected.type, onHost);
  CURAND_OK(curandSetGeneratorOffset(later.handle, 100003));
  const std::vector<unsigned> rest = later.integers(5000);
  CHECK(std::equal(rest.begin(), rest.end(), all.begin() + 100003));
}

// The other kinds of numbers are made from the same bits.
void checkKinds(curandRngType_t type) {
  Generator integers(type, false), uniforms(type, false), hosts(type, true);
  const std::vector<unsigned> bits = integers.integers(count);
  const std::vector<float> uniform = uniforms.numbers<float>(count, curandGenerateUniform);
  CHECK(uniform == hosts.numbers<float>(count, curandGenerateUniform));
  size_t different = 0;
  for (size_t i = 0; i < count && type != CURAND_RNG_PSEUDO_MRG32K3A; ++i)
    different += uniform[i] != bits[i] * 0x1p-32f + 0x1p-33f;
  CHECK_EQ(different, size_t(0));
  const auto doubles = uniforms.numbers<double>(count, curandGenerateUniformDouble);
  CHECK(doubles == hosts.numbers<double>(count, curandGenerateUniformDouble));
}

void checkMoments(curandRngType_t type) {
  Generator generator(type, false);
  const auto normal = generator.numbers<float>(
      count, [](curandGenerator_t g, float *out, size_t n) { return curandGenerateNormal(g, out, n, 5, 2); });
  const auto normals = generator.numbers<double>(
      count, [](curandGenerator_t g, double *out, size_t n) { return curandGenerateNormalDouble(g, out, n, 5, 2); });
  const auto logNormal = generator.numbers<float>(
      count, [](curandGenerator_t g, float *out, size_t n) { return curandGenerateLogNormal(g, out, n, 5, 2); });
  const auto logNormals = generator.numbers<double>(
      count, [](curandGenerator_t g, double *out, size_t n) { return curandGenerateLogNormalDouble(g, out, n, 5, 2); });
  double sums[4] = {}, squares[4] = {};
  for (size_t i = 0; i < count; ++i) {
    const double values[4] = {normal[i], normals[i], std::log(logNormal[i]), std::log(logNormals[i])};
    for (int k = 0; k < 4; ++k) {
      sums[k] += values[k] - 5;
      squares[k] += (values[k] - 5) * (values[k] - 5);
    }
  }
  for (int k = 0; k < 4; ++k) {
    CHECK(std::fabs(sums[k] / count) < 0.03);
    CHECK(std::fabs(squares[k] / count - 4) < 0.08);
  }
}

struct ExpectedPoisson {
  curandRngType_t type;
  unsigned hashes[4];
};

const ExpectedPoisson poissonTable[] = {
    {CURAND_RNG_PSEUDO_XORWOW, {4076339022u, 1618883407u, 3624233445u, 1700382363u}},
    {CURAND_RNG_PSEUDO_MRG32K3A, {3446312270u, 1963143078u, 3406541482u, 3046301482u}},
    {CURAND_RNG_PSEUDO_MTGP32, {3290757658u, 2144405566u, 1779329215u, 1243557615u}},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10, {2562609141u, 1345928331u, 2562349459u, 2890751257u}},
    {CURAND_RNG_QUASI_SOBOL32, {1912233031u, 279648148u, 66416868u, 757863104u}},
};

// Poisson numbers below a mean of 2000 follow from the integers by tables.
void checkPoisson(const ExpectedPoisson &expected) {
  const double means[4] = {0.5, 8, 50, 1500};
  Generator generator(expected.type, true);
  for (int i = 0; i < 4; ++i) {
    const auto draw = [&](curandGenerator_t g, unsigned *out, size_t n) {
      return curandGeneratePoisson(g, out, n, means[i]);
    };
    unsigned hash = 0;
    for (unsigned value : generator.numbers<unsigned>(40000, draw)) hash = hash * 31 + value;
    CHECK_EQ(hash, expected.hashes[i]);
  }
}

// A kernel behind the generator in its stream sees the numbers.
__global__ void sum(const unsigned *values, unsigned long long *total) {
  unsigned long long mine = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) mine += values[i];
  atomicAdd(total, mine);
}

void checkStream() {
  Generator generator(CURAND_RNG_PSEUDO_DEFAULT, false), reference(CURAND_RNG_PSEUDO_XORWOW, true);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CURAND_OK(curandSetStream(generator.handle, stream));
  check::DeviceArray<unsigned> values(count);
  check::DeviceArray<unsigned long long> total(1, 0ull);
  unsigned long long expected = 0;
  for (int round = 0; round < 3; ++round) {
    CURAND_OK(curandGenerate(generator.handle, values.get(), count));
    sum<<<1, 128, 0, stream>>>(values.get(), total.get());
    for (unsigned value : reference.integers(count)) expected += value;
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(total.download()[0], expected);
  CUDA_OK(cudaStreamDestroy(stream));
}

int main() {
  for (bool onHost : {false, true})
    for (const Expected &expected : table) checkOrder(expected, onHost);
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32,
                               CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32}) {
    checkKinds(type);
    checkMoments(type);
  }
  for (const ExpectedPoisson &expected : poissonTable) checkPoisson(expected);
  checkStream();
  return check::finish();
}
