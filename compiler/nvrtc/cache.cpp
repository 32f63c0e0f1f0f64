#include "compiler/nvrtc/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "compiler/driver/hwcc_path.h"

namespace hostwarp::nvrtc {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "hostwarp nvrtc 1\n";

// stampOf() changes when the file does; empty when there is no such file.
std::string stampOf(const std::string &path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) return "";
  return std::to_string(info.st_size) + " " + std::to_string(info.st_mtim.tv_sec) + "." +
         std::to_string(info.st_mtim.tv_nsec);
}

// Key is two FNV-1a hashes of everything added: 128 bits, so that different requests do not meet.
class Key {
 public:
  void add(std::string_view text) {
    for (const char c : std::to_string(text.size()) + ":") mix(c);
    for (const char c : text) mix(c);
  }

  std::string name() const {
    char text[33];
    std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(first_),
                  static_cast<unsigned long long>(second_));
    return text;
  }

 private:
  void mix(char c) {
    first_ = (first_ ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    second_ = (second_ ^ static_cast<unsigned char>(c)) * 6364136223846793005ull + 1442695040888963407ull;
  }

  std::uint64_t first_ = 14695981039346656037ull;
  std::uint64_t second_ = 88172645463325252ull;
};

std::string keyOf(const Request &request) {
  Key key;
  const std::string hwcc = driver::hwccPath();
  for (const std::string &tool : {hwcc, hwcc + "-device"}) key.add(tool + " " + stampOf(tool));
  key.add(request.name);
  key.add(request.source);
  key.add(request.options.defaultDevice ? "device" : "host");
  key.add(request.options.sourceInclude ? "beside" : "");
  for (const std::string &option : request.options.forHwcc) key.add(option);
  for (const Header &header : request.headers) {
    key.add(header.name);
    key.add(header.content);
  }
  for (const std::string &expression : request.nameExpressions) key.add("&" + expression);
  // Relative include folders mean something else elsewhere.
  std::error_code ignored;
  key.add(fs::current_path(ignored).string());
  return key.name();
}

std::optional<fs::path> folder() {
  const char *wanted = std::getenv("HOSTWARP_CACHE");
  if (wanted && std::string_view(wanted) == "0") return std::nullopt;
  const char *cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return fs::path(cache) / "hostwarp" / "nvrtc";
  const char *home = std::getenv("HOME");
  if (home && *home == '/') return fs::path(home) / ".cache" / "hostwarp" / "nvrtc";
  return std::nullopt;
}

void appendField(std::string &text, std::string_view field) {
  text += std::to_string(field.size()) + "\n";
  text += field;
}

// takeField() cuts the next field off; nothing when the file is damaged.
std::optional<std::string> takeField(std::string_view &text) {
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos || line > 18) return std::nullopt;
  const std::size_t bytes = std::strtoull(std::string(text.substr(0, line)).c_str(), nullptr, 10);
  if (bytes > text.size() - line - 1) return std::nullopt;
  std::string field(text.substr(line + 1, bytes));
  text.remove_prefix(line + 1 + bytes);
  return field;
}

// The list of a product's strings: image, log, the number of names, names, then pairs of file and stamp.
bool read(std::string_view text, Product &product, std::size_t names) {
  auto image = takeField(text), log = takeField(text);
  if (!image || !log) return false;
  product.image = *std::move(image);
  product.log = *std::move(log);
  for (std::size_t i = 0; i < names; ++i) {
    auto name = takeField(text);
    if (!name) return false;
    product.loweredNames.push_back(*std::move(name));
  }
  while (!text.empty()) {
    const auto file = takeField(text), stamp = takeField(text);
    if (!file || !stamp || stampOf(*file) != *stamp) return false;
  }
  return true;
}

}  // namespace

bool findCached(const Request &request, Product &product) {
  const auto place = folder();
  if (!place || !request.options.cached) return false;
  std::ifstream file(*place / keyOf(request), std::ios::binary);
  const std::string content(std::istreambuf_iterator<char>(file), {});
  Product found;
  if (!std::string_view(content).starts_with(magic)) return false;
  if (!read(std::string_view(content).substr(magic.size()), found, request.nameExpressions.size())) return false;
  product = std::move(found);
  return true;
}

void keepCached(const Request &request, const Product &product) {
  const auto place = folder();
  if (!place || !request.options.cached) return;
  std::string content(magic);
  appendField(content, product.image);
  appendField(content, product.log);
  for (const std::string &name : product.loweredNames) appendField(content, name);
  for (const std::string &file : product.includedFiles) {
    appendField(content, file);
    appendField(content, stampOf(file));
  }
  std::error_code ignored;
  fs::create_directories(*place, ignored);
  // Under another name first: other processes see whole entries only.
  const fs::path entry = *place / keyOf(request);
  const fs::path unfinished = entry.string() + "." + std::to_string(getpid());
  std::ofstream file(unfinished, std::ios::binary);
  file << content;
  file.close();
  if (file) {
    fs::rename(unfinished, entry, ignored);
  } else {
    fs::remove(unfinished, ignored);
  }
}

}  // namespace hostwarp::nvrtc
