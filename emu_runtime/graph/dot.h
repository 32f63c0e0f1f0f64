// Graphs as text for Graphviz.
#ifndef HOSTWARP_EMU_RUNTIME_GRAPH_DOT_H
#define HOSTWARP_EMU_RUNTIME_GRAPH_DOT_H

#include "emu_runtime/graph/graph.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::graph {

// writeDot() writes the graph, with those inside of it as clusters, to a file. `flags` are cudaGraphDebugDotFlags.
Status writeDot(const Graph &graph, const char *path, unsigned flags);

}  // namespace hostwarp::graph

#endif  // HOSTWARP_EMU_RUNTIME_GRAPH_DOT_H
