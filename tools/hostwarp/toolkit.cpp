// `hostwarp toolkit`: a folder with the shape of a CUDA toolkit. An installation has one, unless it came as a Python
// wheel, which cannot hold links: then they are made among what is kept for the user.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/environment.h"

namespace hostwarp::tool {
namespace {

namespace fs = std::filesystem;

// link() leaves a link that is right as it is: another call may just use it.
bool link(const fs::path &target, const fs::path &name) {
  std::error_code error;
  if (fs::read_symlink(name, error) == target) return true;
  fs::create_directories(name.parent_path(), error);
  fs::remove(name, error);
  fs::create_symlink(target, name, error);
  return !error;
}

// The libraries find those that they need in the folder `support` beside them, where an installation carries one.
bool linkLibraries(const fs::path &libraries, const fs::path &toolkit) {
  bool isMade = true;
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(libraries, error))
    if (const std::string name = entry.path().filename(); name.starts_with("lib") || name == "support")
      isMade = link(entry.path(), toolkit / "lib64" / name) && isMade;
  return isMade && !error;
}

bool makeToolkit(const fs::path &root, const fs::path &toolkit) {
  const fs::path target = toolkit / "targets/x86_64-linux";
  const bool isLinked =
      link(root / "bin/hwcc", toolkit / "bin/nvcc") && link(root / "bin/hostwarp", toolkit / "bin/nvidia-smi") &&
      link(root / "bin/hostwarp", toolkit / "bin/ptxas") && link(root / "include", toolkit / "include") &&
      linkLibraries(root / "lib", toolkit) && link("lib64", toolkit / "lib") &&
      link(root / "lib/libnvvm.so.4", toolkit / "nvvm/lib64/libnvvm.so.4") &&
      link("libnvvm.so.4", toolkit / "nvvm/lib64/libnvvm.so") &&
      link(root / "lib/libdevice.10.bc", toolkit / "nvvm/libdevice/libdevice.10.bc") &&
      link(".", toolkit / "lib64/stubs") && link(root / "include", target / "include") &&
      link("../../lib64", target / "lib");
  std::ofstream version(toolkit / "version.json");
  version << "{\n  \"cuda\": {\"name\": \"hostwarp's CUDA\", \"version\": \"13.0.0\"}\n}\n";
  version.close();
  return isLinked && version.good();
}

}  // namespace

std::string toolkitFolder(std::string &complaint) {
  const fs::path root = installationRoot(), cache = cacheFolder();
  fs::path toolkit = root / "share/hostwarp/toolkit";
  std::error_code error;
  if (fs::exists(toolkit / "bin/nvcc", error)) return toolkit;
  toolkit = cache / ("toolkit-" + std::to_string(std::hash<std::string>()(root.string())));
  if (!cache.empty() && makeToolkit(root, toolkit)) return toolkit;
  complaint = toolkit.string() + " cannot be made: XDG_CACHE_HOME may name another place";
  return "";
}

int toolkit(Arguments arguments) {
  if (!arguments.empty()) return fail("toolkit takes no arguments");
  std::string complaint;
  const std::string folder = toolkitFolder(complaint);
  if (folder.empty()) return fail(complaint);
  std::puts(folder.c_str());
  return 0;
}

}  // namespace hostwarp::tool
