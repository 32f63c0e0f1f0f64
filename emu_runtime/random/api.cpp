// libcurand.so.10: cuRAND's host API [cuRAND library].
#pragma GCC visibility push(default)
#include <curand.h>
#pragma GCC visibility pop
#include <curand_discrete.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "emu_runtime/random/direction_vectors.h"
#include "emu_runtime/random/generator.h"

using hostwarp::random::Kind;
using hostwarp::random::PoissonHistogram;
using hostwarp::random::refused;
using hostwarp::random::Request;

// Where kernels run on a real GPU, its memory is not ours to write.
extern "C" int __hostwarp_runs_on_gpu();

namespace {

// guarded() is the edge of the library: no exception passes.
template <class Function>
curandStatus_t guarded(Function function) {
  try {
    return function();
  } catch (const std::bad_alloc &) {
    return CURAND_STATUS_ALLOCATION_FAILED;
  } catch (...) {
    return CURAND_STATUS_INTERNAL_ERROR;
  }
}

template <class Function>
curandStatus_t with(curandGenerator_t generator, Function function) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  return guarded([&] { return function(*generator); });
}

curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool onHost) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  *generator = nullptr;
  if (type == CURAND_RNG_PSEUDO_MT19937) return refused("CURAND_RNG_PSEUDO_MT19937", CURAND_STATUS_TYPE_ERROR);
  if (!hostwarp::random::isType(type)) return CURAND_STATUS_TYPE_ERROR;
  if (!onHost && __hostwarp_runs_on_gpu())
    return refused("curandCreateGenerator() for a real GPU", CURAND_STATUS_INITIALIZATION_FAILED);
  return guarded([&] {
    *generator = new curandGenerator_st(type, onHost);
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t generate(curandGenerator_t generator, Kind kind, void *out, size_t count, double mean = 0,
                        double deviation = 1) {
  return with(generator,
              [&](curandGenerator_st &it) { return it.generate(Request{kind, out, count, mean, deviation}); });
}

// PoissonDistribution is all that a discrete distribution points to, in one piece of memory that kernels read.
struct PoissonDistribution {
  curandDiscreteDistribution_st distribution;
  curandDistributionM2Shift_st shifted;
  curandHistogramM2_st histogram;

  // make() needs memory for the histogram's columns right behind.
  static curandStatus_t make(double mean, const PoissonHistogram *histogram, curandDiscreteDistribution_t *result) {
    const size_t columns = histogram ? histogram->limits.size() : 0;
    void *memory = nullptr;
    if (cudaMallocManaged(&memory, sizeof(PoissonDistribution) + columns * (sizeof(double) + sizeof(unsigned))) !=
        cudaSuccess)
      return CURAND_STATUS_ALLOCATION_FAILED;
    auto *const made = new (memory) PoissonDistribution{};
    made->distribution.self_host_ptr = &made->distribution;
    made->distribution.mean = mean;
    made->distribution.stddev = std::sqrt(mean);
    made->distribution.method = histogram ? CURAND_M2 : CURAND_DISCRETE_GAUSS;
    if (histogram) made->fill(*histogram);
    *result = &made->distribution;
    return CURAND_STATUS_SUCCESS;
  }

 private:
  void fill(const PoissonHistogram &from) {
    auto *const limits = reinterpret_cast<double *>(this + 1);
    auto *const others = reinterpret_cast<unsigned *>(limits + from.limits.size());
    std::ranges::copy(from.limits, limits);
    std::ranges::copy(from.others, others);
    histogram.V = histogram.host_V = limits;
    histogram.K = histogram.host_K = others;
    shifted.histogram = shifted.host_histogram = &histogram;
    shifted.shift = from.shift;
    shifted.length = from.length();
    distribution.M2 = distribution.host_M2 = &shifted;
  }
};

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
  // The context must be there, as with any call that will use the device.
  if (cudaFree(nullptr) != cudaSuccess) return CURAND_STATUS_INITIALIZATION_FAILED;
  return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
  return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (!generator) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetVersion(int *version) {
  if (!version) return CURAND_STATUS_OUT_OF_RANGE;
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
  constexpr int values[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
  if (!value || type < MAJOR_VERSION || type > PATCH_LEVEL) return CURAND_STATUS_OUT_OF_RANGE;
  *value = values[type];
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  return with(generator, [&](curandGenerator_st &it) {
    it.setStream(stream);
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  return with(generator, [&](curandGenerator_st &it) { return it.setSeed(seed); });
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  return with(generator, [&](curandGenerator_st &it) { return it.setOffset(offset); });
}

curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  return with(generator, [&](curandGenerator_st &it) { return it.setOrdering(order); });
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions) {
  return with(generator, [&](curandGenerator_st &it) { return it.setDimensions(dimensions); });
}

// Programs call this before they capture a stream, so that the captured work goes on instead of beginning anew.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return with(generator, [](curandGenerator_st &it) { return it.applySettings(); });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count) {
  return generate(generator, Kind::Integer, out, count);
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *out, size_t count) {
  return generate(generator, Kind::LongLong, out, count);
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count) {
  return generate(generator, Kind::Uniform, out, count);
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count) {
  return generate(generator, Kind::UniformDouble, out, count);
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t n, float mean, float stddev) {
  return generate(generator, Kind::Normal, out, n, mean, stddev);
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t n, double mean,
                                          double stddev) {
  return generate(generator, Kind::NormalDouble, out, n, mean, stddev);
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *out, size_t n, float mean, float stddev) {
  return generate(generator, Kind::LogNormal, out, n, mean, stddev);
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *out, size_t n, double mean,
                                             double stddev) {
  return generate(generator, Kind::LogNormalDouble, out, n, mean, stddev);
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned *out, size_t n, double lambda) {
  return with(generator, [&](curandGenerator_st &it) { return it.generatePoisson(out, n, lambda); });
}

curandStatus_t curandGeneratePoissonMethod(curandGenerator_t, unsigned *, size_t, double, curandMethod_t) {
  return refused("curandGeneratePoissonMethod", CURAND_STATUS_INTERNAL_ERROR);
}

curandStatus_t curandGenerateBinomial(curandGenerator_t, unsigned *, size_t, unsigned, double) {
  return refused("curandGenerateBinomial", CURAND_STATUS_INTERNAL_ERROR);
}

curandStatus_t curandGenerateBinomialMethod(curandGenerator_t, unsigned *, size_t, unsigned, double, curandMethod_t) {
  return refused("curandGenerateBinomialMethod", CURAND_STATUS_INTERNAL_ERROR);
}

curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *distribution) {
  if (!distribution || !(lambda > 0 && lambda <= 400000)) return CURAND_STATUS_OUT_OF_RANGE;
  return guarded([&] {
    if (lambda >= hostwarp::random::largeMean) return PoissonDistribution::make(lambda, nullptr, distribution);
    const PoissonHistogram histogram(lambda);
    return PoissonDistribution::make(lambda, &histogram, distribution);
  });
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  if (!distribution) return CURAND_STATUS_NOT_INITIALIZED;
  return cudaFree(distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_PREEXISTING_FAILURE;
}

curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  return guarded([&] {
    *vectors = set == CURAND_DIRECTION_VECTORS_32_JOEKUO6 ? hostwarp::random::directionVectors32()
                                                          : hostwarp::random::scrambledDirectionVectors32();
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_64_JOEKUO6 && set != CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6)
    return CURAND_STATUS_OUT_OF_RANGE;
  return guarded([&] {
    *vectors = set == CURAND_DIRECTION_VECTORS_64_JOEKUO6 ? hostwarp::random::directionVectors64()
                                                          : hostwarp::random::scrambledDirectionVectors64();
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandGetScrambleConstants32(unsigned **constants) {
  return guarded([&] {
    *constants = hostwarp::random::scrambleConstants32();
    return CURAND_STATUS_SUCCESS;
  });
}

curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  return guarded([&] {
    *constants = hostwarp::random::scrambleConstants64();
    return CURAND_STATUS_SUCCESS;
  });
}
