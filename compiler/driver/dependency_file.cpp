#include "compiler/driver/dependency_file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace hostwarp::driver {
namespace {

// isFile(): make's rules have a backslash before a blank of a name.
bool isFile(std::string prerequisite, const std::string &path) {
  for (std::size_t i = 0; (i = prerequisite.find("\\ ", i)) != std::string::npos;) prerequisite.erase(i, 1);
  return prerequisite == path;
}

// arrange() brings the rule's files into its order.
void arrange(const DependencyRule &rule, std::vector<std::string> &files) {
  std::erase_if(files, [&](const std::string &file) { return isFile(file, rule.omitted); });
  const auto source = std::ranges::find_if(files, [&](const std::string &file) { return isFile(file, rule.source); });
  if (source != files.end()) std::rotate(files.begin(), source, source + 1);
}

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::vector<std::string> prerequisitesOf(const std::string &rule) {
  std::vector<std::string> result;
  std::size_t i = rule.find(':');
  if (i == std::string::npos) return result;
  std::string current;
  const auto flush = [&] {
    if (!current.empty()) result.push_back(std::move(current));
    current.clear();
  };
  for (++i; i < rule.size(); ++i) {
    if (rule[i] == '\\' && i + 1 < rule.size() && rule[i + 1] == '\n') {
      flush();
      ++i;
    } else if (rule[i] == '\\' && i + 1 < rule.size() && rule[i + 1] == ' ') {
      current += rule[i];
      current += rule[++i];
    } else if (isBlank(rule[i])) {
      flush();
    } else {
      current += rule[i];
    }
  }
  flush();
  return result;
}

std::string formatRule(const DependencyRule &rule, const std::vector<std::string> &prerequisites) {
  std::string text = rule.target + " :";
  for (std::size_t i = 0; i < prerequisites.size(); ++i) text += (i == 0 ? " " : " \\\n    ") + prerequisites[i];
  text += '\n';
  if (rule.phonyTargets)
    for (std::size_t i = 1; i < prerequisites.size(); ++i) text += '\n' + prerequisites[i] + ":\n";
  return text;
}

Status mergeDependencyFiles(const DependencyRule &rule, const std::vector<std::string> &files,
                            const std::string &output) {
  std::vector<std::string> merged;
  std::set<std::string> seen;
  for (const std::string &file : files) {
    std::ifstream stream(file);
    if (!stream) return Failure{"Could not read '" + file + "'"};
    std::stringstream content;
    content << stream.rdbuf();
    for (std::string &prerequisite : prerequisitesOf(content.str()))
      if (seen.insert(prerequisite).second) merged.push_back(std::move(prerequisite));
  }
  arrange(rule, merged);
  const std::string text = formatRule(rule, merged);
  std::FILE *stream = output.empty() ? stdout : std::fopen(output.c_str(), "w");
  if (stream == nullptr) return Failure{"Could not write '" + output + "'"};
  bool good = std::fputs(text.c_str(), stream) >= 0;
  good &= (output.empty() ? std::fflush(stream) : std::fclose(stream)) == 0;
  return good ? Status() : Status(Failure{"Could not write '" + output + "'"});
}

}  // namespace hostwarp::driver
