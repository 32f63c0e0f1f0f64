// What the program of each reader has: one input, read as the product reads it.
#ifndef HOSTWARP_TESTS_READER_FUZZ_READER_H
#define HOSTWARP_TESTS_READER_FUZZ_READER_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// LLVMFuzzerTestOneInput() is libFuzzer's name for it; returns 0. What must not be ends the process.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

namespace hostwarp::tests {

// complain() ends the process: the reader has made something wrong of its input.
[[noreturn]] inline void complain(const std::string &what) {
  std::fprintf(stderr, "reader_fuzz: %s\n", what.c_str());
  std::abort();
}

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_READER_FUZZ_READER_H
