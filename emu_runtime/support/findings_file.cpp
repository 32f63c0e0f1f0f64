#include "emu_runtime/support/findings_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp {

namespace {

// A record is a line of fields; places are lists of parts. The separators are ASCII's own.
constexpr char fieldEnd = '\x1f', placeEnd = '\x1e', partEnd = '\x1d';

std::string plain(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\n' || (c >= partEnd && c <= fieldEnd); }, ' ');
  return text;
}

std::string encode(const std::vector<SourcePlace> &places) {
  std::string text;
  for (const SourcePlace &place : places)
    text += plain(place.file) + partEnd + plain(place.function) + partEnd + std::to_string(place.line) + partEnd +
            std::to_string(place.column) + partEnd + plain(place.text) + placeEnd;
  return text;
}

std::vector<std::string> split(const std::string &text, char end) {
  std::vector<std::string> parts;
  size_t start = 0;
  for (size_t stop; (stop = text.find(end, start)) != std::string::npos; start = stop + 1)
    parts.push_back(text.substr(start, stop - start));
  parts.push_back(text.substr(start));
  return parts;
}

uint64_t number(const std::string &text) { return std::strtoull(text.c_str(), nullptr, 10); }

std::vector<SourcePlace> decode(const std::string &text) {
  std::vector<SourcePlace> places;
  for (const std::string &place : split(text, placeEnd)) {
    const std::vector<std::string> parts = split(place, partEnd);
    if (parts.size() != 5) continue;
    places.push_back({parts[0], parts[1], static_cast<uint32_t>(number(parts[2])),
                      static_cast<uint32_t>(number(parts[3])), parts[4]});
  }
  return places;
}

void append(std::initializer_list<std::string> fields) {
  const std::string &path = optionText(Option::FINDINGS);
  if (path.empty()) return;
  std::string text;
  for (const std::string &field : fields) text += (text.empty() ? "" : std::string(1, fieldEnd)) + field;
  text += '\n';
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const bool written = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!written) logOnce("HOSTWARP_FINDINGS", "cannot write " + path + ": " + std::strerror(errno));
  if (file >= 0) close(file);
}

void take(const std::vector<std::string> &fields, FindingsOfRun &run) {
  const std::string &name = fields[0];
  if (name == "finding" && fields.size() == 14) {
    run.findings.push_back({.id = number(fields[1]),
                            .kind = fields[2],
                            .what = fields[3],
                            .by = fields[4],
                            .launch = fields[5],
                            .why = fields[6],
                            .values = fields[7],
                            .variable = fields[8],
                            .at = decode(fields[9]),
                            .other = decode(fields[10]),
                            .made = decode(fields[11]),
                            .freed = decode(fields[12]),
                            .launched = decode(fields[13])});
  } else if (name == "count" && fields.size() == 3) {
    for (FindingNote &finding : run.findings)
      if (finding.id == number(fields[1])) finding.count = number(fields[2]);
  } else if (name == "incomplete" && fields.size() == 2) {
    run.incomplete.push_back(fields[1]);
  } else if (name == "unsettled" && fields.size() == 2) {
    run.unsettled.push_back(fields[1]);
  } else if (name == "launches" && fields.size() == 3) {
    run.launches.launches += number(fields[1]);
    run.launches.settled += number(fields[2]);
    run.isComplete = true;
  }
}

}  // namespace

void noteFinding(const FindingNote &finding) {
  append({"finding", std::to_string(finding.id), plain(finding.kind), plain(finding.what), plain(finding.by),
          plain(finding.launch), plain(finding.why), plain(finding.values), plain(finding.variable), encode(finding.at),
          encode(finding.other), encode(finding.made), encode(finding.freed), encode(finding.launched)});
}

void noteCount(uint64_t id, uint64_t count) { append({"count", std::to_string(id), std::to_string(count)}); }

void noteIncomplete(const std::string &what) { append({"incomplete", plain(what)}); }

void noteUnsettled(const std::string &what) { append({"unsettled", plain(what)}); }

void noteLaunches(const LaunchesNote &launches) {
  append({"launches", std::to_string(launches.launches), std::to_string(launches.settled)});
}

FindingsOfRun readFindings(const std::string &path) {
  FindingsOfRun run;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) take(split(line, fieldEnd), run);
  return run;
}

}  // namespace hostwarp
