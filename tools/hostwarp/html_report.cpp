#include "tools/hostwarp/html_report.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>

namespace hostwarp::tool {

namespace {

constexpr const char *style = R"(
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #fff; --soft: #f3f4f6; --line: #d4d8de; --bad: #b42318; --mark: #fde2dd; --other: #175cd3; --othermark: #dbe8fd; --good: #067647; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #16181c; --soft: #22252b; --line: #3a3f47; --bad: #ff8a7a; --mark: #4a2320; --other: #8ab4ff; --othermark: #1d3358; --good: #5fd39a; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 0 0 .5rem; }
section { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
.verdict { font-weight: 600; } .findings { color: var(--bad); } .clean { color: var(--good); }
.kind { color: var(--bad); } .times { font-weight: 400; opacity: .75; }
pre { background: var(--soft); padding: .5rem; border-radius: .25rem; overflow-x: auto; font-size: .85rem; margin: .25rem 0 .75rem; }
.hit { background: var(--mark); display: block; } .second { background: var(--othermark); display: block; }
.place { font-family: ui-monospace, monospace; font-size: .85rem; } .why { border-left: 3px solid var(--bad); padding-left: .75rem; }
svg { max-width: 100%; height: auto; } svg text { font: 13px system-ui, sans-serif; fill: var(--ink); }
)";

std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text)
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  return out;
}

std::string element(const std::string &name, const std::string &kind, const std::string &inside) {
  return "<" + name + (kind.empty() ? "" : " class=\"" + kind + "\"") + ">" + inside + "</" + name + ">\n";
}

// sourceAround() is the lines around the place, numbered; "" where the file cannot be read.
std::string sourceAround(const SourcePlace &place, const char *kind) {
  constexpr uint32_t around = 2;
  std::ifstream file(place.file);
  std::string text, line;
  for (uint32_t number = 1; place.line != 0 && std::getline(file, line) && number <= place.line + around; ++number) {
    if (number + around < place.line) continue;
    const std::string numbered = escaped(std::to_string(number) + "  " + line);
    text +=
        number == place.line ? "<span class=\"" + std::string(kind) + "\">" + numbered + "</span>" : numbered + "\n";
  }
  return text.empty() ? "" : element("pre", "", text);
}

std::string placesText(const std::vector<SourcePlace> &places, const char *first, const char *kind) {
  std::string text;
  for (size_t i = 0; i < places.size(); ++i) {
    const SourcePlace &place = places[i];
    const std::string where = place.line == 0 ? "an unknown line" : place.file + ":" + std::to_string(place.line);
    const std::string around = sourceAround(place, kind);
    text += element("div", "place", std::string(i == 0 ? first : "called ") + escaped(where + " in " + place.function));
    text += around.empty() && !place.text.empty() ? element("pre", "", escaped(place.text)) : around;
  }
  return text;
}

std::optional<std::smatch> match(const std::string &text, const char *pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? std::optional(found) : std::nullopt;
}

std::string svgText(double x, double y, const std::string &text, const char *anchor = "start") {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" text-anchor=\"" + anchor + "\">" +
         escaped(text) + "</text>";
}

std::string svgBox(double x, double y, double width, double height, const char *fill, const char *stroke) {
  return "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(width) +
         "\" height=\"" + std::to_string(height) + "\" rx=\"3\" fill=\"" + fill + "\" stroke=\"" + stroke + "\"/>";
}

std::string svgLine(double x1, double y1, double x2, double y2, const char *look) {
  return "<line x1=\"" + std::to_string(x1) + "\" y1=\"" + std::to_string(y1) + "\" x2=\"" + std::to_string(x2) +
         "\" y2=\"" + std::to_string(y2) + "\" " + look + "/>";
}

std::string svg(int height, const std::string &inside, const std::string &label) {
  return "<svg viewBox=\"0 0 640 " + std::to_string(height) + "\" role=\"img\" aria-label=\"" + escaped(label) + "\">" +
         inside + "</svg>\n";
}

std::string shortPlace(const std::vector<SourcePlace> &places) {
  if (places.empty() || places[0].line == 0) return "";
  return places[0].file.substr(places[0].file.rfind('/') + 1) + ":" + std::to_string(places[0].line);
}

// interleaving() has a line of time for each of the two threads, from top to bottom: what one did, and the other behind
// it in this run.
std::string interleaving(const FindingNote &finding) {
  const auto mine = match(finding.by, R"(block \([^)]*\), thread \([^)]*\))");
  const auto theirs = match(finding.what, R"(that (.*) has (read|written|updated)$)");
  const auto does = match(finding.what, R"(^(reads|writes|updates) )");
  if (!mine || !theirs || !does || finding.other.empty()) return "";
  const char *time = "stroke=\"currentColor\" stroke-opacity=\".4\"";
  const char *none = "stroke=\"var(--bad)\" stroke-width=\"2\" stroke-dasharray=\"6 4\"";
  std::string picture = svgText(160, 18, (*theirs)[1], "middle") + svgText(480, 18, (*mine)[0], "middle");
  picture += svgLine(160, 26, 160, 190, time) + svgLine(480, 26, 480, 190, time);
  picture += svgBox(60, 46, 200, 34, "var(--othermark)", "var(--other)") +
             svgText(160, 68, (*theirs)[2].str() + "  " + shortPlace(finding.other), "middle");
  picture += svgBox(380, 130, 200, 34, "var(--mark)", "var(--bad)") +
             svgText(480, 152, (*does)[1].str() + "  " + shortPlace(finding.at), "middle");
  picture += svgLine(260, 72, 380, 138, none) + svgText(320, 122, "nothing orders these", "end");
  return svg(200, picture, "One thread after the other, with nothing between that orders them");
}

// Window is the bytes of an access, and where the memory ends that they should lie in.
struct Window {
  int64_t start = 0, bytes = 0;
  std::optional<int64_t> end;
  std::string of;
};

std::optional<Window> windowOf(const std::string &what) {
  const auto size = match(what, R"((?:reads|writes|updates) (\d+) byte)");
  if (!size) return std::nullopt;
  Window window;
  window.bytes = std::stoll((*size)[1]);
  if (const auto shared = match(what, R"(at offset (-?\d+) of ([^,]*?)(?:,| that|$))")) {
    window.start = std::stoll((*shared)[1]);
    window.of = "of " + (*shared)[2].str();
    if (const auto all = match(what, R"(has (\d+) bytes$)")) window.end = std::stoll((*all)[1]);
  } else if (const auto inside = match(what, R"((\d+) bytes? into the (\d+) bytes? (of [^,]*))")) {
    window.start = std::stoll((*inside)[1]);
    window.end = std::stoll((*inside)[2]);
    window.of = (*inside)[3];
  } else if (const auto behind = match(what, R"((right|(\d+) bytes?) behind the (\d+) bytes? (of .*))")) {
    window.end = std::stoll((*behind)[3]);
    window.start = *window.end + ((*behind)[1] == "right" ? 0 : std::stoll((*behind)[2]));
    window.of = (*behind)[4];
  } else {
    return std::nullopt;
  }
  return window;
}

// memoryPicture() is 64 bytes around the access, four to a box; what lies behind the end is empty.
std::string memoryPicture(const FindingNote &finding) {
  constexpr int64_t word = 4, words = 16;
  const std::optional<Window> window = windowOf(finding.what);
  if (!window || window->bytes > word * words) return "";
  const int64_t first = std::max<int64_t>(0, window->start / word - words / 2) * word;
  std::string picture = svgText(0, 14, "bytes " + window->of);
  for (int64_t i = 0; i < words; ++i) {
    const int64_t at = first + i * word;
    const bool isHit = at < window->start + window->bytes && window->start < at + word;
    const bool isBehind = window->end && at >= *window->end;
    picture += svgBox(static_cast<double>(i) * 40, 24, 38, 26,
                      isHit      ? "var(--mark)"
                      : isBehind ? "none"
                                 : "var(--soft)",
                      isHit ? "var(--bad)" : "var(--line)");
    if (i % 2 == 0) picture += svgText(static_cast<double>(i) * 40, 68, std::to_string(at));
  }
  return svg(76, picture, "Where in memory");
}

std::string section(const FindingNote &finding) {
  const std::string times =
      finding.count > 1 ? " <span class=\"times\">" + std::to_string(finding.count) + " times</span>" : "";
  std::string text = element("h2", "", "<span class=\"kind\">" + escaped(finding.kind) + "</span>" + times);
  text += element("p", "",
                  escaped(finding.what) + (finding.by.empty() ? "" : "<br>by " + escaped(finding.by)) +
                      (finding.launch.empty() ? "" : "<br>in " + escaped(finding.launch)));
  for (const std::string &more : {finding.values, finding.variable.empty() ? "" : "of " + finding.variable})
    if (!more.empty()) text += element("p", "", escaped(more));
  if (!finding.why.empty()) text += element("p", "why", escaped(finding.why));
  text += interleaving(finding) + memoryPicture(finding);
  text += placesText(finding.at, "at ", "hit") + placesText(finding.other, "and ", "second");
  text += placesText(finding.made, "allocated at ", "second") + placesText(finding.freed, "freed at ", "second");
  text += placesText(finding.launched, "launched at ", "second");
  return element("section", "", text);
}

std::string list(const char *heading, const std::vector<std::string> &sentences) {
  std::string items;
  for (const std::string &each : sentences) items += element("li", "", escaped(each));
  return items.empty() ? "" : element("details", "", element("summary", "", heading) + element("ul", "", items));
}

}  // namespace

std::string toHtml(const CheckedRun &run) {
  std::string command;
  for (const std::string &word : run.command) command += (command.empty() ? "" : " ") + word;
  std::string body = element("h1", "", "hostwarp check " + escaped(command));
  const size_t count = run.result.findings.size();
  body += element("p", std::string("verdict ") + run.verdict(),
                  count == 0 ? run.verdict() : std::to_string(count) + (count == 1 ? " finding" : " findings"));
  body += element("p", "",
                  std::to_string(run.result.launches.settled) + " of " + std::to_string(run.result.launches.launches) +
                      " launches are settled: in any order of the threads they come to the same, with this input. "
                      "The program's exit status was " +
                      std::to_string(run.programStatus) + ".");
  body +=
      list("Why others are not settled", run.result.unsettled) + list("What was not checked", run.result.incomplete);
  for (const FindingNote &finding : run.result.findings) body += section(finding);
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"><title>hostwarp check</title><style>" +
         std::string(style) + "</style></head><body>\n" + body + "</body></html>\n";
}

}  // namespace hostwarp::tool
