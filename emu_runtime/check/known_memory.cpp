#include "emu_runtime/check/known_memory.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/device_heap.h"
#include "emu_runtime/memory/layout.h"

namespace hostwarp::check {

namespace {

using memory::Allocation;
using memory::AllocationTable;
using memory::Kind;

constexpr const char *outOfBounds = "out of bounds";

std::string hexadecimal(uintptr_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

// atAddress() names an address that is the same in each run; those of variables and of the program's own memory are
// not.
std::string atAddress(uintptr_t address) {
  return address >= memory::layout::devices && address < memory::layout::end ? " at " + hexadecimal(address) : "";
}

const char *originOf(const Allocation &allocation) {
  switch (allocation.kind) {
    case Kind::Device:
      return "of cudaMalloc";
    case Kind::Pool:
      return "of cudaMallocAsync";
    case Kind::Managed:
      return "of cudaMallocManaged";
    case Kind::Host:
      return "of cudaMallocHost";
    case Kind::RegisteredHost:
      return "of cudaHostRegister";
    case Kind::Variable:
    case Kind::ManagedVariable:
      return "of a variable";
    case Kind::Imported:
      return "of another process";
    case Kind::Graph:
      return "of a graph's allocation node";
    case Kind::Mapped:
      return "of cuMemMap";
    case Kind::DeviceHeap:
      return "of malloc() in a kernel";
  }
  return "";
}

bool isDeviceAddress(uintptr_t address) { return address >= memory::layout::devices && address < memory::layout::end; }

// isTextureCode(): the header reads texels, which lie in arrays that are no allocations.
bool isTextureCode(const hw_access_site &site) {
  const std::string_view file = site.frames[0].file;
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return name.starts_with("texture") || name.starts_with("surface");
}

// isOrdered(): memory that streams and graphs free, which the table forgets when that is queued, not when it is done.
bool isOrdered(const Allocation &allocation) { return allocation.kind == Kind::Pool || allocation.kind == Kind::Graph; }

// nextTo() names the allocation that is closest to the address. Far away there is none that explains anything.
Problem nextTo(const Access &access) {
  uint64_t least = uint64_t{1} << 30;
  std::string next;
  Origin origin;
  const auto consider = [&](const std::optional<Allocation> &allocation, uint64_t distance, const char *where) {
    if (!allocation || distance >= least) return;
    least = distance;
    next = ": " + (distance == 0 ? "right" : bytesText(distance)) + where + describe(*allocation);
    origin = AllocationPlaces::process().originOf(allocation->start);
  };
  for (const AllocationTable *table : {&AllocationTable::process(), &AllocationTable::ofHeaps()}) {
    const auto [below, above] = table->neighboursOf(access.address());
    consider(below, below ? access.start - (below->start + below->bytes) : 0, " behind ");
    consider(above, above ? above->start - access.start : 0, " before ");
  }
  return {.kind = outOfBounds,
          .what = describeAccess(access) + atAddress(access.start) + ", where no memory is" + next,
          .origin = origin};
}

Judgement ofAllocation(const Access &access, const Allocation &allocation) {
  const uintptr_t end = allocation.start + allocation.bytes;
  if (access.bytes <= end - access.start) return {std::nullopt, {allocation.start, end}};
  return {Problem{.kind = outOfBounds,
                  .what = describeAccess(access) + atAddress(access.start) + ", the last " +
                          bytesText(access.bytes - (end - access.start)) + " of them behind " + describe(allocation),
                  .origin = AllocationPlaces::process().originOf(allocation.start)},
          {}};
}

// findEver() finds memory that has been given back, too: what was queued before may still use it.
std::optional<Allocation> findEver(const AllocationTable &table, const void *address) {
  const auto allocation = table.find(address);
  return allocation ? allocation : table.findFreed(address);
}

// ofNobody() is what lies around the address and is no allocation.
Judgement ofNobody(const Access &access, const AllocationTable &table) {
  const auto [below, above] = table.neighboursOf(access.address());
  uintptr_t start = below ? below->start + below->bytes : 0, end = above ? above->start : UINTPTR_MAX;
  // Among the devices' memory it is an error.
  if (access.start < memory::layout::devices)
    end = std::min(end, memory::layout::devices);
  else
    start = std::max(start, memory::layout::end);
  return {std::nullopt, {start, end}, true};
}

}  // namespace

std::string placeInMemory(const Access &access) {
  std::string place = atAddress(access.start);
  place = place.empty() ? "" : place.substr(1) + ", ";
  for (const AllocationTable *table : {&AllocationTable::process(), &AllocationTable::ofHeaps()})
    if (const auto allocation = findEver(*table, access.address()))
      return place + bytesText(access.start - allocation->start) + " into " + describe(*allocation) + ",";
  return place.empty() ? "of memory" : place.substr(0, place.size() - 2);
}

bool isThere(const Access &access) {
  return AllocationTable::process().find(access.address()) || AllocationTable::ofHeaps().find(access.address());
}

Origin originOf(const Access &access) {
  for (const AllocationTable *table : {&AllocationTable::process(), &AllocationTable::ofHeaps()})
    if (const auto allocation = findEver(*table, access.address())) {
      const bool isFreed = !table->find(access.address());
      return {.made = AllocationPlaces::process().originOf(allocation->start, isFreed).made, .freed = nullptr};
    }
  return {};
}

std::string describe(const Allocation &allocation) {
  return "the " + bytesText(allocation.bytes) + " " + originOf(allocation) + atAddress(allocation.start);
}

std::string bytesText(uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

std::string describeAccess(const Access &access) {
  const char *verb = !access.writes() ? "reads " : !access.reads() ? "writes " : "updates ";
  return verb + bytesText(access.bytes);
}

Judgement judge(const Access &access) {
  const AllocationTable &table = AllocationTable::process();
  if (access.bytes == 0) return {};
  if (hw_is_local(access.address()) != 0) return ofNobody(access, table);
  if (const auto allocation = table.find(access.address())) return ofAllocation(access, *allocation);
  // What lies elsewhere is the runtime's own, or what no GPU can reach: the two cannot be told apart here.
  if (!isDeviceAddress(access.start)) return ofNobody(access, table);
  if (isTextureCode(*access.site)) return {};
  if (const auto allocation = AllocationTable::ofHeaps().find(access.address()))
    return ofAllocation(access, *allocation);
  const AllocationTable *const tables[] = {&table, &AllocationTable::ofHeaps()};
  for (const AllocationTable *each : tables)
    if (const auto freed = each->findFreed(access.address())) {
      if (isOrdered(*freed)) return {std::nullopt, {freed->start, freed->start + freed->bytes}};
      return {Problem{.kind = "use after free",
                      .what = describeAccess(access) + atAddress(access.start) + ", " +
                              bytesText(access.start - freed->start) + " into " + describe(*freed) +
                              ", which have been freed",
                      .origin = AllocationPlaces::process().originOf(freed->start, true)},
              {}};
    }
  return {nextTo(access), {}};
}

}  // namespace hostwarp::check
