#!/usr/bin/env python3
"""Runs programs with stand-ins for NVIDIA's libraries (stand_in.py): where calls go, what is registered, and what is said
where something is missing.

Usage: run.py <hwcc> <root of the sources>"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import stand_in

KERNEL = r"""
#include <cstdio>
__constant__ float factor = 3;
__device__ int counter;
__global__ void scale(float *x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * factor + __shfl_xor_sync(0xffffffff, i, 1);
  atomicAdd(&counter, 1);
}
int main() {
  float *x = nullptr;
  const cudaError_t error = cudaMalloc(&x, 128 * sizeof *x);
  if (error != cudaSuccess) return printf("%s %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError())), 1;
  scale<<<1, 128>>>(x, 128);
  float *y = x;
  printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "ran" : "failed");
  cudaFree(y);
}
"""

PART = r"""
__device__ int twice(int x) { return 2 * x; }
"""
WHOLE = r"""
__device__ int twice(int);
__global__ void both(int *x) { *x = twice(*x); }
int main() { both<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }
"""

# Uses of variables, of pointers that are there from the start, and of one before the program's code is known. The values
# of variables that such pointers point to are taken along.
MANAGED = r"""
#include <cstdio>
__managed__ char bytes[4] = {1, 2, 3, 4};
static __managed__ int number = 5;
__managed__ int plain = 5;
char *second = bytes + 1;
static const struct { int a; int *b; } table[] = {{1, &number}};
struct Early { int seen = number; } early;
__global__ void use() { number += bytes[0]; }
int main(int count, char **) {
  int *place = &number;
  for (int i = 0; i < count; ++i) place[i] += bytes[i];
  number += plain;
  printf("seen %d, number %x, second %d, own %d\n", early.seen, number, *second, *table[0].b == number);
}
"""
MANAGED_PARTS = ["""
__managed__ int shared_number = 9;
__global__ void use() { ++shared_number; }
""", r"""
#include <cstdio>
extern __managed__ int shared_number;
int *place = &shared_number;
int main() { printf("%x %d\n", shared_number, place == &shared_number); }
"""]

LAUNCHING = """
__global__ void child(int *x) { ++*x; }
__global__ void parent(int *x) { child<<<1, 1>>>(x); }
int main() { parent<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }
"""

# What NVRTC has compiled, as a cubin, as PTX and in a file, and what is none of hostwarp's.
LOADING = r"""
#include <cuda.h>
#include <nvrtc.h>
#include <cstdio>
#include <cstdlib>
#include <string>
extern "C" CUresult __hostwarp_cuLinkAddData_v2(CUlinkState, CUjitInputType, void *, size_t, const char *, unsigned, CUjit_option *, void **);
extern "C" CUresult __hostwarp_cuModuleLoadData(CUmodule *, const void *), __hostwarp_cuModuleLoad(CUmodule *, const char *);
int main(int, char **arguments) {
  nvrtcProgram program;
  nvrtcCreateProgram(&program, "extern \"C\" __global__ void fill(int *x) { *x = 1; }", "fill.cu", 0, nullptr, nullptr);
  const char *options[] = {"-arch=sm_90"};
  if (nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS) return 9;
  size_t size = 0;
  CUmodule module;
  nvrtcGetCUBINSize(program, &size);
  std::string cubin(size, 0);
  nvrtcGetCUBIN(program, cubin.data());
  nvrtcGetPTXSize(program, &size);
  std::string ptx(size, 0);
  nvrtcGetPTX(program, ptx.data());
  FILE *file = std::fopen(arguments[1], "wb");
  std::fwrite(cubin.data(), 1, cubin.size(), file);
  std::fclose(file);
  std::string other = ".version of others";
  const auto link = [](CUjitInputType type, std::string &code, size_t bytes) {
    if (__hostwarp_cuLinkAddData_v2(nullptr, type, code.data(), bytes, "x", 0, nullptr, nullptr)) std::exit(8);
  };
  if (arguments[2]) {
    link(CU_JIT_INPUT_CUBIN, cubin, cubin.size());
    link(CU_JIT_INPUT_PTX, ptx, ptx.size());
    link(CU_JIT_INPUT_PTX, other, other.size() + 1);
    return 0;
  }
  return __hostwarp_cuModuleLoadData(&module, cubin.data()) + 2 * __hostwarp_cuModuleLoadData(&module, ptx.data()) +
         4 * __hostwarp_cuModuleLoad(&module, arguments[1]) + 8 * __hostwarp_cuModuleLoadData(&module, ".version of others") +
         16 * __hostwarp_cuModuleLoad(&module, "/tmp");
}
"""

# Calls each symbol with zeros and asks the stand-in whether it has come there. Destructive ones stay what they are there.
CALLS = r"""
#include <cstdio>
#include <dlfcn.h>
#include <cuda_runtime.h>
static const char *const names[] = {NAMES};
int main(int, char **argv) {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  void *real = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
  if (!real) return puts("not loaded"), 1;
  auto count = (int (*)(const char *))dlsym(real, "stand_in_count");
  int wrong = 0;
  for (const char *name : names) {
    const int before = count(name);
    auto function = (long (*)(...))dlsym(RTLD_DEFAULT, (argv[2] + std::string(name)).c_str());
    if (!function) { printf("%s is missing\n", name); ++wrong; continue; }
    function(0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    if (count(name) != before + 1) { printf("%s came %d times\n", name, count(name) - before); ++wrong; }
  }
  printf("%zu functions, %d wrong\n", sizeof names / sizeof *names, wrong);
  return wrong != 0;
}
"""


class Test:
    def __init__(self, hwcc, source, folder):
        self.hwcc, self.source, self.folder = hwcc, source, folder
        self.runtime_table = source / "emu_runtime/api/api.def"
        self.driver_table = source / "emu_runtime/driver/driver_api.def"
        self.failures = 0
        self.stand_ins = {"LD_LIBRARY_PATH": str(folder / "driver"), "CUDA_HOME": str(folder / "toolkit")}

    def compile(self, name, *sources, options=()):
        files = []
        for number, text in enumerate(sources):
            files.append(self.folder / f"{name}{number}.cu")
            files[-1].write_text(text)
        subprocess.run([self.hwcc, *options, *map(str, files), "-o", str(self.folder / name)], check=True)
        return self.folder / name

    def run(self, program, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("HOSTWARP_") and name not in ("CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH")}
        environment |= {"XDG_CACHE_HOME": str(self.folder / "cache"), **variables}
        done = subprocess.run([str(program), *map(str, arguments)], env=environment, capture_output=True, text=True,
                              errors="replace", timeout=300, check=False)
        return done.returncode, done.stdout, done.stderr

    def expect(self, what, run, status, *patterns, without=()):
        text = f"status {run[0]}\n{run[1]}{run[2]}"
        missing = [p for p in patterns if not re.search(p, text)]
        missing += [f"not {p}" for p in without if re.search(p, text)]
        if run[0] == status and not missing:
            return
        self.failures += 1
        print(f"FAILED: {what}: {', '.join(missing) or 'status'}\n{text}")

    def calls(self, table, library, prefix):
        names = stand_in.symbols(table)
        text = CALLS.replace("NAMES", ", ".join(f'"{name}"' for name in names)).replace("#include <cstdio>",
                                                                                     "#include <cstdio>\n#include <string>")
        program = self.compile("calls" + prefix.strip("_"), text)
        run = self.run(program, library, prefix, HOSTWARP_BACKEND="gpu", **self.stand_ins)
        self.expect(f"calls of {table.name}", run, 0, f"{len(names)} functions, 0 wrong")


def forwarding(test):
    """Each function of the tables, once."""
    test.calls(test.runtime_table, test.folder / "toolkit/lib64/libcudart.so.13", "")
    test.calls(test.driver_table, test.folder / "driver/libcuda.so.1", "__hostwarp_")


def registration(test, app):
    """Code, kernels and variables come to the library, which has them in the order of a program of nvcc's."""
    fat_binary = test.folder / "fat_binary"
    run = test.run(app, HOSTWARP_BACKEND="gpu", STAND_IN_FAT_BINARY=str(fat_binary), **test.stand_ins)
    test.expect("registration", run, 0, "fat binary 466243b1 ba55ed50", "kernel _Z5scalePfi", "variable factor 4 1",
                "variable counter 4 0", "ran")
    code = fat_binary.read_bytes()
    for part in (b".target sm_90", b".visible .entry _Z5scalePfi(", b".const .align 4 ", b"shfl.sync.bfly.b32"):
        if part not in code:
            test.failures += 1
            print(f"FAILED: the fat binary has no {part}")
    run = test.run(app, HOSTWARP_BACKEND="gpu", HOSTWARP_HWCC=str(test.folder / "missing"), **test.stand_ins)
    test.expect("without hwcc", run, 1, "HOSTWARP_BACKEND=gpu: .*hwcc", "cudaErrorJitCompilerNotFound")
    linked = test.compile("linked", WHOLE, PART, options=["-rdc=true"])
    run = test.run(linked, HOSTWARP_BACKEND="gpu", **test.stand_ins)
    test.expect("-rdc=true", run, 0, "kernel _Z4bothPi", without=["kernel(?s:.*)fat binary"])
    run = test.run(app, HOSTWARP_BACKEND="gpu", HOSTWARP_TRACE="1", **test.stand_ins)
    test.expect("trace", run, 0, r"cudaMalloc\(devPtr=.*, size=512\) = cudaSuccess", r"cudaLaunchKernel\(.* = cudaSuccess")


def managed(test):
    """Host code's __managed__ variables are where the library has them, from the first use on."""
    app = test.compile("managed", MANAGED)
    run = test.run(app, HOSTWARP_BACKEND="gpu", **test.stand_ins)
    test.expect("managed variables", run, 0, "managed bytes 4", r"managed _ZL6number 4", "seen 5, number 707070d, second 2, own 1",
                without=["^variable"])
    test.expect("on emulated devices", test.run(app), 0, "seen 5, number b, second 2, own 1")
    linked = test.compile("managed_parts", *MANAGED_PARTS, options=["-rdc=true"])
    test.expect("of another source", test.run(linked, HOSTWARP_BACKEND="gpu", **test.stand_ins), 0,
                "managed shared_number 4(?s:.*)9 1", without=["variable shared_number"])
    test.expect("of another source, emulated", test.run(linked), 0, "9 1")


def launches_of_kernels(test):
    """Code of kernels that launch kernels is linked with the device runtime, where the toolkit has it."""
    app = test.compile("launching", LAUNCHING, options=["-rdc=true"])
    gpu = {"HOSTWARP_BACKEND": "gpu", **test.stand_ins}
    test.expect("without a device runtime", test.run(app, **gpu), 801 % 256, "need libcudadevrt.a, which is not in .*/toolkit/lib64")
    stand_in.make_linker(test.folder)
    linked = test.folder / "linked_code"
    test.expect("launches by kernels", test.run(app, STAND_IN_FAT_BINARY=str(linked), **gpu), 0, "kernel _Z6parentPi")
    if b"\x7fELF of the stand-in -arch=sm_90a/libcudadevrt.a" not in linked.read_bytes():
        test.failures += 1
        print("FAILED: the fat binary has not what was linked")
    run = test.run(app, STAND_IN_LINKER_FAILS="1", **gpu)
    test.expect("a linker that fails", run, 218, "the code cannot be linked with .*/libcudadevrt.a: no room")


def loaded_code(test):
    """Images that the program loads come to the driver as PTX, all else as it is."""
    app = test.compile("loading", LOADING, options=["-lnvrtc"])
    gpu = {"HOSTWARP_BACKEND": "gpu", **test.stand_ins}
    run = test.run(app, test.folder / "fill.cubin", **gpu)
    test.expect("loaded code", run, 0, r"(code \.entry fill\((?s:.*)){3}code \.version of others")
    run = test.run(app, test.folder / "fill.cubin", "link", **gpu)
    test.expect("linked code", run, 0, r"(type 1, whole, code \.entry fill\((?s:.*)){2}type 1, whole, code \.version of others")
    run = test.run(app, test.folder / "fill.cubin", STAND_IN_CAPABILITY="75", **gpu)
    test.expect("for newer GPUs", run, (209 * 7) % 256, "cuModuleLoadData: the image is for sm_90", "code .version of others")


def choice(test, app):
    """What decides, and what is said of it."""
    gpu = {"HOSTWARP_BACKEND": "gpu"}
    ran = ["ran"]
    test.expect("auto", test.run(app, **test.stand_ins), 0, "kernel _Z5scalePfi")
    test.expect("auto without anything", test.run(app), 0, *ran, without=["hostwarp:"])
    test.expect("cpu", test.run(app, HOSTWARP_BACKEND="cpu", **test.stand_ins), 0, *ran, without=["fat binary"])
    for variable, value in (("HOSTWARP_SEED", "7"), ("HOSTWARP_DEVICES", "a100"), ("HOSTWARP_BUILD", "debug")):
        run = test.run(app, **{variable: value}, **test.stand_ins)
        test.expect(f"auto with {variable}", run, 0, *ran, without=["fat binary"])
        run = test.run(app, **{variable: value}, **gpu, **test.stand_ins)
        test.expect(f"gpu with {variable}", run, 1, f"HOSTWARP_BACKEND=gpu: {variable} means emulated devices",
                    "cudaErrorNotSupported cudaErrorNotSupported")
    two = {"STAND_IN_GPUS": "2"}
    test.expect("auto:2", test.run(app, HOSTWARP_BACKEND="auto:2", **two, **test.stand_ins), 0, "kernel _Z5scalePfi")
    run = test.run(app, HOSTWARP_BACKEND="auto:3", **two, **test.stand_ins)
    test.expect("auto:3", run, 0, *ran, "kernels run on the CPU: .*auto:3 asks for more than the 2", without=["fat binary"])
    run = test.run(app, **gpu, LD_LIBRARY_PATH=test.stand_ins["LD_LIBRARY_PATH"], STAND_IN_GPUS="0")
    test.expect("no device", run, 1, "no GPU: the driver .*/driver/libcuda.so.1 has none", "cudaErrorNoDevice")
    run = test.run(app, **gpu, STAND_IN_INIT="100", **test.stand_ins)
    test.expect("cuInit fails", run, 1, "cuInit\\(\\) says", "cudaErrorNoDevice")
    run = test.run(app, **gpu, STAND_IN_VERSION="12040", **test.stand_ins)
    test.expect("old driver", run, 1, "the driver is too old: it is for CUDA 12.4", "cudaErrorInsufficientDriver")


def missing_libraries(test, app):
    """Machines that have one and not the other. They may have a real one, which is found then."""
    gpu = {"HOSTWARP_BACKEND": "gpu"}
    lib = pathlib.Path(test.hwcc).resolve().parent.parent / "lib"
    run = test.run(app, **gpu, LD_LIBRARY_PATH=str(lib))
    test.expect("our own in front", run, 1, f"no driver: NVIDIA's libcuda.so.1 is in none of {lib}, /usr/lib",
                "cudaErrorInsufficientDriver cudaErrorInsufficientDriver")
    if run[2].count("no driver") != 1:
        test.failures += 1
        print("FAILED: said more than once: " + run[2])
    both = {"LD_LIBRARY_PATH": f"{lib}:{test.folder / 'driver'}", "CUDA_HOME": str(test.folder / "toolkit")}
    test.expect("our own before theirs", test.run(app, **gpu, **both), 0, "kernel _Z5scalePfi")
    if any(pathlib.Path("/usr/local").glob("cuda*/lib64/libcudart.so.13")):
        return
    run = test.run(app, **gpu, LD_LIBRARY_PATH=test.stand_ins["LD_LIBRARY_PATH"])
    test.expect("no libcudart", run, 1, "no runtime library: NVIDIA's libcudart.so.13 is in none of", "nvidia-cuda-runtime",
                "cudaErrorSharedObjectInitFailed")
    run = test.run(app, LD_LIBRARY_PATH=test.stand_ins["LD_LIBRARY_PATH"])
    test.expect("auto without libcudart", run, 0, "kernels run on the CPU: no runtime library", "ran")


def main():
    hwcc, source = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        test = Test(hwcc, source, pathlib.Path(folder))
        stand_in.make(test.folder, test.runtime_table, test.driver_table)
        app = test.compile("app", KERNEL)
        forwarding(test)
        registration(test, app)
        managed(test)
        launches_of_kernels(test)
        loaded_code(test)
        choice(test, app)
        missing_libraries(test, app)
    return 1 if test.failures else 0


sys.exit(main())
