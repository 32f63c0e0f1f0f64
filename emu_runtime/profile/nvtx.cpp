#define HOSTWARP_NVTX_RUNTIME
#include <hostwarp/nvtx_abi.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/profile/spans.h"
#include "emu_runtime/profile/timeline.h"
#include "fibers/mutex.h"

namespace hostwarp::profile {
namespace {

constexpr const char *category = "NVTX";

void appendUtf8(std::string &out, uint32_t c) {
  auto byte = [&out](uint32_t value) { out += static_cast<char>(value); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      byte(0xE0 | c >> 12);
    } else {
      byte(0xF0 | c >> 18);
      byte(0x80 | (c >> 12 & 0x3F));
    }
    byte(0x80 | (c >> 6 & 0x3F));
  }
  byte(0x80 | (c & 0x3F));
}

std::string textOf(const char *text, const wchar_t *wide) {
  if (text || !wide) return text ? text : "";
  std::string out;
  for (; *wide; ++wide) appendUtf8(out, static_cast<uint32_t>(*wide));
  return out;
}

// Range is one that has begun. A pushed range belongs to a thread, a started one to nobody.
struct Range {
  nvtxDomainHandle_t domain;
  std::string name;
  Fields fields;
  int64_t begin;
};

// Names is what the program has given names to. Handles are the addresses of the names, which are kept for good.
struct Names {
  Mutex mutex;
  std::set<std::string> kept HOSTWARP_GUARDED_BY(mutex);
  std::map<std::pair<nvtxDomainHandle_t, uint32_t>, std::string> categories HOSTWARP_GUARDED_BY(mutex);
  std::unordered_map<nvtxRangeId_t, Range> started HOSTWARP_GUARDED_BY(mutex);
  nvtxRangeId_t next HOSTWARP_GUARDED_BY(mutex) = 1;

  template <typename Handle>
  Handle keep(std::string name) {
    MutexLock lock(mutex);
    const std::string &text = *kept.insert(std::move(name)).first;
    return reinterpret_cast<Handle>(const_cast<std::string *>(&text));  // never followed by others
  }
};
Names &names() {
  static auto *names = new Names;
  return *names;
}

template <typename Handle>
const std::string &nameOf(Handle handle) {
  return *reinterpret_cast<const std::string *>(handle);
}

thread_local std::vector<Range> pushed;

std::string messageOf(const nvtxEventAttributes_t &attributes) {
  switch (attributes.messageType) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return textOf(attributes.message.ascii, nullptr);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return textOf(nullptr, attributes.message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return attributes.message.registered ? nameOf(attributes.message.registered) : "";
    default:
      return "";
  }
}

void addPayload(Fields &fields, const nvtxEventAttributes_t &attributes) {
  const auto &payload = attributes.payload;
  switch (attributes.payloadType) {
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT64:
      fields.add("payload", payload.ullValue);
      break;
    case NVTX_PAYLOAD_TYPE_INT64:
      fields.add("payload", payload.llValue);
      break;
    case NVTX_PAYLOAD_TYPE_DOUBLE:
      fields.add("payload", payload.dValue);
      break;
    case NVTX_PAYLOAD_TYPE_UNSIGNED_INT32:
      fields.add("payload", uint64_t{payload.uiValue});
      break;
    case NVTX_PAYLOAD_TYPE_INT32:
      fields.add("payload", int64_t{payload.iValue});
      break;
    case NVTX_PAYLOAD_TYPE_FLOAT:
      fields.add("payload", double{payload.fValue});
      break;
    default:
      break;
  }
}

std::string categoryName(nvtxDomainHandle_t domain, uint32_t number) {
  MutexLock lock(names().mutex);
  auto found = names().categories.find({domain, number});
  return found == names().categories.end() ? std::to_string(number) : found->second;
}

Range rangeOf(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  Range range{domain, "", {}, now()};
  if (domain) range.fields.add("domain", nameOf(domain));
  if (!attributes) return range;
  range.name = messageOf(*attributes);
  if (attributes->category) range.fields.add("category", categoryName(domain, attributes->category));
  if (attributes->colorType == NVTX_COLOR_ARGB) range.fields.add("color", uint64_t{attributes->color});
  addPayload(range.fields, *attributes);
  return range;
}

int depth(nvtxDomainHandle_t domain) {
  return static_cast<int>(
      std::count_if(pushed.begin(), pushed.end(), [&](const Range &r) { return r.domain == domain; }));
}

}  // namespace
}  // namespace hostwarp::profile

using namespace hostwarp::profile;

extern "C" {

int hw_nvtx_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  if (!requested()) return NVTX_NO_PUSH_POP_TRACKING;
  pushed.push_back(rangeOf(domain, attributes));
  return depth(domain) - 1;
}

int hw_nvtx_pop(nvtxDomainHandle_t domain) {
  if (!requested()) return NVTX_NO_PUSH_POP_TRACKING;
  auto last = std::find_if(pushed.rbegin(), pushed.rend(), [&](const Range &r) { return r.domain == domain; });
  if (last == pushed.rend()) return NVTX_NO_PUSH_POP_TRACKING;
  if (collecting()) writeSlice(rowOfThisThread(), category, last->name, last->begin, now(), last->fields);
  pushed.erase(std::next(last).base());
  return depth(domain);
}

nvtxRangeId_t hw_nvtx_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  if (!requested()) return 0;
  Range range = rangeOf(domain, attributes);
  hostwarp::MutexLock lock(names().mutex);
  names().started.emplace(names().next, std::move(range));
  return names().next++;
}

void hw_nvtx_end(nvtxRangeId_t id) {
  if (!requested()) return;
  decltype(names().started)::node_type range;
  {
    hostwarp::MutexLock lock(names().mutex);
    range = names().started.extract(id);
  }
  if (!range || !collecting()) return;
  const Range &ended = range.mapped();
  writeAsync(rowOfThisThread(), category, ended.name, id, ended.begin, now(), ended.fields);
}

void hw_nvtx_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  if (!collecting()) return;
  const Range mark = rangeOf(domain, attributes);
  writeInstant(rowOfThisThread(), category, mark.name, mark.fields);
}

nvtxDomainHandle_t hw_nvtx_domain(const char *name, const wchar_t *wideName) {
  return requested() ? names().keep<nvtxDomainHandle_t>(textOf(name, wideName)) : nullptr;
}

nvtxStringHandle_t hw_nvtx_string(const char *text, const wchar_t *wideText) {
  return requested() ? names().keep<nvtxStringHandle_t>(textOf(text, wideText)) : nullptr;
}

void hw_nvtx_name_category(nvtxDomainHandle_t domain, uint32_t number, const char *name, const wchar_t *wideName) {
  if (!requested()) return;
  hostwarp::MutexLock lock(names().mutex);
  names().categories[{domain, number}] = textOf(name, wideName);
}

void hw_nvtx_name_thread(uint32_t thread, const char *name, const wchar_t *wideName) {
  if (requested()) nameThread(thread, textOf(name, wideName));
}

void hw_nvtx_name_stream(void *stream, const char *name, const wchar_t *wideName) {
  if (!requested()) return;
  auto ref = hostwarp::device::streamOf(static_cast<cudaStream_t>(stream), hostwarp::device::InCapture::Ignore);
  if (ref.ok()) nameStream(*ref, textOf(name, wideName));
}

}  // extern "C"
