#include "gpu_backend/libraries.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "gpu_backend/elf_names.h"

namespace hostwarp::gpu_backend {

namespace {

using Folders = std::vector<std::string>;

void add(Folders &folders, const std::string &folder) {
  if (!folder.empty() && std::ranges::find(folders, folder) == folders.end()) folders.push_back(folder);
}

// entries() are those of the folder whose names begin like this, in the order of their names. glob() would do, but a
// program that happens to call a variable so takes its place.
std::vector<std::string> entries(const std::string &folder, std::string_view beginning) {
  std::vector<std::string> found;
  std::error_code error;
  for (std::filesystem::directory_iterator each(folder, error), end; !error && each != end; each.increment(error))
    if (each->path().filename().native().starts_with(beginning)) found.push_back(each->path().native());
  std::ranges::sort(found);
  return found;
}

// addMatching() adds `behind` the folder's entries that begin like this, where there is such a folder; the highest
// version first.
void addMatching(Folders &folders, const std::string &folder, std::string_view beginning, const std::string &behind) {
  const std::vector<std::string> found = entries(folder, beginning);
  for (auto each = found.rbegin(); each != found.rend(); ++each)
    if (std::error_code error; std::filesystem::is_directory(*each + behind, error)) add(folders, *each + behind);
}

std::string variable(const char *name) {
  const char *const value = secure_getenv(name);
  return value ? value : "";
}

void addList(Folders &folders, std::string list) {
  for (size_t end; !list.empty(); list.erase(0, end + (end < list.size()))) {
    end = std::min(list.find(':'), list.size());
    add(folders, list.substr(0, end));
  }
}

// addConfigured() adds the folders that the system's dynamic linker knows of.
void addConfigured(Folders &folders) {
  for (const std::string &name : entries("/etc/ld.so.conf.d", "")) {
    if (!name.ends_with(".conf")) continue;
    std::ifstream file(name);
    for (std::string line; std::getline(file, line);)
      if (line.starts_with('/')) add(folders, line.substr(0, line.find_first_of(" \t#")));
  }
}

void addSystem(Folders &folders) {
  for (const char *folder : {"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib"})
    add(folders, folder);
  addConfigured(folders);
}

Folders driverFolders() {
  Folders folders;
  addList(folders, variable("LD_LIBRARY_PATH"));
  addSystem(folders);
  for (const char *folder : {"/usr/lib/x86_64-linux-gnu/nvidia/current", "/usr/local/nvidia/lib64",
                             "/usr/local/nvidia/lib", "/run/opengl-driver/lib", "/usr/lib/wsl/lib"})
    add(folders, folder);
  return folders;
}

// addWheels() adds where Python's packages put the library.
void addWheels(Folders &folders, const std::string &root) {
  for (const char *packages : {"/site-packages", "/dist-packages"})
    for (const char *wheel : {"/nvidia/cu13/lib", "/nvidia/cuda_runtime/lib"})
      addMatching(folders, root + "/lib", "python3", std::string(packages) + wheel);
}

Folders runtimeFolders() {
  Folders folders;
  for (const char *toolkit : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = variable(toolkit); !root.empty()) add(folders, root + "/lib64");
  addList(folders, variable("LD_LIBRARY_PATH"));
  add(folders, "/usr/local/cuda/lib64");
  addMatching(folders, "/usr/local", "cuda-13", "/lib64");
  for (const char *folder : {"/opt/cuda/lib64", "/usr/lib/cuda/lib64"}) add(folders, folder);
  addSystem(folders);
  for (const char *environment : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const std::string root = variable(environment);
    if (root.empty()) continue;
    add(folders, root + "/lib");
    addWheels(folders, root);
  }
  if (const std::string home = variable("HOME"); !home.empty()) addWheels(folders, home + "/.local");
  addWheels(folders, "/usr/local");
  addWheels(folders, "/usr");
  return folders;
}

// fileIn() is the file in one of the folders that is a shared object of somebody else's; empty: there is none.
std::string fileIn(const Folders &folders, const std::string &name) {
  for (const std::string &folder : folders) {
    const std::string file = folder + "/" + name;
    if (isSharedObject(file) && !isOurs(file)) return file;
  }
  return "";
}

}  // namespace

// All of our libraries have the symbol, or need it: libcuda.so.1 hands its calls on.
bool isOurs(const std::string &file) { return namesSymbol(file, "__hostwarp_cuInit"); }

Search findDriver() {
  Search search;
  search.folders = driverFolders();
  search.file = fileIn(search.folders, "libcuda.so.1");
  return search;
}

Search findRuntime() {
  Search search;
  search.folders = runtimeFolders();
  search.file = fileIn(search.folders, "libcudart.so." + std::to_string(runtimeVersion));
  if (!search.file.empty()) return search;
  for (const int other : {runtimeVersion + 1, runtimeVersion - 1, runtimeVersion - 2})
    if (search.ofOtherVersion.empty())
      search.ofOtherVersion =
          fileIn(search.folders, "libcudart.so." + std::to_string(other) + (other == 11 ? ".0" : ""));
  return search;
}

}  // namespace hostwarp::gpu_backend
