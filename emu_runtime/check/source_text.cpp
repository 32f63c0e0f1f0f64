#include "emu_runtime/check/source_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace hostwarp::check {

namespace {

namespace fs = std::filesystem;

std::ifstream openSource(const std::string &folder, const std::string &file) {
  std::error_code ignored;
  const auto isText = [&](const fs::path &path) { return fs::is_regular_file(path, ignored); };
  const fs::path inFolder = folder.empty() ? fs::path(file) : fs::path(folder) / file;
  return std::ifstream(isText(inFolder) ? inFolder : isText(file) ? fs::path(file) : fs::path());
}

// plain() leaves out what terminals would take for commands.
std::string plain(std::string text) {
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  const size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// cut() ends in front of a byte that begins a character.
std::string cut(std::string text) {
  constexpr size_t most = 110;
  if (text.size() <= most) return text;
  size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

}  // namespace

std::string sourceLine(const std::string &folder, const std::string &file, uint32_t line) {
  if (file.empty() || line == 0) return {};
  std::ifstream source = openSource(folder, file);
  std::string text;
  for (uint32_t number = 0; number < line; ++number)
    if (!std::getline(source, text)) return {};
  return cut(plain(text));
}

std::vector<SourcePlace> framesOf(const hw_access_site &site) {
  std::vector<SourcePlace> places;
  for (uint64_t i = 0; i < site.frameCount; ++i) {
    const hw_source_frame &frame = site.frames[i];
    places.push_back({frame.file, frame.function, frame.line, frame.column, {}});
  }
  return places;
}

std::vector<SourcePlace> placesOf(const hw_access_site &site) {
  std::vector<SourcePlace> places = framesOf(site);
  if (!places.empty()) {
    const hw_source_frame &frame = site.frames[0];
    places[0].text = sourceLine(frame.folder != nullptr ? frame.folder : "", frame.file, frame.line);
  }
  return places;
}

}  // namespace hostwarp::check
