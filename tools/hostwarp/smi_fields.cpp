#include "tools/hostwarp/smi_fields.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace hostwarp::tool {
namespace {

constexpr uint64_t mib = 1 << 20;
constexpr uint64_t roundedMiB(uint64_t bytes) { return (bytes + mib - 1) / mib; }

std::string timestamp() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y/%m/%d %H:%M:%S.000", std::localtime(&now));
  return text;
}

using D = const SmiDevice &;
using P = const Usage *;
std::string unknown(D, P) { return notApplicable; }

// A GPU that is not there has no temperature: such fields exist for scripts that ask for many at a time.
const SmiField ofDevices[] = {
    {"timestamp", "", "", [](D, P) { return timestamp(); }},
    {"driver_version", "", "", [](D, P) { return std::string(driverVersion); }},
    {"count", "", "", [](D d, P) { return std::to_string(d.count); }},
    {"name", "gpu_name", "", [](D d, P) { return std::string(d.properties.name); }},
    {"index", "", "", [](D d, P) { return std::to_string(d.index); }},
    {"uuid", "gpu_uuid", "", [](D d, P) { return d.uuid(); }},
    {"serial", "gpu_serial", "", unknown},
    {"pci.bus_id", "gpu_bus_id", "", [](D d, P) { return d.busId(); }},
    {"compute_cap", "", "",
     [](D d, P) { return std::to_string(d.properties.major) + "." + std::to_string(d.properties.minor); }},
    {"memory.total", "", "MiB", [](D d, P) { return std::to_string(d.totalMiB()); }},
    {"memory.reserved", "", "MiB", [](D, P) { return std::string("0"); }},
    {"memory.used", "", "MiB", [](D d, P) { return std::to_string(d.usedMiB()); }},
    {"memory.free", "", "MiB",
     [](D d, P) { return std::to_string(d.totalMiB() - std::min(d.totalMiB(), d.usedMiB())); }},
    {"compute_mode", "", "", [](D, P) { return std::string("Default"); }},
    {"persistence_mode", "", "", [](D, P) { return std::string("Enabled"); }},
    {"display_active", "", "", [](D, P) { return std::string("Disabled"); }},
    {"ecc.mode.current", "", "", [](D d, P) { return std::string(d.properties.ECCEnabled ? "Enabled" : "Disabled"); }},
    {"utilization.gpu", "", "%", unknown},
    {"utilization.memory", "", "%", unknown},
    {"temperature.gpu", "", "", unknown},
    {"temperature.memory", "", "", unknown},
    {"fan.speed", "", "%", unknown},
    {"pstate", "", "", unknown},
    {"power.draw", "", "W", unknown},
    {"power.limit", "", "W", unknown},
    {"clocks.sm", "clocks.current.sm", "MHz", unknown},
    {"clocks.gr", "clocks.current.graphics", "MHz", unknown},
    {"clocks.mem", "clocks.current.memory", "MHz", unknown},
    {"clocks.max.sm", "clocks.max.sm", "MHz", unknown},
    {"mig.mode.current", "", "", unknown},
    {"vbios_version", "", "", unknown},
};

const SmiField ofProcesses[] = {
    {"timestamp", "", "", [](D, P) { return timestamp(); }},
    {"gpu_name", "", "", [](D d, P) { return std::string(d.properties.name); }},
    {"gpu_bus_id", "", "", [](D d, P) { return d.busId(); }},
    {"gpu_uuid", "", "", [](D d, P) { return d.uuid(); }},
    {"pid", "", "", [](D, P p) { return std::to_string(p->pid); }},
    {"process_name", "name", "", [](D, P p) { return p->program; }},
    {"used_gpu_memory", "used_memory", "MiB", [](D, P p) { return std::to_string(roundedMiB(p->bytes)); }},
};

}  // namespace

uint64_t SmiDevice::totalMiB() const { return properties.totalGlobalMem / mib; }

uint64_t SmiDevice::usedMiB() const {
  uint64_t bytes = 0;
  for (const Usage &process : processes) bytes += process.bytes;
  return roundedMiB(bytes);
}

std::string SmiDevice::uuid() const {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(properties.uuid.bytes[i]));
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits;
  }
  return text;
}

std::string SmiDevice::busId() const {
  char text[32];
  std::snprintf(text, sizeof text, "%08X:%02X:%02X.0", properties.pciDomainID, properties.pciBusID,
                properties.pciDeviceID);
  return text;
}

std::span<const SmiField> deviceFields() { return ofDevices; }
std::span<const SmiField> processFields() { return ofProcesses; }

const SmiField *findField(std::span<const SmiField> fields, std::string_view name) {
  for (const SmiField &field : fields)
    if (name == field.name || (!field.alias.empty() && name == field.alias)) return &field;
  return nullptr;
}

}  // namespace hostwarp::tool
