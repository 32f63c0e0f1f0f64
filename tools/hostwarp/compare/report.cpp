#include "tools/hostwarp/compare/report.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string_view>

#include "tools/hostwarp/compare/saved_run.h"

namespace hostwarp::tool::compare {
namespace {

using Json = nlohmann::json;

constexpr int same = 0, different = 1, notCompared = 2;

std::string counted(uint64_t count, const char *what) {
  const std::string_view name = what, ending = name.ends_with("ch") ? "es" : "s";
  return std::to_string(count).append(" ").append(name).append(count == 1 ? "" : ending);
}

std::string shortText(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", number);
  return text;
}

// upwards() is the next number of three digits: as a tolerance it is enough.
std::string upwards(double number) {
  char text[32];
  const double step = std::pow(10, std::floor(std::log10(number)) - 2);
  std::snprintf(text, sizeof text, "%.3g", std::ceil(number / step * (1 - 1e-12)) * step);
  return text;
}

std::string line(const char *head, const std::string &text) {
  std::string padded = head;
  padded.resize(10, ' ');
  return "hostwarp:   " + padded + text + "\n";
}

std::string textOf(const Memory &memory) {
  std::string text = nameOf(memory.made);
  if (!(memory.made.id & compare_wire::variableBit))
    text += ": " + counted(memory.made.bytes, "byte") + " of " + memory.made.name + "()";
  return memory.place.empty() ? text : text + ", " + memory.place;
}

std::string distanceText(const ValueDifference &values, const Pair &pair) {
  std::string text;
  if (values.isFloating && std::isfinite(pair.absolute)) text = ", " + counted(pair.ulps, "ulp") + " apart";
  return text;
}

std::string textOf(const ValueDifference &values, const Pair &pair) {
  return std::to_string(pair.index) + " (offset " + std::to_string(pair.index * values.elementBytes) +
         "): " + pair.first + " in the first run, " + pair.second + " in the second" + distanceText(values, pair);
}

std::string extentText(const ValueDifference &values) {
  std::string text = std::to_string(values.differing) + " of " + counted(values.elements, "element");
  text += " of type " + values.type + (values.isGuessed ? " (guessed; --type says it)" : "");
  text += values.differing == 1 ? " differs" : " differ";
  if (!std::isfinite(values.mostAbsolute) || values.type == "bytes") return text;
  text += "; at most by " + shortText(values.mostAbsolute);
  if (std::isfinite(values.mostRelative)) text += ", relative " + shortText(values.mostRelative);
  if (values.isFloating) text += ", " + counted(values.mostUlps, "ulp");
  return text;
}

// hidingText() is which tolerances would hide all of it.
std::string hidingText(const ValueDifference &values) {
  if (values.type == "bytes") return "no tolerance hides it: bytes are no numbers";
  if (values.haveNan || !std::isfinite(values.mostAbsolute))
    return "no tolerance hides it: one of the numbers is infinite or none";
  std::string text = "--atol " + upwards(values.mostAbsolute);
  if (std::isfinite(values.mostRelative)) text += ", or --rtol " + upwards(values.mostRelative);
  if (values.isFloating) text += ", or --ulp " + std::to_string(values.mostUlps);
  return text + " would hide it";
}

std::string digestsOf(const Memory &memory) {
  return digestText(memory.firstDigest) + " in the first run, " + digestText(memory.secondDigest) +
         " in the second: values were not saved";
}

std::string textOf(const std::vector<Memory> &memories) {
  const Memory &memory = memories.front();
  std::string text = line("memory", textOf(memory));
  if (memory.values) {
    const ValueDifference &values = *memory.values;
    text += line("element", textOf(values, values.first));
    if (values.largest.index != values.first.index) text += line("farthest", textOf(values, values.largest));
    text += line("extent", extentText(values)) + line("tolerance", hidingText(values));
  } else {
    text += line("digest", digestsOf(memory));
  }
  for (size_t i = 1; i < memories.size() && i < 4; ++i)
    text += line("also", textOf(memories[i]) + (memories[i].values ? ": " + extentText(*memories[i].values) : ""));
  if (memories.size() > 4) text += line("also", counted(memories.size() - 4, "more"));
  return text;
}

std::string textOf(const Explanation &explanation) {
  if (!explanation.problem.empty()) return line("check", "nothing known: " + explanation.problem);
  if (explanation.findings.empty()) return line("check", "hostwarp check finds nothing in this kernel");
  std::string text;
  for (const std::string &finding : explanation.findings) text += line("check", finding);
  return text;
}

std::string textOf(const Difference &difference) {
  if (!difference.sequence.empty())
    return "hostwarp: the runs differ after " + counted(difference.launch, "launch") + ": " + difference.sequence +
           "\n";
  const bool isALaunch = isLaunch(difference.work);
  std::string text = "hostwarp: the runs differ " + std::string(isALaunch ? "after launch " : "at ");
  text += isALaunch ? std::to_string(difference.launch) + ": " + titleOf(difference.work)
                    : titleOf(difference.work) + ", after " + counted(difference.launch, "launch") +
                          (difference.lastKernel.empty() ? "" : ", the last of " + difference.lastKernel);
  return text + "\n" + textOf(difference.memories);
}

Json jsonOf(const ValueDifference &values, const Pair &pair) {
  Json json = {{"index", pair.index},
               {"offset", pair.index * values.elementBytes},
               {"first", pair.first},
               {"second", pair.second}};
  if (std::isfinite(pair.absolute)) json["absolute"] = pair.absolute;
  if (std::isfinite(pair.relative)) json["relative"] = pair.relative;
  if (values.isFloating) json["ulp"] = pair.ulps;
  return json;
}

Json jsonOf(const Memory &memory) {
  Json json = {
      {"name", nameOf(memory.made)}, {"call", memory.made.name}, {"bytes", memory.made.bytes}, {"place", memory.place}};
  if (!memory.values) return json;
  const ValueDifference &values = *memory.values;
  json["type"] = values.type;
  json["type_guessed"] = values.isGuessed;
  json["elements"] = values.elements;
  json["differing"] = values.differing;
  json["element"] = jsonOf(values, values.first);
  json["farthest"] = jsonOf(values, values.largest);
  return json;
}

Json jsonOf(const Difference &difference) {
  Json memories = Json::array();
  for (const Memory &memory : difference.memories) memories.push_back(jsonOf(memory));
  const auto &work = difference.work;
  return {{"launch", difference.launch},
          {"kind", work.kind},
          {"name", work.name},
          {"grid", work.grid},
          {"block", work.block},
          {"stream", work.stream},
          {"sequence", difference.sequence},
          {"memory", memories}};
}

}  // namespace

int statusOf(const Comparison &comparison) {
  if (!comparison.problem.empty()) return notCompared;
  return comparison.difference ? different : same;
}

std::string toText(const Report &report) {
  const Comparison &comparison = report.comparison;
  const std::string note = report.note.empty() ? "" : "hostwarp: " + report.note + "\n";
  if (!comparison.problem.empty()) return "hostwarp: could not be compared: " + comparison.problem + "\n" + note;
  std::string text;
  if (comparison.difference)
    text = textOf(*comparison.difference);
  else
    text = "hostwarp: no difference in " + counted(comparison.launches, "launch") + "\n";
  if (report.explanation) text += textOf(*report.explanation);
  return text + note + "hostwarp: first: " + report.first + "; second: " + report.second + "\n";
}

std::string toJson(const Report &report) {
  static constexpr const char *verdicts[] = {"equal", "differs", "not compared"};
  const Comparison &comparison = report.comparison;
  Json json = {{"version", 1},
               {"command", report.command},
               {"first", report.first},
               {"second", report.second},
               {"verdict", verdicts[statusOf(comparison)]},
               {"launches", comparison.launches},
               {"problem", comparison.problem},
               {"note", report.note}};
  if (comparison.difference && comparison.problem.empty()) json["difference"] = jsonOf(*comparison.difference);
  if (report.explanation) {
    json["check"] = report.explanation->findings;
    json["check_problem"] = report.explanation->problem;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace hostwarp::tool::compare
