#include "compiler/driver/openmp.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string_view>

namespace hostwarp::driver {
namespace {

namespace fs = std::filesystem;

bool compilesCuda(const Invocation &v) {
  return std::ranges::any_of(v.inputs, [](const Input &input) { return input.language == Language::Cuda; });
}

bool wantsOpenMp(const Invocation &v) {
  return std::ranges::find(v.hostArguments, "-fopenmp") != v.hostArguments.end() && compilesCuda(v);
}

// The folder of omp.h below one that has a folder per version; empty if there is none.
fs::path headerFolder(const fs::path &versions) {
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(versions, ignored))
    if (fs::exists(entry.path() / "include/omp.h", ignored)) return entry.path() / "include";
  return "";
}

fs::path installationOf(const std::string &clang) {
  std::error_code ignored;
  return fs::canonical(clang, ignored).parent_path().parent_path();
}

bool hasRuntime(const fs::path &llvm) {
  std::error_code ignored;
  return fs::exists(llvm / "lib/libomp.so", ignored);
}

// Clang's own installation, then the others of this machine, newest first: what an older libomp lacks is in
// include/hostwarp/openmp.h.
std::vector<fs::path> llvmInstallations(const std::string &clang) {
  std::vector<fs::path> result;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator("/usr/lib", ignored))
    if (entry.path().filename().string().starts_with("llvm-")) result.push_back(entry.path());
  std::ranges::sort(result, std::greater());
  result.insert(result.begin(), installationOf(clang));
  return result;
}

fs::path gccHeaderFolder() {
  std::error_code ignored;
  for (const auto &target : fs::directory_iterator("/usr/lib/gcc", ignored))
    if (fs::path folder = headerFolder(target.path()); !folder.empty()) return folder;
  return "";
}

// `-lgomp`, or the file, as CMake names it.
bool isGccRuntime(std::string_view argument) {
  if (argument == "-lgomp") return true;
  const std::string_view name = argument.substr(argument.rfind('/') + 1);
  return !argument.starts_with('-') && (name == "libgomp.a" || name.starts_with("libgomp.so"));
}

bool concernsOpenMp(std::string_view argument) {
  return argument == "-fopenmp" || argument == "-lomp" || isGccRuntime(argument);
}

}  // namespace

Expected<std::vector<std::string>> findOpenMpHeader(const Invocation &v, const std::string &clang) {
  if (!compilesCuda(v)) return std::vector<std::string>();
  const auto installations = llvmInstallations(clang);
  if (wantsOpenMp(v) && std::ranges::none_of(installations, hasRuntime))
    return Failure{"-fopenmp: the OpenMP runtime of LLVM was not found, which .cu files need (Debian: libomp-dev)"};
  for (const fs::path &llvm : installations) {
    const fs::path headers = headerFolder(llvm / "lib/clang");
    if (headers.empty() || !hasRuntime(llvm)) continue;
    if (llvm == installations.front()) return std::vector<std::string>();
    // Behind all others: the folder also holds the built-in headers of another clang.
    return std::vector<std::string>{"-idirafter", headers};
  }
  const fs::path headers = gccHeaderFolder();
  return headers.empty() ? std::vector<std::string>() : std::vector<std::string>{"-idirafter", headers};
}

std::vector<std::string> withOpenMpRuntime(const std::vector<std::string> &arguments, const std::string &clang) {
  if (std::ranges::none_of(arguments, concernsOpenMp)) return arguments;
  const auto installations = llvmInstallations(clang);
  const auto llvm = std::ranges::find_if(installations, hasRuntime);
  if (llvm == installations.end()) return arguments;
  std::vector<std::string> result = arguments;
  std::ranges::replace_if(result, isGccRuntime, "-lomp");
  result.push_back("-L" + (*llvm / "lib").string());
  return result;
}

}  // namespace hostwarp::driver
