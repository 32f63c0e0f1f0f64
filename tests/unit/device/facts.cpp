#include "tests/unit/device/facts.h"

namespace hostwarp::tests {

namespace {

using compiler::Kernel;

const char *nameOf(uint32_t flag) {
  switch (flag) {
#define FLAG(name) \
  case name:       \
    return #name;
    FLAG(HW_KERNEL_MAY_BLOCK)
    FLAG(HW_KERNEL_DYNAMIC_SHARED)
    FLAG(HW_KERNEL_MAY_TRIGGER)
    FLAG(HW_KERNEL_GRID_OF_CLUSTERS)
    FLAG(HW_KERNEL_LAUNCHES_KERNELS)
    FLAG(HW_KERNEL_LAUNCHES_GRAPHS)
    FLAG(HW_KERNEL_NEEDS_CLUSTER)
#undef FLAG
    default:
      return "unknown";
  }
}

// FactWriter writes the facts of one kernel.
class FactWriter {
 public:
  FactWriter(const Kernel &kernel, llvm::raw_ostream &out) : kernel_(kernel), out_(out) {}

  void write() {
    out_ << "; kernel " << kernel_.name << "\n";
    for (uint32_t flag = 1; flag != 0; flag <<= 1)
      if (kernel_.flags & flag) out_ << "; " << kernel_.name << ".flag: " << nameOf(flag) << "\n";
    for (const hw_parameter &parameter : kernel_.parameters)
      out_ << "; " << kernel_.name << ".parameter: " << parameter.bytes << " bytes at " << parameter.alignment << "\n";
    for (auto [parameter, alignment] : kernel_.reliedAlignments)
      out_ << "; " << kernel_.name << ".relies: parameter " << parameter << " at " << alignment << "\n";
    dimensions("maxThreads", kernel_.maxThreads);
    dimensions("clusterDim", kernel_.clusterDim);
    dimensions("blockDim", kernel_.blockDim);
    number("staticSharedBytes", kernel_.staticSharedBytes);
    number("sharedAlignment", kernel_.sharedAlignment);
    number("minBlocksPerSm", kernel_.minBlocksPerSm);
    number("maxBlocksPerCluster", kernel_.maxBlocksPerCluster);
    number("maxRegisters", kernel_.maxRegisters);
    number("registers", kernel_.registers);
    number("localBytes", kernel_.localBytes);
    number("spillBytes", kernel_.spillBytes);
    for (const compiler::Entry &entry : kernel_.entries)
      if (entry.shape == compiler::anyBlock && entry.level == HW_ISA_BASELINE) number("frameBytes", entry.frameBytes);
  }

 private:
  void number(const char *fact, uint64_t value) {
    if (value != 0) out_ << "; " << kernel_.name << "." << fact << ": " << value << "\n";
  }

  void dimensions(const char *fact, const uint32_t (&value)[3]) {
    if (value[0] == 0 && value[1] == 0 && value[2] == 0) return;
    out_ << "; " << kernel_.name << "." << fact << ": " << value[0] << " " << value[1] << " " << value[2] << "\n";
  }

  const Kernel &kernel_;
  llvm::raw_ostream &out_;
};

const char *nameOf(hw_variable_kind kind) {
  return kind == HW_VARIABLE_MANAGED ? "managed" : kind == HW_VARIABLE_CONSTANT ? "constant" : "device";
}

}  // namespace

void printFacts(const compiler::DeviceModule &device, llvm::raw_ostream &out) {
  for (const Kernel &kernel : device.kernels) FactWriter(kernel, out).write();
  for (const compiler::Variable &variable : device.variables)
    out << "; variable " << variable.name << ": " << nameOf(variable.kind) << "\n";
}

}  // namespace hostwarp::tests
