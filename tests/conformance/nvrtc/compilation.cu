// options: -lcuda -lnvrtc
// NVRTC: versions, programs that compile and that do not, what comes out, errors of misuse.
#include <cstring>

#include "../jit.h"

static std::string logOf(nvrtcProgram program) {
  size_t bytes = 0;
  RTC(nvrtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, ' ');
  RTC(nvrtcGetProgramLog(program, &log[0]));
  return log.c_str();
}

static void wrongSource() {
  nvrtcProgram program = nullptr;
  RTC(nvrtcCreateProgram(&program, "\n__global__ void k() {\n  unknown = 1;\n}\n", "mistake.cu", 0, nullptr, nullptr));
  CHECK_EQ(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
  const std::string log = logOf(program);
  CHECK(log.find("mistake.cu") != std::string::npos);
  CHECK(log.find("unknown") != std::string::npos);
  CHECK(log.find('3') != std::string::npos);  // the line
  RTC(nvrtcDestroyProgram(&program));
  CHECK(program == nullptr);
}

static void unclosed() {
  nvrtcProgram program = nullptr;
  RTC(nvrtcCreateProgram(&program, "__global__ void k( { }", "unclosed.cu", 0, nullptr, nullptr));
  CHECK_EQ(nvrtcCompileProgram(program, 0, nullptr), NVRTC_ERROR_COMPILATION);
  CHECK(logOf(program).find("unclosed.cu") != std::string::npos);
  RTC(nvrtcDestroyProgram(&program));
}

static void misuse() {
  nvrtcProgram program = nullptr;
  CHECK_EQ(nvrtcCreateProgram(nullptr, "", nullptr, 0, nullptr, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_EQ(nvrtcDestroyProgram(&program), NVRTC_ERROR_INVALID_PROGRAM);
  RTC(nvrtcCreateProgram(&program, "__global__ void k() {}", nullptr, 0, nullptr, nullptr));
  const char *options[] = {"--no-such-option"};
  CHECK_EQ(nvrtcCompileProgram(program, 1, options), NVRTC_ERROR_INVALID_OPTION);
  const char *dialect[] = {"--std=c++99"};
  CHECK_EQ(nvrtcCompileProgram(program, 1, dialect), NVRTC_ERROR_INVALID_OPTION);
  const char *name = nullptr;
  CHECK_EQ(nvrtcGetLoweredName(program, "k", &name), NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  RTC(nvrtcDestroyProgram(&program));
  CHECK(strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION") == 0);
}

int main() {
  int major = 0, minor = -1, count = 0;
  RTC(nvrtcVersion(&major, &minor));
  CHECK(major >= 13 && minor >= 0);
  RTC(nvrtcGetNumSupportedArchs(&count));
  std::vector<int> architectures(count);
  RTC(nvrtcGetSupportedArchs(architectures.data()));
  bool has90 = false;
  for (int architecture : architectures) has90 = has90 || architecture == 90;
  CHECK(has90);

  nvrtcProgram program = jit::compiled("extern \"C\" __global__ void k(int *p) { *p = 1; }");
  const std::string ptx = jit::ptxOf(program);
  CHECK(ptx.find(".version") != std::string::npos);
  CHECK(ptx.find(".target sm_") != std::string::npos);
  CHECK(!jit::cubinOf(program).empty());
  RTC(nvrtcDestroyProgram(&program));

  // A virtual architecture gives PTX and no cubin.
  RTC(nvrtcCreateProgram(&program, "__global__ void k() {}", "v.cu", 0, nullptr, nullptr));
  const char *options[] = {"-arch=compute_90"};
  RTC(nvrtcCompileProgram(program, 1, options));
  size_t bytes = 1;
  RTC(nvrtcGetCUBINSize(program, &bytes));
  CHECK_EQ(bytes, 0u);
  RTC(nvrtcDestroyProgram(&program));
  wrongSource();
  unclosed();
  misuse();
  return check::finish();
}
