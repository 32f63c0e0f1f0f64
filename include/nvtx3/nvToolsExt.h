// NVTX: annotations for profilers. No tool listens here, and without a tool NVTX's functions do nothing and return the
// values below.
#ifndef HOSTWARP_NVTX3_NV_TOOLS_EXT_H
#define HOSTWARP_NVTX3_NV_TOOLS_EXT_H
#define NVTOOLSEXT_H_

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_INLINE_STATIC static __inline__

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

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
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

#define HOSTWARP_NVTX NVTX_INLINE_STATIC
#if defined(__cplusplus)
#define HOSTWARP_UNUSED(type, name) type
#else
#define HOSTWARP_UNUSED(type, name) __attribute__((unused)) type name
#endif

// --- Ranges and marks of the default domain ---

HOSTWARP_NVTX int nvtxRangePushA(HOSTWARP_UNUSED(const char *, message)) { return NVTX_NO_PUSH_POP_TRACKING; }
HOSTWARP_NVTX int nvtxRangePushW(HOSTWARP_UNUSED(const wchar_t *, message)) { return NVTX_NO_PUSH_POP_TRACKING; }
HOSTWARP_NVTX int nvtxRangePushEx(HOSTWARP_UNUSED(const nvtxEventAttributes_t *, attributes)) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
HOSTWARP_NVTX int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
HOSTWARP_NVTX nvtxRangeId_t nvtxRangeStartA(HOSTWARP_UNUSED(const char *, message)) { return 0; }
HOSTWARP_NVTX nvtxRangeId_t nvtxRangeStartW(HOSTWARP_UNUSED(const wchar_t *, message)) { return 0; }
HOSTWARP_NVTX nvtxRangeId_t nvtxRangeStartEx(HOSTWARP_UNUSED(const nvtxEventAttributes_t *, attributes)) { return 0; }
HOSTWARP_NVTX void nvtxRangeEnd(HOSTWARP_UNUSED(nvtxRangeId_t, id)) {}
HOSTWARP_NVTX void nvtxMarkA(HOSTWARP_UNUSED(const char *, message)) {}
HOSTWARP_NVTX void nvtxMarkW(HOSTWARP_UNUSED(const wchar_t *, message)) {}
HOSTWARP_NVTX void nvtxMarkEx(HOSTWARP_UNUSED(const nvtxEventAttributes_t *, attributes)) {}
HOSTWARP_NVTX void nvtxInitialize(HOSTWARP_UNUSED(const void *, reserved)) {}

// --- Domains ---

HOSTWARP_NVTX nvtxDomainHandle_t nvtxDomainCreateA(HOSTWARP_UNUSED(const char *, name)) { return NULL; }
HOSTWARP_NVTX nvtxDomainHandle_t nvtxDomainCreateW(HOSTWARP_UNUSED(const wchar_t *, name)) { return NULL; }
HOSTWARP_NVTX void nvtxDomainDestroy(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain)) {}
HOSTWARP_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain),
                                                           HOSTWARP_UNUSED(const char *, string)) {
  return NULL;
}
HOSTWARP_NVTX int nvtxDomainRangePushEx(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain),
                                        HOSTWARP_UNUSED(const nvtxEventAttributes_t *, attributes)) {
  return NVTX_NO_PUSH_POP_TRACKING;
}
HOSTWARP_NVTX int nvtxDomainRangePop(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain)) { return NVTX_NO_PUSH_POP_TRACKING; }
HOSTWARP_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain),
                                                   HOSTWARP_UNUSED(const nvtxEventAttributes_t *, attributes)) {
  return 0;
}
HOSTWARP_NVTX void nvtxDomainRangeEnd(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain), HOSTWARP_UNUSED(nvtxRangeId_t, id)) {
}
HOSTWARP_NVTX void nvtxDomainMarkEx(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain),
                                    HOSTWARP_UNUSED(const nvtxEventAttributes_t *, attributes)) {}

// --- Names ---

HOSTWARP_NVTX void nvtxNameCategoryA(HOSTWARP_UNUSED(uint32_t, category), HOSTWARP_UNUSED(const char *, name)) {}
HOSTWARP_NVTX void nvtxNameOsThreadA(HOSTWARP_UNUSED(uint32_t, threadId), HOSTWARP_UNUSED(const char *, name)) {}
HOSTWARP_NVTX void nvtxDomainNameCategoryA(HOSTWARP_UNUSED(nvtxDomainHandle_t, domain),
                                           HOSTWARP_UNUSED(uint32_t, category), HOSTWARP_UNUSED(const char *, name)) {}

#if defined(UNICODE)
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxDomainCreate nvtxDomainCreateW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxDomainCreate nvtxDomainCreateA
#endif
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainNameCategory nvtxDomainNameCategoryA

#endif  // HOSTWARP_NVTX3_NV_TOOLS_EXT_H
