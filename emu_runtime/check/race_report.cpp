#include "emu_runtime/check/race_report.h"

#include <cstring>

#include "emu_runtime/check/findings.h"

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

Cause causeOf(const Race &race) {
  const AccessRecord &before = race.before;
  if (before.isAtomic() && race.access.isAtomic()) return Cause::NarrowScope;
  if (before.isAtomic() || race.access.isAtomic()) return Cause::NotBothAtomic;
  if (race.wouldBeOrdered) return Cause::FenceMissing;
  if ((before.traits & race.access.traits & HW_ACCESS_VOLATILE) != 0) return Cause::Volatile;
  if (before.block != race.block.linear())
    return before.cluster == race.block.cluster() ? Cause::SameCluster : Cause::OtherBlock;
  if (race.hasEnded) return Cause::Ended;
  return before.warp == race.self.warpId ? Cause::SameWarp : Cause::SameBlock;
}

std::string indexText(const hw_dim3 &extent, uint64_t linear) {
  const uint64_t plane = uint64_t{extent.x} * extent.y;
  return "(" + std::to_string(linear % extent.x) + "," + std::to_string(linear % plane / extent.x) + "," +
         std::to_string(linear / plane) + ")";
}

std::string otherThread(const Race &race) {
  std::string text;
  if (race.before.block != race.block.linear()) text = "block " + indexText(race.launch.gridDim, race.before.block) + ", ";
  return text + "thread " + indexText(race.launch.blockDim, race.beforeThread);
}

const char *didWhat(const AccessRecord &record) {
  const bool reads = (record.traits & HW_ACCESS_READS) != 0;
  return !record.writes() ? "read" : reads ? "updated" : "written";
}

bool writesWhatIsThere(const Race &race) {
  if (race.before.isAtomic() || race.access.isAtomic() || !race.before.writes()) return false;
  if ((race.access.traits & HW_ACCESS_VALUE_KNOWN) == 0 || race.access.bytes > sizeof race.access.value) return false;
  return std::memcmp(race.access.address(), &race.access.value, race.access.bytes) == 0;
}

std::string whereIs(const Race &race) {
  const BlockState *const owner = race.sharedOwner;
  if (owner == nullptr) return placeInMemory(race.access);
  const std::string whose = owner == &race.block ? "" : "block " + indexText(race.launch.gridDim, owner->linear()) + "'s ";
  return "at offset " + std::to_string(race.access.start - owner->shared().start()) + " of " + whose + "shared memory";
}

}  // namespace

bool reportRace(const Race &race) {
  if (writesWhatIsThere(race)) {
    countSameValue(*race.access.site);
    return false;
  }
  const std::string other = otherThread(race);
  report({.kind = "race",
          .what = describeAccess(race.access) + " " + whereIs(race) + " that " + other + " has " + didWhat(race.before),
          .other = race.before.site,
          .why = sentenceOf(causeOf(race))},
         *race.access.site);
  return true;
}

}  // namespace hostwarp::check
