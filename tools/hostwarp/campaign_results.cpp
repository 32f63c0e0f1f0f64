// The folder of a campaign's results, and which part of the campaign a process is.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "tools/hostwarp/campaign.h"

namespace hostwarp::tool {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json outcomeJson(const Outcome &outcome) {
  return {{"schedule", outcome.schedule},     {"status", outcome.status},     {"isIncomplete", outcome.isIncomplete},
          {"isHanging", outcome.isHanging},   {"findings", outcome.findings}, {"unsettled", outcome.unsettled},
          {"incomplete", outcome.incomplete}, {"launches", outcome.launches}, {"settled", outcome.settled},
          {"output", outcome.output},         {"threads", outcome.threads},   {"operations", outcome.operations},
          {"limits", outcome.limits}};
}

// readOutcome() is none for a line that was not written to its end.
std::optional<Outcome> readOutcome(const std::string &line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  Outcome outcome;
  try {
    json.at("schedule").get_to(outcome.schedule);
    json.at("status").get_to(outcome.status);
    json.at("isIncomplete").get_to(outcome.isIncomplete);
    json.at("isHanging").get_to(outcome.isHanging);
    json.at("findings").get_to(outcome.findings);
    json.at("unsettled").get_to(outcome.unsettled);
    json.at("incomplete").get_to(outcome.incomplete);
    json.at("launches").get_to(outcome.launches);
    json.at("settled").get_to(outcome.settled);
    json.at("output").get_to(outcome.output);
    json.at("threads").get_to(outcome.threads);
    json.at("operations").get_to(outcome.operations);
    json.at("limits").get_to(outcome.limits);
  } catch (const Json::exception &) {
    return std::nullopt;
  }
  return outcome;
}

std::optional<uint64_t> numberIn(const char *variable) {
  const char *text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return std::nullopt;
  char *end = nullptr;
  const uint64_t value = std::strtoull(text, &end, 10);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

// Launcher is a program that starts several of this one, and how it numbers them.
struct Launcher {
  const char *index, *count;
  const char *first;  // the smallest index; null: 0
  bool isOneProgram;  // the first tells of it all
};
constexpr Launcher launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", nullptr, true},
                                  {"PMI_RANK", "PMI_SIZE", nullptr, true},
                                  {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", false}};

// writeOnce() writes the file unless it is there; what it holds then. It is never seen half-written.
std::string writeOnce(const std::string &path, const std::string &text) {
  const std::string mine = path + "." + std::to_string(getpid());
  {
    std::ofstream file(mine);
    file << text;
  }
  std::error_code ignored;
  fs::create_hard_link(mine, path, ignored);
  fs::remove(mine, ignored);
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

Part partOfEnvironment() {
  for (const Launcher &launcher : launchers) {
    const auto index = numberIn(launcher.index), count = numberIn(launcher.count);
    if (!index || !count || *count == 0) continue;
    const uint64_t first = launcher.first != nullptr ? numberIn(launcher.first).value_or(0) : 0;
    const uint64_t mine = *index - std::min(first, *index);
    return {mine % *count, *count, launcher.isOneProgram && mine != 0};
  }
  return {};
}

unsigned coresOfPart() {
  const uint64_t beside = numberIn("OMPI_COMM_WORLD_LOCAL_SIZE").value_or(1);
  return std::max(1u, std::thread::hardware_concurrency() / static_cast<unsigned>(std::max<uint64_t>(beside, 1)));
}

Results::~Results() {
  if (file_ >= 0) close(file_);
}

std::string Results::open(const CampaignRequest &request) {
  folder_ = request.results;
  std::error_code error;
  fs::create_directories(folder_, error);
  const std::string command = Json(request.program.command).dump() + Json(request.program.checkOptions).dump() + "\n";
  const std::string there = writeOnce(folder_ + "/command.json", command);
  if (!there.empty() && there != command) return "'" + folder_ + "' holds the results of another program";
  const std::string name = folder_ + "/part-" + std::to_string(request.part.index) + ".jsonl";
  file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  return file_ < 0 || there.empty() ? "cannot write to the folder '" + folder_ + "'" : "";
}

void Results::append(const Outcome &outcome) const {
  if (file_ < 0) return;
  // The line before may have been cut off.
  const std::string line = "\n" + outcomeJson(outcome).dump() + "\n";
  if (write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    std::fputs("hostwarp: a result could not be written\n", stderr);
}

std::map<std::string, Outcome> Results::read() const {
  std::map<std::string, Outcome> outcomes;
  if (file_ < 0) return outcomes;
  std::error_code error;
  std::set<fs::path> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder_, error))
    if (entry.path().extension() == ".jsonl") files.insert(entry.path());
  for (const fs::path &path : files) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
      if (auto outcome = readOutcome(line)) outcomes.emplace(outcome->schedule, *std::move(outcome));
  }
  return outcomes;
}

}  // namespace hostwarp::tool
