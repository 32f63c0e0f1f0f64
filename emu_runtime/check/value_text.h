// Values in memory as people write them.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_VALUE_TEXT_H
#define HOSTWARP_EMU_RUNTIME_CHECK_VALUE_TEXT_H

#include <cstdint>
#include <string>

namespace hostwarp::check {

// isTypedValue(): an access with such traits says what its value is.
bool isTypedValue(uint32_t traits);

// valueText() is "5" or "(1.5, 2)", of an access with such traits; what is not typed is split into words, "(0x1, 0x2)".
// Empty where it is none that people write, where it may differ from run to run, and for more than 16 bytes.
std::string valueText(const void *start, uint64_t bytes, uint32_t traits);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_VALUE_TEXT_H
