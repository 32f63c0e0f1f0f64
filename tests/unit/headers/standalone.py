#!/usr/bin/env python3
"""Compiles every public header by itself, in every mode that programs use.

usage: standalone.py INCLUDE_DIR --cxx g++ --cc gcc [--clang clang++-19] [--jobs N] [header...]

Two headers that the preprocessor makes the same text of, as of one that only includes the other, are compiled once in
that mode: the compiler would say the same of both.
"""
import argparse
import concurrent.futures
import dataclasses
import pathlib
import subprocess
import sys
import tempfile
import threading

CUDA_MODE = ["-x", "cuda", "--cuda-gpu-arch=sm_90", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Xclang",
             "-fcuda-allow-variadic-functions"]
# Headers that are C as well.
C_HEADERS = {"cuda_runtime_api.h", "driver_types.h", "vector_types.h", "vector_functions.h", "driver_functions.h",
             "cuda.h", "library_types.h", "builtin_types.h", "cuComplex.h", "nvToolsExt.h", "texture_types.h",
             "surface_types.h", "cuda_profiler_api.h", "curand.h", "curand_discrete.h", "curand_mtgp32.h"}


@dataclasses.dataclass(frozen=True)
class Mode:
    """A way in which headers have to compile."""
    name: str
    command: tuple
    is_c: bool = False
    before: tuple = ()  # headers that stand in front of every other
    precompiles: bool = False


def modes(options):
    for standard in ("c++14", "c++20"):
        yield Mode(f"{options.cxx} {standard}", (options.cxx, "-x", "c++", f"-std={standard}"))
    yield Mode(f"{options.cc} c11", (options.cc, "-x", "c", "-std=c11"), is_c=True)
    if options.clang:
        yield Mode(f"{options.clang} c++17", (options.clang, "-x", "c++", "-std=c++17"))
        device_pass = f"-isystem{options.include}/hostwarp/device_pass"
        for side, standard, *folders in (("host", "c++14"), ("device", "c++20", device_pass)):
            # Without the plugin that hwcc gives it clang forgets which functions of the precompiled are the device's, too.
            yield Mode(f"{options.clang} CUDA {side} {standard}",
                       (options.clang, *CUDA_MODE, *folders, f"--cuda-{side}-only", f"-std={standard}"),
                       before=("-include", "cuda_runtime.h"), precompiles=side == "host")


class Compiler:
    """What is known of one mode; its functions may be called from several threads."""

    def __init__(self, mode, include, folder):
        self.mode, self.lock, self.texts = mode, threading.Lock(), set()
        self.command = [*mode.command, "-Wall", "-Wextra", "-Werror", f"-I{include}", *mode.before]
        self.precompiled = pathlib.Path(folder, "before.pch") if mode.precompiles else None

    def takes(self, header):
        return header in C_HEADERS or not self.mode.is_c

    def run(self, arguments, source, text=None):
        return subprocess.run([*self.command, *arguments, source], input=text, capture_output=True, text=True)

    def precompile(self):
        """Reads what stands in front of every header in this mode; what the compiler says of it."""
        if not self.precompiled:
            return ""
        # A file: clang reads what it has precompiled by its name.
        source = self.precompiled.with_suffix(".cu")
        source.write_text("\n")
        result = self.run(["-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", self.precompiled], source)
        del self.command[-len(self.mode.before):]
        self.command += ["-Xclang", "-include-pch", "-Xclang", self.precompiled]
        return self.complaint("what stands in front of all", result)

    def complaint(self, header, result):
        wrong = result.returncode or result.stderr
        return f"{header} ({self.mode.name}):\n{result.stderr}" if wrong else ""

    def is_new(self, text):
        """Whether no header before came to these lines."""
        text = "\n".join(line for line in text.splitlines() if line.strip())
        with self.lock:
            return text not in self.texts and not self.texts.add(text)

    def check(self, header):
        """(whether it was compiled, what the compiler says of a file that includes only this header)."""
        text = f"#include <{header}>\n"
        # After precompiled headers there is less to compile than to preprocess.
        if not self.precompiled:
            result = self.run(["-E", "-P"], "-", text)
            complaint = self.complaint(header, result)
            if complaint or not self.is_new(result.stdout):
                return False, complaint
        return True, self.complaint(header, self.run(["-fsyntax-only"], "-", text))


def parse_arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("headers", nargs="*")
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--cc", default="gcc")
    parser.add_argument("--clang")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_intermixed_args()


def main():
    options = parse_arguments()
    headers = options.headers or sorted(
        str(path.relative_to(options.include)) for path in options.include.rglob("*.h*")
        if path.relative_to(options.include).parts[0] != "hostwarp")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        compilers = [Compiler(mode, options.include, folder) for mode in modes(options)]
        complaints = list(pool.map(Compiler.precompile, compilers))
        jobs = [(compiler, header) for header in headers for compiler in compilers if compiler.takes(header)]
        results = list(pool.map(lambda job: job[0].check(job[1]), jobs))
    complaints = [text for text in [*complaints, *(text for _, text in results)] if text]
    print("".join(complaints) + f"{len(headers)} headers in {len(jobs)} modes, {sum(new for new, _ in results)} "
          f"compilations, {len(complaints)} with complaints")
    return 1 if complaints or not jobs else 0


sys.exit(main())
