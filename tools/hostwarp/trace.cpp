#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

constexpr std::string_view apiRange = "cudaProfilerApi";

struct TraceRequest {
  std::string output;
  std::string range;
};

struct TraceFlag {
  std::string_view name, shortName;
  std::string TraceRequest::*value;
};
constexpr TraceFlag traceFlags[] = {
    {"--output", "-o", &TraceRequest::output},
    {"--capture-range", "-c", &TraceRequest::range},
};

// takeFlag() reads the option at the front and removes it; a complaint if it is wrong.
std::optional<std::string> takeFlag(Arguments &rest, TraceRequest &request) {
  const size_t equals = rest[0].starts_with("--") ? rest[0].find('=') : std::string_view::npos;
  const std::string_view name = rest[0].substr(0, equals);
  for (const TraceFlag &flag : traceFlags) {
    if (name != flag.name && name != flag.shortName) continue;
    std::string_view value = equals == std::string_view::npos ? "" : rest[0].substr(equals + 1);
    rest = rest.subspan(1);
    if (equals == std::string_view::npos) {
      if (rest.empty()) return std::string(name) + " needs a value";
      value = rest[0];
      rest = rest.subspan(1);
    }
    request.*flag.value = value;
    return std::nullopt;
  }
  return "unknown option '" + std::string(name) + "'; see hostwarp help";
}

}  // namespace

int trace(Arguments arguments) {
  TraceRequest request;
  while (!arguments.empty() && arguments[0].starts_with('-')) {
    if (arguments[0] == "--") {
      arguments = arguments.subspan(1);
      break;
    }
    if (std::optional<std::string> wrong = takeFlag(arguments, request)) return fail(*wrong);
  }
  if (arguments.empty()) return fail("trace needs a program");
  if (request.range == "none") request.range.clear();
  if (!request.range.empty() && request.range != apiRange)
    return fail("--capture-range: '" + request.range + "' is neither none nor cudaProfilerApi");
  namespace fs = std::filesystem;
  if (request.output.empty()) request.output = fs::path(arguments[0]).filename().string() + ".timeline.json";
  // The program may change its folder, and another one may have written a file of this name.
  const std::string output = fs::absolute(request.output).string();
  unlink(output.c_str());
  setVariable("HOSTWARP_TIMELINE", output);
  setVariable("HOSTWARP_CAPTURE_RANGE", request.range);
  setVariable("NVTX_INJECTION64_PATH", installationRoot() + "/lib/libcudart.so.13");
  return executeProgram(arguments);
}

}  // namespace hostwarp::tool
