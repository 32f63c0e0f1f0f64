"""Stand-ins for NVIDIA's libcuda.so.1 and libcudart.so.13, made from the tables of entry points: each function counts its
calls. A few answer, so that the backend believes in a GPU."""
import pathlib
import re
import subprocess

ROW = re.compile(r"HOSTWARP_(?:API|DRIVER)\(.*?, (PLAIN|PTDS|PTSZ), (\w+), \(")
VALUE = re.compile(r"HOSTWARP_API_VALUE\(\w+, \w+, (.+?), (\w+), \(")

COUNTING = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
static std::map<std::string, int> &counts() { static auto *all = new std::map<std::string, int>; return *all; }
extern "C" int stand_in_count(const char *name) { return counts()[name]; }
static int answer(const char *variable, int otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atoi(text) : otherwise;
}
#define COUNT(name) extern "C" long name(...) { ++counts()[#name]; return 0; }
#define TEXT(name) extern "C" const char *name(...) { ++counts()[#name]; return "stand-in"; }
"""

DRIVER = r"""
extern "C" int cuInit(unsigned) { ++counts()["cuInit"]; return answer("STAND_IN_INIT", 0); }
extern "C" int cuDeviceGetCount(int *count) {
  ++counts()["cuDeviceGetCount"];
  if (count) *count = answer("STAND_IN_GPUS", 1);
  return 0;
}
extern "C" int cuDriverGetVersion(int *version) {
  ++counts()["cuDriverGetVersion"];
  if (version) *version = answer("STAND_IN_VERSION", 13000);
  return 0;
}
extern "C" int cuDeviceGetName(char *name, int bytes, int) {
  ++counts()["cuDeviceGetName"];
  if (name) std::snprintf(name, bytes, "Stand-in");
  return 0;
}
extern "C" int cuDeviceGetAttribute(int *value, int which, int) {
  ++counts()["cuDeviceGetAttribute"];
  if (value) *value = which == 75 ? answer("STAND_IN_CAPABILITY", 90) / 10 : answer("STAND_IN_CAPABILITY", 90) % 10;
  return 0;
}
static void show(const char *code) {
  const char *entry = std::strstr(code, ".entry");
  std::printf("code %.30s\n", entry ? entry : code);
}
extern "C" int cuModuleLoadData(void **, const char *code) {
  ++counts()["cuModuleLoadData"];
  if (code) show(code);
  return 0;
}
extern "C" int cuLinkAddData_v2(void *, int type, const char *code, size_t size, ...) {
  ++counts()["cuLinkAddData_v2"];
  if (!code) return 0;
  std::printf("type %d, %s, ", type, code[size - 1] ? "cut" : "whole");
  show(code);
  return 0;
}
extern "C" int cuModuleLoad(void **, const char *path) {
  ++counts()["cuModuleLoad"];
  char code[65536];
  if (FILE *file = path ? std::fopen(path, "rb") : nullptr) {
    code[std::fread(code, 1, sizeof code - 1, file)] = 0;
    std::fclose(file);
    show(code);
  }
  return 0;
}
"""

# The fat binary goes to a file, kernels and variables to standard output. Managed variables get memory of the stand-in's
# when it starts, filled with 7.
RUNTIME = r"""
struct Wrapper { unsigned magic, version; const char *data; void *rest; };
extern "C" void **__cudaRegisterFatBinary(Wrapper *wrapper) {
  static void *handle;
  ++counts()["__cudaRegisterFatBinary"];
  unsigned long long bytes;
  std::memcpy(&bytes, wrapper->data + 8, 8);
  std::printf("fat binary %x %x\n", wrapper->magic, *reinterpret_cast<const unsigned *>(wrapper->data));
  if (const char *file = std::getenv("STAND_IN_FAT_BINARY"))
    if (FILE *out = std::fopen(file, "ab")) {
      std::fwrite(wrapper->data, 1, bytes + 16, out);
      std::fclose(out);
    }
  return &handle;
}
extern "C" void __cudaRegisterFunction(void **, const char *, char *, const char *name, int, void *, void *, void *, void *, int *) {
  std::printf("kernel %s\n", name);
}
extern "C" void __cudaRegisterVar(void **, char *, char *, const char *name, int, size_t bytes, int constant, int) {
  std::printf("variable %s %zu %d\n", name, bytes, constant);
}
struct Managed { void **pointer; size_t bytes; };
static Managed managed[8];
static int managedCount;
extern "C" void __cudaRegisterManagedVar(void **, void **pointer, char *, const char *name, int, size_t bytes, int, int) {
  std::printf("managed %s %zu\n", name, bytes);
  if (managedCount < 8) managed[managedCount++] = {pointer, bytes};
}
extern "C" char __cudaInitModule(void **) {
  for (int i = 0; i < managedCount; ++i)
    if (!*managed[i].pointer) *managed[i].pointer = std::memset(std::malloc(managed[i].bytes), 7, managed[i].bytes);
  return 1;
}
COUNT(__cudaRegisterFatBinaryEnd)
COUNT(__cudaUnregisterFatBinary)
"""


# What it has linked is machine code that says what it was made of.
LINKER = r"""
#include <cstring>
#include <string>
static std::string code;
extern "C" int nvJitLinkCreate(void **linker, unsigned count, const char **options) {
  *linker = &code;
  code = "\x7f" "ELF of the stand-in";
  for (unsigned i = 0; i < count; ++i) code += std::string(" ") + options[i];
  return 0;
}
extern "C" int nvJitLinkAddData(void *, int kind, const void *, size_t, const char *) { return kind != 2; }
extern "C" int nvJitLinkAddFile(void *, int kind, const char *file) {
  const char *name = std::strrchr(file, '/');
  code += name ? name : file;
  return kind != 6;
}
extern "C" int nvJitLinkComplete(void *) { return std::getenv("STAND_IN_LINKER_FAILS") != nullptr; }
extern "C" int nvJitLinkGetLinkedCubinSize(void *, size_t *bytes) { *bytes = code.size(); return 0; }
extern "C" int nvJitLinkGetLinkedCubin(void *, void *to) { std::memcpy(to, code.data(), code.size()); return 0; }
extern "C" int nvJitLinkGetErrorLogSize(void *, size_t *bytes) { *bytes = 8; return 0; }
extern "C" int nvJitLinkGetErrorLog(void *, char *to) { std::memcpy(to, "no room", 8); return 0; }
extern "C" int nvJitLinkDestroy(void **) { return 0; }
"""


def make_linker(root):
    """Writes what code of kernels that launch kernels is linked with."""
    folder = root / "toolkit" / "lib64"
    compile_library("#include <cstdlib>\n" + LINKER, folder, "libnvJitLink.so.13")
    (folder / "libcudadevrt.a").write_text("")


def symbols(table):
    """The exported names of a table's rows, with those for the per-thread default stream."""
    names = []
    for line in pathlib.Path(table).read_text().splitlines():
        if row := ROW.match(line):
            names.append(row.group(2))
            if row.group(1) != "PLAIN":
                names.append(f"{row.group(2)}_{row.group(1).lower()}")
    return names


def texts(table):
    """The names of the functions that return a text."""
    rows = (VALUE.match(line) for line in pathlib.Path(table).read_text().splitlines())
    return [row.group(2) for row in rows if row and row.group(1) == "const char *"]


def compile_library(source, folder, name):
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / (name + ".cpp")
    file.write_text(source)
    subprocess.run(["c++", "-std=c++17", "-O0", "-w", "-shared", "-fPIC", f"-Wl,-soname,{name}", str(file), "-o",
                    str(folder / name)], check=True)


def make(root, runtime_table, driver_table):
    """Writes root/driver/libcuda.so.1 and root/toolkit/lib64/libcudart.so.13."""
    driver = COUNTING + DRIVER
    driver += "".join(f"COUNT({name})\n" for name in symbols(driver_table) if f" {name}(" not in DRIVER)
    compile_library(driver, root / "driver", "libcuda.so.1")
    runtime = COUNTING + RUNTIME + "".join(f"COUNT({name})\n" for name in symbols(runtime_table))
    runtime += "".join(f"TEXT({name})\n" for name in texts(runtime_table))
    compile_library(runtime, root / "toolkit" / "lib64", "libcudart.so.13")
