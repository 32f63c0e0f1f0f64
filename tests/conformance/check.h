// Checks for the conformance programs. A program calls the macros below and returns check::finish(): it prints "PASS"
// and exits with 0, or has named every failed check with "FAIL: file:line" and exits with 1.
#ifndef HOSTWARP_CONFORMANCE_CHECK_H
#define HOSTWARP_CONFORMANCE_CHECK_H

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

namespace check {

inline int failures = 0;

// fail() counts one failed check; only the first 20 are printed.
inline void fail(const char *file, int line, const char *what) {
  if (++failures <= 20) printf("FAIL: %s:%d: %s\n", file, line, what);
}

// show() writes `value` into `text` for a message.
template <class T>
void show(char (&text)[64], const T &value) {
  if constexpr (std::is_same_v<T, cudaError_t>) {
    snprintf(text, sizeof text, "%s (%d)", cudaGetErrorName(value), static_cast<int>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    snprintf(text, sizeof text, "%lld", static_cast<long long>(value));
  } else if constexpr (std::is_pointer_v<T>) {
    snprintf(text, sizeof text, "%p", reinterpret_cast<const void *>(value));
  } else {
    snprintf(text, sizeof text, "(a value)");
  }
}

template <class A, class B>
void equal(const A &actual, const B &expected, const char *what, const char *file, int line) {
  if (actual == static_cast<A>(expected)) return;
  char a[64], b[64], message[512];
  show(a, actual);
  show(b, static_cast<A>(expected));
  snprintf(message, sizeof message, "%s is %s, expected %s", what, a, b);
  fail(file, line, message);
}

// must() ends the program when a call that the test depends on has failed.
inline void must(cudaError_t error, const char *what, const char *file, int line) {
  if (error == cudaSuccess) return;
  printf("FAIL: %s:%d: %s gave %s: %s\n", file, line, what, cudaGetErrorName(error), cudaGetErrorString(error));
  exit(1);
}

inline int finish() {
  if (failures == 0) printf("PASS\n");
  if (failures > 20) printf("FAIL: %d failed checks in all\n", failures);
  return failures == 0 ? 0 : 1;
}

// DeviceArray owns device memory for `size` objects.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t size) : size_(size) {
    must(cudaMalloc(&data_, bytes()), "cudaMalloc", __FILE__, __LINE__);
  }
  DeviceArray(size_t size, const T &value) : DeviceArray(std::vector<T>(size, value)) {}
  explicit DeviceArray(const std::vector<T> &values) : DeviceArray(values.size()) { upload(values); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T *get() const { return data_; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }

  void upload(const std::vector<T> &values) {
    must(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice), "upload", __FILE__, __LINE__);
  }
  // download() waits for the kernels before it.
  std::vector<T> download() const {
    std::vector<T> values(size_);
    must(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost), "download", __FILE__, __LINE__);
    return values;
  }

 private:
  T *data_ = nullptr;
  size_t size_;
};

}  // namespace check

#define CHECK(condition) ((condition) ? (void)0 : check::fail(__FILE__, __LINE__, #condition))
#define CHECK_EQ(actual, expected) check::equal((actual), (expected), #actual, __FILE__, __LINE__)
#define CUDA_OK(call) check::must((call), #call, __FILE__, __LINE__)
// LAUNCH_OK() waits for the kernel just launched and demands that it ran without error.
#define LAUNCH_OK()                                                       \
  do {                                                                    \
    check::must(cudaGetLastError(), "kernel launch", __FILE__, __LINE__); \
    check::must(cudaDeviceSynchronize(), "kernel", __FILE__, __LINE__);   \
  } while (0)

#endif
