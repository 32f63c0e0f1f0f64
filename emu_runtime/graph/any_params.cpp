#include "emu_runtime/graph/any_params.h"

#include "emu_runtime/graph/handles.h"

namespace hostwarp::graph {

Expected<Params> anyParams(const cudaGraphNodeParams &params) {
  switch (params.type) {
    case cudaGraphNodeTypeKernel: {
      const auto &k = params.kernel;
      const cudaKernelNodeParams plain{k.func, k.gridDim, k.blockDim, k.sharedMemBytes, k.kernelParams, k.extra};
      return wider(KernelParams::of(&plain));
    }
    case cudaGraphNodeTypeMemcpy:
      return wider(CopyParams::of(&params.memcpy.copyParams));
    case cudaGraphNodeTypeMemset: {
      const auto &m = params.memset;
      const cudaMemsetParams plain{m.dst, m.pitch, m.value, m.elementSize, m.width, m.height};
      return wider(FillParams::of(&plain));
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams plain{params.host.fn, params.host.userData};
      return wider(HostParams::of(&plain));
    }
    case cudaGraphNodeTypeGraph:
      return wider(ChildParams::of(params.graph.graph, params.graph.ownership));
    case cudaGraphNodeTypeEmpty:
      return Params(EmptyParams{});
    case cudaGraphNodeTypeWaitEvent:
      return wider(WaitParams::of(params.eventWait.event));
    case cudaGraphNodeTypeEventRecord:
      return wider(RecordParams::of(params.eventRecord.event));
    case cudaGraphNodeTypeMemAlloc: {
      const auto &a = params.alloc;
      const cudaMemAllocNodeParams plain{a.poolProps, a.accessDescs, a.accessDescCount, a.bytesize, nullptr};
      return wider(AllocParams::of(&plain));
    }
    case cudaGraphNodeTypeMemFree:
      return wider(FreeParams::of(params.free.dptr));
    case cudaGraphNodeTypeExtSemaphoreSignal: {
      const auto &s = params.extSemSignal;
      return wider(SignalParams::of(s.extSemArray, s.paramsArray, s.numExtSems));
    }
    case cudaGraphNodeTypeExtSemaphoreWait: {
      const auto &w = params.extSemWait;
      return wider(AwaitParams::of(w.extSemArray, w.paramsArray, w.numExtSems));
    }
    case cudaGraphNodeTypeConditional:
    case cudaGraphNodeTypeCount:
      break;
  }
  return cudaErrorInvalidValue;
}

}  // namespace hostwarp::graph
