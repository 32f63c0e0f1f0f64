// Compiling device code while a test runs, and checks for the driver API and NVRTC.
#ifndef HOSTWARP_CONFORMANCE_JIT_H
#define HOSTWARP_CONFORMANCE_JIT_H

#include <cuda.h>
#include <nvrtc.h>

#include <string>
#include <utility>
#include <vector>

#include "check.h"

// CU() and RTC() end the program when a call that the test depends on has failed.
#define CU(...) jit::must((__VA_ARGS__), CUDA_SUCCESS, #__VA_ARGS__, __FILE__, __LINE__)
#define RTC(...) jit::must((__VA_ARGS__), NVRTC_SUCCESS, #__VA_ARGS__, __FILE__, __LINE__)

namespace jit {

template <class Result>
void must(Result result, Result success, const char *what, const char *file, int line) {
  if (result == success) return;
  printf("FAIL: %s:%d: %s gave %d\n", file, line, what, static_cast<int>(result));
  exit(1);
}

// architecture() is "--gpu-architecture=sm_90" for the first device.
inline std::string architecture() {
  int major = 0, minor = 0;
  CU(cuInit(0));
  CU(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  CU(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
  return "--gpu-architecture=sm_" + std::to_string(10 * major + minor);
}

inline nvrtcProgram compiled(const char *source, std::vector<const char *> options = {}) {
  nvrtcProgram program = nullptr;
  RTC(nvrtcCreateProgram(&program, source, "test.cu", 0, nullptr, nullptr));
  const std::string wanted = architecture();
  options.push_back(wanted.c_str());
  if (nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data()) == NVRTC_SUCCESS) return program;
  size_t bytes = 0;
  RTC(nvrtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, ' ');
  RTC(nvrtcGetProgramLog(program, &log[0]));
  printf("FAIL: the device code does not compile:\n%s\n", log.c_str());
  exit(1);
}

inline std::string ptxOf(nvrtcProgram program) {
  size_t bytes = 0;
  RTC(nvrtcGetPTXSize(program, &bytes));
  std::string text(bytes, ' ');
  RTC(nvrtcGetPTX(program, &text[0]));
  return text.c_str();  // a string, as programs treat it
}

inline std::vector<char> cubinOf(nvrtcProgram program) {
  size_t bytes = 0;
  RTC(nvrtcGetCUBINSize(program, &bytes));
  std::vector<char> cubin(bytes);
  RTC(nvrtcGetCUBIN(program, cubin.data()));
  return cubin;
}

inline std::string ptx(const char *source, std::vector<const char *> options = {}) {
  nvrtcProgram program = compiled(source, std::move(options));
  const std::string text = ptxOf(program);
  RTC(nvrtcDestroyProgram(&program));
  return text;
}

// Context is a context of the test's own, current while it lives.
class Context {
 public:
  Context() {
    CU(cuInit(0));
    CUdevice device = 0;
    CU(cuDeviceGet(&device, 0));
    CU(cuDevicePrimaryCtxRetain(&context_, device));
    CU(cuCtxSetCurrent(context_));
  }
  ~Context() { cuDevicePrimaryCtxRelease(0); }

 private:
  CUcontext context_ = nullptr;
};

}  // namespace jit

#endif  // HOSTWARP_CONFORMANCE_JIT_H
