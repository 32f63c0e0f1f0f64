// A run in a file: what `hostwarp compare --save` writes and `--with` reads. docs/compare.md describes the form.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_SAVED_RUN_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_SAVED_RUN_H

#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/hostwarp/compare/side.h"

namespace hostwarp::tool::compare {

// digestText() is how files and reports have it: 32 hexadecimal digits.
std::string digestText(const compare_wire::Digest &digest);

// Program is what a file belongs to: the executable's name without its folder, and the arguments.
struct Program {
  std::string name;
  std::vector<std::string> arguments;
  bool operator==(const Program &) const = default;
  std::string text() const;
};
Program programOf(const std::vector<std::string> &command);

// saveRun() runs the side to its end and writes it; what is wrong, or "". `launches` counts them.
std::string saveRun(Side &side, const Program &program, bool withValues, const std::string &path, uint64_t &launches);

// SavedRun reads as the comparison goes on.
class SavedRun final : public Side {
 public:
  explicit SavedRun(std::string path);

  // open() reads the head: what is wrong with the file, or with it for this program, or "".
  std::string open(const Program &program);
  // haveValues() tells whether it has them beside digests.
  bool haveValues() const { return haveValues_; }

  std::optional<compare_wire::Work> next() override;
  std::optional<compare_wire::Values> values(compare_wire::ObjectId id) override;
  std::string place(compare_wire::ObjectId id) override;
  Ending ending() override { return ending_; }
  std::optional<compare_wire::Hello> hello() const override { return hello_; }
  unsigned char fill() const override { return fill_; }
  std::string name() const override { return path_; }

 private:
  std::optional<compare_wire::Work> damaged(const std::string &what);
  compare_wire::Work read(const nlohmann::json &line);

  const std::string path_;
  std::ifstream file_;
  uint64_t line_ = 0;
  bool haveValues_ = false;
  unsigned char fill_ = 0;
  std::optional<compare_wire::Hello> hello_;
  std::map<compare_wire::ObjectId, compare_wire::Values> values_;
  std::map<compare_wire::ObjectId, std::string> places_;
  Ending ending_;
};

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_SAVED_RUN_H
