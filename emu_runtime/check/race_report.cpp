#include "emu_runtime/check/race_report.h"

#include <cstring>

#include "emu_runtime/check/block_state.h"
#include "emu_runtime/check/findings.h"
#include "emu_runtime/check/value_text.h"
#include "emu_runtime/check/variables.h"
#include "emu_runtime/memory/layout.h"

namespace hostwarp::check {

namespace {

enum class Cause : uint8_t {
#define HOSTWARP_RACE_CAUSE(name, sentence) name,
#include "emu_runtime/check/race_causes.def"
#undef HOSTWARP_RACE_CAUSE
};

const char *sentenceOf(Cause cause) {
  switch (cause) {
#define HOSTWARP_RACE_CAUSE(name, sentence) \
  case Cause::name:                         \
    return sentence;
#include "emu_runtime/check/race_causes.def"
#undef HOSTWARP_RACE_CAUSE
  }
  return "";
}

struct AsyncOperation {
  const char *name, *kind;
};
const AsyncOperation &operationOf(const Flight &flight) {
  static constexpr AsyncOperation operations[HW_ASYNC_OPERATIONS] = {
#define HOSTWARP_ASYNC_OPERATION(event, name, kind, byProxy) {name, kind},
#include "emu_runtime/check/async_operations.def"
#undef HOSTWARP_ASYNC_OPERATION
  };
  return operations[flight.operation];
}

// waitMissing() is why the first access may still be in flight.
Cause waitMissing(const Race &race) {
  const AccessRecord &before = race.before;
  if (race.isAwaited) return before.flight.ofBarrier ? Cause::PhaseAwaitedElsewhere : Cause::AwaitedElsewhere;
  switch (before.flight.operation) {
    case HW_ASYNC_COPY:
      return Cause::CopyNotAwaited;
    case HW_ASYNC_BULK:
      return before.writes() ? Cause::BulkNotAwaited : Cause::SourceNotAwaited;
    case HW_ASYNC_PRODUCT:
      return Cause::ProductNotAwaited;
    default:
      return Cause::TransferNotAwaited;
  }
}

Cause causeOf(const Race &race) {
  const AccessRecord &before = race.before;
  if (before.isInFlight()) return waitMissing(race);
  if (race.lacksFence) return Cause::ProxyFenceMissing;
  if (before.isAtomic() && race.access.isAtomic()) return Cause::NarrowScope;
  if (before.isAtomic() || race.access.isAtomic()) return Cause::NotBothAtomic;
  if (race.wouldBeOrdered) return Cause::FenceMissing;
  if ((before.traits & race.access.traits & HW_ACCESS_VOLATILE) != 0) return Cause::Volatile;
  if (before.block != race.block) return race.isSameCluster ? Cause::SameCluster : Cause::OtherBlock;
  if (race.hasEnded) return Cause::Ended;
  return race.distance() == Race::Distance::Warp ? Cause::SameWarp : Cause::SameBlock;
}

std::string indexText(const hw_dim3 &extent, uint64_t linear) {
  const uint64_t plane = uint64_t{extent.x} * extent.y;
  return "(" + std::to_string(linear % extent.x) + "," + std::to_string(linear % plane / extent.x) + "," +
         std::to_string(linear / plane) + ")";
}

std::string threadText(const LaunchNote &launch, uint64_t block, uint32_t thread) {
  return "block " + indexText(launch.gridDim, block) + ", thread " + indexText(launch.blockDim, thread);
}

std::string otherThread(const Race &race, const LaunchNote &launch) {
  if (race.before.block != race.block) return threadText(launch, race.before.block, race.beforeThread);
  return "thread " + indexText(launch.blockDim, race.beforeThread);
}

const char *didWhat(const AccessRecord &record) {
  const bool reads = (record.traits & HW_ACCESS_READS) != 0;
  return !record.writes() ? "read" : reads ? "updated" : "written";
}

// whatElse() is what the other access has done to the memory, or will do.
std::string whatElse(const Race &race, const LaunchNote &launch) {
  const AccessRecord &before = race.before;
  const std::string who = otherThread(race, launch);
  if (!before.isInFlight()) return who + " has " + didWhat(before);
  const std::string operation = operationOf(before.flight).name;
  return operation + " of " + who + " is still to " +
         (!before.writes()    ? "read"
          : before.isAtomic() ? "update"
                              : "write");
}

std::string byWhat(const Access &access) {
  return access.isInFlight() ? std::string(" by ") + operationOf(access.flight).name : "";
}

// valueIn() is where the value lies that an access knows as `value`: a number, or the address of a copy's source. null:
// it is not known, or the source is none that there is.
const void *valueIn(const Access &access, const uint64_t &value) {
  if ((access.traits & HW_ACCESS_COPIES) != 0) {
    const Access source{.start = value, .bytes = access.bytes, .traits = HW_ACCESS_READS, .site = access.site};
    const bool isElsewhere = value < memory::layout::devices || value >= memory::layout::end;
    return isElsewhere || isThere(source) ? source.address() : nullptr;
  }
  return (access.traits & HW_ACCESS_VALUE_KNOWN) != 0 && access.bytes <= sizeof value ? &value : nullptr;
}

bool writesWhatIsThere(const Race &race) {
  const Access &access = race.access;
  if (race.before.isInFlight()) return false;
  if (race.before.isAtomic() || access.isAtomic() || !race.before.writes() || access.reads()) return false;
  const void *const next = valueIn(access, access.value);
  const void *const found = access.found ? valueIn(access, *access.found) : access.address();
  return next != nullptr && found != nullptr && std::memcmp(found, next, access.bytes) == 0;
}

// kindOf() is what both accesses are of, as far as one of them says.
uint32_t kindOf(const Race &race) {
  const bool isTyped = isTypedValue(race.access.traits) || race.before.bytes != race.access.bytes;
  return isTyped ? race.access.traits : race.before.traits;
}

bool areNumbers(const Race &race) {
  if (race.before.isInFlight() || race.access.isInFlight()) return false;
  return ((race.before.traits | race.access.traits) & HW_ACCESS_POINTERS) == 0;
}

// found() is what is in memory in front of the second access; null where that is not certain: threads of a block that
// go in step may write one place, and another block may have left something.
const void *found(const Race &race) {
  if (race.isUnwritten) return nullptr;
  const Access &access = race.access;
  if (access.found) return valueIn(access, *access.found);
  const bool mayBeInStep =
      race.distance() != Race::Distance::Grid && access.writes() && race.before.site == access.site;
  return mayBeInStep ? nullptr : access.address();
}

// stored() is what the second access is about to write; null where that is not known.
const void *stored(const Access &access) {
  return access.writes() && !access.reads() ? valueIn(access, access.value) : nullptr;
}

// isOfBoth(): the first access was of the same bytes, and nobody has changed them since.
bool isOfBoth(const Race &race) {
  constexpr uint32_t alignment = HW_ACCESS_COPIES | HW_ACCESS_ALIGNED;
  const auto isAligned = [](uint32_t traits) { return (traits & alignment) != HW_ACCESS_COPIES; };
  return !race.isUpdatedSince && !race.before.isAtomic() && race.before.bytes == race.access.bytes &&
         isAligned(race.before.traits) && isAligned(race.access.traits) && race.access.start % race.access.bytes == 0;
}

// numbersOf() gives "thread (0,0,0) has written 3, this writes 5", as far as that is known.
std::string numbersOf(const Race &race, const std::string &who) {
  const Access &access = race.access;
  if (!areNumbers(race) || !(race.shared || isThere(access))) return "";
  const void *const there = found(race), *const next = stored(access);
  const std::string before = there != nullptr ? valueText(there, access.bytes, kindOf(race)) : "";
  const std::string after = next != nullptr ? valueText(next, access.bytes, kindOf(race)) : "";
  std::string text;
  if (!before.empty())
    text = isOfBoth(race) ? who + " has " + didWhat(race.before) + " " + before : "memory holds " + before;
  if (!after.empty()) return text + (text.empty() ? "" : ", ") + "this writes " + after;
  if (text.empty()) return "";
  return text + (access.writes() ? ", which this changes" : ", which this reads");
}

// valuesOf() begins with the size of the first access where that is another one.
std::string valuesOf(const Race &race, const std::string &who) {
  const std::string numbers = numbersOf(race, who);
  const uint64_t theirs = race.before.bytes;
  if (theirs == race.access.bytes || theirs == 0 || race.before.isInFlight()) return numbers;
  return who + " has " + didWhat(race.before) + " " + bytesText(theirs) + (numbers.empty() ? "" : "; " + numbers);
}

std::string variableOf(const Race &race, const hw_thread &thread) {
  const Access &access = race.access;
  for (const hw_access_site *site : {access.site, race.before.site}) {
    const std::string name = race.shared ? sharedVariable(*site, race.shared->offset, access.bytes, thread)
                                         : globalVariable(*site, access.start, thread.deviceDelta);
    if (!name.empty()) return name;
  }
  return "";
}

std::string whereIs(const Race &race, const LaunchNote &launch) {
  if (!race.shared) return placeInMemory(race.access);
  const std::string whose =
      race.shared->block == race.block ? "" : "block " + indexText(launch.gridDim, race.shared->block) + "'s ";
  return "at offset " + std::to_string(race.shared->offset) + " of " + whose + "shared memory";
}

}  // namespace

bool reportRace(const Race &race, const LaunchNote &launch, const BlockState &block) {
  if (writesWhatIsThere(race)) {
    countBenign(Benign::SameValue, *race.access.site);
    return false;
  }
  constexpr const char *kinds[Race::kDistances] = {"race within a warp", "race within a block", "race between blocks"};
  const std::string kind = race.lacksFence            ? "missing proxy fence"
                           : race.before.isInFlight() ? operationOf(race.before.flight).kind
                                                      : kinds[static_cast<size_t>(race.distance())];
  if (countAgain(kind, *race.access.site, *race.before.site)) return true;
  report({.kind = kind,
          .what = describeAccess(race.access) + byWhat(race.access) + " " + whereIs(race, launch) + " that " +
                  whatElse(race, launch),
          .by = "kernel " + launch.kernelName + ", " + threadText(launch, race.block, race.thread),
          .thread = race.thread,
          .block = &block,
          .other = race.before.site,
          .why = sentenceOf(causeOf(race)),
          .values = valuesOf(race, otherThread(race, launch)),
          .variable = variableOf(race, block.prototype()),
          .origin = race.shared ? Origin() : originOf(race.access)},
         *race.access.site);
  return true;
}

void reportEarlyUse(const Access &access, const hw_access_site &product) {
  const AsyncOperation &operation = operationOf({.operation = HW_ASYNC_PRODUCT});
  report({.kind = operation.kind,
          .what = describeAccess(access) + " of a variable that " + operation.name + " is still to write",
          .other = &product,
          .why = sentenceOf(Cause::ProductNotAwaited)},
         *access.site);
}

}  // namespace hostwarp::check
