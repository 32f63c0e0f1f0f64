// Graph nodes that copy to and from module variables, and typed user objects. Included by cuda_runtime.h.
#ifndef HOSTWARP_RUNTIME_GRAPH_TEMPLATES_H
#define HOSTWARP_RUNTIME_GRAPH_TEMPLATES_H

#include "symbol_templates.h"

#if defined(__CUDA__) && defined(__clang__)

#define HOSTWARP_SYMBOL \
  template <class T>    \
  static __inline__ __host__ cudaError_t

HOSTWARP_SYMBOL cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                               const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                               const T &symbol, const void *src, size_t count, size_t offset,
                                               cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeToSymbol(pGraphNode, graph, pDependencies, numDependencies,
                                        hostwarp::symbolHandle(symbol), src, count, offset, kind);
}
HOSTWARP_SYMBOL cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *pGraphNode, cudaGraph_t graph,
                                                 const cudaGraphNode_t *pDependencies, size_t numDependencies,
                                                 void *dst, const T &symbol, size_t count, size_t offset,
                                                 cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeFromSymbol(pGraphNode, graph, pDependencies, numDependencies, dst,
                                          hostwarp::symbolHandle(symbol), count, offset, kind);
}
HOSTWARP_SYMBOL cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol, const void *src,
                                                     size_t count, size_t offset, cudaMemcpyKind kind) {
  return cudaGraphMemcpyNodeSetParamsToSymbol(node, hostwarp::symbolHandle(symbol), src, count, offset, kind);
}
HOSTWARP_SYMBOL cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst, const T &symbol, size_t count,
                                                       size_t offset, cudaMemcpyKind kind) {
  return cudaGraphMemcpyNodeSetParamsFromSymbol(node, dst, hostwarp::symbolHandle(symbol), count, offset, kind);
}
HOSTWARP_SYMBOL cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node,
                                                         const T &symbol, const void *src, size_t count, size_t offset,
                                                         cudaMemcpyKind kind) {
  return cudaGraphExecMemcpyNodeSetParamsToSymbol(hGraphExec, node, hostwarp::symbolHandle(symbol), src, count, offset,
                                                  kind);
}
HOSTWARP_SYMBOL cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void *dst,
                                                           const T &symbol, size_t count, size_t offset,
                                                           cudaMemcpyKind kind) {
  return cudaGraphExecMemcpyNodeSetParamsFromSymbol(hGraphExec, node, dst, hostwarp::symbolHandle(symbol), count,
                                                    offset, kind);
}

#undef HOSTWARP_SYMBOL

#endif

// cudaUserObjectCreate() for an object made with new: the last release deletes it, or calls the typed function.
template <class T>
static __inline__ __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, T *objectToWrap,
                                                            unsigned int initialRefcount, unsigned int flags) {
  struct Deleter {
    static void destroy(void *object) { delete static_cast<T *>(object); }
  };
  return cudaUserObjectCreate(object_out, (void *)objectToWrap, (cudaHostFn_t)Deleter::destroy, initialRefcount, flags);
}
template <class T>
static __inline__ __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, T *objectToWrap,
                                                            void (*destroy)(T *), unsigned int initialRefcount,
                                                            unsigned int flags) {
  return cudaUserObjectCreate(object_out, (void *)objectToWrap, (cudaHostFn_t)destroy, initialRefcount, flags);
}

#endif  // HOSTWARP_RUNTIME_GRAPH_TEMPLATES_H
