#include "tools/hostwarp/compare/saved_run.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tools/hostwarp/compare/base64.h"

namespace hostwarp::tool::compare {

using compare_wire::Digest;
using compare_wire::Made;
using compare_wire::ObjectId;
using compare_wire::Values;
using compare_wire::Work;
using Json = nlohmann::json;

namespace {

constexpr int version = 1;
constexpr const char *mark = "hostwarp_digests";

Digest digestOf(const std::string &text) {
  if (text.size() != 32) return {};
  return {std::stoull(text.substr(0, 16), nullptr, 16), std::stoull(text.substr(16), nullptr, 16)};
}

Json jsonOf(const Values &values) {
  Json addresses = Json::array();
  for (const auto &address : values.addresses) addresses.push_back({address.at, address.id, address.offset});
  return {{"bytes", toBase64(values.bytes)}, {"addresses", addresses}};
}

Json changesOf(Side &side, const Work &work, bool withValues) {
  Json changes = Json::array();
  for (const auto &changed : work.changed) {
    Json change = {{"id", changed.id}, {"digest", digestText(changed.digest)}};
    if (withValues)
      if (const auto values = side.values(changed.id)) change["values"] = jsonOf(*values);
    changes.push_back(std::move(change));
  }
  return changes;
}

Json jsonOf(Side &side, const Work &work, bool withValues) {
  Json made = Json::array(), arguments = Json::array();
  for (const Made &each : work.made)
    made.push_back({{"id", each.id}, {"name", each.name}, {"bytes", each.bytes}, {"place", side.place(each.id)}});
  for (const auto &each : work.arguments) arguments.push_back({{"id", each.id}, {"type", each.type}});
  return {{"kind", work.kind},
          {"name", work.name},
          {"grid", work.grid},
          {"block", work.block},
          {"shared", work.sharedBytes},
          {"stream", work.stream},
          {"error", work.error},
          {"made", made},
          {"released", work.released},
          {"arguments", arguments},
          {"changed", changesOf(side, work, withValues)}};
}

Json headOf(const Side &side, const Program &program, bool withValues) {
  const auto hello = side.hello().value_or(compare_wire::Hello());
  return {{mark, version},
          {"program", program.name},
          {"arguments", program.arguments},
          {"backend", hello.backend},
          {"device", hello.device},
          {"fill", side.fill()},
          {"values", withValues}};
}

// put() leaves out what is no UTF-8 in names.
void put(std::ostream &out, const Json &line) {
  out << line.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

}  // namespace

std::string digestText(const Digest &digest) {
  char text[40];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(digest.high),
                static_cast<unsigned long long>(digest.low));
  return text;
}

std::string Program::text() const {
  std::string text = name;
  for (const std::string &argument : arguments) text += " " + argument;
  return text;
}

Program programOf(const std::vector<std::string> &command) {
  return {std::filesystem::path(command.front()).filename(), {command.begin() + 1, command.end()}};
}

std::string saveRun(Side &side, const Program &program, bool withValues, const std::string &path, uint64_t &launches) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  const auto cannotWrite = [&] { return "cannot write " + path + ": " + std::strerror(errno); };
  if (!file) return cannotWrite();
  bool hasHead = false;
  while (const auto work = side.next()) {
    if (!std::exchange(hasHead, true)) put(file, headOf(side, program, withValues));
    put(file, jsonOf(side, *work, withValues));
    if (work->kind == "kernel" || work->kind == "graph") ++launches;
    if (!file) return cannotWrite();
  }
  const Ending ending = side.ending();
  if (!ending.problem.empty()) return "the program " + ending.problem;
  if (!side.hello()) return "the program has made no call that allocates, copies or launches: there is nothing to save";
  if (!hasHead) put(file, headOf(side, program, withValues));
  put(file, {{"end", ending.status}});
  file.close();
  return file ? "" : cannotWrite();
}

SavedRun::SavedRun(std::string path) : path_(std::move(path)), file_(path_, std::ios::binary) {}

std::string SavedRun::open(const Program &program) {
  if (!file_) return "cannot read " + path_ + ": " + std::strerror(errno);
  std::string text;
  std::getline(file_, text);
  line_ = 1;
  const Json head = Json::parse(text, nullptr, false);
  if (!head.is_object() || !head.contains(mark))
    return path_ + " is no file of digests: hostwarp compare --save makes one";
  if (head[mark] != version)
    return path_ + " has the form of another version of hostwarp (" + head[mark].dump() + ", this one reads " +
           std::to_string(version) + "): save it again";
  try {
    const Program saved{head.at("program"), head.at("arguments")};
    if (saved != program)
      return path_ + " is of another program or other arguments: '" + saved.text() + "', not '" + program.text() + "'";
    hello_ = {compare_wire::version, head.at("backend"), head.at("device")};
    fill_ = head.at("fill");
    haveValues_ = head.at("values");
  } catch (const Json::exception &) {
    return path_ + " is damaged in line 1";
  }
  return "";
}

std::optional<Work> SavedRun::damaged(const std::string &what) {
  ending_.problem = what + " in line " + std::to_string(line_);
  return std::nullopt;
}

Work SavedRun::read(const Json &line) {
  Work work{line.at("kind"),   line.at("name"),   line.at("grid"), line.at("block"),
            line.at("shared"), line.at("stream"), line.at("error")};
  for (const Json &each : line.at("made")) {
    work.made.push_back({each.at("id"), each.at("name"), each.at("bytes")});
    places_[work.made.back().id] = each.at("place");
  }
  work.released = line.at("released").get<std::vector<ObjectId>>();
  for (const Json &each : line.at("arguments")) work.arguments.push_back({each.at("id"), each.at("type")});
  for (const Json &each : line.at("changed")) {
    const ObjectId id = each.at("id");
    work.changed.push_back({id, digestOf(each.at("digest"))});
    if (!each.contains("values")) continue;
    Values values{fromBase64(each.at("values").at("bytes").get_ref<const std::string &>()), {}};
    for (const Json &address : each.at("values").at("addresses"))
      values.addresses.push_back({address.at(0), address.at(1), address.at(2)});
    values_[id] = std::move(values);
  }
  return work;
}

std::optional<Work> SavedRun::next() {
  std::string text;
  if (!ending_.problem.empty()) return std::nullopt;
  ++line_;
  if (!std::getline(file_, text)) return damaged("ends before its end,");
  const Json line = Json::parse(text, nullptr, false);
  if (line.is_object() && line.contains("end") && line["end"].is_number_integer())
    return ending_.status = line["end"], std::nullopt;
  try {
    return read(line);
  } catch (const std::exception &) {
    return damaged("is damaged");
  }
}

std::optional<Values> SavedRun::values(ObjectId id) {
  const auto found = values_.find(id);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::string SavedRun::place(ObjectId id) {
  const auto found = places_.find(id);
  return found == places_.end() ? "" : found->second;
}

}  // namespace hostwarp::tool::compare
