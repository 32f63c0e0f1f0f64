#include "gpu_backend/fat_binary.h"

#include <charconv>

namespace hostwarp::gpu_backend {

namespace {

struct Header {
  uint32_t magic = 0xBA55ED50;
  uint16_t version = 1;
  uint16_t headerBytes = sizeof(Header);
  uint64_t bytes = 0;  // behind the header
};
static_assert(sizeof(Header) == 16);

// Entry describes one piece of code; that of PTX has options behind it.
struct Entry {
  uint16_t kind = 2;  // machine code
  uint16_t version = 0x101;
  uint32_t headerBytes = sizeof(Entry);
  uint64_t bytes = 0;  // padded
  uint32_t compressedBytes = 0;
  uint32_t optionsOffset = 0;
  uint16_t minor = 8, major = 1;  // of the form of the code
  uint32_t architecture = 0;
  uint32_t nameOffset = 0, nameBytes = 0;
  uint64_t flags = 0x11;  // 64 bits, Linux
  uint64_t reserved = 0;
  uint64_t plainBytes = 0;
};
static_assert(sizeof(Entry) == 0x40);

struct Options {
  uint32_t kind = 0x48, bytes = 0;
  uint64_t none = 0;
};

constexpr uint64_t forOneArchitecture = 0x100000;  // sm_90a

// numberBehind() is the number that follows the word in the text.
unsigned numberBehind(std::string_view text, std::string_view word, size_t *end = nullptr) {
  const size_t at = text.find(word);
  unsigned number = 0;
  if (at == std::string_view::npos) return 0;
  text.remove_prefix(at + word.size());
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end) *end = at + word.size() + static_cast<size_t>(read.ptr - text.data());
  return number;
}

template <class T>
std::string_view bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

}  // namespace

std::string fatBinary(std::string_view ptx) {
  std::string code(ptx);
  code.append(8 - code.size() % 8, '\0');  // at least one zero ends the text
  Entry entry;
  entry.kind = 1;
  entry.headerBytes = sizeof(Entry) + sizeof(Options);
  entry.optionsOffset = sizeof(Entry);
  entry.bytes = code.size();
  size_t end = 0;
  entry.major = static_cast<uint16_t>(numberBehind(ptx, ".version ", &end));
  entry.minor = static_cast<uint16_t>(end < ptx.size() ? numberBehind(ptx.substr(end), ".") : 0);
  entry.architecture = numberBehind(ptx, ".target sm_", &end);
  if (end < ptx.size() && ptx[end] == 'a') entry.flags |= forOneArchitecture;
  Header header;
  header.bytes = entry.headerBytes + code.size();
  return std::string(bytesOf(header)).append(bytesOf(entry)).append(bytesOf(Options())).append(code);
}

std::string fatBinaryOfMachineCode(std::string_view cubin, std::string_view ptx, int capability) {
  std::string code(cubin);
  code.append((8 - code.size() % 8) % 8, '\0');
  Entry entry;
  entry.bytes = code.size();
  entry.architecture = static_cast<uint32_t>(capability);
  const bool isForOne = ptx.find(".target sm_" + std::to_string(capability) + "a") != std::string_view::npos;
  if (isForOne) entry.flags |= forOneArchitecture;
  Header header;
  header.bytes = entry.headerBytes + code.size();
  return std::string(bytesOf(header)).append(bytesOf(entry)).append(code);
}

}  // namespace hostwarp::gpu_backend
