#include "emu_runtime/support/trace.h"

#include <cstdio>

#include "emu_runtime/support/error_text.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp {
namespace {

struct NamedEnumerator {
  std::string_view type;
  int value;
  std::string_view name;
};

constexpr NamedEnumerator enumerators[] = {
#define HOSTWARP_TRACE_ENUM(type)
#define HOSTWARP_TRACE_ENUMERATOR(type, enumerator) {#type, enumerator, #enumerator},
#include "emu_runtime/support/trace_enums.def"
#undef HOSTWARP_TRACE_ENUMERATOR
#undef HOSTWARP_TRACE_ENUM
};

}  // namespace

bool traceEnabled() {
  static const bool enabled = optionSwitch(Option::TRACE);
  return enabled;
}

void appendValue(std::string &line, long long value) { line += std::to_string(value); }
void appendValue(std::string &line, unsigned long long value) { line += std::to_string(value); }

void appendValue(std::string &line, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  line += text;
}

void appendValue(std::string &line, const void *value) {
  if (!value) {
    line += "null";
    return;
  }
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(value)));
  line += text;
}

void appendValue(std::string &line, const char *value) {
  if (value)
    line.append("\"").append(value).append("\"");
  else
    line += "null";
}

void appendValue(std::string &line, const dim3 &value) {
  line += "(" + std::to_string(value.x) + "," + std::to_string(value.y) + "," + std::to_string(value.z) + ")";
}

void appendValue(std::string &line, const cudaExtent &value) {
  line +=
      "{" + std::to_string(value.width) + "," + std::to_string(value.height) + "," + std::to_string(value.depth) + "}";
}

void appendValue(std::string &line, const cudaPitchedPtr &value) {
  appendValue(line += "{", static_cast<const void *>(value.ptr));
  line += ", pitch " + std::to_string(value.pitch) + "}";
}

void appendValue(std::string &line, const cudaMemLocation &value) {
  line += "{type " + std::to_string(value.type) + ", id " + std::to_string(value.id) + "}";
}

void appendValue(std::string &line, cudaError_t value) { line += errorName(value); }

void appendEnumerator(std::string &line, std::string_view type, int value) {
  for (const NamedEnumerator &known : enumerators) {
    if (known.value != value || known.type != type) continue;
    line += known.name;
    return;
  }
  line += std::to_string(value);
}

namespace {

// takeName() cuts the next name off a list like "devPtr, size)".
std::string_view takeName(std::string_view &names) {
  std::string_view name = names.substr(0, names.find_first_of(",)"));
  names.remove_prefix(std::min(names.size(), name.size() + 2));
  return name;
}

}  // namespace

std::string describeCall(const char *function, std::string_view names, bool succeeded, std::string_view result,
                         const TracedValues &values) {
  std::string line = std::string(function) + "(";
  names.remove_prefix(1);
  for (size_t i = 0; i < values.count; ++i) {
    line.append(i == 0 ? "" : ", ").append(takeName(names)).append("=");
    values.writers[i](line, values.places[i], i == 0 && succeeded);
  }
  return line.append(") = ").append(result);
}

void writeTrace(std::string_view line) { writeLine(line); }

}  // namespace hostwarp
