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

bool writesWhatIsThere(const Race &race) {
  const Access &access = race.access;
  if (race.before.isAtomic() || access.isAtomic() || !race.before.writes() || access.reads()) return false;
  if ((access.traits & HW_ACCESS_COPIES) != 0)
    return std::memcmp(access.address(), reinterpret_cast<const void *>(access.value), access.bytes) == 0;
  if ((access.traits & HW_ACCESS_VALUE_KNOWN) == 0 || access.bytes > sizeof access.value) return false;
  const void *found = access.found ? &*access.found : access.address();
  return std::memcmp(found, &access.value, access.bytes) == 0;
}

std::string whereIs(const Race &race, const LaunchNote &launch) {
  if (!race.shared) return placeInMemory(race.access);
  const std::string whose =
      race.shared->block == race.block ? "" : "block " + indexText(launch.gridDim, race.shared->block) + "'s ";
  return "at offset " + std::to_string(race.shared->offset) + " of " + whose + "shared memory";
}

}  // namespace

bool reportRace(const Race &race, const LaunchNote &launch) {
  if (writesWhatIsThere(race)) {
    countBenign(Benign::SameValue, *race.access.site);
    return false;
  }
  constexpr const char *kinds[Race::kDistances] = {"race within a warp", "race within a block", "race between blocks"};
  const std::string kind = kinds[static_cast<size_t>(race.distance())];
  if (countAgain(kind, *race.access.site, *race.before.site)) return true;
  report({.kind = kind,
          .what = describeAccess(race.access) + " " + whereIs(race, launch) + " that " + otherThread(race, launch) +
                  " has " + didWhat(race.before),
          .by = "kernel " + launch.kernelName + ", " + threadText(launch, race.block, race.thread),
          .other = race.before.site,
          .why = sentenceOf(causeOf(race))},
         *race.access.site);
  return true;
}

}  // namespace hostwarp::check
