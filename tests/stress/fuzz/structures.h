// Structures of the APIs, field by field. What is not here is drawn as bytes (Draw::bytes).
#ifndef HOSTWARP_TESTS_STRESS_FUZZ_STRUCTURES_H
#define HOSTWARP_TESTS_STRESS_FUZZ_STRUCTURES_H

#include <cuda_runtime_api.h>

#include "emu_runtime/driver/declarations.h"
#include "tests/stress/fuzz/draw.h"

namespace hostwarp::stress {

// Names all fields, in their order.
#define HOSTWARP_STRUCTURE(type, ...)         \
  inline void fill(Draw &draw, type &value) { \
    auto &[__VA_ARGS__] = value;              \
    draw.each(#__VA_ARGS__, __VA_ARGS__);     \
  }

// --- Both APIs ---

HOSTWARP_STRUCTURE(dim3, gridDimX, gridDimY, gridDimZ)
HOSTWARP_STRUCTURE(cudaMemLocation, type, location)
HOSTWARP_STRUCTURE(CUmemLocation, type, location)
HOSTWARP_STRUCTURE(cudaMemAccessDesc, location, flags)
HOSTWARP_STRUCTURE(CUmemAccessDesc, location, flags)

// Most pools are to be made on a device that exists.
template <typename Properties>
void fillPoolProperties(Draw &draw, Properties &value) {
  std::memset(static_cast<void *>(&value), 0, sizeof(value));
  draw.each("allocType, handleTypes, location, maxSize, usage", value.allocType, value.handleTypes, value.location,
            value.maxSize, value.usage);
  if (draw.random().oneIn(20)) draw.bytes(value.reserved, sizeof(value.reserved));
}
inline void fill(Draw &draw, cudaMemPoolProps &value) { fillPoolProperties(draw, value); }
inline void fill(Draw &draw, CUmemPoolProps &value) { fillPoolProperties(draw, value); }

// One of the alternatives, whatever the identifier beside it says.
template <typename Value>
void fillLaunchAttribute(Draw &draw, Value &value) {
  switch (draw.random().below(6)) {
    case 0:
      return draw.each("base_ptr, num_bytes, hitRatio, hitProp, missProp", value.accessPolicyWindow.base_ptr,
                       value.accessPolicyWindow.num_bytes, value.accessPolicyWindow.hitRatio,
                       value.accessPolicyWindow.hitProp, value.accessPolicyWindow.missProp);
    case 1:
      return draw.each("gridDimX, gridDimY, gridDimZ", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    case 2:
      return draw.each("event, flags, trigger", value.programmaticEvent.event, value.programmaticEvent.flags,
                       value.programmaticEvent.triggerAtBlockStart);
    case 3:
      return draw.each("updatable, devNode", value.deviceUpdatableKernelNode.deviceUpdatable,
                       value.deviceUpdatableKernelNode.devNode);
    case 4:
      return draw.each("priority", value.priority);
    default:
      return draw.bytes(&value, sizeof(value));
  }
}
inline void fill(Draw &draw, cudaLaunchAttributeValue &value) { fillLaunchAttribute(draw, value); }
inline void fill(Draw &draw, CUlaunchAttributeValue &value) { fillLaunchAttribute(draw, value); }
HOSTWARP_STRUCTURE(cudaLaunchAttribute, id, pad, value_)
HOSTWARP_STRUCTURE(CUlaunchAttribute, id, pad, value_)

// An import takes the descriptor, so none that is in use is drawn.
template <typename Description>
void fillExternal(Draw &draw, Description &value) {
  std::memset(static_cast<void *>(&value), 0, sizeof(value));
  draw.each("type, flags", value.type, value.flags);
  if constexpr (requires { value.size; }) draw.each("size", value.size);
  const int wrong[] = {-1, 9999, 0x7fffffff};
  value.handle.fd = draw.random().of(wrong);
}
inline void fill(Draw &draw, cudaExternalMemoryHandleDesc &value) { fillExternal(draw, value); }
inline void fill(Draw &draw, CUDA_EXTERNAL_MEMORY_HANDLE_DESC &value) { fillExternal(draw, value); }
inline void fill(Draw &draw, cudaExternalSemaphoreHandleDesc &value) { fillExternal(draw, value); }
inline void fill(Draw &draw, CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC &value) { fillExternal(draw, value); }

// --- Runtime API ---

HOSTWARP_STRUCTURE(cudaPitchedPtr, ptr, pitch, xsize, ysizeHeight)
HOSTWARP_STRUCTURE(cudaExtent, width, height, depth)
HOSTWARP_STRUCTURE(cudaPos, xHeight, yHeight, zHeight)
HOSTWARP_STRUCTURE(cudaOffset3D, xHeight, yHeight, zHeight)
HOSTWARP_STRUCTURE(cudaChannelFormatDesc, xBits, yBits, zBits, wBits, f)
HOSTWARP_STRUCTURE(cudaMemcpy3DParms, srcArray, srcPos, srcPtr, dstArray, dstPos, dstPtr, extent, kind)
HOSTWARP_STRUCTURE(cudaMemcpy3DPeerParms, srcArray, srcPos, srcPtr, srcDevice, dstArray, dstPos, dstPtr, dstDevice,
                   extent)
HOSTWARP_STRUCTURE(cudaMemsetParams, dst, pitch, setValue, elementSize, width, height)
HOSTWARP_STRUCTURE(cudaMemsetParamsV2, dst, pitch, setValue, elementSize, width, height)
HOSTWARP_STRUCTURE(cudaMemcpyAttributes, srcAccessOrder, srcLocHint, dstLocHint, flags)
inline void fill(Draw &draw, cudaMemcpy3DOperand &value) {
  draw.each("type", value.type);
  if (draw.random().oneIn(2)) {
    draw.each("ptr, rowLength, layerHeight, locHint", value.op.ptr.ptr, value.op.ptr.rowLength,
              value.op.ptr.layerHeight, value.op.ptr.locHint);
  } else {
    draw.each("array, offset", value.op.array.array, value.op.array.offset);
  }
}
HOSTWARP_STRUCTURE(cudaMemcpy3DBatchOp, src, dst, extent, srcAccessOrder, flags)
HOSTWARP_STRUCTURE(cudaLaunchConfig_t, gridDim, blockDim, dynamicSmemBytes, stream, attrs, numAttrs)
HOSTWARP_STRUCTURE(cudaLaunchParams, func, gridDim, blockDim, args, sharedMem, stream)
HOSTWARP_STRUCTURE(cudaKernelNodeParams, func, gridDim, blockDim, sharedMemBytes, kernelParams, extra)
HOSTWARP_STRUCTURE(cudaKernelNodeParamsV2, func, gridDim, blockDim, sharedMemBytes, kernelParams, extra, ctx)
HOSTWARP_STRUCTURE(cudaMemcpyNodeParams, flags, reserved, copyParams)
HOSTWARP_STRUCTURE(cudaHostNodeParams, fn, userData)
HOSTWARP_STRUCTURE(cudaHostNodeParamsV2, fn, userData)
HOSTWARP_STRUCTURE(cudaEventRecordNodeParams, event)
HOSTWARP_STRUCTURE(cudaEventWaitNodeParams, event)
HOSTWARP_STRUCTURE(cudaExternalSemaphoreSignalNodeParams, extSemArray, paramsArray, numExtSems)
HOSTWARP_STRUCTURE(cudaExternalSemaphoreWaitNodeParams, extSemArray, paramsArray, numExtSems)
HOSTWARP_STRUCTURE(cudaMemAllocNodeParams, poolProps, accessDescs, numAccessDescs, bytesize, dptr)
HOSTWARP_STRUCTURE(cudaMemAllocNodeParamsV2, poolProps, accessDescs, numAccessDescs, bytesize, dptr)
HOSTWARP_STRUCTURE(cudaMemFreeNodeParams, dptr)
HOSTWARP_STRUCTURE(cudaChildGraphNodeParams, graph, ownership)
HOSTWARP_STRUCTURE(cudaGraphInstantiateParams, flags, uploadStream, errNode_out, result_out)
HOSTWARP_STRUCTURE(cudaResourceViewDesc, format, width, height, depth, firstMipmapLevel, lastMipmapLevel, firstLayer,
                   lastLayer, reserved)
HOSTWARP_STRUCTURE(cudaTextureDesc, addressMode, filterMode, readMode, sRGB, borderColor, normalizedCoords,
                   maxAnisotropy, mipmapFilterMode, mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp,
                   disableTrilinearOptimization, seamlessCubemap)

inline void fill(Draw &draw, cudaResourceDesc &value) {
  draw.each("resType", value.resType);
  auto &res = value.res;
  switch (value.resType) {
    case cudaResourceTypeArray:
      draw.each("array", res.array.array);
      break;
    case cudaResourceTypeMipmappedArray:
      draw.each("mipmap", res.mipmap.mipmap);
      break;
    case cudaResourceTypeLinear:
      draw.each("devPtr, desc, sizeInBytes", res.linear.devPtr, res.linear.desc, res.linear.sizeInBytes);
      break;
    default:
      draw.each("devPtr, desc, width, height, pitchInBytes", res.pitch2D.devPtr, res.pitch2D.desc, res.pitch2D.width,
                res.pitch2D.height, res.pitch2D.pitchInBytes);
  }
  draw.each("flags", value.flags);
}

// A loop whose condition no kernel ever changes goes on for ever, so there are none.
template <typename Node>
void fillConditional(Draw &draw, Node &node) {
  draw.each("conditionalHandle, type, size, phGraph_out", node.handle, node.type, node.size, node.phGraph_out);
  if (static_cast<int>(node.type) == cudaGraphCondTypeWhile) node.type = {};
}

inline void fill(Draw &draw, cudaGraphNodeParams &value) {
  draw.each("type", value.type);
  switch (value.type) {
    case cudaGraphNodeTypeKernel:
      return fill(draw, value.kernel);
    case cudaGraphNodeTypeMemcpy:
      return fill(draw, value.memcpy);
    case cudaGraphNodeTypeMemset:
      return fill(draw, value.memset);
    case cudaGraphNodeTypeHost:
      return fill(draw, value.host);
    case cudaGraphNodeTypeGraph:
      return fill(draw, value.graph);
    case cudaGraphNodeTypeWaitEvent:
    case cudaGraphNodeTypeEventRecord:
      return fill(draw, value.eventWait);
    case cudaGraphNodeTypeMemAlloc:
      return fill(draw, value.alloc);
    case cudaGraphNodeTypeMemFree:
      return fill(draw, value.free);
    case cudaGraphNodeTypeConditional:
      return fillConditional(draw, value.conditional);
    default:
      return;
  }
}

// --- Driver API ---

HOSTWARP_STRUCTURE(CUexecAffinityParam, type, param)
HOSTWARP_STRUCTURE(CUctxCigParam, sharedDataType, sharedData)
HOSTWARP_STRUCTURE(CUctxCreateParams, execAffinityParams, numExecAffinityParams, cigParams)
HOSTWARP_STRUCTURE(CUDA_KERNEL_NODE_PARAMS, func, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ,
                   sharedMemBytes, kernelParams, extra, kern, ctx)
HOSTWARP_STRUCTURE(CUDA_MEMSET_NODE_PARAMS, dst, pitch, setValue, elementSize, width, height)
HOSTWARP_STRUCTURE(CUDA_MEMSET_NODE_PARAMS_v2, dst, pitch, setValue, elementSize, width, height, ctx)
HOSTWARP_STRUCTURE(CUDA_HOST_NODE_PARAMS, fn, userData)
HOSTWARP_STRUCTURE(CUDA_MEM_ALLOC_NODE_PARAMS, poolProps, accessDescs, numAccessDescs, bytesize, dptr)
HOSTWARP_STRUCTURE(CUlaunchConfig, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes,
                   hStream, attrs, numAttrs)
HOSTWARP_STRUCTURE(CUDA_LAUNCH_PARAMS, function, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ,
                   sharedMemBytes, hStream, kernelParams)
HOSTWARP_STRUCTURE(CUDA_MEMCPY2D, srcXHeight, srcYHeight, srcMemoryType, srcHost, srcDevice, srcArray, srcPitch,
                   dstXHeight, dstYHeight, dstMemoryType, dstHost, dstDevice, dstArray, dstPitch, WidthInBytes, Height)
HOSTWARP_STRUCTURE(CUDA_MEMCPY3D, srcXHeight, srcYHeight, srcZHeight, srcLOD, srcMemoryType, srcHost, srcDevice,
                   srcArray, reserved0, srcPitch, srcHeight, dstXHeight, dstYHeight, dstZHeight, dstLOD, dstMemoryType,
                   dstHost, dstDevice, dstArray, reserved1, dstPitch, dstHeight, WidthInBytes, Height, Depth)
HOSTWARP_STRUCTURE(CUDA_MEMCPY3D_PEER, srcXHeight, srcYHeight, srcZHeight, srcLOD, srcMemoryType, srcHost, srcDevice,
                   srcArray, srcContext, srcPitch, srcHeight, dstXHeight, dstYHeight, dstZHeight, dstLOD, dstMemoryType,
                   dstHost, dstDevice, dstArray, dstContext, dstPitch, dstHeight, WidthInBytes, Height, Depth)
HOSTWARP_STRUCTURE(CUDA_MEMCPY_NODE_PARAMS, flags, reserved, copyCtx, copyParams)
HOSTWARP_STRUCTURE(CUmemAllocationProp, type, requestedHandleTypes, location, win32HandleMetaData, allocFlags)
HOSTWARP_STRUCTURE(CUDA_ARRAY_DESCRIPTOR, Width, Height, Format, NumChannels)
HOSTWARP_STRUCTURE(CUDA_ARRAY3D_DESCRIPTOR, Width, Height, Depth, Format, NumChannels, Flags)
HOSTWARP_STRUCTURE(CUDA_GRAPH_INSTANTIATE_PARAMS, flags, hUploadStream, hErrNode_out, result_out)
inline void fill(Draw &draw, CUstreamBatchMemOpParams &value) {
  draw.each("operation", value.operation);
  draw.each("waitAddress, waitValue, waitFlags, alias", value.waitValue.address, value.waitValue.value64,
            value.waitValue.flags, value.waitValue.alias);
}
HOSTWARP_STRUCTURE(CUDA_BATCH_MEM_OP_NODE_PARAMS, ctx, numOps, paramArray, flags)
HOSTWARP_STRUCTURE(CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, extSemArray, paramsArray, numExtSems)
HOSTWARP_STRUCTURE(CUDA_EXT_SEM_WAIT_NODE_PARAMS, extSemArray, paramsArray, numExtSems)

inline void fill(Draw &draw, CUDA_RESOURCE_DESC &value) {
  draw.each("resType", value.resType);
  auto &res = value.res;
  switch (value.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      draw.each("array", res.array.hArray);
      break;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      draw.each("mipmap", res.mipmap.hMipmappedArray);
      break;
    case CU_RESOURCE_TYPE_LINEAR:
      draw.each("devPtr, format, channels, sizeInBytes", res.linear.devPtr, res.linear.format, res.linear.numChannels,
                res.linear.sizeInBytes);
      break;
    default:
      draw.each("devPtr, format, channels, width, height, pitchInBytes", res.pitch2D.devPtr, res.pitch2D.format,
                res.pitch2D.numChannels, res.pitch2D.width, res.pitch2D.height, res.pitch2D.pitchInBytes);
  }
  draw.each("flags", value.flags);
}

inline void fill(Draw &draw, CUgraphNodeParams &value) {
  draw.each("type", value.type);
  switch (value.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      return fill(draw, value.kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return fill(draw, value.memcpy);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return fill(draw, value.memset);
    case CU_GRAPH_NODE_TYPE_HOST:
      return draw.each("fn, userData", value.host.fn, value.host.userData);
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return draw.each("graph, ownership", value.graph.graph, value.graph.ownership);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return draw.each("event", value.eventWait.event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
      return draw.each("poolProps, accessDescs, numAccessDescs, bytesize", value.alloc.poolProps,
                       value.alloc.accessDescs, value.alloc.accessDescCount, value.alloc.bytesize);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return draw.each("dptr", value.free.dptr);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return fill(draw, value.memOp);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return fillConditional(draw, value.conditional);
    default:
      return;
  }
}

#undef HOSTWARP_STRUCTURE

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_FUZZ_STRUCTURES_H
