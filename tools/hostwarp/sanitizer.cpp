// `hostwarp sanitizer`: hostwarp check with the options and the output of NVIDIA's compute-sanitizer, for scripts that
// know that.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tools/hostwarp/check_formats.h"
#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

struct SanitizerRequest {
  std::string tool = "memcheck";
  int errorStatus = 0;  // --error-exitcode
  size_t limit = 100;
  std::string save;  // file for the output
  bool isQuiet = false, areLeaksWanted = false;
  Arguments command;
};

// Ignored options change what NVIDIA's tool looks at; hostwarp's checks always look at all.
constexpr std::string_view ignored[] = {"--report-api-errors",
                                        "--racecheck-report",
                                        "--racecheck-detect-level",
                                        "--padding",
                                        "--track-unused-memory",
                                        "--check-device-heap",
                                        "--check-api-memory-access",
                                        "--target-processes",
                                        "--destroy-on-device-error",
                                        "--launch-timeout",
                                        "--show-backtrace",
                                        "--racecheck-memcpy-async",
                                        "--num-cuda-barriers",
                                        "--kernel-id",
                                        "--language",
                                        "--strip-paths",
                                        "--print-level",
                                        "--require-cuda-init"};

bool isRace(const FindingNote &finding) {
  return finding.kind.starts_with("race") || finding.kind.ends_with("not waited for") ||
         finding.kind == "missing proxy fence";
}
bool isLeak(const FindingNote &finding) { return finding.kind == "leak"; }
bool isUninitialised(const FindingNote &finding) { return finding.kind == "uninitialised read"; }

// isWanted() tells whether the tool of that name would look for it.
bool isWanted(const std::string &tool, const FindingNote &finding) {
  if (tool == "racecheck") return isRace(finding);
  if (tool == "initcheck") return isUninitialised(finding);
  const bool isMemory = finding.kind == "out of bounds" || isLeak(finding) || finding.kind.starts_with("use ") ||
                        finding.kind.find("address") != std::string::npos ||
                        finding.kind.find("memory") != std::string::npos;
  if (tool == "memcheck") return isMemory;
  return tool == "synccheck" && !isMemory && !isRace(finding) && !isUninitialised(finding);
}

// partOf() is what stands behind `before` up to the next `end`, or "".
std::string partOf(const std::string &text, const std::string &before, char end) {
  const size_t start = text.find(before);
  if (start == std::string::npos) return "";
  return text.substr(start + before.size(), text.find(end, start + before.size()) - start - before.size());
}

// threadAndBlock() makes "thread (1,0,0) in block (0,0,0)" of "kernel k(), block (0,0,0), thread (1,0,0)"; operations
// have none.
std::string threadAndBlock(const std::string &by) {
  if (by.find("thread (") == std::string::npos) return by;
  return "thread (" + partOf(by, "thread (", ')') + ") in block (" + partOf(by, "block (", ')') + ")";
}

std::string placeInFunction(const std::vector<SourcePlace> &places) {
  if (places.empty()) return "an unknown place";
  const SourcePlace &place = places.front();
  return place.function + "+0x0 in " + place.file + ":" + std::to_string(place.line);
}

const char *verbOf(const std::string &what) {
  return what.starts_with("reads") ? "Read" : what.starts_with("writes") ? "Write" : "Atomic";
}

std::string bytesOf(const std::string &what) {
  return what.substr(what.find(' ') + 1, what.find(" byte") - what.find(' ') - 1);
}

std::string spaceOf(const std::string &what) {
  if (what.find("shared memory") != std::string::npos) return "__shared__";
  return what.find("a local variable") != std::string::npos ? "__local__" : "__global__";
}

std::string addressOf(const FindingNote &finding) {
  const size_t start = finding.what.find("0x");
  return start == std::string::npos ? "0x0"
                                    : finding.what.substr(start, finding.what.find_first_of(", ", start) - start);
}

// hostFrames() is the calls of the host that have led to something.
std::vector<std::string> hostFrames(const std::vector<SourcePlace> &places, const char *when) {
  if (places.empty()) return {};
  std::vector<std::string> lines = {std::string("    Saved host backtrace up to driver entry point at ") + when};
  for (const SourcePlace &place : places) {
    const std::string line = place.line != 0 ? " in " + place.file + ":" + std::to_string(place.line) : "";
    lines.push_back("        Host Frame: " + place.function + line);
  }
  return lines;
}

void append(std::vector<std::string> &lines, const std::vector<std::string> &more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

std::vector<std::string> uninitialisedLines(const FindingNote &finding) {
  if (finding.by.empty()) {
    std::vector<std::string> lines = {"Host API uninitialized memory access", "    " + finding.what};
    append(lines, hostFrames(finding.at, "access time"));
    return lines;
  }
  std::vector<std::string> lines = {
      "Uninitialized " + spaceOf(finding.what) + " memory read of size " + bytesOf(finding.what) + " bytes",
      "    at " + placeInFunction(finding.at), "    by " + threadAndBlock(finding.by),
      "    Address " + addressOf(finding)};
  append(lines, hostFrames(finding.launched, "kernel launch time"));
  return lines;
}

std::vector<std::string> leakLines(const FindingNote &finding) {
  std::vector<std::string> lines = {"Leaked " + bytesOf(finding.what) + " bytes at " + addressOf(finding)};
  append(lines, hostFrames(finding.made, "allocation time"));
  return lines;
}

std::vector<std::string> memoryLines(const FindingNote &finding) {
  if (isLeak(finding)) return leakLines(finding);
  std::string verb = verbOf(finding.what);
  std::transform(verb.begin(), verb.end(), verb.begin(), [](unsigned char c) { return std::tolower(c); });
  if (finding.by.empty()) return {"Error: " + finding.what};
  std::vector<std::string> lines = {
      "Invalid " + spaceOf(finding.what) + " " + verb + " of size " + bytesOf(finding.what) + " bytes",
      "    at " + placeInFunction(finding.at), "    by " + threadAndBlock(finding.by)};
  const std::string address = partOf(finding.what, " at ", ',');
  lines.push_back("    Address " + (address.starts_with("0x") ? address : std::string("0x0")) + " is out of bounds");
  lines.push_back("    and is " + finding.what);
  append(lines, hostFrames(finding.launched, "kernel launch time"));
  append(lines, hostFrames(finding.made, "allocation time"));
  append(lines, hostFrames(finding.freed, "free time"));
  return lines;
}

std::string otherVerb(const std::string &what) {
  if (what.ends_with("has read") || what.ends_with("to read")) return "Read";
  return what.ends_with("has written") || what.ends_with("to write") ? "Write" : "Atomic";
}

// raceLines(): NVIDIA's tool counts bytes, and names the write first.
std::vector<std::string> raceLines(const FindingNote &finding) {
  const uint64_t hazards = finding.count * std::strtoull(bytesOf(finding.what).c_str(), nullptr, 10);
  std::string one = std::string(verbOf(finding.what)) + " access at " + placeInFunction(finding.at);
  std::string other = otherVerb(finding.what) + " access at " + placeInFunction(finding.other);
  if (one.starts_with("Read")) std::swap(one, other);
  return {"Error: Race reported between " + one, "    and " + other + " [" + std::to_string(hazards) + " hazards]"};
}

// joined() makes one of races that differ only in whether the threads are of one warp.
std::vector<FindingNote> joined(const std::vector<FindingNote> &findings) {
  std::vector<FindingNote> all;
  for (const FindingNote &finding : findings) {
    const auto same = std::ranges::find_if(all, [&](const FindingNote &each) {
      if (!isRace(each) || !isRace(finding)) return false;
      const std::string one = placeInFunction(finding.at), two = placeInFunction(finding.other);
      const std::string first = placeInFunction(each.at), second = placeInFunction(each.other);
      return (one == first && two == second) || (one == second && two == first);
    });
    if (same == all.end())
      all.push_back(finding);
    else
      same->count += finding.count;
  }
  return all;
}

std::vector<std::string> linesOf(const FindingNote &finding) {
  if (isRace(finding)) return raceLines(finding);
  return isUninitialised(finding) ? uninitialisedLines(finding) : memoryLines(finding);
}

// leakSummary() is the line that NVIDIA's tool has for all of them.
std::string leakSummary(const std::vector<FindingNote> &findings) {
  uint64_t bytes = 0, count = 0;
  for (const FindingNote &finding : findings) {
    if (!isLeak(finding)) continue;
    bytes += std::strtoull(bytesOf(finding.what).c_str(), nullptr, 10);
    ++count;
  }
  return "LEAK SUMMARY: " + std::to_string(bytes) + " bytes leaked in " + std::to_string(count) + " allocations";
}

std::string summaryOf(const SanitizerRequest &request, size_t errors, size_t displayed) {
  const std::string count = std::to_string(errors) + (errors == 1 ? " error" : " errors");
  if (request.tool != "racecheck") return "ERROR SUMMARY: " + count;
  return "RACECHECK SUMMARY: " + std::to_string(displayed) + (displayed == 1 ? " hazard" : " hazards") +
         " displayed (" + count + ", 0 warnings)";
}

std::string textOf(const SanitizerRequest &request, const CheckedRun &run, size_t &errors) {
  std::string text;
  const auto line = [&](const std::string &content) { text += "========= " + content + "\n"; };
  if (!request.isQuiet) line("COMPUTE-SANITIZER");
  errors = 0;
  for (const FindingNote &finding : joined(run.result.findings)) {
    if (!isWanted(request.tool, finding) || ++errors > request.limit) continue;
    for (const std::string &each : linesOf(finding)) line(each);
    line("");
  }
  if (!run.result.isComplete) line("Warning: the program did not come to its end, or has no kernels");
  for (const std::string &what : run.result.incomplete) line("Warning: not checked: " + what);
  if (request.areLeaksWanted) line(leakSummary(run.result.findings));
  if (!request.isQuiet || errors != 0) line(summaryOf(request, errors, std::min(errors, request.limit)));
  return text;
}

// takeOption() takes one option with its value; "" or what is wrong.
std::string takeOption(const std::string &name, const std::string &value, SanitizerRequest &request) {
  if (name == "--tool") {
    request.tool = value;
    if (value == "initcheck") setVariable("HOSTWARP_CHECK_INIT", "load");
    const bool isKnown = value == "memcheck" || value == "racecheck" || value == "initcheck" || value == "synccheck";
    return isKnown ? "" : "there is no tool '" + value + "'";
  }
  if (name == "--leak-check") {
    request.areLeaksWanted = value == "full";
    if (request.areLeaksWanted) setVariable("HOSTWARP_CHECK_LEAKS", "1");
    return request.areLeaksWanted || value == "no" ? "" : "--leak-check is full or no";
  }
  if (name == "--error-exitcode") return request.errorStatus = std::atoi(value.c_str()), "";
  if (name == "--print-limit") return request.limit = std::strtoull(value.c_str(), nullptr, 10), "";
  if (name == "--save" || name == "--log-file") return request.save = value, "";
  if (name == "--kernel-name" || name == "--kernel-regex") {
    const size_t equals = value.find('=');  // regex=..., kernel_substring=...
    return setVariable("HOSTWARP_CHECK_KERNELS", equals == std::string::npos ? value : value.substr(equals + 1)), "";
  }
  return std::ranges::find(ignored, name) != std::end(ignored) ? "" : "unknown option '" + name + "'";
}

std::string takeOptions(Arguments arguments, SanitizerRequest &request) {
  std::string complaint;
  while (complaint.empty() && !arguments.empty() && arguments[0].starts_with("-")) {
    std::string name(arguments[0]);
    arguments = arguments.subspan(1);
    if (name == "--") break;
    if (name == "--quiet" || name == "-q") {
      request.isQuiet = true;
      continue;
    }
    std::string value;
    if (const size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (!arguments.empty()) {
      value = arguments[0];
      arguments = arguments.subspan(1);
    }
    complaint = takeOption(name, value, request);
  }
  request.command = arguments;
  return complaint.empty() && arguments.empty() ? "sanitizer needs a program" : complaint;
}

}  // namespace

int sanitizer(Arguments arguments) {
  SanitizerRequest request;
  if (const std::string complaint = takeOptions(arguments, request); !complaint.empty()) return fail(complaint);
  CheckedRun run;
  if (!runChecked(request.command, run)) return fail("there is no temporary folder to note findings in");
  size_t errors = 0;
  const std::string text = textOf(request, run, errors);
  if (request.save.empty()) {
    std::fputs(text.c_str(), stdout);
  } else {
    std::ofstream file(request.save);
    file << text;
    if (!file.flush()) return fail("cannot write " + request.save);
  }
  return errors != 0 && request.errorStatus != 0 ? request.errorStatus : run.programStatus;
}

}  // namespace hostwarp::tool
