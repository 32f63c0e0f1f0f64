#include "emu_runtime/order/call.h"

#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string_view>

#include "emu_runtime/order/behalf.h"
#include "fibers/mutex.h"
#include "fibers/source_location.h"

namespace hostwarp::order {

namespace {

// Reports name so many functions of the program, from the call outwards.
constexpr size_t mostFrames = 12;
constexpr size_t mostAddresses = 48;

std::string withoutVariant(std::string_view name) {
  for (const std::string_view variant : {"_ptsz", "_ptds"})
    if (name.ends_with(variant)) name.remove_suffix(variant.size());
  return std::string(name);
}

struct Frame {
  const void *address;
  std::string function, file;
  uint32_t line = 0;
};

// functionAt() remembers: looking for names takes long.
const std::string &functionAt(const void *address) {
  static auto *known = new std::map<const void *, std::string>;
  const auto [place, isNew] = known->try_emplace(address);
  if (isNew) place->second = fibers::functionAt(address, true);
  return place->second;
}

const std::string &placeAt(const void *address) {
  static auto *known = new std::map<const void *, std::string>;
  const auto [place, isNew] = known->try_emplace(address);
  if (isNew) place->second = fibers::locate(address, true);
  return place->second;
}

// isOfRuntime(): between the program and the entry point there may be what the compiler has made, or a template of our
// headers that has the function's name.
bool isOfRuntime(const Frame &frame, const Call &call) {
  if (!call.name.empty() && frame.function.find(" " + call.name + "<") != std::string::npos) return true;
  return frame.function.find("__device_stub__") != std::string::npos || frame.function.starts_with("hostwarp::");
}

void locate(Frame &frame) {
  const std::string &place = placeAt(frame.address);
  const size_t colon = place.rfind(':');
  if (colon == std::string::npos) return;
  frame.line = static_cast<uint32_t>(std::strtoul(place.c_str() + colon + 1, nullptr, 10));
  if (frame.line != 0) frame.file = place.substr(0, colon);
}

// framesOf() leaves out the runtime's own: those up to the entry point.
std::vector<Frame> framesOf(const Call &call) {
  std::vector<Frame> frames;
  for (const void *address : call.stack) {
    frames.push_back({address, functionAt(address), {}});
    const std::string &function = frames.back().function;
    if (function == "main") break;
    if (function == call.symbol || function == std::string("__hostwarp_") + call.symbol) frames.clear();
  }
  std::erase_if(frames, [&](const Frame &frame) { return isOfRuntime(frame, call); });
  if (frames.size() > mostFrames) frames.resize(mostFrames);
  std::ranges::for_each(frames, locate);
  return frames;
}

// Text is kept for ever, as the compiler's is.
const char *keep(const std::string &text) { return strdup(text.c_str()); }

const hw_access_site *makeSite(const hw_access_site *inner, const std::vector<Frame> &outer) {
  auto *frames = new std::vector<hw_source_frame>;
  for (uint64_t i = 0; inner != nullptr && i < inner->frameCount; ++i) {
    const hw_source_frame &frame = inner->frames[i];
    frames->push_back({keep(frame.file), keep(frame.function), frame.line, frame.column,
                       frame.folder != nullptr ? keep(frame.folder) : nullptr});
  }
  for (const Frame &frame : outer) frames->push_back({keep(frame.file), keep(frame.function), frame.line, 0, nullptr});
  if (frames->empty()) frames->push_back({"", "", 0, 0, nullptr});
  return new hw_access_site{frames->data(), static_cast<uint32_t>(frames->size()), 0, nullptr, nullptr};
}

std::string keyOf(const hw_access_site *inner, const std::vector<Frame> &outer) {
  std::string key;
  const auto add = [&](std::string_view file, std::string_view function, uint32_t line, uint32_t column) {
    key.append(file).append("\n").append(function).append("\n");
    key += std::to_string(line) + ":" + std::to_string(column) + "\n";
  };
  for (uint64_t i = 0; inner != nullptr && i < inner->frameCount; ++i)
    add(inner->frames[i].file, inner->frames[i].function, inner->frames[i].line, inner->frames[i].column);
  for (const Frame &frame : outer) add(frame.file, frame.function, frame.line, 0);
  return key;
}

constinit Mutex mutex;

}  // namespace

Call Call::current() {
  if (const Call *const call = OnBehalf::call()) return *call;
  const char *const symbol = CallScope::name() != nullptr ? CallScope::name() : "";
  std::array<void *, mostAddresses> addresses;
  const int count = backtrace(addresses.data(), static_cast<int>(addresses.size()));
  return {withoutVariant(symbol), symbol,
          std::vector<const void *>(addresses.begin(), addresses.begin() + std::max(count, 0))};
}

const hw_access_site *siteOf(const Call &call, const hw_access_site *inner) {
  static auto *sites = new std::map<std::string, const hw_access_site *>;
  MutexLock lock(mutex);
  const std::vector<Frame> outer = framesOf(call);
  const hw_access_site *&site = (*sites)[keyOf(inner, outer)];
  if (site == nullptr) site = makeSite(inner, outer);
  return site;
}

}  // namespace hostwarp::order
