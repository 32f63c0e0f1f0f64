#include "compiler/driver/time_table.h"

#include <chrono>
#include <cstdio>

#include "compiler/driver/text.h"

namespace hostwarp::driver {

TimeTable::~TimeTable() {
  if (file_.empty() || rows_.empty()) return;
  const bool toStandardOutput = file_ == "-";
  std::FILE *stream = toStandardOutput ? stdout : std::fopen(file_.c_str(), "a");
  if (stream == nullptr) {
    std::fprintf(stderr, "hwcc warning : Could not write '%s'\n", file_.c_str());
    return;
  }
  if (toStandardOutput || std::ftell(stream) == 0)
    std::fputs("source file name , phase name , phase output file , tool , metric , unit\n", stream);
  std::fputs(rows_.c_str(), stream);
  if (!toStandardOutput) std::fclose(stream);
}

void TimeTable::add(const Job &job, double milliseconds) {
  if (file_.empty()) return;
  char metric[32];
  std::snprintf(metric, sizeof metric, "%.4f", milliseconds);
  const std::string tool = job.action ? "hwcc" : fileStem(job.command.front());
  rows_ += job.source + " , " + job.phase + " , " + job.product + " , " + tool + " , " + metric + " , ms\n";
}

double TimeTable::now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace hostwarp::driver
