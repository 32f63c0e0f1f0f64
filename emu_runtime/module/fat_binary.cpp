#include "emu_runtime/module/fat_binary.h"

#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "emu_runtime/module/careful_copy.h"

namespace hostwarp::modules {

namespace {

// Handle is what stands for a fat binary in a program's data.
struct Handle {
  uint32_t magic;
  uint32_t version;
  const char *fatBinary;
  const void *more;
};
constexpr uint32_t handleMagic = 0x466243B1;

struct Header {
  uint32_t magic;
  uint16_t version;
  uint16_t headerBytes;
  uint64_t entriesBytes;
};
static_assert(sizeof(Header) == 16);
constexpr uint32_t headerMagic = 0xBA55ED50;

// Entry is the beginning of each entry's header; its size is its own affair.
struct Entry {
  uint16_t kind;
  uint16_t version;
  uint32_t headerBytes;
  uint64_t payloadBytes;  // with what fills it up to a multiple of 8
  uint32_t packedBytes;   // of a payload that is packed
  uint32_t optionsOffset;
  uint16_t minorVersion, majorVersion;  // of the PTX language
  uint32_t architecture;                // 75
  uint32_t nameOffset, nameBytes;
  uint64_t flags;
  uint64_t reserved;
  uint64_t unpackedBytes;
};
static_assert(sizeof(Entry) == 64);
constexpr uint16_t ptxKind = 1, machineCodeKind = 2;
constexpr uint64_t packedByLz4 = 0x2000, packedByZstd = 0x8000;

// No program has more device code than this in one piece.
constexpr uint64_t mostUnpackedBytes = uint64_t{1} << 32;

const Status damagedFatBinary(cudaErrorInvalidKernelImage, "the fat binary is cut off or damaged");

template <typename Part>
bool readAt(std::string_view content, size_t at, Part &part) {
  if (at > content.size() || content.size() - at < sizeof(Part)) return false;
  std::memcpy(&part, content.data() + at, sizeof(Part));
  return true;
}

bool beginsWith(std::string_view content, uint32_t magic) {
  uint32_t found = 0;
  return readAt(content, 0, found) && found == magic;
}

struct Found {
  Entry entry;
  std::string_view payload;
};

// entriesOf() are those of a fat binary, which may be damaged.
Expected<std::vector<Found>> entriesOf(std::string_view content) {
  Header header;
  if (!readAt(content, 0, header) || header.headerBytes < sizeof(Header)) return damagedFatBinary;
  if (header.entriesBytes > content.size() || content.size() - header.entriesBytes < header.headerBytes)
    return damagedFatBinary;
  content = content.substr(header.headerBytes, header.entriesBytes);
  std::vector<Found> entries;
  while (!content.empty()) {
    Found found{};
    if (!readAt(content, 0, found.entry)) return damagedFatBinary;
    const uint64_t head = found.entry.headerBytes, bytes = found.entry.payloadBytes;
    if (head < sizeof(Entry) || head > content.size() || bytes > content.size() - head) return damagedFatBinary;
    found.payload = content.substr(head, bytes);
    entries.push_back(found);
    content.remove_prefix(head + bytes);
  }
  return entries;
}

// textOf() is the PTX, packed as it is: hwcc-device unpacks it.
Expected<std::string> textOf(const Found &found) {
  const Entry &entry = found.entry;
  const char *method = entry.flags & packedByLz4 ? "lz4" : entry.flags & packedByZstd ? "zstd" : nullptr;
  if (!method) return std::string(found.payload.substr(0, found.payload.find('\0')));
  if (entry.packedBytes > found.payload.size() || entry.unpackedBytes > mostUnpackedBytes) return damagedFatBinary;
  return "//HWPACKED " + std::string(method) + " " + std::to_string(entry.unpackedBytes) + "\n" +
         std::string(found.payload.substr(0, entry.packedBytes));
}

// runsMachineCode() is CUDA's rule: of the same generation, and not newer.
bool runsMachineCode(uint32_t device, uint32_t architecture) {
  return device / 10 == architecture / 10 && architecture <= device;
}

std::string listed(const std::set<uint32_t> &architectures, const char *prefix) {
  std::string list;
  for (const uint32_t each : architectures) list += (list.empty() ? "" : ", ") + (prefix + std::to_string(each));
  return list;
}

// whatIsThere() says why nothing of the fat binary can run.
Status whatIsThere(const std::vector<Found> &entries, int capability) {
  std::set<uint32_t> ptx, machineCode;
  for (const Found &found : entries) {
    if (found.entry.kind == ptxKind) ptx.insert(found.entry.architecture);
    if (found.entry.kind == machineCodeKind) machineCode.insert(found.entry.architecture);
  }
  const std::string device =
      "a device of compute capability " + std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  if (!ptx.empty())
    return {cudaErrorNoKernelImageForDevice, "the fat binary has PTX for " + listed(ptx, "compute_") + ", which " +
                                                 device +
                                                 " does not run: let HOSTWARP_DEVICES name a newer one "
                                                 "(`hostwarp devices` lists them)"};
  if (machineCode.empty()) return {cudaErrorNoKernelImageForDevice, "the fat binary has no device code"};
  return {cudaErrorNoKernelImageForDevice,
          "the fat binary has a GPU's machine code (" + listed(machineCode, "sm_") +
              ") and no PTX, which is what runs here: build it with nvcc -gencode arch=compute_75,code=compute_75, or "
              "with hwcc"};
}

}  // namespace

bool isFatBinary(std::string_view content) { return beginsWith(content, headerMagic); }
bool isFatBinaryHandle(std::string_view content) { return beginsWith(content, handleMagic); }

Expected<std::string> copyFatBinary(const char *start) {
  CarefulCopy careful;
  Handle handle{};
  if (!careful.copy(start, &handle.magic, sizeof(handle.magic))) return damagedFatBinary;
  if (handle.magic == handleMagic) {
    if (!careful.copy(start, &handle, sizeof(handle))) return damagedFatBinary;
    start = handle.fatBinary;
  }
  Header header{};
  if (!careful.copy(start, &header, sizeof(header))) return damagedFatBinary;
  if (header.magic != headerMagic || header.headerBytes < sizeof(header) || header.entriesBytes > mostUnpackedBytes)
    return damagedFatBinary;
  std::string content(header.headerBytes + header.entriesBytes, '\0');
  return careful.copy(start, content.data(), content.size()) ? Expected<std::string>(std::move(content))
                                                             : damagedFatBinary;
}

Expected<FoundPtx> ptxIn(std::string_view fatBinary, int capability) {
  const auto entries = entriesOf(fatBinary);
  if (!entries.ok()) return entries.status();
  const auto device = static_cast<uint32_t>(capability);
  const Found *best = nullptr, *next = nullptr;
  bool isForGpu = false;
  for (const Found &found : *entries) {
    const uint32_t architecture = found.entry.architecture;
    if (found.entry.kind == machineCodeKind) isForGpu = isForGpu || runsMachineCode(device, architecture);
    if (found.entry.kind != ptxKind) continue;
    if (architecture <= device && (!best || best->entry.architecture < architecture)) best = &found;
    if (architecture > device && (!next || next->entry.architecture > architecture)) next = &found;
  }
  if (!best && isForGpu) best = next;
  if (!best) return whatIsThere(*entries, capability);
  auto text = textOf(*best);
  if (!text.ok()) return text.status();
  return FoundPtx{*std::move(text), static_cast<int>(best->entry.architecture)};
}

}  // namespace hostwarp::modules
