#include "emu_runtime/module/ptx_parts.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace hostwarp::modules {

namespace {

// A module of this size has a hundred kernels of a few lines, or ten of the usual ones: seconds of compiling.
constexpr size_t largeBytes = 256 << 10;

constexpr std::string_view magic = "HWPARTS1 ";

// takeUpTo() cuts the text up to the character off, which goes, too.
std::string_view takeUpTo(std::string_view &text, char c) {
  const std::string_view taken = text.substr(0, text.find(c));
  text.remove_prefix(std::min(text.size(), taken.size() + 1));
  return taken;
}

bool toNumber(std::string_view text, size_t &number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string> namesIn(std::string_view list) {
  std::vector<std::string> names;
  if (list == "-") return names;
  while (!list.empty()) names.emplace_back(takeUpTo(list, ','));
  return names;
}

const Status unreadable(cudaErrorInvalidPtx, "hwcc has written no parts of the PTX that can be read");

}  // namespace

bool isLarge(std::string_view ptx) {
  if (!ptx.starts_with("//HWPACKED ")) return ptx.size() >= largeBytes;
  std::string_view line = takeUpTo(ptx, '\n');
  line.remove_prefix(line.rfind(' ') + 1);
  size_t bytes = 0;
  return toNumber(line, bytes) && bytes >= largeBytes;
}

bool PtxParts::readItem(std::string_view line) {
  const std::string_view kind = takeUpTo(line, ' ');
  Item item{};
  if (kind.size() != 1 || !toNumber(takeUpTo(line, ' '), item.begin) || !toNumber(takeUpTo(line, ' '), item.end))
    return false;
  if (item.begin > item.end || item.end > divided_.size() - start_) return false;
  item.kind = kind.front();
  item.names = namesIn(takeUpTo(line, ' '));
  item.uses = namesIn(line);
  if (item.kind == 'K') kernels_.insert(kernels_.end(), item.names.begin(), item.names.end());
  for (const std::string &name : item.names)
    if (item.kind != 'V') byName_.emplace(name, items_.size());
  items_.push_back(std::move(item));
  return true;
}

Expected<PtxParts> PtxParts::read(std::string divided) {
  PtxParts parts;
  parts.divided_ = std::move(divided);
  std::string_view rest = parts.divided_;
  size_t count = 0;
  const size_t end = rest.find("\n\n");
  if (!rest.starts_with(magic) || end == rest.npos) return unreadable;
  parts.start_ = end + 2;
  rest = rest.substr(magic.size(), end - magic.size());
  if (!toNumber(takeUpTo(rest, '\n'), count)) return unreadable;
  while (!rest.empty())
    if (!parts.readItem(takeUpTo(rest, '\n'))) return unreadable;
  return parts.items_.size() == count ? Expected<PtxParts>(std::move(parts)) : unreadable;
}

std::set<size_t> PtxParts::itemsOf(std::string_view kinds) const {
  std::set<size_t> found;
  for (size_t i = 0; i < items_.size(); ++i)
    if (kinds.find(items_[i].kind) != kinds.npos) found.insert(i);
  return found;
}

// textOf() joins the items in the order of the text.
std::string PtxParts::textOf(const std::set<size_t> &items) const {
  std::map<size_t, size_t> ranges;
  for (const size_t item : items) ranges[items_[item].begin] = items_[item].end;
  std::string text;
  for (const auto &[begin, end] : ranges) text += divided_.substr(start_ + begin, end - begin) + "\n";
  return text;
}

PtxParts::Part PtxParts::variables() const { return {textOf(itemsOf("HV")), {}}; }

PtxParts::Part PtxParts::kernelPart(const std::string &kernel) const {
  std::set<size_t> items = itemsOf("HB");
  std::set<std::string> borrowed;
  std::vector<std::string> wanted = {kernel};
  while (!wanted.empty()) {
    const std::string name = std::move(wanted.back());
    wanted.pop_back();
    for (auto [item, end] = byName_.equal_range(name); item != end; ++item) {
      if (!items.insert(item->second).second) continue;
      const Item &used = items_[item->second];
      if (used.kind == 'D') borrowed.insert(name);
      wanted.insert(wanted.end(), used.uses.begin(), used.uses.end());
    }
  }
  return {textOf(items), std::move(borrowed)};
}

}  // namespace hostwarp::modules
