// NVRTC's functions.
// What the header declares is what the library exports.
#pragma GCC visibility push(default)
#include <nvrtc.h>
#pragma GCC visibility pop

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "compiler/driver/image_text.h"
#include "compiler/nvrtc/cache.h"
#include "compiler/nvrtc/compilation.h"

using hostwarp::nvrtc::Outcome;
using hostwarp::nvrtc::Product;
using hostwarp::nvrtc::Request;

struct _nvrtcProgram {
  Request request;
  Product product;
  std::string ptx;
  int (*flow)(void *, void *) = nullptr;  // asked whether to go on
  void *flowPayload = nullptr;
  bool compiled = false;  // nvrtcCompileProgram() has been called
  bool succeeded = false;
};

namespace {

nvrtcResult compileProgram(_nvrtcProgram &program, const std::vector<std::string> &words) {
  program.product = {};
  program.ptx.clear();
  program.succeeded = false;
  auto options = hostwarp::nvrtc::parseOptions(words);
  if (!options.ok()) {
    program.product.log = "nvrtc: error: " + options.message() + "\n";
    return NVRTC_ERROR_INVALID_OPTION;
  }
  program.request.options = *options;
  program.compiled = true;
  if (program.flow && program.flow(program.flowPayload, nullptr)) return NVRTC_ERROR_CANCELLED;
  if (!findCached(program.request, program.product)) {
    switch (compile(program.request, program.product)) {
      case Outcome::Compiled:
        break;
      case Outcome::SourceWrong:
        return NVRTC_ERROR_COMPILATION;
      case Outcome::NameWrong:
        return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
      case Outcome::Broken:
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    keepCached(program.request, program.product);
  }
  program.ptx = hostwarp::driver::imageText(program.request.options.target, program.product.image);
  program.succeeded = true;
  return NVRTC_SUCCESS;
}

// guarded() keeps exceptions from leaving through C.
template <typename Body>
nvrtcResult guarded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return NVRTC_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return NVRTC_ERROR_INTERNAL_ERROR;
  }
}

// What a program has compiled to; null before that, or when it failed.
const _nvrtcProgram *finished(nvrtcProgram program) { return program && program->succeeded ? program : nullptr; }

// A cubin is there for real architectures only.
bool hasCubin(const _nvrtcProgram &program) { return program.request.options.realTarget; }

nvrtcResult noSuchProduct(nvrtcProgram program, size_t *size) {
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  *size = 0;
  return program->succeeded ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

constexpr const char *resultNames[] = {"NVRTC_SUCCESS",
                                       "NVRTC_ERROR_OUT_OF_MEMORY",
                                       "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                       "NVRTC_ERROR_INVALID_INPUT",
                                       "NVRTC_ERROR_INVALID_PROGRAM",
                                       "NVRTC_ERROR_INVALID_OPTION",
                                       "NVRTC_ERROR_COMPILATION",
                                       "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                       "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                       "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                       "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                       "NVRTC_ERROR_INTERNAL_ERROR",
                                       "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                       "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                       "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                       "NVRTC_ERROR_PCH_CREATE",
                                       "NVRTC_ERROR_CANCELLED",
                                       "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};

}  // namespace

const char *nvrtcGetErrorString(nvrtcResult result) {
  const auto index = static_cast<size_t>(result);
  return index < std::size(resultNames) ? resultNames[index] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (!major || !minor) return NVRTC_ERROR_INVALID_INPUT;
  *major = 13;
  *minor = 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs) {
  if (!numArchs) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    *numArchs = static_cast<int>(hostwarp::driver::listedArchitectures().size());
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs) {
  if (!supportedArchs) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    std::ranges::copy(hostwarp::driver::listedArchitectures(), supportedArchs);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders,
                               const char *const *headers, const char *const *includeNames) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!src || numHeaders < 0 || (numHeaders && (!headers || !includeNames))) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] {
    auto program = std::make_unique<_nvrtcProgram>();
    program->request.source = src;
    program->request.name = name && *name ? name : "default_program";
    for (int i = 0; i < numHeaders; ++i) program->request.headers.push_back({includeNames[i], headers[i]});
    *prog = program.release();
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog) {
  if (!prog || !*prog) return NVRTC_ERROR_INVALID_PROGRAM;
  delete *prog;
  *prog = nullptr;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (numOptions < 0 || (numOptions && !options)) return NVRTC_ERROR_INVALID_INPUT;
  return guarded([&] { return compileProgram(*prog, std::vector<std::string>(options, options + numOptions)); });
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet) {
  if (!ptxSizeRet) return NVRTC_ERROR_INVALID_INPUT;
  const _nvrtcProgram *program = finished(prog);
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  *ptxSizeRet = program->ptx.size() + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx) {
  if (!ptx) return NVRTC_ERROR_INVALID_INPUT;
  const _nvrtcProgram *program = finished(prog);
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(ptx, program->ptx.c_str(), program->ptx.size() + 1);
  return NVRTC_SUCCESS;
}

// Programs take the last byte of any product for the zero that ends a text, and drop it: an image has one, too.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet) {
  if (!cubinSizeRet) return NVRTC_ERROR_INVALID_INPUT;
  const _nvrtcProgram *program = finished(prog);
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  *cubinSizeRet = hasCubin(*program) ? program->product.image.size() + 1 : 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin) {
  if (!cubin) return NVRTC_ERROR_INVALID_INPUT;
  const _nvrtcProgram *program = finished(prog);
  if (!program || !hasCubin(*program)) return NVRTC_ERROR_INVALID_PROGRAM;
  *std::ranges::copy(program->product.image, cubin).out = '\0';
  return NVRTC_SUCCESS;
}

// What -dlto gives is an image that nvJitLink takes for LTO IR.
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet) {
  if (!LTOIRSizeRet) return NVRTC_ERROR_INVALID_INPUT;
  const _nvrtcProgram *program = finished(prog);
  if (!program) return NVRTC_ERROR_INVALID_PROGRAM;
  *LTOIRSizeRet = program->request.options.forLink ? program->product.image.size() + 1 : 0;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR) {
  if (!LTOIR) return NVRTC_ERROR_INVALID_INPUT;
  const _nvrtcProgram *program = finished(prog);
  if (!program || !program->request.options.forLink) return NVRTC_ERROR_INVALID_PROGRAM;
  *std::ranges::copy(program->product.image, LTOIR).out = '\0';
  return NVRTC_SUCCESS;
}

// What -optix-ir would give, which is refused.
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *size) { return noSuchProduct(prog, size); }
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram, char *) { return NVRTC_ERROR_INVALID_PROGRAM; }

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!logSizeRet) return NVRTC_ERROR_INVALID_INPUT;
  *logSizeRet = prog->product.log.size() + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!log) return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(log, prog->product.log.c_str(), prog->product.log.size() + 1);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!name_expression) return NVRTC_ERROR_INVALID_INPUT;
  if (prog->compiled) return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  return guarded([&] {
    auto &expressions = prog->request.nameExpressions;
    if (std::ranges::find(expressions, name_expression) == expressions.end()) expressions.push_back(name_expression);
    return NVRTC_SUCCESS;
  });
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression, const char **lowered_name) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!name_expression || !lowered_name) return NVRTC_ERROR_INVALID_INPUT;
  if (!prog->succeeded) return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  const auto &expressions = prog->request.nameExpressions;
  const auto found = std::ranges::find(expressions, name_expression);
  if (found == expressions.end()) return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *lowered_name = prog->product.loweredNames[static_cast<size_t>(found - expressions.begin())].c_str();
  return NVRTC_SUCCESS;
}

// Precompiled headers are an optimisation that needs no help from here: the options for them are ignored, and the heap
// that NVIDIA's front end keeps them in does not exist.
nvrtcResult nvrtcGetPCHHeapSize(size_t *ret) {
  if (!ret) return NVRTC_ERROR_INVALID_INPUT;
  *ret = 0;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t) { return NVRTC_SUCCESS; }
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog) {
  return prog ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!size) return NVRTC_ERROR_INVALID_INPUT;
  return NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
}

// The compiler is another process, so the callback is asked once, before that starts.
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void *, void *), void *payload) {
  if (!prog) return NVRTC_ERROR_INVALID_PROGRAM;
  if (!callback) return NVRTC_ERROR_INVALID_INPUT;
  prog->flow = callback;
  prog->flowPayload = payload;
  return NVRTC_SUCCESS;
}
