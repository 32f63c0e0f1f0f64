#include "emu_runtime/check/value_text.h"

#include <bit>
#include <charconv>
#include <cstring>

#include "emu_runtime/memory/layout.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

namespace {

constexpr uint64_t mostBytes = 16, wordBytes = 4;

std::string floatText(double number, bool isDouble) {
  char text[40];
  const auto end = isDouble ? std::to_chars(text, std::end(text), number).ptr
                            : std::to_chars(text, std::end(text), static_cast<float>(number)).ptr;
  return {text, end};
}

// isHostAddress(): what looks like an address of the program's own memory, which differs from run to run.
bool isHostAddress(uint64_t number, uint64_t least) {
  return number >= least && number < uint64_t{1} << 47 &&
         (number < memory::layout::devices || number >= memory::layout::end);
}

uint64_t numberAt(const std::byte *bytes, uint64_t size) {
  uint64_t number = 0;
  std::memcpy(&number, bytes, size);
  return number;
}

// elementText() is empty for what looks like an address.
std::string elementText(const std::byte *bytes, uint64_t size, bool isFloat) {
  const uint64_t number = numberAt(bytes, size);
  if (isFloat && size == sizeof(double)) return floatText(std::bit_cast<double>(number), true);
  if (isFloat) return floatText(std::bit_cast<float>(static_cast<uint32_t>(number)), false);
  if (size == sizeof number && isHostAddress(number, uint64_t{1} << 32)) return "";
  const auto unused = static_cast<unsigned>(64 - size * 8);
  return std::to_string(static_cast<int64_t>(number << unused) >> unused);
}

std::string wordText(const std::byte *bytes) {
  char text[12] = "0x";
  const auto word = static_cast<uint32_t>(numberAt(bytes, wordBytes));
  return {text, std::to_chars(text + 2, std::end(text), word, 16).ptr};
}

// hasAddress(): two of the words look like one. Pairs of small numbers do not.
bool hasAddress(const std::byte *bytes, uint64_t size) {
  for (uint64_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t))
    if (isHostAddress(numberAt(bytes + at, sizeof(uint64_t)), uint64_t{1} << 44)) return true;
  return false;
}

template <class Text>
std::string listOf(uint64_t count, Text textOf) {
  std::string list;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string text = textOf(i);
    if (text.empty()) return "";
    list += (i == 0 ? "(" : ", ") + text;
  }
  return list + ")";
}

// isOne(): one number, of a size that numbers have.
bool isOne(uint64_t bytes, uint64_t elementBytes, bool isFloat) {
  if (elementBytes != 0 && elementBytes != bytes) return false;
  return std::has_single_bit(bytes) && bytes <= sizeof(uint64_t) && (!isFloat || bytes >= sizeof(float));
}

}  // namespace

bool isTypedValue(uint32_t traits) { return (traits & HW_ACCESS_COPIES) == 0 || HW_ACCESS_ELEMENT_BYTES(traits) != 0; }

std::string valueText(const void *start, uint64_t bytes, uint32_t traits) {
  if (bytes == 0 || bytes > mostBytes) return "";
  const auto *const first = static_cast<const std::byte *>(start);
  const bool isFloat = (traits & HW_ACCESS_FLOATS) != 0;
  const uint64_t element = HW_ACCESS_ELEMENT_BYTES(traits);
  const bool isWords = element == 0 && (bytes > sizeof(uint64_t) || (bytes > wordBytes && !isTypedValue(traits)));
  if (!isWords && isOne(bytes, element, isFloat)) return elementText(first, bytes, isFloat);
  if (element != 0 && bytes % element == 0)
    return listOf(bytes / element, [&](uint64_t i) { return elementText(first + i * element, element, isFloat); });
  if (!isWords || bytes % wordBytes != 0 || hasAddress(first, bytes)) return "";
  return listOf(bytes / wordBytes, [&](uint64_t i) { return wordText(first + i * wordBytes); });
}

}  // namespace hostwarp::check
