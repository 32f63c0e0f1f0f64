// What the runtime tells the timeline: calls of the API, and the work of devices that they ask for.
#ifndef HOSTWARP_EMU_RUNTIME_PROFILE_SPANS_H
#define HOSTWARP_EMU_RUNTIME_PROFILE_SPANS_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "emu_runtime/device/current.h"
#include "emu_runtime/profile/timeline.h"
#include "fibers/engine.h"

namespace hostwarp::execution {
struct Copy;
struct Fill;
}  // namespace hostwarp::execution

namespace hostwarp::profile {

// Span is one piece of a device's work. It is made when the work is asked for and shared with the operation that does
// it, which calls begin() and end(), or neither when the work is passed over.
class Span {
 public:
  Span(std::string category, std::string name, Fields fields);
  virtual ~Span() = default;
  Span(const Span &) = delete;
  Span &operator=(const Span &) = delete;

  void begin() { begin_ = now(); }
  // beginAt() is begin() for work that has begun before.
  void beginAt(int64_t time) { begin_ = time; }
  void end();
  void add(std::string_view name, std::string_view text) { fields_.add(name, text); }

 protected:
  // row() is where the span is shown, asked for once.
  virtual Row row() = 0;

 private:
  const std::string category_;
  const std::string name_;
  Fields fields_;
  const uint64_t call_;  // that asked for it; 0: none
  const Row caller_;
  const int64_t asked_;
  int64_t begin_ = 0;
};

// SpanRef is null unless events are collected: the functions below cost one relaxed load then.
using SpanRef = std::shared_ptr<Span>;

// Running brackets the work of a span.
class Running {
 public:
  explicit Running(SpanRef span) : span_(std::move(span)) {
    if (span_) span_->begin();
  }
  ~Running() {
    if (span_) span_->end();
  }
  Running(const Running &) = delete;
  Running &operator=(const Running &) = delete;

 private:
  const SpanRef span_;
};

// Work in a stream. `nodes` counts those of a graph that the launch runs.
SpanRef kernelSpan(const device::StreamRef &stream, const std::string &kernel, const fibers::GridRequest &request);
SpanRef copySpan(const device::StreamRef &stream, const execution::Copy &copy);
SpanRef fillSpan(const device::StreamRef &stream, const execution::Fill &fill);
SpanRef hostFunctionSpan(const device::StreamRef &stream);
SpanRef graphSpan(const device::StreamRef &stream, uint64_t nodes);

// Work that runs beside a stream: nodes of graphs, and grids that device code launches. Spans of a device that overlap
// in time get rows of their own.
SpanRef nodeSpan(const device::Context &context, const std::string &kernel, const fibers::GridRequest &request);
SpanRef nodeSpan(const device::Context &context, const execution::Copy &copy);
SpanRef nodeSpan(const device::Context &context, const execution::Fill &fill);
SpanRef nodeSpan(const device::Context &context);  // a host function
SpanRef deviceLaunchSpan(const device::Context &context, const std::string &kernel, const fibers::GridRequest &request);

// spanOf() picks the functions above for transfers.
inline SpanRef spanOf(const device::StreamRef &stream, const execution::Copy &copy) { return copySpan(stream, copy); }
inline SpanRef spanOf(const device::StreamRef &stream, const execution::Fill &fill) { return fillSpan(stream, fill); }

// nameStream() gives a stream's row the name that the program chose.
void nameStream(const device::StreamRef &stream, const std::string &name);

}  // namespace hostwarp::profile

#endif  // HOSTWARP_EMU_RUNTIME_PROFILE_SPANS_H
