#include "emu_runtime/module/ptx_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <future>
#include <new>
#include <sstream>
#include <string_view>
#include <utility>

#include "emu_runtime/module/hwcc_process.h"
#include "fibers/mutex.h"

namespace hostwarp::modules {

namespace {

namespace fs = std::filesystem;

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
Expected<std::string> makeImage(const TemporaryFolder &folder, std::vector<std::string> words, cudaError_t failure) {
  const std::string image = folder.file("module.cubin"), log = folder.file("log");
  words.insert(words.end(), {"-o", image});
  const auto status = runHwcc(std::move(words), log);
  if (!status.ok()) return status.status();
  if (*status != 0) return Status(failure, inWordsOfPtxas(readFile(log)));
  return readFile(image);
}

// checkVersion() refuses PTX of later versions than CUDA 13.0's.
Status checkVersion(const std::string &text) {
  constexpr double newest = 9.0;
  const size_t directive = text.find(".version");
  if (directive == std::string::npos) return {};
  const double version = std::strtod(text.c_str() + directive + std::string_view(".version").size(), nullptr);
  return version <= newest ? Status() : Status(cudaErrorUnsupportedPtxVersion);
}

Expected<std::string> compile(const std::string &text, std::vector<std::string> words) {
  const TemporaryFolder folder;
  words.insert(words.end(), {"--highest-isa=native", "--keep-build", folder.file("module.ptx")});
  if (!folder.exists() || !writeFile(words.back(), text)) return noTemporaryFolder;
  return makeImage(folder, std::move(words), cudaErrorInvalidPtx);
}

// suffixOf() is how hwcc tells what the content is.
const char *suffixOf(const std::string &content) {
  if (content.starts_with("\177ELF")) return ".o";
  return content.starts_with("!<arch>") ? ".a" : ".ptx";
}

using CompiledImage = std::shared_future<Expected<std::string>>;

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
  CompiledImage claim(const std::string &text, std::promise<Expected<std::string>> &promise, bool &isMine) {
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
  using Entry = std::pair<std::string, CompiledImage>;
  static constexpr size_t most = 16;

  Mutex mutex_;
  std::deque<Entry> images_ HOSTWARP_GUARDED_BY(mutex_);
};

Expected<std::string> compileGuarded(const std::string &text, const std::vector<std::string> &words) {
  try {
    return compile(text, words);
  } catch (const std::bad_alloc &) {
    return Status(cudaErrorMemoryAllocation);
  }
}

}  // namespace

Expected<std::string> compilePtx(const std::string &text) {
  HOSTWARP_TRY(checkVersion(text));
  return compilePart(text);
}

Expected<std::string> compilePart(const std::string &text) {
  std::promise<Expected<std::string>> promise;
  bool isMine = false;
  const CompiledImage image = Recent::process().claim(text, promise, isMine);
  if (!isMine) return image.get();
  Expected<std::string> made = compileGuarded(text, {"-cubin"});
  if (!made.ok()) Recent::process().forget(text);
  promise.set_value(made);
  return made;
}

Expected<std::string> dividePtx(const std::string &text) {
  HOSTWARP_TRY(checkVersion(text));
  return compileGuarded(text, {"--divide"});
}

Expected<std::string> compileForLink(const std::string &text, unsigned mostRegisters) {
  HOSTWARP_TRY(checkVersion(text));
  std::vector<std::string> words = {"-rdc=true", "-cubin"};
  if (mostRegisters) words.push_back("-maxrregcount=" + std::to_string(mostRegisters));
  return compile(text, std::move(words));
}

Expected<std::string> emptyImage() { return compile(".version 7.0\n.target sm_50\n.address_size 64\n", {"-cubin"}); }

Expected<std::string> linkImages(const std::vector<LinkInput> &inputs) {
  const TemporaryFolder folder;
  if (!folder.exists()) return noTemporaryFolder;
  std::vector<std::string> words = {"-rdc=true", "-dlink", "-cubin"};
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string name = inputs[i].name.empty() ? "input" : fs::path(inputs[i].name).stem().string();
    name += "." + std::to_string(i) + suffixOf(inputs[i].content);
    words.push_back(folder.file(name.c_str()));
    // A text ends at the zero byte that programs add.
    const bool isText = words.back().ends_with(".ptx");
    if (!writeFile(words.back(), isText ? std::string(inputs[i].content.c_str()) : inputs[i].content))
      return noTemporaryFolder;
  }
  return makeImage(folder, std::move(words), cudaErrorInvalidKernelImage);
}

}  // namespace hostwarp::modules
