#include "tools/hostwarp/compare/element_type.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace hostwarp::tool::compare {
namespace {

using ElementKind = ElementType::Kind;

constexpr ElementType types[] = {
#define ELEMENT_TYPE(name, kind, bytes, exponentBits) {name, ElementKind::kind, bytes, exponentBits},
#define ELEMENT_ALIAS(name, type)
#include "tools/hostwarp/compare/element_types.def"
#undef ELEMENT_ALIAS
#undef ELEMENT_TYPE
};

struct Alias {
  std::string_view name, type;
};
constexpr Alias aliases[] = {
#define ELEMENT_TYPE(name, kind, bytes, exponentBits)
#define ELEMENT_ALIAS(name, type) {name, type},
#include "tools/hostwarp/compare/element_types.def"
#undef ELEMENT_ALIAS
#undef ELEMENT_TYPE
};

const ElementType *exactType(std::string_view name) {
  const auto *alias = std::ranges::find(aliases, name, &Alias::name);
  if (alias != std::end(aliases)) name = alias->type;
  const auto *type = std::ranges::find(types, name, &ElementType::name);
  return type == std::end(types) ? nullptr : type;
}

uint64_t wordAt(const char *bytes, size_t count) {
  uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

uint64_t signBit(const ElementType &type) { return uint64_t{1} << (8 * type.bytes - 1); }

// numberOf() reads a floating-point number of any size.
double numberOf(const ElementType &type, uint64_t word) {
  const int fractionBits = static_cast<int>(8 * type.bytes) - 1 - type.exponentBits;
  const int bias = (1 << (type.exponentBits - 1)) - 1;
  const auto exponent = static_cast<int>((word & ~signBit(type)) >> fractionBits);
  const uint64_t fraction = word & ((uint64_t{1} << fractionBits) - 1);
  double number = 0;
  if (exponent == (1 << type.exponentBits) - 1)
    number = fraction ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    number = std::ldexp(static_cast<double>(fraction), 1 - bias - fractionBits);
  else
    number = std::ldexp(static_cast<double>(fraction | (uint64_t{1} << fractionBits)), exponent - bias - fractionBits);
  return word & signBit(type) ? -number : number;
}

std::string textOf(const ElementType &type, double number) {
  char text[40];
  const int digits = type.bytes == 8 ? 17 : type.bytes == 4 ? 9 : 5;
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return text;
}

Element floating(const ElementType &type, uint64_t word) {
  const double number = numberOf(type, word);
  // Both zeros are one value in this order.
  const uint64_t sign = signBit(type), size = word & ~sign;
  return {number, std::isnan(number), textOf(type, number), word & sign ? sign - size : sign + size};
}

Element integer(const ElementType &type, uint64_t word) {
  const uint64_t sign = signBit(type);
  if (type.kind != ElementKind::Signed) return {static_cast<double>(word), false, std::to_string(word), word};
  const auto number = static_cast<int64_t>((word ^ sign) - sign);
  return {static_cast<double>(number), false, std::to_string(number),
          static_cast<uint64_t>(number) ^ signBit({"", {}, 8, 0})};
}

// isUsual(): a number that a program might compute with, of about that size.
bool isUsual(const ElementType &type, uint64_t word) {
  const double number = std::abs(numberOf(type, word));
  return number == 0 || (number > 1e-15 && number < 1e15);
}

bool allUsual(const ElementType &type, std::string_view memory) {
  for (size_t at = 0; at + type.bytes <= memory.size(); at += type.bytes)
    if (!isUsual(type, wordAt(memory.data() + at, type.bytes))) return false;
  return true;
}

}  // namespace

const ElementType *findType(std::string_view name) {
  if (const ElementType *type = exactType(name)) return type;
  while (!name.empty() && (std::isdigit(static_cast<unsigned char>(name.back())) != 0)) name.remove_suffix(1);
  return exactType(name);
}

std::string typeNames() {
  std::string names;
  for (const ElementType &type : types) names.append(names.empty() ? "" : ", ").append(type.name);
  return names;
}

const ElementType &guessType(std::string_view first, std::string_view second) {
  for (const char *name : {"float", "double"}) {
    const ElementType &type = *exactType(name);
    const bool fits = first.size() % type.bytes == 0 && first.size() >= type.bytes;
    if (fits && allUsual(type, first) && allUsual(type, second)) return type;
  }
  return *exactType(first.size() % 4 == 0 ? "int" : "bytes");
}

Element elementAt(const ElementType &type, const char *bytes) {
  const uint64_t word = wordAt(bytes, type.bytes);
  if (type.kind == ElementKind::Floating) return floating(type, word);
  Element element = integer(type, word);
  if (type.kind != ElementKind::Bytes) return element;
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", static_cast<unsigned>(word));
  element.text = text;
  return element;
}

uint64_t distance(const Element &first, const Element &second) {
  return first.order > second.order ? first.order - second.order : second.order - first.order;
}

}  // namespace hostwarp::tool::compare
