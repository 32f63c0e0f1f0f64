// nvJitLink: linking device code while a program runs. The library takes PTX and what hwcc and NVRTC write.
#ifndef HOSTWARP_NVJITLINK_H
#define HOSTWARP_NVJITLINK_H
#define nvJitLink_INCLUDED

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
  NVJITLINK_SUCCESS = 0,
  NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
  NVJITLINK_ERROR_MISSING_ARCH,
  NVJITLINK_ERROR_INVALID_INPUT,
  NVJITLINK_ERROR_PTX_COMPILE,
  NVJITLINK_ERROR_NVVM_COMPILE,
  NVJITLINK_ERROR_INTERNAL,
  NVJITLINK_ERROR_THREADPOOL,
  NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
  NVJITLINK_ERROR_FINALIZE,
  NVJITLINK_ERROR_NULL_INPUT,
  NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS,
  NVJITLINK_ERROR_INCORRECT_INPUT_TYPE,
  NVJITLINK_ERROR_ARCH_MISMATCH,
  NVJITLINK_ERROR_OUTDATED_LIBRARY,
  NVJITLINK_ERROR_MISSING_FATBIN,
  NVJITLINK_ERROR_UNRECOGNIZED_ARCH,
  NVJITLINK_ERROR_UNSUPPORTED_ARCH,
  NVJITLINK_ERROR_LTO_NOT_ENABLED
} nvJitLinkResult;

typedef enum {
  NVJITLINK_INPUT_NONE = 0,
  NVJITLINK_INPUT_CUBIN = 1,
  NVJITLINK_INPUT_PTX,
  NVJITLINK_INPUT_LTOIR,
  NVJITLINK_INPUT_FATBIN,
  NVJITLINK_INPUT_OBJECT,
  NVJITLINK_INPUT_LIBRARY,
  NVJITLINK_INPUT_INDEX,
  NVJITLINK_INPUT_ANY = 10
} nvJitLinkInputType;

typedef struct nvJitLink *nvJitLinkHandle;

// The library exports the names with the version that they have had since.
#if !defined(NVJITLINK_NO_INLINE)
#define nvJitLinkCreate __nvJitLinkCreate_13_0
#define nvJitLinkDestroy __nvJitLinkDestroy_13_0
#define nvJitLinkAddData __nvJitLinkAddData_13_0
#define nvJitLinkAddFile __nvJitLinkAddFile_13_0
#define nvJitLinkComplete __nvJitLinkComplete_13_0
#define nvJitLinkGetLinkedCubinSize __nvJitLinkGetLinkedCubinSize_13_0
#define nvJitLinkGetLinkedCubin __nvJitLinkGetLinkedCubin_13_0
#define nvJitLinkGetLinkedPtxSize __nvJitLinkGetLinkedPtxSize_13_0
#define nvJitLinkGetLinkedPtx __nvJitLinkGetLinkedPtx_13_0
#define nvJitLinkGetErrorLogSize __nvJitLinkGetErrorLogSize_13_0
#define nvJitLinkGetErrorLog __nvJitLinkGetErrorLog_13_0
#define nvJitLinkGetInfoLogSize __nvJitLinkGetInfoLogSize_13_0
#define nvJitLinkGetInfoLog __nvJitLinkGetInfoLog_13_0
#endif

nvJitLinkResult __nvJitLinkCreate_13_0(nvJitLinkHandle *handle, uint32_t numOptions, const char **options);
nvJitLinkResult __nvJitLinkDestroy_13_0(nvJitLinkHandle *handle);
nvJitLinkResult __nvJitLinkAddData_13_0(nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data,
                                        size_t size, const char *name);
nvJitLinkResult __nvJitLinkAddFile_13_0(nvJitLinkHandle handle, nvJitLinkInputType inputType, const char *fileName);
nvJitLinkResult __nvJitLinkComplete_13_0(nvJitLinkHandle handle);
nvJitLinkResult __nvJitLinkGetLinkedCubinSize_13_0(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult __nvJitLinkGetLinkedCubin_13_0(nvJitLinkHandle handle, void *cubin);
nvJitLinkResult __nvJitLinkGetLinkedPtxSize_13_0(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult __nvJitLinkGetLinkedPtx_13_0(nvJitLinkHandle handle, char *ptx);
nvJitLinkResult __nvJitLinkGetErrorLogSize_13_0(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult __nvJitLinkGetErrorLog_13_0(nvJitLinkHandle handle, char *log);
nvJitLinkResult __nvJitLinkGetInfoLogSize_13_0(nvJitLinkHandle handle, size_t *size);
nvJitLinkResult __nvJitLinkGetInfoLog_13_0(nvJitLinkHandle handle, char *log);
nvJitLinkResult nvJitLinkVersion(unsigned int *major, unsigned int *minor);

#if defined(__cplusplus)
}
#endif

#endif  // HOSTWARP_NVJITLINK_H
