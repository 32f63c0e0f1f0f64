#include "emu_runtime/device/device.h"

#include <algorithm>

#include "emu_runtime/device/current.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/module/device_variables.h"

namespace hostwarp::device {

namespace {

// Room for four times the memory: freed addresses are reused late. At most the distance between two devices.
size_t addressesFor(uint64_t memoryBytes) {
  constexpr uint64_t most = (uint64_t{1} << 40) - (uint64_t{1} << 30);
  return static_cast<size_t>(std::min(most, 4 * memoryBytes + (uint64_t{1} << 30)));
}

}  // namespace

Device::Device(int ordinal, const device_model::Gpu &model)
    : ordinal_(ordinal),
      model_(model),
      allocator_(memory::deviceArenaBase(ordinal), addressesFor(model.memoryBytes), model.memoryBytes) {}

ContextRef Device::context() {
  std::lock_guard lock(mutex_);
  if (!context_) {
    modules::provideVariables(ordinal_);
    context_ = std::make_shared<Context>(*this);
  }
  return context_;
}

bool Device::active() const {
  std::lock_guard lock(mutex_);
  return context_ != nullptr;
}

void Device::reset() {
  ContextRef context;
  {
    std::lock_guard lock(mutex_);
    context.swap(context_);
  }
  if (!context) return;
  context->streams().waitAll();
  freeEverything();
  streamTable().removeIf([&](const StreamRef &ref) { return ref.context == context; });
  eventTable().removeIf([&](const EventRef &ref) { return ref.context == context; });
}

void Device::freeEverything() {
  using memory::Kind;
  auto mine = [this](const memory::Allocation &allocation) {
    return allocation.device == ordinal_ && allocation.kind != Kind::Variable &&
           allocation.kind != Kind::ManagedVariable;
  };
  for (const memory::Allocation &allocation : memory::AllocationTable::process().takeAll(mine)) {
    memory::release(allocation, allocator_);
  }
}

int64_t Device::delta() const { return modules::variableDelta(ordinal_); }

Expected<Device *> find(int ordinal) {
  const auto &all = devices();
  if (all.empty()) return cudaErrorNoDevice;
  if (ordinal < 0 || static_cast<size_t>(ordinal) >= all.size()) return cudaErrorInvalidDevice;
  return all[static_cast<size_t>(ordinal)].get();
}

}  // namespace hostwarp::device
