// A library that is preloaded: the time of day tells how often the program has looked at it.
#include <dlfcn.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>

namespace {

constexpr uint64_t second = 1000000;             // of microseconds
constexpr uint64_t epoch = 1000000000 * second;  // as fibers/thread_abi.cpp has it

uint64_t counted = 0;  // microseconds

// How the names of CUDA's libraries begin.
constexpr const char *stems[] = {"libcuda", "libcurand", "libhostwarp", "libnv"};

// real() is what the C library has by that name.
template <typename Function>
Function *real(const char *name) {
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name));
}

// isCudas(): the caller is a library of CUDA's, or hwcc, which programs start and whose caches go by the time of day.
bool isCudas(const void *caller) {
  if (strncmp(program_invocation_short_name, "hwcc", 4) == 0) return true;
  Dl_info info;
  if (dladdr(caller, &info) == 0 || info.dli_fname == nullptr) return false;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *name = slash != nullptr ? slash + 1 : info.dli_fname;
  for (const char *stem : stems)
    if (strncmp(name, stem, strlen(stem)) == 0) return true;
  return false;
}

uint64_t look() { return __atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED); }
void pass(uint64_t microseconds) { __atomic_add_fetch(&counted, microseconds, __ATOMIC_RELAXED); }

uint64_t microsecondsOf(const timespec &time) {
  return static_cast<uint64_t>(time.tv_sec) * second + static_cast<uint64_t>(time.tv_nsec) / 1000;
}

timespec now() {
  const uint64_t time = epoch + look();
  return {static_cast<time_t>(time / second), static_cast<long>(time % second * 1000)};
}

bool isOfDay(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE; }

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int clock_gettime(clockid_t clock, timespec *time) noexcept {
  static const auto next = real<int(clockid_t, timespec *)>("clock_gettime");
  if (!isOfDay(clock) || isCudas(__builtin_return_address(0))) return next(clock, time);
  *time = now();
  return 0;
}

int gettimeofday(timeval *time, void *zone) noexcept {
  static const auto next = real<int(timeval *, void *)>("gettimeofday");
  if (isCudas(__builtin_return_address(0))) return next(time, zone);
  const timespec told = now();
  timeval *volatile place = time;  // null, for all that the header says
  if (place != nullptr) *place = {told.tv_sec, told.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *place) noexcept {
  static const auto next = real<time_t(time_t *)>("time");
  if (isCudas(__builtin_return_address(0))) return next(place);
  const time_t told = now().tv_sec;
  if (place != nullptr) *place = told;
  return told;
}

int timespec_get(timespec *time, int base) noexcept {
  static const auto next = real<int(timespec *, int)>("timespec_get");
  if (base != TIME_UTC || isCudas(__builtin_return_address(0))) return next(time, base);
  *time = now();
  return base;
}

clock_t clock() noexcept {
  static const auto next = real<clock_t()>("clock");
  return isCudas(__builtin_return_address(0)) ? next() : static_cast<clock_t>(look());
}

// Sleeping takes as long as it does; the time goes on by what was asked for.
int clock_nanosleep(clockid_t clock, int flags, const timespec *length, timespec *rest) {
  static const auto next = real<int(clockid_t, int, const timespec *, timespec *)>("clock_nanosleep");
  if (flags != TIMER_ABSTIME) {
    if (length != nullptr) pass(microsecondsOf(*length));
    return next(clock, flags, length, rest);
  }
  if (!isOfDay(clock) || length == nullptr) return next(clock, flags, length, rest);
  // Until a time of day that is counted: the difference is slept, and then is over.
  const uint64_t until = microsecondsOf(*length), begin = epoch + look();
  if (until <= begin) return 0;
  const uint64_t left = until - begin;
  const timespec difference{static_cast<time_t>(left / second), static_cast<long>(left % second * 1000)};
  pass(left);
  return next(CLOCK_MONOTONIC, 0, &difference, nullptr);
}

int nanosleep(const timespec *length, timespec *rest) {
  static const auto next = real<int(const timespec *, timespec *)>("nanosleep");
  if (length != nullptr) pass(microsecondsOf(*length));
  return next(length, rest);
}

int usleep(useconds_t microseconds) {
  static const auto next = real<int(useconds_t)>("usleep");
  pass(microseconds);
  return next(microseconds);
}

unsigned sleep(unsigned seconds) {
  static const auto next = real<unsigned(unsigned)>("sleep");
  pass(seconds * second);
  return next(seconds);
}

}  // extern "C"
#pragma GCC visibility pop
