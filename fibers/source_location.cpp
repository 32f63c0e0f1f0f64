#include "fibers/source_location.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>

#include "fibers/mutex.h"

#if __has_include(<elfutils/libdwfl.h>)
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#define HOSTWARP_HAVE_LIBDW 1
#endif

namespace hostwarp::fibers {
namespace {

std::string demangled(const char *name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void *)> text(::abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

std::string symbolAt(const void *address) {
  Dl_info info{};
  char offset[32];
  if (dladdr(address, &info) == 0) return {};
  const void *base = info.dli_sname != nullptr ? info.dli_saddr : info.dli_fbase;
  std::snprintf(offset, sizeof offset, "+0x%zx",
                static_cast<size_t>(static_cast<const char *>(address) - static_cast<const char *>(base)));
  return (info.dli_sname != nullptr ? demangled(info.dli_sname) : std::string(info.dli_fname)) + offset;
}

#if defined(HOSTWARP_HAVE_LIBDW)

// Libdw is libdw.so.1, opened when the first location is asked for: programs that run well never load it.
struct Libdw {
  decltype(&::dwfl_begin) dwfl_begin = nullptr;
  decltype(&::dwfl_end) dwfl_end = nullptr;
  decltype(&::dwfl_linux_proc_report) dwfl_linux_proc_report = nullptr;
  decltype(&::dwfl_report_end) dwfl_report_end = nullptr;
  decltype(&::dwfl_addrmodule) dwfl_addrmodule = nullptr;
  decltype(&::dwfl_module_addrdie) dwfl_module_addrdie = nullptr;
  decltype(&::dwfl_module_nextcu) dwfl_module_nextcu = nullptr;
  decltype(&::dwfl_module_addrname) dwfl_module_addrname = nullptr;
  decltype(&::dwarf_haspc) dwarf_haspc = nullptr;
  decltype(&::dwarf_getsrc_die) dwarf_getsrc_die = nullptr;
  decltype(&::dwarf_lineno) dwarf_lineno = nullptr;
  decltype(&::dwarf_linesrc) dwarf_linesrc = nullptr;
  decltype(&::dwarf_getscopes) dwarf_getscopes = nullptr;
  decltype(&::dwarf_tag) dwarf_tag = nullptr;
  decltype(&::dwarf_attr) dwarf_attr = nullptr;
  decltype(&::dwarf_attr_integrate) dwarf_attr_integrate = nullptr;
  decltype(&::dwarf_formstring) dwarf_formstring = nullptr;
  decltype(&::dwarf_formudata) dwarf_formudata = nullptr;
  decltype(&::dwarf_getsrcfiles) dwarf_getsrcfiles = nullptr;
  decltype(&::dwarf_filesrc) dwarf_filesrc = nullptr;
  decltype(&::dwfl_linux_proc_find_elf) dwfl_linux_proc_find_elf = nullptr;
  decltype(&::dwfl_standard_find_debuginfo) dwfl_standard_find_debuginfo = nullptr;
  bool complete = true;

  Libdw() {
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto &function, const char *name) {
      function =
          library != nullptr ? reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name)) : nullptr;
      complete = complete && function != nullptr;
    };
#define HOSTWARP_FIND(name) find(name, #name)
    HOSTWARP_FIND(dwfl_begin), HOSTWARP_FIND(dwfl_end), HOSTWARP_FIND(dwfl_linux_proc_report);
    HOSTWARP_FIND(dwfl_report_end), HOSTWARP_FIND(dwfl_addrmodule), HOSTWARP_FIND(dwfl_module_addrdie);
    HOSTWARP_FIND(dwfl_module_addrname);
    HOSTWARP_FIND(dwfl_module_nextcu), HOSTWARP_FIND(dwarf_haspc), HOSTWARP_FIND(dwarf_getsrc_die);
    HOSTWARP_FIND(dwarf_lineno), HOSTWARP_FIND(dwarf_linesrc), HOSTWARP_FIND(dwarf_getscopes);
    HOSTWARP_FIND(dwarf_tag), HOSTWARP_FIND(dwarf_attr), HOSTWARP_FIND(dwarf_formudata);
    HOSTWARP_FIND(dwarf_getsrcfiles), HOSTWARP_FIND(dwarf_filesrc), HOSTWARP_FIND(dwfl_linux_proc_find_elf);
    HOSTWARP_FIND(dwfl_standard_find_debuginfo), HOSTWARP_FIND(dwarf_attr_integrate), HOSTWARP_FIND(dwarf_formstring);
#undef HOSTWARP_FIND
  }
};

std::string placeText(const char *file, int line) { return std::string(file) + ":" + std::to_string(line); }

// isWrapper() recognises headers: the CUDA headers' own inline functions lead to the ABI call, and the user wants to
// see the line in his code that called them.
bool isWrapper(const char *file) { return std::string_view(file).find("/include/") != std::string_view::npos; }

// unitAt() finds the compilation unit of an address. The quick way reads a table (.debug_aranges) that clang does not
// write; then the units themselves say what they cover.
Dwarf_Die *unitAt(const Libdw &dw, Dwfl_Module *module, Dwarf_Addr address, Dwarf_Addr &bias) {
  if (Dwarf_Die *unit = dw.dwfl_module_addrdie(module, address, &bias)) return unit;
  Dwarf_Die *unit = nullptr;
  do unit = dw.dwfl_module_nextcu(module, unit, &bias);
  while (unit != nullptr && dw.dwarf_haspc(unit, address - bias) != 1);
  return unit;
}

// InlinedCalls is the functions around an instruction that are inlined there, from the inside.
class InlinedCalls {
 public:
  // `address` is relative to the module.
  InlinedCalls(const Libdw &dw, Dwarf_Die *unit, Dwarf_Addr address) : dw_(dw) {
    Dwarf_Die *scopes = nullptr;
    const int depth = dw.dwarf_getscopes(unit, address, &scopes);
    scopes_.reset(scopes);
    if (depth > 0 && dw.dwarf_getsrcfiles(unit, &files_, &fileCount_) == 0) depth_ = depth;
  }

  // hasStub(): one of them is what the compiler makes of a kernel for `<<< >>>`.
  bool hasStub() const { return stub() >= 0; }

  // callerOutsideHeaders() is where the first call stands that is in no header, nor in a stub. Empty: nowhere.
  std::string callerOutsideHeaders() const {
    for (int i = std::max(stub(), 0); i < depth_; ++i) {
      Dwarf_Word file = 0, line = 0;
      if (!isInlined(i) || !number(i, DW_AT_call_file, file) || !number(i, DW_AT_call_line, line)) continue;
      const char *name = dw_.dwarf_filesrc(files_, file, nullptr, nullptr);
      if (name != nullptr && !isWrapper(name)) return placeText(name, static_cast<int>(line));
    }
    return {};
  }

 private:
  bool isInlined(int i) const { return dw_.dwarf_tag(&scopes_.get()[i]) == DW_TAG_inlined_subroutine; }

  bool number(int i, unsigned name, Dwarf_Word &value) const {
    Dwarf_Attribute attribute;
    return dw_.dwarf_formudata(dw_.dwarf_attr(&scopes_.get()[i], name, &attribute), &value) == 0;
  }

  // stub() is the outermost one; -1: there is none.
  int stub() const {
    for (int i = depth_ - 1; i >= 0; --i) {
      Dwarf_Attribute attribute;
      const char *name =
          isInlined(i)
              ? dw_.dwarf_formstring(dw_.dwarf_attr_integrate(&scopes_.get()[i], DW_AT_linkage_name, &attribute))
              : nullptr;
      if (name != nullptr && std::string_view(name).find("__device_stub__") != std::string_view::npos) return i;
    }
    return -1;
  }

  const Libdw &dw_;
  std::unique_ptr<Dwarf_Die, void (*)(void *)> scopes_{nullptr, std::free};
  Dwarf_Files *files_ = nullptr;
  size_t fileCount_ = 0;
  int depth_ = 0;
};

std::string lineAt(const Libdw &dw, Dwfl *session, Dwarf_Addr address) {
  Dwfl_Module *module = dw.dwfl_addrmodule(session, address);
  if (module == nullptr) return {};
  Dwarf_Addr bias = 0;
  Dwarf_Die *unit = unitAt(dw, module, address, bias);
  Dwarf_Line *found = unit != nullptr ? dw.dwarf_getsrc_die(unit, address - bias) : nullptr;
  int line = 0;
  if (found == nullptr || dw.dwarf_lineno(found, &line) != 0) return {};
  const char *file = dw.dwarf_linesrc(found, nullptr, nullptr);
  if (file == nullptr) return {};
  const InlinedCalls calls(dw, unit, address - bias);
  if (isWrapper(file) || calls.hasStub()) {
    const std::string outer = calls.callerOutsideHeaders();
    if (!outer.empty()) return outer;
  }
  return placeText(file, line);
}

const Libdw &libdw() {
  static const Libdw dw;
  return dw;
}

// findElf() opens the file that a module is loaded from. What comes from a file without a name has one in
// /proc/self/maps by which it cannot be opened; the dynamic linker knows a better one.
int findElf(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, char **fileName, Elf **elf) {
  Dl_info info{};
  if (std::string_view(name).starts_with("/memfd:") &&
      dladdr(reinterpret_cast<const void *>(base), &info) != 0) {  // NOLINT(performance-no-int-to-ptr)
    // It is /proc/<process>/fd/<number>, where the process may be one that this is a fork of.
    const std::string_view known = info.dli_fname;
    const std::string path = "/proc/self/fd/" + std::string(known.substr(known.rfind('/') + 1));
    if (const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC); file >= 0) {
      *fileName = strdup(path.c_str());
      return file;
    }
  }
  return libdw().dwfl_linux_proc_find_elf(module, data, name, base, fileName, elf);
}

std::string functionIn(const Libdw &dw, Dwfl *session, Dwarf_Addr address) {
  Dwfl_Module *module = dw.dwfl_addrmodule(session, address);
  const char *name = module != nullptr ? dw.dwfl_module_addrname(module, address) : nullptr;
  return name != nullptr ? demangled(name) : std::string();
}

// ask() has the question answered with what is known of the process's modules.
std::string ask(std::string (*question)(const Libdw &, Dwfl *, Dwarf_Addr), uintptr_t address) {
  const Libdw &dw = libdw();
  if (!dw.complete) return {};
  static char *noPath = nullptr;
  Dwfl_Callbacks callbacks{};
  callbacks.find_elf = findElf;
  callbacks.find_debuginfo = dw.dwfl_standard_find_debuginfo;
  callbacks.debuginfo_path = &noPath;
  const std::unique_ptr<Dwfl, void (*)(Dwfl *)> session(dw.dwfl_begin(&callbacks), dw.dwfl_end);
  if (session == nullptr || dw.dwfl_linux_proc_report(session.get(), getpid()) != 0) return {};
  dw.dwfl_report_end(session.get(), nullptr, nullptr);
  return question(dw, session.get(), address);
}

std::string sourceLine(uintptr_t address) { return ask(lineAt, address); }
std::string sourceFunction(uintptr_t address) { return ask(functionIn, address); }

#else
std::string sourceLine(uintptr_t) { return {}; }
std::string sourceFunction(uintptr_t) { return {}; }
#endif

constinit Mutex mutex;  // libdw is for one thread at a time

// A copy of the process locates, too (process_copy.h), and has no thread that would unlock what is locked at the fork.
void lockForFork() HOSTWARP_ACQUIRE(mutex) { mutex.lock(); }
void unlockAfterFork() HOSTWARP_RELEASE(mutex) { mutex.unlock(); }

void prepareForFork() {
  static std::once_flag once;
  std::call_once(once, [] { pthread_atfork(lockForFork, unlockAfterFork, unlockAfterFork); });
}

}  // namespace

std::string locate(const void *address, bool isReturn) {
  if (address == nullptr) return "an unknown place";
  prepareForFork();
  const MutexLock lock(mutex);
  std::string text = sourceLine(reinterpret_cast<uintptr_t>(address) - (isReturn ? 1 : 0));
  if (text.empty()) text = symbolAt(address);
  return text.empty() ? "an unknown place" : text;
}

std::string functionAt(const void *address, bool isReturn) {
  prepareForFork();
  const MutexLock lock(mutex);
  std::string name = sourceFunction(reinterpret_cast<uintptr_t>(address) - (isReturn ? 1 : 0));
  Dl_info info{};
  if (name.empty() && dladdr(address, &info) != 0 && info.dli_sname != nullptr) name = demangled(info.dli_sname);
  return name;
}

}  // namespace hostwarp::fibers
