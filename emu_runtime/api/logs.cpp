// Chapter "error": the log of errors, for programs.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>

#include "emu_runtime/api/api.h"
#include "emu_runtime/support/error_log.h"

namespace hostwarp::api {

namespace {

// The longest text that cudaLogsDumpToMemory() hands out.
constexpr size_t largestDump = 25600;

// collect() takes the lines behind the iterator, or all when there is none.
std::string collect(cudaLogIterator *iterator) {
  unsigned begin = iterator ? *iterator : 0;
  std::string text = error_log::linesSince(begin);
  if (iterator) *iterator = begin;
  return text;
}

}  // namespace

Status cudaLogsRegisterCallback(cudaLogsCallback_t callbackFunc, void *userData, cudaLogsCallbackHandle *callback_out) {
  if (!callbackFunc) return cudaErrorInvalidValue;
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
  std::ofstream file(pathToFile);
  file << collect(iterator);
  file.close();
  return file ? Status() : Status(cudaErrorInvalidValue, std::string("cannot write ") + pathToFile);
}

Status cudaLogsDumpToMemory(cudaLogIterator *iterator, char *buffer, size_t *size, unsigned flags) {
  if (!buffer || !size || *size == 0 || flags) return cudaErrorInvalidValue;
  const std::string text = collect(iterator);
  // The latest lines are the ones that count.
  const size_t room = std::min(*size, largestDump) - 1;
  const size_t bytes = std::min(room, text.size());
  std::memcpy(buffer, text.data() + (text.size() - bytes), bytes);
  buffer[bytes] = '\0';
  *size = bytes;
  return {};
}

}  // namespace hostwarp::api
