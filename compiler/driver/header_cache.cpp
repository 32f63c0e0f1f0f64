#include "compiler/driver/header_cache.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "compiler/driver/cache_folder.h"
#include "compiler/driver/dependency_file.h"
#include "compiler/driver/hwcc_path.h"

namespace hostwarp::driver {

namespace {

namespace fs = std::filesystem;

// An entry takes some 5 MiB.
// Two for a set of options, since each pass has its own.
constexpr std::size_t mostHeaders = 64;
// Calls are remembered by their keys until so many others have come.
constexpr std::size_t mostRemembered = 128;

std::string readFile(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// namesRelativePath(): the command means something else in another folder.
bool namesRelativePath(const std::vector<std::string> &command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string &word = command[i];
    if (word.starts_with("-I") && !word.starts_with("-I/")) return true;
    const bool takesPath =
        word == "-include" || word == "-imacros" || word == "-isystem" || word == "-iquote" || word == "-idirafter";
    if (takesPath && i + 1 < command.size() && !command[i + 1].starts_with('/') && command[i + 1] != "cuda_runtime.h")
      return true;
  }
  return false;
}

// pluginOf() is the file of an argument that loads one, or empty.
std::string pluginOf(std::string_view argument) {
  constexpr std::string_view start = "-fplugin=";
  return argument.starts_with(start) ? std::string(argument.substr(start.size())) : "";
}

}  // namespace

HeaderCache::HeaderCache(std::vector<std::string> pass, std::string source)
    : pass_(std::move(pass)), source_(std::move(source)), folder_(cacheFolder("headers")), key_(makeKey()) {}

CacheKey HeaderCache::makeKey() const {
  CacheKey key;
  key.add(fileStamp(pass_[0]));
  for (const std::string &argument : pass_) {
    if (argument == "-fdiagnostics-color=always") continue;
    key.add(argument);
    if (const std::string plugin = pluginOf(argument); !plugin.empty()) key.add(fileStamp(plugin));
  }
  // Clang's own lists of folders.
  for (const char *variable : {"CPATH", "CPLUS_INCLUDE_PATH"})
    if (const char *value = std::getenv(variable)) key.add(std::string(variable) + "=" + value);
  std::error_code ignored;
  if (namesRelativePath(pass_)) key.add(fs::current_path(ignored).string());
  return key;
}

fs::path HeaderCache::file(const char *suffix) const { return *folder_ / (key_.name() + suffix); }

const std::vector<std::string> &HeaderCache::arguments() {
  if (arguments_) return *arguments_;
  arguments_.emplace();
  if (!folder_ || !(isUpToDate() || (wasAskedFor() && make()))) return *arguments_;
  std::error_code ignored;
  fs::last_write_time(file(".inputs"), fs::file_time_type::clock::now(), ignored);
  *arguments_ = {"-Xclang", "-include-pch", "-Xclang", file(".pch").string()};
  return *arguments_;
}

// isUpToDate(): the key is the same; each line of the list is a header's stamp, a tab and its path.
bool HeaderCache::isUpToDate() const {
  if (!isOwn(file(".pch")) || readCacheFile(file(".key")) != key_.text()) return false;
  const std::vector<std::string> inputs = linesOf(readCacheFile(file(".inputs")).value_or(""));
  return !inputs.empty() && std::ranges::all_of(inputs, [](const std::string &line) {
    const std::size_t tab = line.find('\t');
    return tab != std::string::npos && fileStamp(line.substr(tab + 1)) == line.substr(0, tab);
  });
}

// wasAskedFor() remembers the call, too.
bool HeaderCache::wasAskedFor() const {
  const fs::path list = *folder_ / "asked_for";
  std::vector<std::string> keys = linesOf(readCacheFile(list).value_or(""));
  if (std::ranges::find(keys, key_.name()) != keys.end()) return true;
  keys.push_back(key_.name());
  std::string text;
  for (std::size_t i = keys.size() > mostRemembered ? keys.size() - mostRemembered : 0; i < keys.size(); ++i)
    text += keys[i] + "\n";
  writeCacheFile(list, text);
  return false;
}

// make() gives entries to others only when they are whole. What clang has to say it will say of the pass.
bool HeaderCache::make() const {
  const std::string mine = "." + std::to_string(getpid());
  const fs::path headers = file(".pch").string() + mine, rule = file(".dep").string() + mine;
  std::vector<std::string> command = pass_;
  command.insert(command.end(), {"-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", headers.string(),
                                 "-MD", "-MT", "x", "-MF", rule.string(), source_});
  std::string ignoredLog, inputs;
  bool made = runCompiler(command, ignoredLog);
  for (const std::string &input : prerequisitesOf(readFile(rule))) inputs += fileStamp(input) + "\t" + input + "\n";
  std::error_code failed;
  fs::remove(rule, failed);
  fs::permissions(headers, fs::perms::owner_read | fs::perms::owner_write, failed);
  if (made) fs::rename(headers, file(".pch"), failed);
  made = made && !failed && writeCacheFile(file(".key"), key_.text()) && writeCacheFile(file(".inputs"), inputs);
  fs::remove(headers, failed);
  dropOldest();
  return made;
}

void HeaderCache::dropOldest() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(*folder_, ignored))
    if (entry.path().extension() == ".inputs") entries.emplace_back(entry.last_write_time(ignored), entry.path());
  std::ranges::sort(entries, std::greater());
  for (std::size_t i = mostHeaders; i < entries.size(); ++i) {
    fs::remove(entries[i].second, ignored);
    fs::remove(entries[i].second.replace_extension(".key"), ignored);
    fs::remove(entries[i].second.replace_extension(".pch"), ignored);
  }
}

}  // namespace hostwarp::driver
