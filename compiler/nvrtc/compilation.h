// One compilation: hwcc run over a program's source.
#ifndef HOSTWARP_COMPILER_NVRTC_COMPILATION_H
#define HOSTWARP_COMPILER_NVRTC_COMPILATION_H

#include <string>
#include <utility>
#include <vector>

#include "compiler/nvrtc/options.h"

namespace hostwarp::nvrtc {

struct Header {
  std::string name;
  std::string content;
};

// Request is everything that decides the result, but for files that the source includes from disk.
struct Request {
  std::string source;
  std::string name;
  std::vector<Header> headers;
  std::vector<std::string> nameExpressions;
  Options options;
};

// Product is what a compilation gives. `loweredNames` has one name for each name expression.
struct Product {
  std::string image;
  std::string log;
  std::vector<std::string> loweredNames;
  std::vector<std::string> includedFiles;
};

enum class Outcome { Compiled, SourceWrong, NameWrong, Broken };

// compile() fills `product`; when it fails, only the log. Blocks until hwcc is done. Thread-safe.
Outcome compile(const Request &request, Product &product);

}  // namespace hostwarp::nvrtc

#endif  // HOSTWARP_COMPILER_NVRTC_COMPILATION_H
