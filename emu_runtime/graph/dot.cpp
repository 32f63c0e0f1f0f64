#include "emu_runtime/graph/dot.h"

#include <fstream>
#include <sstream>
#include <string>

namespace hostwarp::graph {

namespace {

const char *nameOf(cudaGraphNodeType type) {
  if (type == MemoryOpsParams::type) return "BATCH_MEM_OP";
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "GRAPH";
    case cudaGraphNodeTypeEmpty:
      return "EMPTY";
    case cudaGraphNodeTypeWaitEvent:
      return "EVENT_WAIT";
    case cudaGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return "SEMAPHORE_SIGNAL";
    case cudaGraphNodeTypeExtSemaphoreWait:
      return "SEMAPHORE_WAIT";
    case cudaGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree:
      return "MEM_FREE";
    case cudaGraphNodeTypeConditional:
      return "CONDITIONAL";
    case cudaGraphNodeTypeCount:
      break;
  }
  return "UNKNOWN";
}

void writeSize(std::ostream &out, const dim3 &size) { out << size.x << ',' << size.y << ',' << size.z; }

std::string escaped(const std::string &text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// Writer writes one graph and, as clusters, those inside of its nodes.
class Writer {
 public:
  Writer(std::ostream &out, unsigned flags) : out_(out), flags_(flags) {}

  void graph(const Graph &graph) {
    for (const auto &node : graph.nodes()) {
      out_ << "  n" << node->id() << " [label=\"" << label(*node) << "\"];\n";
      for (const Edge &edge : node->dependents()) out_ << "  n" << node->id() << " -> n" << edge.node->id() << ";\n";
      if (const auto *child = std::get_if<ChildParams>(&node->params)) cluster(*node, 0, *child->graph);
      if (const auto *conditional = std::get_if<ConditionalParams>(&node->params)) {
        for (size_t i = 0; i < conditional->bodies.size(); ++i) cluster(*node, i, *conditional->bodies[i]);
      }
    }
  }

 private:
  bool wants(cudaGraphDebugDotFlags flag) const { return flags_ & (flag | cudaGraphDebugDotFlagsVerbose); }

  void cluster(const Node &owner, size_t index, const Graph &inner) {
    out_ << "  subgraph cluster_" << owner.id() << '_' << index << " {\n  label=\"" << nameOf(owner.type()) << ' '
         << owner.id() << " [" << index << "]\";\n";
    graph(inner);
    out_ << "  }\n";
  }

  std::string label(Node &node) const {
    std::ostringstream text;
    text << node.id() << "\\n" << nameOf(node.type());
    if (const auto *kernel = std::get_if<KernelParams>(&node.params)) text << "\\n" << escaped(kernel->kernel->name());
    if (wants(cudaGraphDebugDotFlagsHandles)) text << "\\nhandle " << node.handle();
    std::visit([&](const auto &params) { details(text, params); }, node.params);
    return text.str();
  }

  void details(std::ostream &text, const KernelParams &params) const {
    if (!wants(cudaGraphDebugDotFlagsKernelNodeParams)) return;
    writeSize(text << "\\ngrid ", params.configuration.grid);
    writeSize(text << " block ", params.configuration.block);
    text << " shared " << params.configuration.dynamicShared;
  }
  void details(std::ostream &text, const CopyParams &params) const {
    if (!wants(cudaGraphDebugDotFlagsMemcpyNodeParams)) return;
    text << "\\n"
         << static_cast<void *>(params.copy.from.start) << " to " << static_cast<void *>(params.copy.to.start) << ", "
         << params.copy.box.bytes() << " bytes";
  }
  void details(std::ostream &text, const FillParams &params) const {
    if (!wants(cudaGraphDebugDotFlagsMemsetNodeParams)) return;
    text << "\\n"
         << static_cast<void *>(params.fill.to.start) << ", " << params.fill.box.bytes() << " bytes, value "
         << params.fill.value;
  }
  void details(std::ostream &text, const HostParams &params) const {
    if (!wants(cudaGraphDebugDotFlagsHostNodeParams)) return;
    text << "\\nfunction " << reinterpret_cast<void *>(params.function) << " data " << params.userData;
  }
  template <cudaGraphNodeType type>
  void details(std::ostream &text, const EventParams<type> &params) const {
    if (wants(cudaGraphDebugDotFlagsEventNodeParams)) text << "\\nevent " << params.handle;
  }
  void details(std::ostream &text, const ConditionalParams &params) const {
    if (wants(cudaGraphDebugDotFlagsConditionalNodeParams)) text << "\\nhandle value " << params.handle;
  }
  template <typename Kind>
  void details(std::ostream &, const Kind &) const {}

  std::ostream &out_;
  const unsigned flags_;
};

}  // namespace

Status writeDot(const Graph &graph, const char *path, unsigned flags) {
  std::ofstream out(path);
  out << "digraph cuda_graph {\n  node [shape=box];\n";
  Writer(out, flags).graph(graph);
  out << "}\n";
  out.close();
  return out ? Status() : Status(cudaErrorOperatingSystem, std::string("cannot write ") + path);
}

}  // namespace hostwarp::graph
