// LiveRun: a program that runs now.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_LIVE_RUN_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_LIVE_RUN_H

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/hostwarp/compare/side.h"

namespace hostwarp::tool::compare {

// RunSettings is how to run it.
struct RunSettings {
  std::string name;  // "cpu,form=fibers"
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  compare_wire::Settings answer;
  double seconds = 600;      // without any work, after which it is ended
  bool showsOutput = false;  // else it goes to files
};

// LiveRun starts the program with its first next(), and ends it with its own life. Processes that the program starts
// belong to it, one at a time.
class LiveRun final : public Side {
 public:
  // `file` is the beginning of names for files, in a folder that is there for them.
  LiveRun(RunSettings settings, std::string file);
  ~LiveRun() override;
  LiveRun(const LiveRun &) = delete;
  LiveRun &operator=(const LiveRun &) = delete;

  std::optional<compare_wire::Work> next() override;
  std::optional<compare_wire::Values> values(compare_wire::ObjectId id) override;
  std::string place(compare_wire::ObjectId id) override;
  Ending ending() override { return ending_; }
  std::optional<compare_wire::Hello> hello() const override { return hello_; }
  unsigned char fill() const override { return static_cast<unsigned char>(settings_.answer.fill); }
  std::string name() const override { return settings_.name; }

  // outputFile() and errorFile() are where its output went.
  std::string outputFile() const { return file_ + ".out"; }
  std::string errorFile() const { return file_ + ".err"; }

 private:
  bool start();
  [[noreturn]] void becomeProgram() const;
  // connect() waits for a process of the program's to call; false: it has ended.
  bool connect();
  bool greet();
  std::optional<compare_wire::Frame> ask(compare_wire::Kind question, compare_wire::ObjectId id);
  std::optional<compare_wire::Frame> receive();
  void hangUp();
  void wait();
  void giveUp(const std::string &problem);

  const RunSettings settings_;
  const std::string file_;
  int listener_ = -1, socket_ = -1, processHandle_ = -1;
  pid_t process_ = -1;
  bool isStarted_ = false, isAsking_ = false;
  std::optional<compare_wire::Hello> hello_;
  Ending ending_;
};

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_LIVE_RUN_H
