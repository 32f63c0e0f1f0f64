// The way by which programs that were compiled with NVIDIA's NVTX headers find a listener: the headers load the library
// that NVTX_INJECTION64_PATH names and call its InitializeInjectionNvtx2(), which replaces functions in tables of the
// program. `hostwarp trace` sets the variable.
#define HOSTWARP_NVTX_RUNTIME
#include <hostwarp/nvtx_abi.h>

#include <cstddef>
#include <cstdint>

namespace {

using Function = void (*)();

// What NVTX's headers show of themselves.
using GetExportTable = const void *(*)(uint32_t table);
constexpr uint32_t callbacksTable = 1;
struct Callbacks {
  size_t structSize;
  int (*getModuleFunctionTable)(int module, Function ***table, unsigned *size);
};
enum Module { CORE = 1, CUDA = 2, CUDART = 4, CORE2 = 5 };

nvtxEventAttributes_t message(const char *text) {
  nvtxEventAttributes_t attributes{};
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = text;
  return attributes;
}

nvtxEventAttributes_t message(const wchar_t *text) {
  nvtxEventAttributes_t attributes{};
  attributes.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  attributes.message.unicode = text;
  return attributes;
}

template <typename Char>
void mark(const Char *text) {
  const auto attributes = message(text);
  hw_nvtx_mark(nullptr, &attributes);
}
template <typename Char>
nvtxRangeId_t start(const Char *text) {
  const auto attributes = message(text);
  return hw_nvtx_start(nullptr, &attributes);
}
template <typename Char>
int push(const Char *text) {
  const auto attributes = message(text);
  return hw_nvtx_push(nullptr, &attributes);
}
void markEx(const nvtxEventAttributes_t *attributes) { hw_nvtx_mark(nullptr, attributes); }
nvtxRangeId_t startEx(const nvtxEventAttributes_t *attributes) { return hw_nvtx_start(nullptr, attributes); }
int pushEx(const nvtxEventAttributes_t *attributes) { return hw_nvtx_push(nullptr, attributes); }
int pop() { return hw_nvtx_pop(nullptr); }
void endOfDomain(nvtxDomainHandle_t, nvtxRangeId_t range) { hw_nvtx_end(range); }

// Functions that take a name as char or wchar_t.
struct Narrow {
  using Char = char;
  static const char *narrow(const char *text) { return text; }
  static const wchar_t *wide(const char *) { return nullptr; }
};
struct Wide {
  using Char = wchar_t;
  static const char *narrow(const wchar_t *) { return nullptr; }
  static const wchar_t *wide(const wchar_t *text) { return text; }
};
template <typename Form>
void nameCategory(uint32_t category, const typename Form::Char *name) {
  hw_nvtx_name_category(nullptr, category, Form::narrow(name), Form::wide(name));
}
template <typename Form>
void nameCategoryOfDomain(nvtxDomainHandle_t domain, uint32_t category, const typename Form::Char *name) {
  hw_nvtx_name_category(domain, category, Form::narrow(name), Form::wide(name));
}
template <typename Form>
void nameThread(uint32_t thread, const typename Form::Char *name) {
  hw_nvtx_name_thread(thread, Form::narrow(name), Form::wide(name));
}
template <typename Form>
void nameStream(void *stream, const typename Form::Char *name) {
  hw_nvtx_name_stream(stream, Form::narrow(name), Form::wide(name));
}
template <typename Form>
nvtxStringHandle_t registerString(nvtxDomainHandle_t, const typename Form::Char *text) {
  return hw_nvtx_string(Form::narrow(text), Form::wide(text));
}
template <typename Form>
nvtxDomainHandle_t createDomain(const typename Form::Char *name) {
  return hw_nvtx_domain(Form::narrow(name), Form::wide(name));
}

// A Slot is a function of the program's tables and ours in its place.
struct Slot {
  Module module;
  unsigned index;
  Function function;
};

template <typename F>
Slot slot(Module module, unsigned index, F *function) {
  return {module, index, reinterpret_cast<Function>(function)};
}

const Slot slots[] = {
    slot(CORE, 1, markEx),
    slot(CORE, 2, mark<char>),
    slot(CORE, 3, mark<wchar_t>),
    slot(CORE, 4, startEx),
    slot(CORE, 5, start<char>),
    slot(CORE, 6, start<wchar_t>),
    slot(CORE, 7, hw_nvtx_end),
    slot(CORE, 8, pushEx),
    slot(CORE, 9, push<char>),
    slot(CORE, 10, push<wchar_t>),
    slot(CORE, 11, pop),
    slot(CORE, 12, nameCategory<Narrow>),
    slot(CORE, 13, nameCategory<Wide>),
    slot(CORE, 14, nameThread<Narrow>),
    slot(CORE, 15, nameThread<Wide>),
    slot(CUDA, 5, nameStream<Narrow>),
    slot(CUDA, 6, nameStream<Wide>),
    slot(CUDART, 3, nameStream<Narrow>),
    slot(CUDART, 4, nameStream<Wide>),
    slot(CORE2, 1, hw_nvtx_mark),
    slot(CORE2, 2, hw_nvtx_start),
    slot(CORE2, 3, endOfDomain),
    slot(CORE2, 4, hw_nvtx_push),
    slot(CORE2, 5, hw_nvtx_pop),
    slot(CORE2, 8, nameCategoryOfDomain<Narrow>),
    slot(CORE2, 9, nameCategoryOfDomain<Wide>),
    slot(CORE2, 10, registerString<Narrow>),
    slot(CORE2, 11, registerString<Wide>),
    slot(CORE2, 12, createDomain<Narrow>),
    slot(CORE2, 13, createDomain<Wide>),
};

}  // namespace

// InitializeInjectionNvtx2() returns 1 if it has put itself into the program's tables.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(GetExportTable getExportTable) {
  const auto *callbacks = static_cast<const Callbacks *>(getExportTable(callbacksTable));
  if (!callbacks || callbacks->structSize < sizeof(Callbacks)) return 0;
  for (const Slot &slot : slots) {
    Function **table = nullptr;
    unsigned size = 0;
    if (!callbacks->getModuleFunctionTable(slot.module, &table, &size)) return 0;
    if (slot.index < size && table[slot.index]) *table[slot.index] = slot.function;
  }
  return 1;
}
