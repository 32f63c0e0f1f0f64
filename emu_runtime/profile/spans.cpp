#include "emu_runtime/profile/spans.h"

#include <array>
#include <string_view>
#include <vector>

#include "emu_runtime/execution/transfer.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/profile/call.h"
#include "fibers/mutex.h"

namespace hostwarp::profile {
namespace {

// Rows of a device: its streams by number, those of contexts that a program made, then the lanes.
constexpr uint64_t rowsOfContext = uint64_t{1} << 16;
constexpr uint64_t lanesBase = uint64_t{1} << 24;

Row rowOfStream(const device::StreamRef &stream) {
  device::Context &context = *stream.context;
  const uint64_t number = stream.stream->id();
  std::string name =
      stream.stream->kind() == stream::StreamKind::Legacy ? "default stream" : "stream " + std::to_string(number);
  if (context.number()) name += ", context " + std::to_string(context.number());
  return rowOfDevice(context.device().ordinal(), context.device().model().name,
                     context.number() * rowsOfContext + number, name);
}

// LaneSet gives out the rows of work that has no stream of its own, the lowest free one first. Thread-safe.
class LaneSet {
 public:
  LaneSet(std::string_view name, uint64_t base) : name_(name), base_(base) {}

  Row take(const device::Device &device) {
    const size_t lane = takeLane(static_cast<size_t>(device.ordinal()));
    return rowOfDevice(device.ordinal(), device.model().name, base_ + lane,
                       std::string(name_) + " " + std::to_string(lane + 1));
  }

  void give(const device::Device &device, const Row &row) {
    MutexLock lock(mutex_);
    busy_[static_cast<size_t>(device.ordinal())][row.thread - base_] = false;
  }

 private:
  size_t takeLane(size_t device) {
    MutexLock lock(mutex_);
    if (busy_.size() <= device) busy_.resize(device + 1);
    std::vector<bool> &lanes = busy_[device];
    size_t lane = 0;
    while (lane < lanes.size() && lanes[lane]) ++lane;
    if (lane == lanes.size()) lanes.push_back(true);
    lanes[lane] = true;
    return lane;
  }

  const std::string_view name_;
  const uint64_t base_;
  Mutex mutex_;
  std::vector<std::vector<bool>> busy_ HOSTWARP_GUARDED_BY(mutex_);  // by device
};

LaneSet &nodeLanes() {
  static auto *lanes = new LaneSet("graph nodes", lanesBase);
  return *lanes;
}
LaneSet &launchLanes() {
  static auto *lanes = new LaneSet("device launches", 2 * lanesBase);
  return *lanes;
}

class StreamSpan final : public Span {
 public:
  StreamSpan(const device::StreamRef &stream, std::string category, std::string name, Fields fields)
      : Span(std::move(category), std::move(name), std::move(fields)), row_(rowOfStream(stream)) {}

 private:
  Row row() override { return row_; }
  const Row row_;
};

class LaneSpan final : public Span {
 public:
  LaneSpan(LaneSet &lanes, const device::Device &device, std::string category, std::string name, Fields fields)
      : Span(std::move(category), std::move(name), std::move(fields)),
        lanes_(lanes),
        device_(device),
        row_(lanes.take(device)) {}
  ~LaneSpan() override { lanes_.give(device_, row_); }

 private:
  Row row() override { return row_; }

  LaneSet &lanes_;
  const device::Device &device_;
  const Row row_;
};

SpanRef inStream(const device::StreamRef &stream, const char *category, std::string name, Fields fields) {
  return std::make_shared<StreamSpan>(stream, category, std::move(name), std::move(fields));
}

SpanRef inLane(LaneSet &lanes, const device::Context &context, const char *category, std::string name, Fields fields) {
  return std::make_shared<LaneSpan>(lanes, context.device(), category, std::move(name), std::move(fields));
}

std::string text(const hw_dim3 &d) {
  return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

Fields fieldsOf(const fibers::GridRequest &request) {
  Fields fields;
  fields.add("grid", text(request.grid)).add("block", text(request.block));
  if (request.cluster.x * request.cluster.y * request.cluster.z > 1) fields.add("cluster", text(request.cluster));
  fields.add("static shared memory", uint64_t{request.staticSharedBytes});
  fields.add("dynamic shared memory", uint64_t{request.dynamicSharedBytes});
  if (request.cooperative) fields.add("cooperative", "yes");
  return fields;
}

std::string_view sideOf(const char *address) {
  const auto found = memory::AllocationTable::process().find(address);
  if (!found) return "pageable";
  if (found->onDevice()) return "device";
  const bool managed = found->kind == memory::Kind::Managed || found->kind == memory::Kind::ManagedVariable;
  return managed ? "managed" : "pinned";
}

std::string nameOf(const execution::Copy &copy) {
  constexpr std::array names{"HtoH", "HtoD", "DtoH", "DtoD"};
  if (copy.kind >= 0 && static_cast<size_t>(copy.kind) < names.size()) return std::string("copy ") + names[copy.kind];
  auto letter = [](const char *address) { return sideOf(address) == "device" ? "D" : "H"; };
  return std::string("copy ") + letter(copy.from.start) + "to" + letter(copy.to.start);
}

Fields fieldsOf(const execution::Copy &copy) {
  return Fields()
      .add("bytes", uint64_t{copy.box.bytes()})
      .add("from", sideOf(copy.from.start))
      .add("to", sideOf(copy.to.start));
}

Fields fieldsOf(const execution::Fill &fill) {
  return Fields().add("bytes", uint64_t{fill.box.bytes()}).add("value", uint64_t{fill.value});
}

constexpr const char *hostFunction = "host function";

}  // namespace

Span::Span(std::string category, std::string name, Fields fields)
    : category_(std::move(category)),
      name_(std::move(name)),
      fields_(std::move(fields)),
      call_(Call::current()),
      caller_(call_ ? rowOfThisThread() : Row()),
      asked_(now()) {}

void Span::end() {
  const Row own = row();
  if (call_) fields_.add("correlation", call_);
  writeSlice(own, category_, name_, begin_, now(), fields_);
  if (call_) writeArrow(caller_, asked_, own, begin_, call_);
}

SpanRef kernelSpan(const device::StreamRef &stream, const std::string &kernel, const fibers::GridRequest &request) {
  return collecting() ? inStream(stream, "kernel", kernel, fieldsOf(request)) : nullptr;
}

SpanRef copySpan(const device::StreamRef &stream, const execution::Copy &copy) {
  return collecting() ? inStream(stream, "copy", nameOf(copy), fieldsOf(copy)) : nullptr;
}

SpanRef fillSpan(const device::StreamRef &stream, const execution::Fill &fill) {
  return collecting() ? inStream(stream, "fill", "fill", fieldsOf(fill)) : nullptr;
}

SpanRef hostFunctionSpan(const device::StreamRef &stream) {
  return collecting() ? inStream(stream, hostFunction, hostFunction, {}) : nullptr;
}

SpanRef graphSpan(const device::StreamRef &stream, uint64_t nodes) {
  return collecting() ? inStream(stream, "graph", "graph", Fields().add("nodes", nodes)) : nullptr;
}

SpanRef nodeSpan(const device::Context &context, const std::string &kernel, const fibers::GridRequest &request) {
  return collecting() ? inLane(nodeLanes(), context, "kernel", kernel, fieldsOf(request)) : nullptr;
}

SpanRef nodeSpan(const device::Context &context, const execution::Copy &copy) {
  return collecting() ? inLane(nodeLanes(), context, "copy", nameOf(copy), fieldsOf(copy)) : nullptr;
}

SpanRef nodeSpan(const device::Context &context, const execution::Fill &fill) {
  return collecting() ? inLane(nodeLanes(), context, "fill", "fill", fieldsOf(fill)) : nullptr;
}

SpanRef nodeSpan(const device::Context &context) {
  return collecting() ? inLane(nodeLanes(), context, hostFunction, hostFunction, {}) : nullptr;
}

SpanRef deviceLaunchSpan(const device::Context &context, const std::string &kernel,
                         const fibers::GridRequest &request) {
  return collecting() ? inLane(launchLanes(), context, "kernel", kernel, fieldsOf(request)) : nullptr;
}

void nameStream(const device::StreamRef &stream, const std::string &name) { nameRow(rowOfStream(stream), name); }

}  // namespace hostwarp::profile
