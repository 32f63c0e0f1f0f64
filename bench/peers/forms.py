"""The forms that a kernel comes in, and how each is built where the machine has the tools for it."""
import dataclasses
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MAIN = HERE / "harness" / "main.cpp"
CXX = ["-std=c++20", "-O3", "-march=native"]


@dataclasses.dataclass
class Form:
    """command(group) is the compiler's line without its output; without one, `missing` says why."""
    key: str
    title: str
    source: str  # the suffix of the files that have this form
    command: object = None
    missing: str = ""


def works(command, program, libraries=()):
    """Whether a compiler makes a program of this text that ends with 0."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "program"
        line = [*command, "-x", "c++", "-", "-x", "none", "-o", made, *libraries]
        try:
            built = subprocess.run(line, input=program, text=True, capture_output=True)
            return built.returncode == 0 and subprocess.run([made], capture_output=True).returncode == 0
        except OSError:
            return False


def native(key, title, compiler, package):
    command = [*compiler, *CXX, "-ffast-math", "-fopenmp"]
    if not works(command, "int main() {\n#pragma omp parallel for schedule(dynamic)\n  for (int i = 0; i < 9; ++i);\n}\n"):
        return Form(key, title, ".cpp", missing=f"not found (Debian: {package})")
    return Form(key, title, ".cpp", lambda group: [*command, group.with_suffix(".cpp"), MAIN])


def gcc():
    return native("gcc", "g++", ["g++"], "g++")


def clang():
    return native("clang", "clang++", ["clang++-19", "-fveclib=libmvec"], "clang-19 libomp-19-dev")


def hostwarp(hwcc):
    return Form("hostwarp", "hostwarp", ".cu",
                lambda group: [hwcc, "-O3", "-std=c++20", group.with_suffix(".cu"), MAIN])


def pocl():
    platform = "#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/cl.h>\n" \
               "int main() { cl_platform_id id; return clGetPlatformIDs(1, &id, nullptr) != CL_SUCCESS; }\n"
    if not works(["g++"], platform, ["-lOpenCL"]):
        return Form("pocl", "PoCL", ".cl",
                    missing="not found (Debian: pocl-opencl-icd ocl-icd-opencl-dev opencl-headers)")
    return Form("pocl", "PoCL", ".cl", lambda group: [
        "g++", *CXX, f'-DBENCH_CASES="{group}_cases.h"', f'-DBENCH_KERNELS="{group}.cl"',
        HERE / "harness" / "opencl.cpp", MAIN, "-lOpenCL"])


def hip_cpu():
    folder = os.environ.get("HIP_CPU")
    if not folder or not (pathlib.Path(folder) / "include/hip/hip_runtime.h").exists():
        return Form("hip_cpu", "HIP-CPU", ".cl", missing="not found ($HIP_CPU)")
    return Form("hip_cpu", "HIP-CPU", ".cl", lambda group: [
        "g++", *CXX, f"-I{folder}/include", "-include", HERE / "harness" / "hip_cpu.h", MAIN, "-x", "c++",
        group.with_suffix(".cu"), "-x", "none", "-ltbb", "-lpthread"])


def adaptive_cpp():
    """AdaptiveCpp's portable CUDA takes cuda_runtime.h and launches; not all of what kernels call."""
    if not shutil.which("acpp"):
        return Form("adaptive_cpp", "AdaptiveCpp", ".cl", missing="not found (acpp)")
    return Form("adaptive_cpp", "AdaptiveCpp", ".cl", lambda group: [
        "acpp", *CXX, "--acpp-targets=generic", "--acpp-pcuda", "--acpp-pcuda-chevron-launch", MAIN, "-x", "c++",
        group.with_suffix(".cu"), "-x", "none"])


def nvcc():
    if not shutil.which("nvcc"):
        return Form("nvcc", "nvcc", ".cu", missing="not found")
    return Form("nvcc", "nvcc", ".cu",
                lambda group: ["nvcc", "-O3", "-std=c++20", "-arch=native", group.with_suffix(".cu"), MAIN])


NATIVE = ("gcc", "clang", "nvcc")


def every(hwcc):
    """All forms, the native ones first: the first writes the results that the others are checked with."""
    return [gcc(), clang(), hostwarp(hwcc), pocl(), hip_cpu(), adaptive_cpp()]


def on_gpu(hwcc):
    """What runs on a GPU: nvcc's code, and hwcc's where HOSTWARP_BACKEND says so."""
    return [nvcc(), hostwarp(hwcc)]
