#include "compiler/nvrtc/compilation.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>

#include "compiler/driver/dependency_file.h"
#include "compiler/driver/hwcc_path.h"
#include "compiler/driver/temp_files.h"
#include "compiler/nvrtc/messages.h"

namespace hostwarp::nvrtc {

namespace {

namespace fs = std::filesystem;

bool writeFile(const fs::path &path, const std::string &content) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return static_cast<bool>(file);
}

std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

// The lines behind the source have a name of their own, so that a wrong expression is told from a wrong source.
constexpr const char *expressionFile = "name_expressions";

// isOfLibrary(): the host's header of that name is used instead. Programs, and Jitify for them, bring a part of the C++
// standard library of their own, since NVRTC has none; here CUDA's headers have included the host's already.
bool isOfLibrary(const std::string &header) {
  static constexpr std::string_view ofC[] = {"assert.h", "float.h",  "limits.h", "math.h",   "memory.h", "stdarg.h",
                                             "stddef.h", "stdint.h", "stdio.h",  "stdlib.h", "string.h", "time.h"};
  return header.find_first_of("./") == std::string::npos || std::ranges::find(ofC, header) != std::end(ofC);
}

std::string sourceText(const Request &request) {
  // A class that the library has only declared cannot be brought by `using cuda::std::tuple;` in std.
  std::string text = "#include <tuple>\n";
  if (request.options.defaultDevice) text += "#pragma clang force_cuda_host_device begin\n";
  text += "#line 1 " + quoted(request.name) + "\n" + request.source + "\n";
  if (request.options.defaultDevice) text += "#pragma clang force_cuda_host_device end\n";
  if (!request.nameExpressions.empty()) text += "#line 1 \"" + std::string(expressionFile) + "\"\n";
  for (std::size_t i = 0; i < request.nameExpressions.size(); ++i) {
    text += "extern \"C\" __device__ void *__hw_lowered_name_" + std::to_string(i) + " = (void *)(" +
            request.nameExpressions[i] + ");\n";
  }
  return text;
}

// wrongExpression() is the name expression that the first error is in: a source with an unclosed bracket makes errors
// behind its end as well. One that has a value, but not an address, is wrong in the source's way, as in NVRTC.
std::optional<std::string> wrongExpression(const Request &request, const std::string &log) {
  const std::size_t error = log.find(": error: ");
  if (error == std::string::npos) return std::nullopt;
  if (std::string_view(log).substr(error).starts_with(": error: dynamic initialization")) return std::nullopt;
  const std::size_t begin = log.rfind('\n', error) + 1;  // 0 where it is the first line
  const std::string prefix = std::string(expressionFile) + ":";
  if (log.compare(begin, prefix.size(), prefix) != 0) return std::nullopt;
  const std::size_t line = std::strtoul(log.c_str() + begin + prefix.size(), nullptr, 10);
  return line == 0 || line > request.nameExpressions.size() ? "" : request.nameExpressions[line - 1];
}

std::vector<std::string> loweredNames(const std::string &lines, std::size_t count) {
  std::vector<std::string> names(count);
  std::istringstream stream(lines);
  std::size_t index = 0;
  for (std::string name; stream >> index >> name;) {
    if (index < count) names[index] = name;
  }
  return names;
}

// tellOfNameless() adds what is wrong with name expressions that give neither a function nor a whole variable, if there
// are such.
bool tellOfNameless(const Request &request, Product &product) {
  bool isWrong = false;
  for (std::size_t i = 0; i < request.nameExpressions.size(); ++i) {
    if (!product.loweredNames[i].empty()) continue;
    isWrong = true;
    product.log += std::string(expressionFile) + "(" + std::to_string(i + 1) + "): error: \"" +
                   request.nameExpressions[i] + "\" is not the address of a function or of a variable\n";
  }
  return isWrong;
}

// Workspace is the private folder of one compilation.
struct Workspace {
  explicit Workspace(driver::TempFiles &temps)
      : source(temps.path("source", ".cu")),
        headers(temps.path("headers", "")),
        spareHeaders(temps.path("spare_headers", "")),
        image(temps.path("source", ".cubin")),
        names(temps.path("source", ".names")),
        rule(temps.path("source", ".dep")) {}

  // folderOf() a header that the program brings: the host's library comes before spareHeaders.
  const std::string &folderOf(const Header &header) const { return isOfLibrary(header.name) ? spareHeaders : headers; }

  std::string source, headers, spareHeaders, image, names, rule;
};

// hasCompany() tells whether a source's folder holds anything but the source. Programs that make a folder for each
// source, as CuPy does, would otherwise have other options each time.
bool hasCompany(const fs::path &source) {
  std::error_code error;
  const fs::directory_iterator entries(source.parent_path() / ".", error);
  return std::any_of(begin(entries), end(entries),
                     [&](const fs::directory_entry &entry) { return entry.path().filename() != source.filename(); });
}

std::vector<std::string> commandFor(const Request &request, const Workspace &space) {
  // NVRTC knows no exceptions: headers that ask leave out what throws, and classes that the host's are bases of.
  std::vector<std::string> command = {"-cubin", "-D__CUDACC_RTC__=1", "-U__EXCEPTIONS", "-U__cpp_exceptions"};
  // Without a private folder the options are the same every time, and hwcc knows them again.
  if (!request.headers.empty())
    command.insert(command.end(), {"-I" + space.headers, "-Xcompiler", "-idirafter," + space.spareHeaders});
  const auto &options = request.options.forHwcc;
  command.insert(command.end(), options.begin(), options.end());
  if (request.options.sourceInclude && hasCompany(request.name))
    command.push_back("-I" + (fs::path(request.name).parent_path() / ".").string());
  if (!request.nameExpressions.empty()) command.insert(command.end(), {"--lowered-names", space.names});
  command.insert(command.end(), {"-MD", "-MF", space.rule, space.source, "-o", space.image});
  return command;
}

}  // namespace

Outcome compile(const Request &request, Product &product) {
  driver::TempFiles temps;
  if (const driver::Status status = temps.open(); !status.ok()) {
    product.log = status.message() + "\n";
    return Outcome::Broken;
  }
  const Workspace space(temps);
  bool written = writeFile(space.source, sourceText(request));
  for (const Header &header : request.headers) {
    written = written && writeFile(fs::path(space.folderOf(header)) / header.name, header.content);
  }
  if (!written) {
    product.log = "the sources cannot be written to a temporary folder\n";
    return Outcome::Broken;
  }
  const bool compiled = driver::runHwcc(commandFor(request, space), product.log);
  product.log = inWordsOfNvrtc(std::move(product.log), {space.headers, space.spareHeaders});
  if (!compiled) {
    const auto expression = wrongExpression(request, product.log);
    if (!expression) return Outcome::SourceWrong;
    product.log.insert(0, "Error in parsing name expression \"" + *expression + "\"\n");
    return Outcome::NameWrong;
  }
  product.image = readFile(space.image);
  product.loweredNames = loweredNames(readFile(space.names), request.nameExpressions.size());
  if (tellOfNameless(request, product)) return Outcome::SourceWrong;
  const std::string folder = fs::path(space.source).parent_path().string();
  for (const std::string &file : driver::prerequisitesOf(readFile(space.rule))) {
    if (!file.starts_with(folder)) product.includedFiles.push_back(file);
  }
  return product.image.empty() ? Outcome::Broken : Outcome::Compiled;
}

}  // namespace hostwarp::nvrtc
