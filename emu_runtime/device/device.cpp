#include "emu_runtime/device/device.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>

#include "emu_runtime/device/current.h"
#include "emu_runtime/graph/memory.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/layout.h"
#include "emu_runtime/module/device_variables.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::device {

namespace {

// Room for four times the memory: freed addresses are reused late. At most the distance between two devices.
size_t addressesFor(uint64_t memoryBytes) {
  constexpr uint64_t most = memory::layout::unit - (uint64_t{1} << 30);
  return static_cast<size_t>(std::min(most, 4 * memoryBytes + (uint64_t{1} << 30)));
}

// parseBytes() reads "2G", "512M" or a plain number; 0 when the text is neither.
uint64_t parseBytes(const std::string &text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  const std::string_view unit(end, static_cast<size_t>(text.data() + text.size() - end));
  constexpr std::string_view units = "KMGT";
  if (unit.empty()) return value;
  const size_t power = units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit[0]))));
  return unit.size() == 1 && power != std::string_view::npos ? value << (10 * (power + 1)) : 0;
}

// memoryOf() is the device's memory: the model's, unless HOSTWARP_MEMORY_LIMIT says less or more.
uint64_t memoryOf(const device_model::Gpu &model) {
  const std::string &text = optionText(Option::MEMORY_LIMIT);
  if (text.empty()) return model.memoryBytes;
  const uint64_t bytes = parseBytes(text);
  if (bytes == 0) logOnce("MEMORY_LIMIT", "HOSTWARP_MEMORY_LIMIT: '" + text + "' is no size such as 512M or 2G");
  return bytes ? bytes : model.memoryBytes;
}

uint64_t nextContext() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1);
}

}  // namespace

Device::Device(int ordinal, const device_model::Gpu &model)
    : ordinal_(ordinal),
      model_(model),
      allocator_(memory::deviceArenaBase(ordinal), addressesFor(memoryOf(model)), memoryOf(model)),
      defaultPool_(std::make_shared<memory::Pool>(allocator_, ordinal, 0)),
      pool_(defaultPool_) {}

std::shared_ptr<memory::Pool> Device::pool() const {
  MutexLock lock(mutex_);
  return pool_;
}

void Device::setPool(std::shared_ptr<memory::Pool> pool) {
  MutexLock lock(mutex_);
  pool_ = std::move(pool);
}

ContextRef Device::context() {
  MutexLock lock(mutex_);
  if (!context_) {
    modules::provideVariables(ordinal_);
    context_ = std::make_shared<Context>(*this);
  }
  return context_;
}

bool Device::active() const {
  MutexLock lock(mutex_);
  return context_ != nullptr;
}

ContextRef Device::makeContext() {
  modules::provideVariables(ordinal_);
  return std::make_shared<Context>(*this, nextContext());
}

ContextRef Device::makePart(int firstSm, int sms) {
  const ContextRef primary = context();
  auto made = std::make_shared<Context>(primary, nextContext(), firstSm, sms);
  primary->addGreen(made);
  return made;
}

void Device::destroyContext(const ContextRef &context) {
  context->streams().waitAll();
  context->streams().dropFinished();
  eventTable().removeIf([&](const EventRef &ref) { return ref.context == context; });
  if (context->green()) return context->setDestroyed();
  freeEverything(context->id());
  streamTable().removeIf([&](const StreamRef &ref) { return ref.context == context; });
}

void Device::reset() {
  ContextRef context;
  {
    MutexLock lock(mutex_);
    context.swap(context_);
    heldByRuntime_ = false;
  }
  if (!context) return;
  destroyContext(context);
  memory::Pool::settleAll();
  defaultPool_->trimTo(0);
  setPool(defaultPool_);
  modules::restoreVariables(ordinal_);
}

void Device::freeEverything(uint64_t contextId) {
  using memory::Kind;
  auto mine = [&](const memory::Allocation &allocation) {
    return allocation.device == ordinal_ && allocation.context == contextId && allocation.kind != Kind::Variable &&
           allocation.kind != Kind::Graph && allocation.kind != Kind::ManagedVariable;
  };
  for (const memory::Allocation &allocation : memory::AllocationTable::process().takeAll(mine)) {
    memory::release(allocation, allocator_);
  }
  graph::GraphMemory::forget(*this);
}

int64_t Device::delta() const { return modules::variableDelta(ordinal_); }

Expected<Device *> find(int ordinal) {
  const auto &all = devices();
  if (all.empty()) return cudaErrorNoDevice;
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= all.size()) return cudaErrorInvalidDevice;
  return all[static_cast<size_t>(ordinal)].get();
}

}  // namespace hostwarp::device
