// The search of all schedules, against a machine that is small enough to try every interleaving.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "tools/hostwarp/exhaustive.h"

namespace hostwarp::tool {
namespace {

// Instruction is an operation of a thread: on a variable, or a wait for all others.
struct Instruction {
  uint64_t variable;
  bool writes;
  uint32_t commutes = 0;
  bool isBarrier = false;
  size_t length = 0;  // a wait until the variable has been written that often
};
using Program = std::vector<std::vector<Instruction>>;
constexpr Instruction barrier{0, false, 0, true, 0};

// Machine runs a program; what it comes to is what each read has seen, and what memory holds.
class Machine {
 public:
  explicit Machine(const Program &program)
      : program_(program), at_(program.size()), reads_(program.size()), seen_(program.size()) {
    for (uint64_t i = 0; i < program_.size(); ++i) arrive(i);
  }

  std::vector<uint64_t> able() const {
    std::vector<uint64_t> threads;
    for (uint64_t i = 0; i < program_.size(); ++i)
      if (at_[i] < program_[i].size() && !program_[i][at_[i]].isBarrier && !seen_[i]) threads.push_back(i);
    return threads;
  }

  void step(uint64_t thread) {
    const Instruction &now = program_[thread][at_[thread]];
    log.events.push_back({'X', {0, thread}, {now.variable * 8, 8, now.writes, now.commutes}, {}});
    std::string &cell = memory_[now.variable];
    if (cell.size() < now.length) {
      seen_[thread] = cell;
      log.events.push_back({'B', {0, thread}, {}, {}, 1});
      return;
    }
    if (now.commutes != 0)
      cell += '+';
    else if (now.writes)
      cell += static_cast<char>('a' + thread);
    else
      reads_[thread] += cell + ";";
    ++at_[thread];
    arrive(thread);
    for (uint64_t i = 0; i < program_.size(); ++i) {
      if (!seen_[i] || *seen_[i] == memory_[program_[i][at_[i]].variable]) continue;
      seen_[i].reset();
      log.events.push_back({'G', {0, i}, {}, {}});
      arrive(i);
    }
  }

  std::string result() const {
    std::string text;
    for (const std::string &each : reads_) text += each + "|";
    for (const auto &[variable, value] : memory_) text += value + "|";
    return text;
  }

  ScheduleLog log;

 private:
  void arrive(uint64_t thread) {
    if (at_[thread] == program_[thread].size()) return;
    if (!program_[thread][at_[thread]].isBarrier) return log.events.push_back({'P', {0, thread}, {}, {}});
    if (++waiting_ < program_.size()) return;
    waiting_ = 0;
    ScheduleEvent meeting{'M', {0, 0}, {}, {}};
    for (uint64_t i = 0; i < program_.size(); ++i) meeting.threads.push_back(i);
    log.events.push_back(meeting);
    for (uint64_t i = 0; i < program_.size(); ++i) ++at_[i];
    for (uint64_t i = 0; i < program_.size(); ++i) arrive(i);
  }

  const Program &program_;
  std::vector<size_t> at_;
  std::vector<std::string> reads_;
  std::map<uint64_t, std::string> memory_;
  std::vector<std::optional<std::string>> seen_;  // by threads that wait for another value
  size_t waiting_ = 0;
};

// allResults() tries every interleaving.
std::set<std::string> allResults(const Program &program) {
  std::set<std::string> results;
  const std::function<void(const Machine &)> goOn = [&](const Machine &machine) {
    if (machine.able().empty()) results.insert(machine.result());
    for (const uint64_t thread : machine.able()) {
      Machine next = machine;
      next.step(thread);
      goOn(next);
    }
  };
  goOn(Machine(program));
  return results;
}

struct Searched {
  std::set<std::string> results;
  size_t runs = 0;
};

Searched search(const Program &program) {
  Searched searched;
  ExhaustiveSearch search;
  while (const auto picks = search.next()) {
    ++searched.runs;
    Machine machine(program);
    for (const Thread &pick : *picks) machine.step(pick.number);
    while (!machine.able().empty()) machine.step(machine.able().front());
    searched.results.insert(machine.result());
    EXPECT_TRUE(search.take(machine.log));
    if (searched.runs > 20000) {
      ADD_FAILURE() << "no end";
      break;
    }
  }
  return searched;
}

constexpr Instruction read(uint64_t variable) { return {variable, false}; }
constexpr Instruction write(uint64_t variable) { return {variable, true}; }
constexpr Instruction add(uint64_t variable) { return {variable, true, 1}; }

TEST(ExhaustiveTest, IndependentOperationsNeedOneRun) {
  EXPECT_EQ(search({{write(0), write(0)}, {write(1), read(1)}, {read(2), read(2)}}).runs, 1u);
}

TEST(ExhaustiveTest, ReadsAndSumsChangePlaces) {
  EXPECT_EQ(search({{read(0)}, {read(0)}, {read(0)}}).runs, 1u);
  EXPECT_EQ(search({{add(0)}, {add(0)}, {add(0)}, {add(0)}}).runs, 1u);
}

TEST(ExhaustiveTest, WritesOfOneVariableComeInEveryOrder) {
  const Program program = {{write(0)}, {write(0)}, {write(0)}};
  EXPECT_EQ(search(program).results, allResults(program));
  EXPECT_EQ(search(program).runs, 6u);
}

TEST(ExhaustiveTest, BarriersOrder) {
  EXPECT_EQ(search({{write(0), barrier, read(0)}, {write(1), barrier, write(0)}}).results,
            allResults({{write(0), barrier, read(0)}, {write(1), barrier, write(0)}}));
  EXPECT_EQ(search({{write(0), barrier}, {barrier, write(0)}}).runs, 1u);
}

TEST(ExhaustiveTest, FindsAllThatRandomProgramsComeTo) {
  uint64_t state = 1;
  const auto below = [&](uint64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  };
  for (int i = 0; i < 1000; ++i) {
    Program program(2 + below(2));
    const bool hasBarrier = below(3) == 0;
    for (auto &thread : program) {
      for (uint64_t count = 1 + below(program.size() == 2 ? 4 : 3); count > 0; --count)
        thread.push_back({below(2), below(2) == 0});
      if (below(3) == 0)
        thread.insert(thread.begin() + static_cast<ptrdiff_t>(below(thread.size() + 1)),
                      {below(2), false, 0, false, 1 + below(2)});
      if (hasBarrier) thread.insert(thread.begin() + static_cast<ptrdiff_t>(below(thread.size() + 1)), barrier);
    }
    EXPECT_EQ(search(program).results, allResults(program)) << i;
  }
}

TEST(ExhaustiveTest, OtherChoicesThanBeforeAreNoted) {
  const Program one = {{write(0)}, {write(0)}}, other = {{write(0)}, {read(1)}, {write(0)}};
  ExhaustiveSearch search;
  const auto take = [&](const Program &program) {
    Machine machine(program);
    while (!machine.able().empty()) machine.step(machine.able().front());
    return search.take(machine.log);
  };
  search.next();
  EXPECT_TRUE(take(one));
  search.next();
  EXPECT_FALSE(take(other));
}

}  // namespace
}  // namespace hostwarp::tool
