#include "compiler/driver/openmp.h"

#include <algorithm>
#include <filesystem>

namespace hostwarp::driver {
namespace {

namespace fs = std::filesystem;

bool wantsOpenMp(const Invocation &v) {
  const auto isCuda = [](const Input &input) { return input.language == Language::Cuda; };
  return std::ranges::find(v.hostArguments, "-fopenmp") != v.hostArguments.end() &&
         std::ranges::any_of(v.inputs, isCuda);
}

// The folder of omp.h in an LLVM installation, whose version number it contains; empty if there is none.
std::string headerFolder(const fs::path &llvm) {
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator(llvm / "lib/clang", ignored))
    if (fs::exists(entry.path() / "include/omp.h", ignored)) return entry.path() / "include";
  return "";
}

std::vector<fs::path> llvmInstallations() {
  std::vector<fs::path> result;
  std::error_code ignored;
  for (const auto &entry : fs::directory_iterator("/usr/lib", ignored))
    if (entry.path().filename().string().starts_with("llvm-")) result.push_back(entry.path());
  std::ranges::sort(result, std::greater());
  return result;
}

}  // namespace

Expected<OpenMp> findOpenMp(const Invocation &v, const std::string &clang) {
  if (!wantsOpenMp(v)) return OpenMp();
  std::error_code ignored;
  const fs::path own = fs::canonical(clang, ignored).parent_path().parent_path();
  if (fs::exists(own / "lib/libomp.so", ignored)) return OpenMp();
  for (const fs::path &llvm : llvmInstallations()) {
    const std::string headers = headerFolder(llvm);
    if (headers.empty() || !fs::exists(llvm / "lib/libomp.so", ignored)) continue;
    // Behind all others: the folder also holds the built-in headers of another clang.
    return OpenMp{{"-idirafter", headers}, {"-L" + (llvm / "lib").string()}};
  }
  return Failure{"-fopenmp: the OpenMP runtime of LLVM was not found, which .cu files need (Debian: libomp-dev)"};
}

}  // namespace hostwarp::driver
