/* NVTX's types that the runtime library sees, and what NVTX's headers call in it. The functions are weak: a program
   that is not linked with the runtime has none, and nobody listens to it. */
#ifndef HOSTWARP_NVTX_ABI_H
#define HOSTWARP_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union payload_t {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_v2;
typedef nvtxEventAttributes_v2 nvtxEventAttributes_t;

#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)

#if defined(__cplusplus)
extern "C" {
#endif

/* The domain null is the default one. push and pop return the depth of the range on its thread and in its domain, from
   0 on, or NVTX_NO_PUSH_POP_TRACKING; they do nothing, and handles are null, without a timeline. */
#if defined(HOSTWARP_NVTX_RUNTIME)
#define HOSTWARP_NVTX_FUNCTION __attribute__((visibility("default")))
#else
#define HOSTWARP_NVTX_FUNCTION __attribute__((weak, visibility("default")))
#endif
HOSTWARP_NVTX_FUNCTION int hw_nvtx_push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes);
HOSTWARP_NVTX_FUNCTION int hw_nvtx_pop(nvtxDomainHandle_t domain);
HOSTWARP_NVTX_FUNCTION nvtxRangeId_t hw_nvtx_start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes);
HOSTWARP_NVTX_FUNCTION void hw_nvtx_end(nvtxRangeId_t range);
HOSTWARP_NVTX_FUNCTION void hw_nvtx_mark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes);
HOSTWARP_NVTX_FUNCTION nvtxDomainHandle_t hw_nvtx_domain(const char *name, const wchar_t *wideName);
HOSTWARP_NVTX_FUNCTION nvtxStringHandle_t hw_nvtx_string(const char *text, const wchar_t *wideText);
HOSTWARP_NVTX_FUNCTION void hw_nvtx_name_category(nvtxDomainHandle_t domain, uint32_t category, const char *name,
                                                  const wchar_t *wideName);
HOSTWARP_NVTX_FUNCTION void hw_nvtx_name_thread(uint32_t thread, const char *name, const wchar_t *wideName);
HOSTWARP_NVTX_FUNCTION void hw_nvtx_name_stream(void *stream, const char *name, const wchar_t *wideName);

#if defined(__cplusplus)
}
#endif

#endif /* HOSTWARP_NVTX_ABI_H */
