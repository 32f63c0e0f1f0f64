// kernels.cu written for OpenCL, run on the first CPU device (PoCL).
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdlib>

#include "timing.h"

static const char *source = R"(
kernel void empty_kernel() {}
kernel void barriers(int rounds) { for (int i = 0; i < rounds; ++i) barrier(CLK_LOCAL_MEM_FENCE); }
kernel void saxpy(int n, float a, global const float *x, global float *y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
kernel void matmul(global const float *a, global const float *b, global float *c, int n) {
  local float as[16][16], bs[16][16];
  int tx = get_local_id(0), ty = get_local_id(1), row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    as[ty][tx] = a[row * n + k + tx];
    bs[ty][tx] = b[(k + ty) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; ++i) sum += as[ty][i] * bs[i][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
})";

static void check(cl_int status) {
  if (status == CL_SUCCESS) return;
  std::printf("OpenCL error %d\n", status);
  std::exit(1);
}

struct Machine {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  Machine() {
    cl_platform_id platform;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, nullptr));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr));
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status);
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status);
    program = clCreateProgramWithSource(context, 1, &source, nullptr, &status);
    check(status);
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  }
  cl_kernel kernel(const char *name) { return clCreateKernel(program, name, nullptr); }
  cl_mem buffer(std::vector<float> &data) {
    return clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, data.size() * 4, data.data(), nullptr);
  }
  void enqueue(cl_kernel kernel, int dimensions, const size_t *global, const size_t *local) {
    check(clEnqueueNDRangeKernel(queue, kernel, dimensions, nullptr, global, local, 0, nullptr, nullptr));
  }
  void run(cl_kernel kernel, int dimensions, const size_t *global, const size_t *local) {
    enqueue(kernel, dimensions, global, local);
    clFinish(queue);
  }
};

static void benchLaunches(Machine &machine) {
  cl_kernel empty = machine.kernel("empty_kernel"), barriers = machine.kernel("barriers");
  const size_t one[] = {1}, block[] = {256}, many[] = {65536 * 256}, sixteen[] = {16 * 256};
  bench::report("launch_and_synchronize", bench::seconds([&] { machine.run(empty, 1, one, one); }, 101) * 1e6, "us");
  double queued = bench::seconds([&] {
    for (int i = 0; i < 1000; ++i) machine.enqueue(empty, 1, one, one);
    clFinish(machine.queue);
  });
  bench::report("launch_queued", queued / 1000 * 1e6, "us");
  double threads = bench::seconds([&] { machine.run(empty, 1, many, block); });
  bench::report("empty_threads", 65536.0 * 256 / threads / 1e6, "M/s");
  int rounds = 1000;
  clSetKernelArg(barriers, 0, sizeof rounds, &rounds);
  double barrier = bench::seconds([&] { machine.run(barriers, 1, sixteen, block); });
  bench::report("barrier_per_thread", barrier / (16 * 256 * 1000.0) * 1e9, "ns");
}

static void benchSaxpy(Machine &machine) {
  int n = 64 << 20;
  float a = 2.0f;
  std::vector<float> x(n, 1.0f), y(n, 0.0f);
  cl_mem bx = machine.buffer(x), by = machine.buffer(y);
  cl_kernel saxpy = machine.kernel("saxpy");
  clSetKernelArg(saxpy, 0, sizeof n, &n);
  clSetKernelArg(saxpy, 1, sizeof a, &a);
  clSetKernelArg(saxpy, 2, sizeof bx, &bx);
  clSetKernelArg(saxpy, 3, sizeof by, &by);
  const size_t global[] = {size_t(n)}, local[] = {256};
  bench::report("saxpy_64M", bench::seconds([&] { machine.run(saxpy, 1, global, local); }) * 1e3, "ms");
}

static void benchMatmul(Machine &machine) {
  int n = 1024;
  std::vector<float> a(n * n, 1.0f), b(n * n, 0.5f), c(n * n);
  cl_mem buffers[] = {machine.buffer(a), machine.buffer(b), machine.buffer(c)};
  cl_kernel matmul = machine.kernel("matmul");
  for (int i = 0; i < 3; ++i) clSetKernelArg(matmul, i, sizeof buffers[i], &buffers[i]);
  clSetKernelArg(matmul, 3, sizeof n, &n);
  const size_t global[] = {1024, 1024}, local[] = {16, 16};
  bench::report("matmul_1024_tiled", bench::seconds([&] { machine.run(matmul, 2, global, local); }) * 1e3, "ms");
}

int main() {
  Machine machine;
  benchLaunches(machine);
  benchSaxpy(machine);
  benchMatmul(machine);
}
