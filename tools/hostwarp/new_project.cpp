// `hostwarp new`: the files of share/hostwarp/project_template, with the project's name in them.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

namespace fs = std::filesystem;

// CMake's names of targets, which are C++'s but for dashes.
bool isName(std::string_view name) {
  const auto isPart = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) && std::ranges::all_of(name, isPart) &&
         name != "kernels" && name != "test_kernels" && name != "test" && name != "all";
}

std::string replaced(std::string text, std::string_view from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

bool writeFile(const fs::path &from, const fs::path &to, const std::string &name) {
  std::ifstream source(from);
  std::string text{std::istreambuf_iterator<char>(source), {}};
  std::ofstream target(to);
  target << replaced(replaced(std::move(text), "@NAME@", name), "@PREFIX@", installationRoot());
  target.close();
  return !source.bad() && target.good();
}

// copyTemplate() says which file or folder could not be made, or nothing.
std::optional<std::string> copyTemplate(const fs::path &from, const fs::path &to, const std::string &name) {
  std::error_code error;
  if (!fs::create_directories(to, error)) return to.string() + ": " + error.message();
  for (const auto &entry : fs::recursive_directory_iterator(from, error)) {
    const fs::path target = to / entry.path().lexically_relative(from);
    const bool isMade =
        entry.is_directory() ? fs::create_directory(target, error) : writeFile(entry.path(), target, name);
    if (!isMade) return target.string() + " could not be written";
  }
  return error ? std::optional(from.string() + ": " + error.message()) : std::nullopt;
}

}  // namespace

int newProject(Arguments arguments) {
  if (arguments.size() != 1) return fail("new needs the name of a project");
  const fs::path folder(arguments[0]);
  const std::string name = folder.filename().string();
  if (!isName(name))
    return fail("'" + name +
                "' cannot be a project's name: a letter, then letters, digits, _ and -, and no target of its own");
  std::error_code error;
  if (fs::exists(folder, error)) return fail(folder.string() + " exists already");
  const fs::path source = fs::path(installationRoot()) / "share/hostwarp/project_template";
  if (!fs::exists(source / "CMakeLists.txt", error))
    return fail(source.string() + " is not there; see hostwarp doctor");
  if (const auto complaint = copyTemplate(source, folder, name)) return fail(*complaint);
  std::printf("%s is made:\n  cd %s\n  cmake --preset cpu && cmake --build --preset cpu && ctest --preset cpu\n",
              folder.c_str(), folder.c_str());
  return 0;
}

}  // namespace hostwarp::tool
