// options: -lcuda
// The log of errors [CUDA 4.8]: callbacks, places in the log, dumps to memory and files, and what they say when lines
// are missing.
#include <cuda.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "../check.h"

#define CU(call) CHECK_EQ(call, CUDA_SUCCESS)

static std::vector<std::string> heard;

static void hear(void *data, CUlogLevel level, char *message, size_t length) {
  CHECK(data == &heard);
  CHECK_EQ(level, CU_LOG_LEVEL_ERROR);
  CHECK_EQ(strlen(message), length);
  heard.push_back(message);
}

static void fail() { CHECK_EQ(cuMemAlloc(nullptr, 16), CUDA_ERROR_INVALID_VALUE); }

static std::string dump(CUlogIterator *begin, size_t size = 25600) {
  std::string text(size, '?');
  CU(cuLogsDumpToMemory(begin, text.data(), &size, 0));
  if (size > 0) CHECK_EQ(text.c_str()[size], 0);  // a GPU's driver leaves the buffer alone when there is nothing
  return text.substr(0, size);
}

static bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

static void callbacks() {
  CUlogsCallbackHandle callback;
  CHECK_EQ(cuLogsRegisterCallback(nullptr, &heard, &callback), CUDA_ERROR_INVALID_VALUE);
  CU(cuLogsRegisterCallback(hear, &heard, &callback));
  fail();
  CHECK(!heard.empty());
  CHECK(heard.back() == "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemAlloc_v2");
  CHECK_EQ(cuLogsDumpToMemory(nullptr, nullptr, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK(std::find(heard.begin(), heard.end(), "buffer cannot be NULL") != heard.end());
  CU(cuLogsUnregisterCallback(callback));
  const size_t before = heard.size();
  fail();
  CHECK_EQ(heard.size(), before);
}

static void places() {
  CUlogIterator begin, end;
  CU(cuLogsCurrent(&begin, 0));
  fail();
  CU(cuLogsCurrent(&end, 0));
  CHECK(end > begin);
  CUlogIterator place = begin;
  const std::string text = dump(&place);
  CHECK_EQ(place, end);
  CHECK(text.front() == '[' && text.back() == '\n');
  CHECK(contains(text, "][CUDA][E]"));
  CHECK(contains(text, " Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemAlloc_v2\n"));
  CHECK_EQ(dump(&place).size(), 0);
  CHECK_EQ(place, end);
  place = end + 1000;
  size_t size = 100;
  char buffer[100];
  CHECK_EQ(cuLogsDumpToMemory(&place, buffer, &size, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(size, 0);
}

static void missingLines() {
  for (int i = 0; i < 101; ++i) fail();
  const std::string text = dump(nullptr);
  CHECK_EQ(text.find("Log buffer has rolled over since the previous dump. The oldest messages will be missing\n"), 0);
  CHECK_EQ(std::count(text.begin(), text.end(), '\n'), 101);
  std::string file = "/tmp/error_logs." + std::to_string(getpid());
  CU(cuLogsDumpToFile(nullptr, file.c_str(), 0));
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  CHECK(content.str() == text);
  unlink(file.c_str());
  CHECK_EQ(cuLogsDumpToFile(nullptr, "/nonexistent/folder/file", 0), CUDA_ERROR_INVALID_VALUE);
  // A GPU's driver writes beyond what it was told of the buffer.
  char buffer[1000] = "";
  size_t size = 300;
  CU(cuLogsDumpToMemory(nullptr, buffer, &size, 0));
  CHECK_EQ(std::string(buffer).find("The provided buffer is not large enough to hold all messages."), 0);
  size = 1;
  CHECK_EQ(cuLogsDumpToMemory(nullptr, buffer, &size, 0), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(size, 0);
}

int main() {
  CUDA_OK(cudaFree(nullptr));
  callbacks();
  places();
  missingLines();
  return check::finish();
}
