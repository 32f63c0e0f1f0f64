#!/usr/bin/env python3
"""Compiles every public header by itself, in every mode that programs use.

usage: standalone.py INCLUDE_DIR --cxx g++ --cc gcc [--clang clang++-19] [--jobs N] [header...]
"""
import argparse
import concurrent.futures
import pathlib
import subprocess
import sys

CUDA_MODE = ["-x", "cuda", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang",
             "-fcuda-allow-variadic-functions",
             "-include", "cuda_runtime.h"]
# Headers that are C as well.
C_HEADERS = {"cuda_runtime_api.h", "driver_types.h", "vector_types.h", "vector_functions.h", "driver_functions.h",
             "cuda.h", "library_types.h", "builtin_types.h", "cuComplex.h", "nvToolsExt.h", "texture_types.h",
             "surface_types.h", "cuda_profiler_api.h", "curand.h", "curand_discrete.h", "curand_mtgp32.h"}


def modes(options, header):
    """Yields (name, command) for every way in which this header has to compile."""
    for standard in ("c++14", "c++20"):
        yield f"{options.cxx} {standard}", [options.cxx, "-x", "c++", f"-std={standard}"]
    if header in C_HEADERS:
        yield f"{options.cc} c11", [options.cc, "-x", "c", "-std=c11"]
    if options.clang:
        yield f"{options.clang} c++17", [options.clang, "-x", "c++", "-std=c++17"]
        device_pass = f"-isystem{options.include}/hostwarp/device_pass"
        for side, standard, *folders in (("host", "c++14"), ("device", "c++20", device_pass)):
            yield (f"{options.clang} CUDA {side} {standard}",
                   [options.clang, *CUDA_MODE, *folders, f"--cuda-{side}-only", f"-std={standard}"])


def compile_header(options, header, name, command):
    """Returns what the compiler says about a file that includes only this header; empty when it is content."""
    result = subprocess.run([*command, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{options.include}", "-"],
                            input=f"#include <{header}>\n", capture_output=True, text=True)
    return f"{header} ({name}):\n{result.stderr}" if result.returncode or result.stderr else ""


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("headers", nargs="*")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--clang")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_intermixed_args()
    headers = options.headers or sorted(
        str(path.relative_to(options.include)) for path in options.include.rglob("*.h*")
        if path.relative_to(options.include).parts[0] != "hostwarp")
    jobs = [(header, name, command) for header in headers for name, command in modes(options, header)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        complaints = [text for text in pool.map(lambda job: compile_header(options, *job), jobs) if text]
    print("".join(complaints) + f"{len(headers)} headers, {len(jobs)} compilations, {len(complaints)} with complaints")
    return 1 if complaints or not jobs else 0


sys.exit(main())
