#include "tools/hostwarp/check_formats.h"

#include <nlohmann/json.hpp>

namespace hostwarp::tool {

namespace {

// Objects keep the order in which members are added.
using OrderedJson = nlohmann::ordered_json;

OrderedJson toJson(const std::vector<SourcePlace> &places) {
  OrderedJson list = OrderedJson::array();
  for (const SourcePlace &place : places) {
    list.push_back(
        {{"file", place.file}, {"line", place.line}, {"column", place.column}, {"function", place.function}});
    if (!place.text.empty()) list.back()["text"] = place.text;
  }
  return list;
}

std::string printed(const OrderedJson &value) {
  return value.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

std::string messageOf(const FindingNote &finding) {
  return finding.kind + ": " + finding.what + " by " + finding.by + (finding.why.empty() ? "" : "; " + finding.why);
}

OrderedJson sarifLocation(const SourcePlace &place, const std::string &role = "") {
  OrderedJson region = {{"startLine", std::max(place.line, 1u)}};
  if (place.column != 0) region["startColumn"] = place.column;
  return {{"physicalLocation", {{"artifactLocation", {{"uri", place.file}}}, {"region", region}}},
          {"message", {{"text", role + "in " + place.function}}}};
}

// ruleOf() is the kind as an identifier: "use-after-free".
std::string ruleOf(std::string kind) {
  std::ranges::replace(kind, ' ', '-');
  return kind;
}

OrderedJson sarifResult(const FindingNote &finding) {
  OrderedJson related = OrderedJson::array();
  for (size_t i = 1; i < finding.at.size(); ++i) related.push_back(sarifLocation(finding.at[i]));
  for (const SourcePlace &place : finding.other) related.push_back(sarifLocation(place));
  const auto add = [&](const std::vector<SourcePlace> &places, const char *role) {
    for (const SourcePlace &place : places)
      if (place.line != 0) related.push_back(sarifLocation(place, role));
  };
  add(finding.made, "memory allocated ");
  add(finding.freed, "memory freed ");
  add(finding.launched, "kernel launched ");
  OrderedJson locations = OrderedJson::array();
  if (!finding.at.empty()) locations.push_back(sarifLocation(finding.at[0]));
  return {{"ruleId", ruleOf(finding.kind)},
          {"level", "error"},
          {"message", {{"text", messageOf(finding)}}},
          {"locations", locations},
          {"relatedLocations", related},
          {"occurrenceCount", finding.count}};
}

std::string escapedXml(const std::string &text) {
  std::string escaped;
  for (const char c : text) switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  return escaped;
}

// escapedCommand() is text as GitHub's workflow commands take it: a message, or a property, where `more` is ":,".
std::string escapedCommand(const std::string &text, std::string_view more = "") {
  std::string escaped;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || more.find(c) != std::string_view::npos) {
      char code[8];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(c));
      escaped += code;
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string firstPlace(const std::vector<SourcePlace> &places) {
  if (places.empty()) return "";
  return places[0].file + ":" + std::to_string(places[0].line) + " in " + places[0].function;
}

}  // namespace

const char *CheckedRun::verdict() const {
  if (!result.findings.empty()) return "findings";
  return result.isComplete && result.incomplete.empty() ? "clean" : "incomplete";
}

std::string toJson(const CheckedRun &run) {
  OrderedJson findings = OrderedJson::array();
  for (const FindingNote &finding : run.result.findings)
    findings.push_back({{"kind", finding.kind},
                        {"what", finding.what},
                        {"thread", finding.by},
                        {"launch", finding.launch},
                        {"why", finding.why},
                        {"count", finding.count},
                        {"values", finding.values},
                        {"variable", finding.variable},
                        {"at", toJson(finding.at)},
                        {"other", toJson(finding.other)},
                        {"made", toJson(finding.made)},
                        {"freed", toJson(finding.freed)},
                        {"launched", toJson(finding.launched)}});
  return printed({{"version", 1},
                  {"command", run.command},
                  {"exit", run.programStatus},
                  {"verdict", run.verdict()},
                  {"launches", run.result.launches.launches},
                  {"settled", run.result.launches.settled},
                  {"unsettled", run.result.unsettled},
                  {"incomplete", run.result.incomplete},
                  {"findings", findings}});
}

std::string toSarif(const CheckedRun &run) {
  OrderedJson rules = OrderedJson::array(), results = OrderedJson::array();
  for (const FindingNote &finding : run.result.findings) {
    const OrderedJson rule = {{"id", ruleOf(finding.kind)}, {"shortDescription", {{"text", finding.kind}}}};
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
    results.push_back(sarifResult(finding));
  }
  const OrderedJson driver = {{"name", "hostwarp check"}, {"version", HOSTWARP_VERSION}, {"rules", rules}};
  return printed({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                  {"version", "2.1.0"},
                  {"runs", {{{"tool", {{"driver", driver}}}, {"results", results}}}}});
}

std::string toJunit(const CheckedRun &run) {
  const size_t failures = run.result.findings.size();
  const bool isIncomplete = std::string(run.verdict()) == "incomplete";
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"hostwarp check\" tests=\"" +
                     std::to_string(std::max<size_t>(failures, 1)) + "\" failures=\"" + std::to_string(failures) +
                     "\" errors=\"" + (isIncomplete ? "1" : "0") + "\">\n";
  for (const FindingNote &finding : run.result.findings)
    text += "  <testcase classname=\"" + escapedXml(finding.kind) + "\" name=\"" + escapedXml(firstPlace(finding.at)) +
            "\"><failure message=\"" + escapedXml(messageOf(finding)) + "\"/></testcase>\n";
  if (failures == 0)
    text += std::string("  <testcase classname=\"hostwarp check\" name=\"") + escapedXml(run.command.front()) + "\">" +
            (isIncomplete ? "<error message=\"not all of the program was checked\"/>" : "") + "</testcase>\n";
  return text + "</testsuite>\n";
}

std::string toAnnotations(const CheckedRun &run) {
  std::string text;
  for (const FindingNote &finding : run.result.findings) {
    const SourcePlace place = finding.at.empty() ? SourcePlace() : finding.at[0];
    text += "::error file=" + escapedCommand(place.file, ":,") + ",line=" + std::to_string(place.line) +
            ",col=" + std::to_string(place.column) + ",title=" + escapedCommand("hostwarp: " + finding.kind, ":,") +
            "::" + escapedCommand(messageOf(finding)) + "\n";
  }
  return text;
}

}  // namespace hostwarp::tool
