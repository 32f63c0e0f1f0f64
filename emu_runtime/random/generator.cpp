#include "emu_runtime/random/generator.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <set>
#include <string>
#include <utility>

#include "emu_runtime/random/direction_vectors.h"
#include "fibers/mutex.h"
#include "include/hostwarp/check_abi.h"

using hostwarp::random::Kind;
using hostwarp::random::Request;
using hostwarp::random::Source;

namespace hostwarp::random {
namespace {

// How many sequences the orderings of XORWOW and MRG32k3a interleave.
enum : unsigned { mrgSequences = 81920, legacySequences = 4096 };

curandRngType_t resolved(curandRngType_t type) {
  if (type == CURAND_RNG_PSEUDO_DEFAULT) return CURAND_RNG_PSEUDO_XORWOW;
  return type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32 : type;
}

std::unique_ptr<Source> makeSource(curandRngType_t type) {
  switch (type) {
    case CURAND_RNG_PSEUDO_XORWOW:
      return makeXorwowSource();
    case CURAND_RNG_PSEUDO_MRG32K3A:
      return makeMrgSource();
    case CURAND_RNG_PSEUDO_MTGP32:
      return makeMtgpSource();
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
      return makePhiloxSource();
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
      return makeSobol32Source(type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);
    default:
      return makeSobol64Source(type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64);
  }
}

// isWritable() is whether a generator of the device may write there: memory of a device, or host memory that CUDA
// knows.
bool isWritable(const void *out) {
  cudaPointerAttributes attributes{};
  return cudaPointerGetAttributes(&attributes, out) == cudaSuccess && attributes.type != cudaMemoryTypeUnregistered;
}

}  // namespace

bool isType(curandRngType_t type) {
  constexpr curandRngType_t types[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                       CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                       CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32,
                                       CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64};
  return std::ranges::find(types, resolved(type)) != std::end(types);
}

curandStatus_t refused(const char *what, curandStatus_t status) {
  static Mutex mutex;
  static std::set<std::string> named HOSTWARP_GUARDED_BY(mutex);
  const MutexLock lock(mutex);
  if (named.insert(what).second) std::fprintf(stderr, "hostwarp: cuRAND: %s is not supported\n", what);
  return status;
}

}  // namespace hostwarp::random

struct curandGenerator_st::Task {
  std::shared_ptr<Source> source;
  Request request;
  bool runsOnce = true;

  void run() const {
    if (request.restart) source->restart(*request.restart);
    source->generate(request);
    hw_check_written(request.out, request.count * bytesOf(request.kind));
  }
};

void curandGenerator_st::runTask(void *task) {
  auto *const it = static_cast<Task *>(task);
  it->run();
  if (it->runsOnce) delete it;
}

curandGenerator_st::curandGenerator_st(curandRngType_t type, bool onHost)
    : type_(hostwarp::random::resolved(type)), onHost_(onHost), source_(hostwarp::random::makeSource(type_)) {
  settings_.offset = 0;
  settings_.sequences =
      type_ == CURAND_RNG_PSEUDO_MRG32K3A ? hostwarp::random::mrgSequences : hostwarp::random::legacySequences;
}

curandGenerator_st::~curandGenerator_st() = default;

bool curandGenerator_st::is64Bits() const {
  return type_ == CURAND_RNG_QUASI_SOBOL64 || type_ == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

bool curandGenerator_st::isInterleaved() const {
  return type_ == CURAND_RNG_PSEUDO_XORWOW || type_ == CURAND_RNG_PSEUDO_MRG32K3A;
}

curandStatus_t curandGenerator_st::setSeed(unsigned long long seed) {
  if (isQuasi()) return CURAND_STATUS_TYPE_ERROR;
  settings_.seed = seed;
  changed_ = true;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerator_st::setOffset(unsigned long long offset) {
  if (type_ == CURAND_RNG_PSEUDO_MTGP32) return CURAND_STATUS_TYPE_ERROR;
  settings_.offset = offset;
  changed_ = true;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerator_st::setOrdering(curandOrdering_t ordering) {
  using hostwarp::random::refused;
  if (isQuasi()) return ordering == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
  switch (ordering) {
    case CURAND_ORDERING_PSEUDO_BEST:
    case CURAND_ORDERING_PSEUDO_DEFAULT:
      if (type_ == CURAND_RNG_PSEUDO_MRG32K3A) settings_.sequences = hostwarp::random::mrgSequences;
      break;
    case CURAND_ORDERING_PSEUDO_LEGACY:
      if (type_ == CURAND_RNG_PSEUDO_MTGP32)
        return refused("CURAND_ORDERING_PSEUDO_LEGACY of MTGP32", CURAND_STATUS_OUT_OF_RANGE);
      settings_.sequences = hostwarp::random::legacySequences;
      break;
    case CURAND_ORDERING_PSEUDO_SEEDED:
      if (type_ != CURAND_RNG_PSEUDO_XORWOW) return CURAND_STATUS_OUT_OF_RANGE;
      return refused("CURAND_ORDERING_PSEUDO_SEEDED", CURAND_STATUS_OUT_OF_RANGE);
    case CURAND_ORDERING_PSEUDO_DYNAMIC:
      return refused("CURAND_ORDERING_PSEUDO_DYNAMIC", CURAND_STATUS_OUT_OF_RANGE);
    default:
      return CURAND_STATUS_OUT_OF_RANGE;
  }
  changed_ = true;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerator_st::setDimensions(unsigned dimensions) {
  if (!isQuasi()) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > hostwarp::random::maximumDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  settings_.dimensions = dimensions;
  changed_ = true;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerator_st::check(const Request &request) const {
  const bool isLongLong = request.kind == Kind::LongLong;
  if (isLongLong != is64Bits() && (isLongLong || request.kind == Kind::Integer)) return CURAND_STATUS_TYPE_ERROR;
  const bool isPair = request.kind == Kind::Normal || request.kind == Kind::NormalDouble ||
                      request.kind == Kind::LogNormal || request.kind == Kind::LogNormalDouble;
  if (isInterleaved() && isPair && request.count % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if (isQuasi() && request.count % settings_.dimensions) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerator_st::generate(Request request) {
  if (const curandStatus_t status = check(request); status != CURAND_STATUS_SUCCESS) return status;
  return submit(std::move(request));
}

curandStatus_t curandGenerator_st::applySettings() { return submit(Request{Kind::Uniform, nullptr, 0}); }

curandStatus_t curandGenerator_st::generatePoisson(unsigned *out, size_t count, double mean) {
  if (!(mean > 0 && mean <= 400000)) return CURAND_STATUS_OUT_OF_RANGE;
  Request request{Kind::Poisson, out, count, mean};
  // cuRAND draws the line above for generators that invert 32 bits, below for the others.
  const bool inverts32 = (isQuasi() && !is64Bits()) || type_ == CURAND_RNG_PSEUDO_MTGP32;
  if (mean < hostwarp::random::largeMean || (inverts32 && mean == hostwarp::random::largeMean)) {
    if (histogramMean_ != mean) histogram_ = std::make_shared<hostwarp::random::PoissonHistogram>(mean);
    histogramMean_ = mean;
    request.histogram = histogram_;
  }
  return generate(std::move(request));
}

curandStatus_t curandGenerator_st::submit(Request request) {
  if (request.count > 0 && !onHost_ && !hostwarp::random::isWritable(request.out)) {
    std::fprintf(stderr, "hostwarp: cuRAND: %p is no memory that a device can write to\n", request.out);
    return CURAND_STATUS_LAUNCH_FAILURE;
  }
  if (changed_) {
    request.restart = settings_;
    settings_.offset.reset();
    changed_ = false;
  }
  auto task = std::make_unique<Task>(Task{source_, std::move(request)});
  if (onHost_) {
    task->run();
    return CURAND_STATUS_SUCCESS;
  }
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(stream_, &capture) != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
  task->runsOnce = capture == cudaStreamCaptureStatusNone;
  if (cudaLaunchHostFunc(stream_, runTask, task.get()) != cudaSuccess) return CURAND_STATUS_LAUNCH_FAILURE;
  if (task->runsOnce)
    (void)task.release();  // runTask() deletes it
  else
    captured_.push_back(std::move(task));
  return CURAND_STATUS_SUCCESS;
}
