#include "compiler/driver/options_file.h"

#include <fstream>
#include <sstream>

#include "compiler/driver/text.h"

namespace hostwarp::driver {
namespace {

// A file that names itself ends here.
constexpr int deepestNesting = 16;

bool namesOptionsFile(const std::string &word) {
  return word == "--options-file" || word == "-optf" || word.starts_with("--options-file=") ||
         word.starts_with("-optf=");
}

Expected<std::vector<std::string>> wordsOfFile(const std::string &path) {
  std::ifstream stream(path);
  if (!stream) return Failure{"Could not open options file '" + path + "'"};
  std::stringstream content;
  content << stream.rdbuf();
  return splitWords(content.str());
}

Status expand(const std::vector<std::string> &arguments, int depth, std::vector<std::string> &result) {
  if (depth > deepestNesting) return Failure{"Options files are nested too deeply"};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string &word = arguments[i];
    std::vector<std::string> files;
    if (word.size() > 1 && word[0] == '@') {
      files = {word.substr(1)};
    } else if (namesOptionsFile(word)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos && i + 1 == arguments.size())
        return Failure{"argument expected after '" + word + "'"};
      files = splitList(equals == std::string::npos ? arguments[++i] : word.substr(equals + 1));
    } else {
      result.push_back(word);
      continue;
    }
    for (const std::string &file : files) {
      const auto words = wordsOfFile(file);
      if (!words.ok()) return words.failure();
      if (Status status = expand(*words, depth + 1, result); !status.ok()) return status;
    }
  }
  return {};
}

}  // namespace

Expected<std::vector<std::string>> expandOptionsFiles(const std::vector<std::string> &arguments) {
  std::vector<std::string> result;
  if (Status status = expand(arguments, 0, result); !status.ok()) return Failure{status.message()};
  return result;
}

}  // namespace hostwarp::driver
