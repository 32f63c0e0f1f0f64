#include "emu_runtime/module/ptx_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <utility>

extern char **environ;

namespace hostwarp::modules {

namespace {

namespace fs = std::filesystem;

// Folder is a temporary one.
class Folder {
 public:
  Folder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "hostwarp-ptx-XXXXXX").string();
    if (!error && mkdtemp(pattern.data())) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const char *name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// hwccPath() is beside the library that this code is in; where that is the program itself, the PATH decides.
std::string hwccPath() {
  if (const char *named = std::getenv("HOSTWARP_HWCC")) return named;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&compilePtx), &info)) return "hwcc";
  std::error_code error;
  const fs::path beside = fs::canonical(info.dli_fname, error).parent_path().parent_path() / "bin" / "hwcc";
  return !error && fs::exists(beside, error) ? beside.string() : "hwcc";
}

// run() returns the exit status of hwcc, -1 when there is none; what it says goes to the file.
int run(const std::string &source, const std::string &image, const std::string &log) {
  std::string words[] = {hwccPath(), "-cubin", source, "-o", image};
  char *arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Expected<std::string> compile(const std::string &text) {
  const Folder folder;
  const std::string source = folder.file("module.ptx"), image = folder.file("module.cubin"), log = folder.file("log");
  if (folder.exists()) std::ofstream(source, std::ios::binary) << text;
  if (!folder.exists() || contentOf(source) != text)
    return Status(cudaErrorOperatingSystem, "PTX cannot be written to a temporary folder");
  const int status = run(source, image, log);
  if (status < 0)
    return Status(cudaErrorJitCompilerNotFound,
                  "PTX of another compiler needs hwcc, which is neither beside the runtime library nor in the PATH");
  if (status != 0) return Status(cudaErrorInvalidPtx, contentOf(log));
  return contentOf(image);
}

// Recent is the images of the last texts: programs load the same PTX again and again.
struct Recent {
  static constexpr size_t most = 16;
  std::mutex mutex;
  std::deque<std::pair<std::string, std::string>> images;  // guarded by mutex

  static Recent &process() {
    static auto *recent = new Recent;
    return *recent;
  }
};

}  // namespace

Expected<std::string> compilePtx(const std::string &text) {
  Recent &recent = Recent::process();
  std::lock_guard lock(recent.mutex);
  for (const auto &[known, image] : recent.images)
    if (known == text) return image;
  auto image = compile(text);
  if (!image.ok()) return image.status();
  recent.images.emplace_front(text, *image);
  if (recent.images.size() > Recent::most) recent.images.pop_back();
  return *image;
}

}  // namespace hostwarp::modules
