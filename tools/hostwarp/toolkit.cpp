// `hostwarp toolkit`: a folder with the shape of a CUDA toolkit. An installation has one, unless it came as a Python
// wheel, which cannot hold links: then they are made among what is kept for the user.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tools/hostwarp/commands.h"

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
  const bool isLinked = link(root / "bin/hwcc", toolkit / "bin/nvcc") && link(root / "include", toolkit / "include") &&
                        linkLibraries(root / "lib", toolkit) && link("lib64", toolkit / "lib") &&
                        link(".", toolkit / "lib64/stubs") && link(root / "include", target / "include") &&
                        link("../../lib64", target / "lib");
  std::ofstream version(toolkit / "version.json");
  version << "{\n  \"cuda\": {\"name\": \"hostwarp's CUDA\", \"version\": \"13.0.0\"}\n}\n";
  version.close();
  return isLinked && version.good();
}

}  // namespace

int toolkit(Arguments arguments) {
  if (!arguments.empty()) return fail("toolkit takes no arguments");
  const fs::path root = installationRoot(), cache = cacheFolder();
  fs::path toolkit = root / "share/hostwarp/toolkit";
  std::error_code error;
  if (!fs::exists(toolkit / "bin/nvcc", error)) {
    toolkit = cache / ("toolkit-" + std::to_string(std::hash<std::string>()(root.string())));
    if (cache.empty() || !makeToolkit(root, toolkit))
      return fail(toolkit.string() + " cannot be made: XDG_CACHE_HOME may name another place");
  }
  std::puts(toolkit.c_str());
  return 0;
}

}  // namespace hostwarp::tool
