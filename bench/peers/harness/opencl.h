// The host side of a case in OpenCL, by the names of cuda.h, on the first device (PoCL's is the processor).
#ifndef HOSTWARP_BENCH_OPENCL_H
#define HOSTWARP_BENCH_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

struct dim3 {
  size_t x, y;
  explicit dim3(size_t x, size_t y = 1) : x(x), y(y) {}
};

namespace bench {

inline void check(cl_int status) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "OpenCL error %d\n", status);
  std::exit(1);
}

// OpenCl is the device with the program of BENCH_KERNELS, the path of a file in OpenCL C.
class OpenCl {
 public:
  static OpenCl &get() {
    static OpenCl one;
    return one;
  }
  cl_context context;
  cl_command_queue queue;
  cl_program program;

 private:
  OpenCl() {
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, nullptr));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    build(device);
  }
  void build(cl_device_id device) {
    std::ifstream file(BENCH_KERNELS);
    const std::string source(std::istreambuf_iterator<char>(file), {});
    const char *text = source.c_str();
    cl_int status;
    program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    check(status);
    if (clBuildProgram(program, 1, &device, "", nullptr, nullptr) == CL_SUCCESS) return;
    std::vector<char> log(1 << 16);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    std::fprintf(stderr, "%s: %s\n", BENCH_KERNELS, log.data());
    std::exit(1);
  }
};

inline void finish() { check(clFinish(OpenCl::get().queue)); }

// Buffer is memory of the device, zeroed or filled from the host.
template <class T>
class Buffer {
 public:
  explicit Buffer(size_t count) : count_(count) {
    cl_int status;
    memory_ = clCreateBuffer(OpenCl::get().context, CL_MEM_READ_WRITE, count * sizeof(T), nullptr, &status);
    check(status);
    clear();
  }
  explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) { assign(values); }
  ~Buffer() { clReleaseMemObject(memory_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  operator cl_mem() const { return memory_; }
  void clear() {
    const T zero{};
    const size_t bytes = count_ * sizeof(T);
    check(clEnqueueFillBuffer(OpenCl::get().queue, memory_, &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr));
  }
  void assign(const std::vector<T> &values) {
    const size_t bytes = values.size() * sizeof(T);
    check(clEnqueueWriteBuffer(OpenCl::get().queue, memory_, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr));
  }
  void assign(const Buffer &other) {
    const size_t bytes = count_ * sizeof(T);
    check(clEnqueueCopyBuffer(OpenCl::get().queue, other.memory_, memory_, 0, 0, bytes, 0, nullptr, nullptr));
  }
  [[nodiscard]] std::vector<T> host(size_t count) const {
    std::vector<T> values(count);
    const size_t bytes = count * sizeof(T);
    check(clEnqueueReadBuffer(OpenCl::get().queue, memory_, CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr));
    return values;
  }
  [[nodiscard]] std::vector<T> host() const { return host(count_); }

 private:
  cl_mem memory_;
  size_t count_;
};

inline void setArgument(cl_kernel kernel, cl_uint index, cl_mem memory) {
  check(clSetKernelArg(kernel, index, sizeof memory, &memory));
}
template <class T>
void setArgument(cl_kernel kernel, cl_uint index, const T &value) {
  if constexpr (std::is_convertible_v<T, cl_mem>)
    setArgument(kernel, index, cl_mem(value));
  else
    check(clSetKernelArg(kernel, index, sizeof value, &value));
}

// launch() puts one kernel into the queue. Each place that launches keeps its kernel.
template <class... Arguments>
void launch(cl_kernel kernel, dim3 blocks, dim3 threads, const Arguments &...arguments) {
  cl_uint index = 0;
  (setArgument(kernel, index++, arguments), ...);
  const size_t all[] = {blocks.x * threads.x, blocks.y * threads.y}, block[] = {threads.x, threads.y};
  check(clEnqueueNDRangeKernel(OpenCl::get().queue, kernel, 2, nullptr, all, block, 0, nullptr, nullptr));
}

inline cl_kernel kernelOf(const char *name) {
  cl_int status;
  cl_kernel kernel = clCreateKernel(OpenCl::get().program, name, &status);
  check(status);
  return kernel;
}

}  // namespace bench

#define BENCH_LAUNCH(name, blocks, threads, ...)            \
  do {                                                      \
    static const cl_kernel kernel = bench::kernelOf(#name); \
    bench::launch(kernel, blocks, threads, __VA_ARGS__);    \
  } while (0)

#define BENCH_CONSTANT(type, symbol, values) const bench::Buffer<type> symbol(values)
#define BENCH_CONSTANT_ARGUMENT(symbol) , symbol
#define BENCH_WARP 32

#endif  // HOSTWARP_BENCH_OPENCL_H
