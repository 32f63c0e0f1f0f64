// Which GPUs this process has: HOSTWARP_DEVICES names them, CUDA_VISIBLE_DEVICES picks from them.
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include "emu_runtime/device/device.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::device {

namespace {

using Models = std::vector<const device_model::Gpu *>;

// Every device takes a tebibyte of addresses.
constexpr size_t mostDevices = 16;

// forEachPart() calls visit(part) for the parts of a comma-separated list, without surrounding blanks, until it
// returns false.
template <typename Visit>
void forEachPart(std::string_view list, const Visit &visit) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view part = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const size_t begin = part.find_first_not_of(' ');
    if (begin == std::string_view::npos) continue;
    part = part.substr(begin, part.find_last_not_of(' ') - begin + 1);
    if (!visit(part)) return;
  }
}

// numberIn() reads a whole string as a number; -1 when it is none.
long numberIn(std::string_view text) {
  long value = -1;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : -1;
}

// wantedModels() reads HOSTWARP_DEVICES: ids of GPUs, each with a count behind a colon if there are several.
Models wantedModels() {
  Models models;
  forEachPart(optionText(Option::DEVICES), [&](std::string_view part) {
    const size_t colon = std::min(part.find(':'), part.size());
    const auto *gpu = device_model::find(part.substr(0, colon));
    const long count = colon < part.size() ? numberIn(part.substr(colon + 1)) : 1;
    if (gpu && count > 0) {
      models.insert(models.end(), std::min(static_cast<size_t>(count), mostDevices), gpu);
    } else {
      logLine("HOSTWARP_DEVICES: no GPU is called '" + std::string(part) + "'; `hostwarp devices` lists them");
    }
    return true;
  });
  if (models.empty()) models.push_back(&device_model::defaultGpu());
  if (models.size() > mostDevices) models.resize(mostDevices);
  return models;
}

// visibleModels() applies CUDA_VISIBLE_DEVICES: the list ends at the first entry that names no device.
Models visibleModels(const Models &all) {
  const char *text = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!text) return all;
  Models visible;
  forEachPart(text, [&](std::string_view part) {
    const long index = numberIn(part);
    if (index < 0 || static_cast<size_t>(index) >= all.size()) return false;
    visible.push_back(all[static_cast<size_t>(index)]);
    return true;
  });
  return visible;
}

}  // namespace

const std::vector<std::unique_ptr<Device>> &devices() {
  // Never destroyed: static destructors of the program may still free memory.
  static const auto *list = [] {
    auto *made = new std::vector<std::unique_ptr<Device>>;
    for (const device_model::Gpu *model : visibleModels(wantedModels())) {
      made->push_back(std::make_unique<Device>(static_cast<int>(made->size()), *model));
    }
    return made;
  }();
  return *list;
}

}  // namespace hostwarp::device
