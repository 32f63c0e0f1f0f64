#include <unistd.h>

#include <filesystem>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/diagnosis.h"
#include "tools/hostwarp/runtime.h"

namespace hostwarp::tool {
namespace {

constexpr const char *neededFiles[] = {"bin/hwcc",
                                       "bin/hwcc-link",
                                       "bin/hwcc-device",
                                       "lib/hostwarp_clang_plugin.so",
                                       "lib/hostwarp_host_plugin.so",
                                       "lib/libcudart.so",
                                       "lib/libcudart.so.13",
                                       "lib/libcuda.so.1",
                                       "lib/libcurand.so.10",
                                       "lib/libnvrtc.so.13",
                                       "lib/libnvJitLink.so.13",
                                       "include/cuda_runtime.h",
                                       "include/hostwarp/device_abi.h"};

struct Symptom {
  std::string_view text;
  const char *meaning;
  const char *remedy;
};
constexpr Symptom symptoms[] = {
#define SYMPTOM(TEXT, MEANING, REMEDY) {TEXT, MEANING, REMEDY},
#include "tools/hostwarp/symptoms.def"
#undef SYMPTOM
};

std::string firstComplaint(const std::string &output) {
  size_t start = 0;
  std::string first;
  while (start < output.size()) {
    const size_t end = std::min(output.find('\n', start), output.size());
    std::string line = output.substr(start, end - start);
    if (line.find("error") != std::string::npos || line.find("fatal") != std::string::npos) return line;
    if (first.empty()) first = line;
    start = end + 1;
  }
  return first;
}

// The first lines of what nobody has foreseen.
std::string beginningOf(const std::string &output) {
  constexpr int mostLines = 10;
  size_t end = 0;
  for (int i = 0; i < mostLines && end < output.size(); ++i)
    end = std::min(output.find('\n', end), output.size() - 1) + 1;
  return output.substr(0, end);
}

// Where the complaint itself names a command, that is the remedy.
std::string commandIn(const std::string &complaint) {
  const size_t start = complaint.find("apt install ");
  return start == std::string::npos ? "" : complaint.substr(start, complaint.find(')', start) - start);
}

}  // namespace

std::string reinstallCommand() {
  const std::string root = installationRoot();
  std::error_code ignored;
  if (std::filesystem::exists(root + "/build.ninja", ignored))
    return "cmake --build " + root + " --target hostwarp_products";
  if (root == "/usr/lib/hostwarp") return "apt install --reinstall hostwarp";
  if (root.find("-packages/") != std::string::npos) return "pip install --force-reinstall hostwarp-*.whl";
  return "unpack hostwarp's tarball once more into " + root + ", or cmake --install build/dev --prefix " + root;
}

Diagnosis explainOutput(std::string_view topic, const std::string &what, const std::string &output) {
  const std::string complaint = firstComplaint(output);
  const std::string text = what + (complaint.empty() ? "" : ": " + complaint);
  if (const std::string command = commandIn(complaint); !command.empty()) return {Health::Wrong, topic, text, command};
  for (const Symptom &symptom : symptoms)
    if (output.find(symptom.text) != std::string::npos)
      return {Health::Wrong, topic, text + "\n" + symptom.meaning, symptom.remedy};
  return {Health::Wrong, topic, what + (output.empty() ? "" : ":\n" + beginningOf(output)), ""};
}

Diagnosis checkFiles() {
  std::string missing;
  int count = 0;
  for (const char *name : neededFiles) {
    ++count;
    if (access((installationRoot() + "/" + name).c_str(), R_OK) != 0)
      missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (missing.empty()) return {Health::Good, "files", "all " + std::to_string(count) + " that matter are there", ""};
  return {Health::Wrong, "files", "not there, or not to be read: " + missing, reinstallCommand()};
}

Diagnosis checkRuntime() {
  const Runtime runtime = loadRuntime();
  if (runtime.handle == nullptr)
    return explainOutput("runtime", "libcudart.so.13 cannot be loaded", runtimeComplaint());
  if (!runtime.complete()) return {Health::Wrong, "runtime", runtimePath() + " is not hostwarp's", reinstallCommand()};
  int count = 0;
  if (runtime.deviceCount(&count) != cudaSuccess || count == 0)
    return {Health::Wrong, "runtime", "there are no devices: CUDA_VISIBLE_DEVICES hides them",
            "unset CUDA_VISIBLE_DEVICES"};
  cudaDeviceProp properties{};
  if (runtime.deviceProperties(&properties, 0) != cudaSuccess)
    return {Health::Wrong, "runtime", "device 0 cannot be asked for its properties", "HOSTWARP_TRACE=1 hostwarp info"};
  const std::string more = count > 1 ? " and " + std::to_string(count - 1) + " more" : "";
  return {Health::Good, "runtime", runtimePath() + ", as " + properties.name + more, ""};
}

}  // namespace hostwarp::tool
