// Chapter "error": the log of errors, for programs.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "emu_runtime/api/api.h"
#include "emu_runtime/support/error_log.h"

namespace hostwarp::api {

namespace {

// The longest text that cudaLogsDumpToMemory() hands out, its last zero included.
constexpr size_t largestDump = 25600;
constexpr const char *rolledOver =
    "Log buffer has rolled over since the previous dump. The oldest messages will be missing\n";
constexpr const char *tooSmall =
    "The provided buffer is not large enough to hold all messages. Some messages will be missing\n";

// linesBehind() takes the lines behind the iterator, or all when there is none, with a note when some are lost.
Expected<std::vector<std::string>> linesBehind(cudaLogIterator *iterator) {
  unsigned begin = iterator ? *iterator : 0;
  if (begin > error_log::current()) return Status(cudaErrorInvalidValue, "the log has no such place");
  error_log::Lines lines = error_log::linesSince(begin);
  if (iterator) *iterator = begin;
  if (!lines.areAll) lines.lines.insert(lines.lines.begin(), rolledOver);
  return std::move(lines.lines);
}

// fitting() is the text of the latest lines that have room, behind a note when these are not all.
std::string fitting(const std::vector<std::string> &lines, size_t room) {
  const auto text = [](auto first, auto last) { return std::accumulate(first, last, std::string()); };
  if (std::string all = text(lines.begin(), lines.end()); all.size() <= room) return all;
  auto first = lines.end();
  size_t bytes = std::strlen(tooSmall);
  while (first != lines.begin() && bytes + (first - 1)->size() <= room) bytes += (--first)->size();
  return tooSmall + text(first, lines.end());
}

}  // namespace

Status cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData, cudaLogsCallbackHandle *callback_out) {
  if (!callbackFunc) return {cudaErrorInvalidValue, "callbackFunc cannot be NULL"};
  const size_t number = error_log::addCallback(callbackFunc, userData);
  if (callback_out) *callback_out = reinterpret_cast<cudaLogsCallbackHandle>(number);  // NOLINT
  return {};
}

Status cudaLogsUnregisterCallback(cudaLogsCallbackHandle callback) {
  return error_log::removeCallback(reinterpret_cast<size_t>(callback)) ? Status() : Status(cudaErrorInvalidValue);
}

Status cudaLogsCurrent(cudaLogIterator *iterator_out, unsigned flags) {
  if (!iterator_out || flags) return cudaErrorInvalidValue;
  *iterator_out = error_log::current();
  return {};
}

Status cudaLogsDumpToFile(cudaLogIterator *iterator, const char *pathToFile, unsigned flags) {
  if (!pathToFile || flags) return cudaErrorInvalidValue;
  auto lines = linesBehind(iterator);
  if (!lines.ok()) return lines.status();
  std::ofstream file(pathToFile);
  for (const std::string &line : *lines) file << line;
  file.close();
  return file ? Status() : Status(cudaErrorInvalidValue, std::string("cannot write ") + pathToFile);
}

Status cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned flags) {
  if (!buffer) return {cudaErrorInvalidValue, "buffer cannot be NULL"};
  if (!size) return {cudaErrorInvalidValue, "Memory buffer size must be given for log dump"};
  if (flags) return cudaErrorInvalidValue;
  const size_t room = std::min(std::exchange(*size, 0), largestDump);
  auto lines = linesBehind(iterator);
  if (!lines.ok()) return lines.status();
  const std::string text = fitting(*lines, room == 0 ? 0 : room - 1);
  if (text.size() >= room) return {cudaErrorInvalidValue, "Provided buffer is not large enough to write any logs to"};
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  *size = text.size();
  return {};
}

}  // namespace hostwarp::api
