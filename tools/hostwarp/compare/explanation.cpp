#include "tools/hostwarp/compare/explanation.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tools/hostwarp/captured_run.h"
#include "tools/hostwarp/commands.h"

namespace hostwarp::tool::compare {
namespace {

using Json = nlohmann::json;

std::string placeOf(const Json &places) {
  if (places.empty()) return "";
  const Json &place = places[0];
  return place.at("file").get<std::string>() + ":" + std::to_string(place.at("line").get<uint64_t>());
}

std::string sentenceOf(const Json &finding) {
  std::string text = finding.at("kind").get<std::string>() + ": " + finding.at("what").get<std::string>();
  const std::string at = placeOf(finding.at("at")), other = placeOf(finding.at("other"));
  if (!at.empty()) text += ", " + at;
  return other.empty() ? text : text + " and " + other;
}

Explanation read(const std::string &path) {
  std::ifstream file(path);
  const Json report = Json::parse(file, nullptr, false);
  if (!report.is_object()) return {{}, "hostwarp check left no report"};
  Explanation explanation;
  for (const Json &finding : report.at("findings")) explanation.findings.push_back(sentenceOf(finding));
  if (explanation.findings.empty() && report.at("verdict") == "incomplete")
    explanation.problem = report.at("incomplete").empty() ? "hostwarp check did not come to the program's end"
                                                          : report.at("incomplete")[0].get<std::string>();
  return explanation;
}

}  // namespace

Explanation explain(const RunSettings &run, const std::string &kernel, const std::string &file) {
  for (const auto &[name, value] : run.environment) setVariable(name.c_str(), value);
  setVariable("HOSTWARP_BACKEND", "cpu");
  // A kernel that check makes slow, or that never ends under it, is not waited for without end.
  setVariable("HOSTWARP_TIMEOUT", std::to_string(run.seconds));
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string report = file + ".json";
  std::vector<std::string> command = {self, "check", "--init", "load", "--kernels", kernel, "--json", report, "--"};
  command.insert(command.end(), run.command.begin(), run.command.end());
  captureRun(command, ".");
  return read(report);
}

}  // namespace hostwarp::tool::compare
