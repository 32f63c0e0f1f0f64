// Clusters that kernels say they are launched with [CUDA 5.2.13 __cluster_dims__], and __block_size__.
#include "compiler/device/gpu/gpu_steps.h"

namespace hostwarp::compiler {

std::vector<ClusterRule> clusterRules(const DeviceModule &device) {
  std::vector<ClusterRule> rules;
  for (const Kernel &kernel : device.kernels) {
    const uint32_t(&dims)[3] = kernel.clusterDim;
    if (dims[0] == 0 && (kernel.flags & HW_KERNEL_NEEDS_CLUSTER) == 0) continue;
    const bool countsClusters = (kernel.flags & HW_KERNEL_GRID_OF_CLUSTERS) != 0;
    std::string directive = countsClusters ? ".blocksareclusters" : ".explicitcluster";
    if (dims[0])
      directive += "\n.reqnctapercluster " + std::to_string(dims[0]) + ", " + std::to_string(dims[1]) + ", " +
                   std::to_string(dims[2]);
    rules.push_back({kernel.name, directive, countsClusters});
  }
  return rules;
}

namespace {

// raiseVersion(): LLVM 19 writes no PTX as new as .blocksareclusters.
void raiseVersion(std::string &ptx) {
  constexpr llvm::StringLiteral directive = ".version ", version = "9.0";
  const size_t at = ptx.find(directive);
  if (at == std::string::npos) return;
  const size_t number = at + directive.size();
  ptx.replace(number, ptx.find('\n', number) - number, version);
}

}  // namespace

void addClusterRules(std::string &ptx, const std::vector<ClusterRule> &rules) {
  if (llvm::any_of(rules, [](const ClusterRule &rule) { return rule.countsClusters; })) raiseVersion(ptx);
  for (const ClusterRule &rule : rules) {
    const size_t entry = ptx.find(".entry " + rule.kernel + "(");
    const size_t body = entry == std::string::npos ? entry : ptx.find("\n{", entry);
    if (body != std::string::npos) ptx.insert(body, "\n" + rule.directive);
  }
}

}  // namespace hostwarp::compiler
