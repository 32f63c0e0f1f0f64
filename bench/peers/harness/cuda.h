// The host side of a case in CUDA: memory, launches, waiting. hip_cpu.h and opencl.h have the same names.
#ifndef HOSTWARP_BENCH_CUDA_H
#define HOSTWARP_BENCH_CUDA_H

#ifndef BENCH_LAUNCH
#include <cuda_runtime.h>
#define BENCH_LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
// A constant is filled from a vector; where kernels cannot refer to it, it is their last argument.
#define BENCH_CONSTANT(type, symbol, values) \
  bench::check(cudaMemcpyToSymbol(symbol, (values).data(), (values).size() * sizeof(type)))
#define BENCH_CONSTANT_ARGUMENT(symbol)
#define BENCH_WARP 32
#endif

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

inline void finish() {
  check(cudaDeviceSynchronize());
  check(cudaGetLastError());
}

// Buffer is memory of the device, zeroed or filled from the host.
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) {
    void *memory;
    check(cudaMalloc(&memory, count * sizeof(T)));
    data_ = static_cast<T *>(memory);
    clear();
  }
  explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) { assign(values); }
  ~Buffer() { check(cudaFree(data_)); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  operator T *() const { return data_; }
  void clear() { check(cudaMemset(data_, 0, count_ * sizeof(T))); }
  void assign(const std::vector<T> &values) {
    check(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  void assign(const Buffer &other) {
    check(cudaMemcpy(data_, other.data_, count_ * sizeof(T), cudaMemcpyDeviceToDevice));
  }
  [[nodiscard]] std::vector<T> host(size_t count) const {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }
  [[nodiscard]] std::vector<T> host() const { return host(count_); }

 private:
  T *data_;
  size_t count_;
};

}  // namespace bench

#endif  // HOSTWARP_BENCH_CUDA_H
