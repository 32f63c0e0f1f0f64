// NVTX: annotations for profilers. The ranges and marks come into the timeline of `hostwarp trace`; otherwise nobody
// listens, and the functions do nothing and return the values that NVTX gives without a tool.
#ifndef HOSTWARP_NVTX3_NV_TOOLS_EXT_H
#define HOSTWARP_NVTX3_NV_TOOLS_EXT_H
#define NVTOOLSEXT_H_

#include <string.h>

#include "../hostwarp/nvtx_abi.h"

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_INLINE_STATIC static __inline__
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

typedef struct nvtxResourceHandle *nvtxResourceHandle_t;

#define HOSTWARP_NVTX NVTX_INLINE_STATIC __attribute__((unused))
// HOSTWARP_NVTX_CALL() calls the runtime library's function, if the program has that library.
#define HOSTWARP_NVTX_CALL(function, otherwise, ...) (function ? function(__VA_ARGS__) : (otherwise))
#define HOSTWARP_NVTX_DO(function, ...)  \
  do {                                   \
    if (function) function(__VA_ARGS__); \
  } while (0)

HOSTWARP_NVTX nvtxEventAttributes_t hostwarp_nvtx_message(const char *text, const wchar_t *wide) {
  nvtxEventAttributes_t attributes;
  memset(&attributes, 0, sizeof attributes);
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = text ? NVTX_MESSAGE_TYPE_ASCII : NVTX_MESSAGE_TYPE_UNICODE;
  if (text)
    attributes.message.ascii = text;
  else
    attributes.message.unicode = wide;
  return attributes;
}

// --- Ranges and marks of a domain, and of the default one ---

HOSTWARP_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  return HOSTWARP_NVTX_CALL(hw_nvtx_push, NVTX_NO_PUSH_POP_TRACKING, domain, attributes);
}
HOSTWARP_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  return HOSTWARP_NVTX_CALL(hw_nvtx_pop, NVTX_NO_PUSH_POP_TRACKING, domain);
}
HOSTWARP_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  return HOSTWARP_NVTX_CALL(hw_nvtx_start, 0, domain, attributes);
}
HOSTWARP_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t id) {
  (void)domain;
  HOSTWARP_NVTX_DO(hw_nvtx_end, id);
}
HOSTWARP_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes) {
  HOSTWARP_NVTX_DO(hw_nvtx_mark, domain, attributes);
}

HOSTWARP_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *attributes) {
  return nvtxDomainRangePushEx(NULL, attributes);
}
HOSTWARP_NVTX int nvtxRangePushA(const char *message) {
  const nvtxEventAttributes_t attributes = hostwarp_nvtx_message(message, NULL);
  return nvtxRangePushEx(&attributes);
}
HOSTWARP_NVTX int nvtxRangePushW(const wchar_t *message) {
  const nvtxEventAttributes_t attributes = hostwarp_nvtx_message(NULL, message);
  return nvtxRangePushEx(&attributes);
}
HOSTWARP_NVTX int nvtxRangePop(void) { return nvtxDomainRangePop(NULL); }
HOSTWARP_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *attributes) {
  return nvtxDomainRangeStartEx(NULL, attributes);
}
HOSTWARP_NVTX nvtxRangeId_t nvtxRangeStartA(const char *message) {
  const nvtxEventAttributes_t attributes = hostwarp_nvtx_message(message, NULL);
  return nvtxRangeStartEx(&attributes);
}
HOSTWARP_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t *message) {
  const nvtxEventAttributes_t attributes = hostwarp_nvtx_message(NULL, message);
  return nvtxRangeStartEx(&attributes);
}
HOSTWARP_NVTX void nvtxRangeEnd(nvtxRangeId_t id) { nvtxDomainRangeEnd(NULL, id); }
HOSTWARP_NVTX void nvtxMarkEx(const nvtxEventAttributes_t *attributes) { nvtxDomainMarkEx(NULL, attributes); }
HOSTWARP_NVTX void nvtxMarkA(const char *message) {
  const nvtxEventAttributes_t attributes = hostwarp_nvtx_message(message, NULL);
  nvtxMarkEx(&attributes);
}
HOSTWARP_NVTX void nvtxMarkW(const wchar_t *message) {
  const nvtxEventAttributes_t attributes = hostwarp_nvtx_message(NULL, message);
  nvtxMarkEx(&attributes);
}
HOSTWARP_NVTX void nvtxInitialize(const void *reserved) { (void)reserved; }

// --- Domains and names ---

HOSTWARP_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *name) {
  return HOSTWARP_NVTX_CALL(hw_nvtx_domain, NULL, name, NULL);
}
HOSTWARP_NVTX nvtxDomainHandle_t nvtxDomainCreateW(const wchar_t *name) {
  return HOSTWARP_NVTX_CALL(hw_nvtx_domain, NULL, NULL, name);
}
// What the timeline says of a domain outlives it.
HOSTWARP_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t domain) { (void)domain; }
HOSTWARP_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *string) {
  (void)domain;
  return HOSTWARP_NVTX_CALL(hw_nvtx_string, NULL, string, NULL);
}
HOSTWARP_NVTX nvtxStringHandle_t nvtxDomainRegisterStringW(nvtxDomainHandle_t domain, const wchar_t *string) {
  (void)domain;
  return HOSTWARP_NVTX_CALL(hw_nvtx_string, NULL, NULL, string);
}
HOSTWARP_NVTX void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_category, domain, category, name, NULL);
}
HOSTWARP_NVTX void nvtxDomainNameCategoryW(nvtxDomainHandle_t domain, uint32_t category, const wchar_t *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_category, domain, category, NULL, name);
}
HOSTWARP_NVTX void nvtxNameCategoryA(uint32_t category, const char *name) {
  nvtxDomainNameCategoryA(NULL, category, name);
}
HOSTWARP_NVTX void nvtxNameCategoryW(uint32_t category, const wchar_t *name) {
  nvtxDomainNameCategoryW(NULL, category, name);
}
HOSTWARP_NVTX void nvtxNameOsThreadA(uint32_t threadId, const char *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_thread, threadId, name, NULL);
}
HOSTWARP_NVTX void nvtxNameOsThreadW(uint32_t threadId, const wchar_t *name) {
  HOSTWARP_NVTX_DO(hw_nvtx_name_thread, threadId, NULL, name);
}

#if defined(UNICODE)
#define HOSTWARP_NVTX_FORM(name) name##W
#else
#define HOSTWARP_NVTX_FORM(name) name##A
#endif
#define nvtxMark HOSTWARP_NVTX_FORM(nvtxMark)
#define nvtxRangeStart HOSTWARP_NVTX_FORM(nvtxRangeStart)
#define nvtxRangePush HOSTWARP_NVTX_FORM(nvtxRangePush)
#define nvtxDomainCreate HOSTWARP_NVTX_FORM(nvtxDomainCreate)
#define nvtxDomainRegisterString HOSTWARP_NVTX_FORM(nvtxDomainRegisterString)
#define nvtxNameCategory HOSTWARP_NVTX_FORM(nvtxNameCategory)
#define nvtxNameOsThread HOSTWARP_NVTX_FORM(nvtxNameOsThread)
#define nvtxDomainNameCategory HOSTWARP_NVTX_FORM(nvtxDomainNameCategory)

#endif  // HOSTWARP_NVTX3_NV_TOOLS_EXT_H
