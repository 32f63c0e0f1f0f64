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
enum NvtxModule { CORE = 1, CUDA = 2, CUDART = 4, CORE2 = 5 };

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

// A Replacement is a function of the program's tables and ours in its place.
struct Replacement {
  NvtxModule module;
  unsigned index;
  Function function;
};

template <typename F>
Replacement replace(NvtxModule module, unsigned index, F *function) {
  return {module, index, reinterpret_cast<Function>(function)};
}

const Replacement replacements[] = {
    replace(CORE, 1, markEx),
    replace(CORE, 2, mark<char>),
    replace(CORE, 3, mark<wchar_t>),
    replace(CORE, 4, startEx),
    replace(CORE, 5, start<char>),
    replace(CORE, 6, start<wchar_t>),
    replace(CORE, 7, hw_nvtx_end),
    replace(CORE, 8, pushEx),
    replace(CORE, 9, push<char>),
    replace(CORE, 10, push<wchar_t>),
    replace(CORE, 11, pop),
    replace(CORE, 12, nameCategory<Narrow>),
    replace(CORE, 13, nameCategory<Wide>),
    replace(CORE, 14, nameThread<Narrow>),
    replace(CORE, 15, nameThread<Wide>),
    replace(CUDA, 5, nameStream<Narrow>),
    replace(CUDA, 6, nameStream<Wide>),
    replace(CUDART, 3, nameStream<Narrow>),
    replace(CUDART, 4, nameStream<Wide>),
    replace(CORE2, 1, hw_nvtx_mark),
    replace(CORE2, 2, hw_nvtx_start),
    replace(CORE2, 3, endOfDomain),
    replace(CORE2, 4, hw_nvtx_push),
    replace(CORE2, 5, hw_nvtx_pop),
    replace(CORE2, 8, nameCategoryOfDomain<Narrow>),
    replace(CORE2, 9, nameCategoryOfDomain<Wide>),
    replace(CORE2, 10, registerString<Narrow>),
    replace(CORE2, 11, registerString<Wide>),
    replace(CORE2, 12, createDomain<Narrow>),
    replace(CORE2, 13, createDomain<Wide>),
};

}  // namespace

// InitializeInjectionNvtx2() returns 1 if it has put itself into the program's tables.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(GetExportTable getExportTable) {
  const auto *callbacks = static_cast<const Callbacks *>(getExportTable(callbacksTable));
  if (!callbacks || callbacks->structSize < sizeof(Callbacks)) return 0;
  for (const Replacement &each : replacements) {
    Function **table = nullptr;
    unsigned size = 0;
    if (!callbacks->getModuleFunctionTable(each.module, &table, &size)) return 0;
    if (each.index < size && table[each.index]) *table[each.index] = each.function;
  }
  return 1;
}
