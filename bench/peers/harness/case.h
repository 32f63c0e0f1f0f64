// What all forms of a kernel share: how a case is named, timed and judged. harness/main.cpp runs one case a process.
#ifndef HOSTWARP_BENCH_CASE_H
#define HOSTWARP_BENCH_CASE_H

#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace bench {

// Accept says which results are right: relative errors up to `error`, and a `share` of elements that may be anything.
struct Accept {
  double error = 0;
  double share = 0;
};

// Comparison counts the elements that differ from those of the reference.
struct Comparison {
  size_t wrong = 0, first = 0;
  void add(size_t index, bool right) {
    if (right) return;
    if (wrong++ == 0) first = index;
  }
};

// Run is one case in one process: it times the work and writes or checks the result.
class Run {
 public:
  enum class Mode { write, check };
  Run(Mode mode, std::string path, double budgetMs) : mode_(mode), path_(std::move(path)), budgetMs_(budgetMs) {}

  // time() calls work, complete when it returns, once to warm up, then 2 to 25 times while the budget lasts.
  template <class Work>
  void time(Work work) {
    work();
    const double begin = now();
    while (times_.size() < 2 || (times_.size() < 25 && now() - begin < budgetMs_)) {
      const double start = now();
      work();
      times_.push_back(now() - start);
    }
  }

  // result() keeps the values as the reference, or compares them with it.
  template <class T>
  void result(const T *values, size_t count, Accept accept = {}) {
    judged_ = true;
    if (mode_ == Mode::write) return write(values, count * sizeof(T));
    const std::vector<char> bytes = read();
    if (bytes.size() != count * sizeof(T)) return fail("the reference has another size");
    const T *want = reinterpret_cast<const T *>(bytes.data());
    Comparison comparison;
    for (size_t i = 0; i < count; ++i) {
      const double expected = double(want[i]), error = std::fabs(double(values[i]) - expected);
      comparison.add(i, error <= accept.error * (1 + std::fabs(expected)));
    }
    if (double(comparison.wrong) <= accept.share * double(count)) return;
    const size_t i = comparison.first;
    fail(std::to_string(comparison.wrong) + " of " + std::to_string(count) + " are wrong, the first at " +
         std::to_string(i) + ": " + std::to_string(values[i]) + " instead of " + std::to_string(want[i]));
  }
  template <class T>
  void result(const std::vector<T> &values, Accept accept = {}) {
    result(values.data(), values.size(), accept);
  }

  // report() prints `best` and `median` in milliseconds; it returns the process's exit status.
  int report();

 private:
  static double now() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
  }
  void write(const void *values, size_t bytes);
  [[nodiscard]] std::vector<char> read() const;
  void fail(const std::string &message);

  Mode mode_;
  std::string path_;
  double budgetMs_;
  std::vector<double> times_;
  bool judged_ = false, failed_ = false;
};

struct Case {
  const char *name;
  void (*function)(Run &);
};

std::vector<Case> &cases();

struct Registered {
  Registered(const char *name, void (*function)(Run &)) { cases().push_back({name, function}); }
};

}  // namespace bench

// BENCH_CASE defines the function of a case, of which the program has a list.
#define BENCH_CASE(name)                                              \
  static void name##Case(bench::Run &run);                            \
  static const bench::Registered name##Registered(#name, name##Case); \
  static void name##Case(bench::Run &run)

#endif  // HOSTWARP_BENCH_CASE_H
