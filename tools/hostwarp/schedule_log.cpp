#include "tools/hostwarp/schedule_log.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace hostwarp::tool {
namespace {

bool readEvent(char kind, std::istringstream &words, ScheduleEvent &event) {
  event.kind = kind;
  words >> event.who.launch;
  if (kind == 'L' || kind == 'N' || kind == 'A') return !words.fail();
  if (kind == 'M') {
    for (uint64_t thread = 0; words >> thread;) event.threads.push_back(thread);
    return true;
  }
  words >> event.who.number;
  if (kind == 'P' || kind == 'B') words >> event.number;
  if (kind != 'X') return !words.fail();
  char access = 0;
  words >> event.operation.address >> event.operation.bytes >> access >> event.operation.commutes;
  event.operation.writes = access == 'w';
  return !words.fail();
}

void readLine(const std::string &line, ScheduleLog &log) {
  std::istringstream words(line);
  char kind = 0;
  std::string text;
  words >> kind;
  if (kind == 'D' || kind == 'I') {
    if (!(words >> text)) return;
    if (kind == 'D')
      log.preemptions.push_back(text);
    else
      log.limits.insert(text);
    return;
  }
  ScheduleEvent event;
  if (std::string("PXBGMALN").find(kind) != std::string::npos && readEvent(kind, words, event))
    log.events.push_back(event);
  if (kind != 'N') return;
  uint64_t threads = 0, operations = 0;
  words >> threads >> operations;
  log.threads = std::max(log.threads, threads);
  log.operations = std::max(log.operations, operations);
}

}  // namespace

bool Operation::isDependent(const Operation &other) const {
  const bool overlap = address < other.address + other.bytes && other.address < address + bytes;
  if (!overlap || !(writes || other.writes)) return false;
  return commutes == 0 || commutes != other.commutes || address != other.address || bytes != other.bytes;
}

ScheduleLog readScheduleLog(const std::string &path) {
  ScheduleLog log;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) readLine(line, log);
  return log;
}

}  // namespace hostwarp::tool
