// What cuRAND's host API refuses, and by which status.
// options: -lcurand
#include <curand.h>

#include "../check.h"

curandGenerator_t created(curandRngType_t type) {
  curandGenerator_t generator = nullptr;
  CHECK_EQ(curandCreateGeneratorHost(&generator, type), CURAND_STATUS_SUCCESS);
  return generator;
}

void checkPseudo() {
  float floats[8];
  unsigned integers[8];
  unsigned long long longs[8];
  const curandGenerator_t generator = created(CURAND_RNG_PSEUDO_XORWOW);
  CHECK_EQ(curandGenerateNormal(generator, floats, 7, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(curandGenerateLogNormal(generator, floats, 7, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(curandGenerateUniform(generator, floats, 7), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGenerateLongLong(generator, longs, 8), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandSetQuasiRandomGeneratorDimensions(generator, 2), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_LEGACY), CURAND_STATUS_SUCCESS);
  for (double mean : {-1.0, 0.0, 1e9})
    CHECK_EQ(curandGeneratePoisson(generator, integers, 8, mean), CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);

  const curandGenerator_t philox = created(CURAND_RNG_PSEUDO_PHILOX4_32_10);
  CHECK_EQ(curandGenerateNormal(philox, floats, 7, 0, 1), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandDestroyGenerator(philox), CURAND_STATUS_SUCCESS);
}

void checkQuasi() {
  float floats[8];
  unsigned integers[8];
  const curandGenerator_t generator = created(CURAND_RNG_QUASI_SOBOL32);
  CHECK_EQ(curandSetPseudoRandomGeneratorSeed(generator, 3), CURAND_STATUS_TYPE_ERROR);
  for (unsigned dimensions : {0u, 20001u})
    CHECK_EQ(curandSetQuasiRandomGeneratorDimensions(generator, dimensions), CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandSetQuasiRandomGeneratorDimensions(generator, 3), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandGenerateUniform(generator, floats, 7), CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK_EQ(curandGenerateUniform(generator, floats, 6), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_PSEUDO_DEFAULT), CURAND_STATUS_OUT_OF_RANGE);
  CHECK_EQ(curandSetGeneratorOrdering(generator, CURAND_ORDERING_QUASI_DEFAULT), CURAND_STATUS_SUCCESS);
  CHECK_EQ(curandDestroyGenerator(generator), CURAND_STATUS_SUCCESS);

  const curandGenerator_t wide = created(CURAND_RNG_QUASI_SOBOL64);
  CHECK_EQ(curandGenerate(wide, integers, 8), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandDestroyGenerator(wide), CURAND_STATUS_SUCCESS);
}

int main() {
  curandGenerator_t generator = nullptr;
  float value;
  CHECK_EQ(curandCreateGeneratorHost(&generator, curandRngType_t(7)), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandCreateGenerator(&generator, curandRngType_t(7)), CURAND_STATUS_TYPE_ERROR);
  CHECK_EQ(curandGenerateUniform(nullptr, &value, 1), CURAND_STATUS_NOT_INITIALIZED);
  CHECK_EQ(curandDestroyGenerator(nullptr), CURAND_STATUS_NOT_INITIALIZED);
  curandDirectionVectors32_t *vectors;
  CHECK_EQ(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_64_JOEKUO6), CURAND_STATUS_OUT_OF_RANGE);
  int version = 0, major = 0;
  CHECK_EQ(curandGetVersion(&version), CURAND_STATUS_SUCCESS);
  CHECK_EQ(version / 1000, 10);
  CHECK_EQ(curandGetProperty(MAJOR_VERSION, &major), CURAND_STATUS_SUCCESS);
  CHECK_EQ(major, 10);
  checkPseudo();
  checkQuasi();
  return check::finish();
}
