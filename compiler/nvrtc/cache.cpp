#include "compiler/nvrtc/cache.h"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

#include "compiler/driver/cache_folder.h"
#include "compiler/driver/hwcc_path.h"

namespace hostwarp::nvrtc {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "hostwarp nvrtc 2\n";

driver::CacheKey keyOf(const Request &request) {
  driver::CacheKey key;
  const std::string hwcc = driver::hwccPath();
  for (const std::string &tool : {hwcc, hwcc + "-device"}) key.add(tool + " " + driver::fileStamp(tool));
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
  return key;
}

// The list of a product's strings: the key's text, image, log, names, then pairs of file and stamp.
bool read(std::string_view text, Product &product, const std::string &key, std::size_t names) {
  if (driver::takeField(text) != key) return false;
  auto image = driver::takeField(text), log = driver::takeField(text);
  if (!image || !log) return false;
  product.image = *std::move(image);
  product.log = *std::move(log);
  for (std::size_t i = 0; i < names; ++i) {
    auto name = driver::takeField(text);
    if (!name) return false;
    product.loweredNames.push_back(*std::move(name));
  }
  while (!text.empty()) {
    const auto file = driver::takeField(text), stamp = driver::takeField(text);
    if (!file || !stamp || driver::fileStamp(*file) != *stamp) return false;
  }
  return true;
}

}  // namespace

bool findCached(const Request &request, Product &product) {
  const auto place = driver::cacheFolder("nvrtc");
  if (!place || !request.options.cached) return false;
  const driver::CacheKey key = keyOf(request);
  const std::string content = driver::readCacheFile(*place / key.name()).value_or("");
  Product found;
  if (!std::string_view(content).starts_with(magic)) return false;
  const std::string_view fields = std::string_view(content).substr(magic.size());
  if (!read(fields, found, key.text(), request.nameExpressions.size())) return false;
  product = std::move(found);
  return true;
}

void keepCached(const Request &request, const Product &product) {
  const auto place = driver::cacheFolder("nvrtc");
  if (!place || !request.options.cached) return;
  const driver::CacheKey key = keyOf(request);
  std::string content(magic);
  driver::appendField(content, key.text());
  driver::appendField(content, product.image);
  driver::appendField(content, product.log);
  for (const std::string &name : product.loweredNames) driver::appendField(content, name);
  for (const std::string &file : product.includedFiles) {
    driver::appendField(content, file);
    driver::appendField(content, driver::fileStamp(file));
  }
  driver::writeCacheFile(*place / key.name(), content);
}

}  // namespace hostwarp::nvrtc
