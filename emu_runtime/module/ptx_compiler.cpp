#include "emu_runtime/module/ptx_compiler.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <new>
#include <sstream>
#include <string_view>
#include <utility>

#include "fibers/mutex.h"

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

// hwccPath() is beside the library that this code is in; where that is the program itself, the PATH decides. A program
// with more rights than its caller does not run what the caller names.
std::string hwccPath() {
  if (const char *named = secure_getenv("HOSTWARP_HWCC")) return named;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void *>(&compilePtx), &info)) return "";
  std::error_code error;
  const fs::path beside = fs::canonical(info.dli_fname, error).parent_path().parent_path() / "bin" / "hwcc";
  if (!error && fs::exists(beside, error)) return beside.string();
  return getauxval(AT_SECURE) != 0 ? "" : "hwcc";
}

// StatusPipe is how hwcc tells its exit status: a program that ignores SIGCHLD, or that waits for all of its children
// in some other thread, cannot wait for this one.
class StatusPipe {
 public:
  static constexpr int childsEnd = 3;  // what hwcc's --report-status means

  StatusPipe() {
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;
    const int moved = fcntl(ends_[1], F_DUPFD_CLOEXEC, childsEnd + 1);
    close(std::exchange(ends_[1], moved));
  }
  ~StatusPipe() {
    for (const int end : ends_)
      if (end >= 0) close(end);
  }
  StatusPipe(const StatusPipe &) = delete;
  StatusPipe &operator=(const StatusPipe &) = delete;

  bool isOpen() const { return ends_[1] >= 0; }
  int forChild() const { return ends_[1]; }
  // told() is what hwcc has said of its end, -1 when that is nothing.
  int told() const {
    unsigned char status = 0;
    return read(ends_[0], &status, 1) == 1 ? status : -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

// spawn() starts hwcc, whose output goes to the file `log`, and returns errno's value. SIGCHLD gets its default action
// back: an ignored signal stays ignored in the new program, and hwcc has to wait for its own children.
int spawn(std::vector<std::string> &words, const std::string &log, const StatusPipe &status, pid_t &child) {
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, status.forChild(), StatusPipe::childsEnd);
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, descriptor, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawnattr_t attributes;
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGCHLD);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawnp(&child, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

const Status noCompiler(cudaErrorJitCompilerNotFound,
                        "PTX of another compiler, and linking, need hwcc, which is neither beside the runtime library "
                        "nor in the PATH");

Status notRun(const std::string &hwcc, const std::string &why) {
  return {cudaErrorOperatingSystem, "'" + hwcc + "', which compiles PTX and links, " + why};
}

// run() runs hwcc, whose output goes to the file `log`, and returns its exit status.
Expected<int> run(std::vector<std::string> words, const std::string &log) {
  words.insert(words.begin(), {hwccPath(), "--report-status"});
  if (words[0].empty()) return noCompiler;
  StatusPipe report;
  if (!report.isOpen()) return notRun(words[0], std::string("could not be given a pipe: ") + std::strerror(errno));
  pid_t child = 0;
  const int failed = spawn(words, log, report, child);
  if (failed == ENOENT) return noCompiler;
  if (failed != 0) return notRun(words[0], std::string("could not be started: ") + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno == EINTR) continue;
    const int error = errno, told = report.told();
    if (told >= 0) return told;
    return notRun(words[0], std::string("was stopped; how is not known, since the program ignores SIGCHLD or waits for "
                                        "all children: ") +
                                std::strerror(error));
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return notRun(words[0], std::string("was stopped by a signal: ") + strsignal(WTERMSIG(status)));
}

// ofPtxas() is the message that ptxas would print for this error in the program's PTX.
std::string ofPtxas(const std::string &line, std::string what) {
  constexpr std::string_view unknown = "unknown opcode in '";
  if (what.starts_with("Unresolved extern")) return "ptxas fatal   : " + what + "\n";
  if (what.starts_with(unknown)) {
    const std::string name = what.substr(unknown.size(), what.find_first_of(".'", unknown.size()) - unknown.size());
    what = "Not a name of any known instruction: '" + name + "' (" + what + ")";
  }
  return "ptxas application ptx input, line " + line + "; error   : " + what +
         "\nptxas fatal   : Ptx assembly aborted due to errors\n";
}

// inWordsOfPtxas() rewrites hwcc's messages as those of ptxas, which programs search their logs for.
std::string inWordsOfPtxas(const std::string &log) {
  constexpr std::string_view file = "module.ptx:", error = ": error: PTX: ";
  std::string text;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const size_t number = line.find(file), found = line.find(error);
    if (number == line.npos || found == line.npos)
      text += line + "\n";
    else
      text +=
          ofPtxas(line.substr(number + file.size(), found - number - file.size()), line.substr(found + error.size()));
  }
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

// makeImage() runs hwcc with these arguments and returns the image that it writes; `failure` is the error where hwcc
// fails.
Expected<std::string> makeImage(const Folder &folder, std::vector<std::string> words, cudaError_t failure) {
  const std::string image = folder.file("module.cubin"), log = folder.file("log");
  words.insert(words.end(), {"-o", image});
  const auto status = run(std::move(words), log);
  if (!status.ok()) return status.status();
  if (*status != 0) return Status(failure, inWordsOfPtxas(contentOf(log)));
  return contentOf(image);
}

bool writeFile(const std::string &path, const std::string &content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return file.good();
}

const Status noFolder(cudaErrorOperatingSystem, "a module cannot be written to a temporary folder");

// checkVersion() refuses PTX of later versions than CUDA 13.0's.
Status checkVersion(const std::string &text) {
  constexpr double newest = 9.0;
  const size_t directive = text.find(".version");
  if (directive == std::string::npos) return {};
  const double version = std::strtod(text.c_str() + directive + std::string_view(".version").size(), nullptr);
  return version <= newest ? Status() : Status(cudaErrorUnsupportedPtxVersion);
}

Expected<std::string> compile(const std::string &text, std::vector<std::string> words) {
  HOSTWARP_TRY(checkVersion(text));
  const Folder folder;
  words.push_back(folder.file("module.ptx"));
  if (!folder.exists() || !writeFile(words.back(), text)) return noFolder;
  return makeImage(folder, std::move(words), cudaErrorInvalidPtx);
}

// suffixOf() is how hwcc tells what the content is.
const char *suffixOf(const std::string &content) {
  if (content.starts_with("\177ELF")) return ".o";
  return content.starts_with("!<arch>") ? ".a" : ".ptx";
}

using Image = std::shared_future<Expected<std::string>>;

// Recent is the images of the last texts, those that are being compiled included: programs load the same PTX again and
// again, from several threads, too. Nobody holds its lock while hwcc runs.
class Recent {
 public:
  static Recent &process() {
    static auto *recent = new Recent;
    return *recent;
  }

  // claim() gives the text's image, which may not be there yet. `isMine`: the caller has to make it, and keep
  // `promise`.
  Image claim(const std::string &text, std::promise<Expected<std::string>> &promise, bool &isMine) {
    MutexLock lock(mutex_);
    const auto known = std::ranges::find(images_, text, &Entry::first);
    isMine = known == images_.end();
    if (!isMine) return known->second;
    images_.emplace_front(text, promise.get_future().share());
    if (images_.size() > most) images_.pop_back();
    return images_.front().second;
  }

  // forget() has the next one try again: what was missing may be there then.
  void forget(const std::string &text) {
    MutexLock lock(mutex_);
    std::erase_if(images_, [&](const Entry &entry) { return entry.first == text; });
  }

 private:
  using Entry = std::pair<std::string, Image>;
  static constexpr size_t most = 16;

  Mutex mutex_;
  std::deque<Entry> images_ HOSTWARP_GUARDED_BY(mutex_);
};

Expected<std::string> compileGuarded(const std::string &text) {
  try {
    return compile(text, {"-cubin"});
  } catch (const std::bad_alloc &) {
    return Status(cudaErrorMemoryAllocation);
  }
}

}  // namespace

Expected<std::string> compilePtx(const std::string &text) {
  std::promise<Expected<std::string>> promise;
  bool isMine = false;
  const Image image = Recent::process().claim(text, promise, isMine);
  if (!isMine) return image.get();
  Expected<std::string> made = compileGuarded(text);
  if (!made.ok()) Recent::process().forget(text);
  promise.set_value(made);
  return made;
}

Expected<std::string> compileForLink(const std::string &text) { return compile(text, {"-rdc=true", "-cubin"}); }

Expected<std::string> emptyImage() { return compile(".version 7.0\n.target sm_50\n.address_size 64\n", {"-cubin"}); }

Expected<std::string> linkImages(const std::vector<LinkInput> &inputs) {
  const Folder folder;
  if (!folder.exists()) return noFolder;
  std::vector<std::string> words = {"-rdc=true", "-dlink", "-cubin"};
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string name = inputs[i].name.empty() ? "input" : fs::path(inputs[i].name).stem().string();
    name += "." + std::to_string(i) + suffixOf(inputs[i].content);
    words.push_back(folder.file(name.c_str()));
    // A text ends at the zero byte that programs add.
    const bool isText = words.back().ends_with(".ptx");
    if (!writeFile(words.back(), isText ? std::string(inputs[i].content.c_str()) : inputs[i].content)) return noFolder;
  }
  return makeImage(folder, std::move(words), cudaErrorInvalidKernelImage);
}

}  // namespace hostwarp::modules
