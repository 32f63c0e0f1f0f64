// ElementType: what memory consists of, as far as comparing goes.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_ELEMENT_TYPE_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_ELEMENT_TYPE_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostwarp::tool::compare {

struct ElementType {
  enum class Kind { Floating, Signed, Unsigned, Bytes };
  std::string_view name;
  Kind kind;
  size_t bytes;
  int exponentBits;  // of Floating
};

// findType() knows C++'s names and CUDA's, of vectors, too; null for others.
const ElementType *findType(std::string_view name);
// typeNames() are those that findType() has rows for, for messages.
std::string typeNames();

// guessType() looks at two memories: floats or doubles where the numbers would be usual ones, else integers.
const ElementType &guessType(std::string_view first, std::string_view second);

// Element is one value, taken out of memory.
struct Element {
  double number = 0;
  bool isNan = false;
  std::string text;    // as a person reads it
  uint64_t order = 0;  // neighbours of floating-point numbers, and of integers, differ by 1
};
Element elementAt(const ElementType &type, const char *bytes);
// distance() is how many values lie between the two, and one of them: ulps.
uint64_t distance(const Element &first, const Element &second);

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_ELEMENT_TYPE_H
