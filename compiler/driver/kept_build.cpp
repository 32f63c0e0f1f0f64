#include "compiler/driver/kept_build.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "compiler/driver/front_end.h"
#include "compiler/hash/sha256.h"

namespace hostwarp::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "hostwarp build 2\n";

// The oldest go when there are more.
constexpr std::size_t mostBuilds = 2048;

std::string contentOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void dropOldest(const fs::path &folder) {
  std::error_code ignored;
  std::vector<fs::directory_entry> entries(fs::directory_iterator(folder, ignored), {});
  if (entries.size() <= mostBuilds) return;
  std::ranges::sort(entries, {}, [&](const fs::directory_entry &entry) { return entry.last_write_time(ignored); });
  for (std::size_t i = 0; i < entries.size() - mostBuilds; ++i) fs::remove(entries[i], ignored);
}

}  // namespace

KeptBuild::KeptBuild(const Invocation &invocation, const Toolchain &tools) {
  for (const std::string &tool : {tools.hwccDevice, tools.linker}) key_.add(tool + " " + fileStamp(tool));
  key_.add(invocation.gpu);
  key_.add(invocation.imageForm);
  for (const std::string &word : hwccDeviceCommand(invocation, tools, "", "", {}, {})) key_.add(word);
  for (const Input &input : invocation.inputs) key_.add(hash::sha256(contentOf(input.path)));
}

std::optional<std::string> KeptBuild::find() const {
  const auto folder = cacheFolder("builds");
  if (!folder) return std::nullopt;
  const std::string content = readCacheFile(*folder / key_.name()).value_or("");
  std::string_view fields = content;
  if (!fields.starts_with(magic)) return std::nullopt;
  fields.remove_prefix(magic.size());
  if (takeField(fields) != key_.text()) return std::nullopt;
  return takeField(fields);
}

Status KeptBuild::keep(const std::string &image) const {
  const auto folder = cacheFolder("builds");
  if (!folder) return {};
  std::string content(magic);
  appendField(content, key_.text());
  appendField(content, contentOf(image));
  writeCacheFile(*folder / key_.name(), content);
  dropOldest(*folder);
  return {};
}

}  // namespace hostwarp::driver
