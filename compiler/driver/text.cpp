#include "compiler/driver/text.h"

#include <algorithm>
#include <cctype>

namespace hostwarp::driver {

std::vector<std::string> splitList(std::string_view text) {
  std::vector<std::string> result;
  std::string current;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      current += text[++i];
    } else if (text[i] == ',' && !quoted) {
      result.push_back(std::move(current));
      current.clear();
    } else {
      quoted ^= text[i] == '"';
      current += text[i];
    }
  }
  result.push_back(std::move(current));
  std::erase(result, "");
  return result;
}

std::string withoutEscapes(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escapes = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
    result += text[escapes ? ++i : i];
  }
  return result;
}

std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> result;
  std::string current;
  bool started = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\0' && std::isspace(static_cast<unsigned char>(c))) {
      if (started) result.push_back(std::move(current));
      current.clear();
      started = false;
      continue;
    }
    started = true;
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      current += text[++i];
    } else if (quote == '\0' && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = '\0';
    } else {
      current += c;
    }
  }
  if (started) result.push_back(std::move(current));
  return result;
}

std::string quoteForShell(std::string_view argument) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("-_=./,+:@%^~").find(c) != std::string_view::npos;
  };
  if (!argument.empty() && std::all_of(argument.begin(), argument.end(), plain)) return std::string(argument);
  std::string result = "\"";
  for (char c : argument) {
    if (std::string_view("\"\\$`").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result + '"';
}

std::string join(const std::vector<std::string> &parts, std::string_view separator) {
  std::string result;
  for (const std::string &part : parts) {
    if (!result.empty()) result += separator;
    result += part;
  }
  return result;
}

namespace {

std::string_view lastComponent(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

std::string fileStem(std::string_view path) {
  const std::string_view name = lastComponent(path);
  const std::size_t dot = name.rfind('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
}

std::string fileSuffix(std::string_view path) {
  const std::string_view name = lastComponent(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string() : std::string(name.substr(dot));
}

}  // namespace hostwarp::driver
