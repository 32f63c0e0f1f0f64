#!/usr/bin/env python3
"""How long hwcc takes for a program of a hundred lines, against clang++ for the same file as plain C++, or with --thrust for
one that sorts with Thrust, against nvcc; all at -O2 -c.

Usage: compile_time.py [--thrust] [--build DIR] [--runs N] [--limit RATIO] [--arch sm_XX]. Prints the median of each and their
ratio, for hwcc as it is and for one that keeps nothing from call to call; with --limit, exits with 1 when the first ratio is
above it. Runs alternate, so that a disturbance hits all."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

BENCH = pathlib.Path(__file__).resolve().parent
PROGRAMS = BENCH / "compile_time"


def clang():
    for major in (19, 18, 20, 17):
        path = pathlib.Path(f"/usr/lib/llvm-{major}/bin/clang++")
        if path.exists():
            return str(path)
    return "clang++"


def commands(build, output, arch, thrust):
    source = PROGRAMS / ("thrust_sort.cu" if thrust else "hundred_lines.cu")
    common = ["-O2", "-std=c++17", "-c", str(source), "-o", output]
    architecture = [f"-arch={arch}"] if arch else []
    hwcc = [str(build / "bin" / "hwcc"), *common, *architecture]
    todo = {"hwcc": hwcc, "hwcc, keeping nothing": ["env", "HOSTWARP_CACHE=0", *hwcc]}
    if thrust:
        return {**todo, "nvcc": ["nvcc", *common, *(architecture or ["-arch=sm_90"])]}
    return {**todo, "clang++": [clang(), "-x", "c++", "-I", str(build / "include"), *common]}


def seconds(command):
    # A compiler cache would measure itself.
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    start = time.perf_counter()
    subprocess.run(command, check=True, env=environment)
    return time.perf_counter() - start


def measure(build, runs, arch, thrust):
    """Medians in seconds by name."""
    with tempfile.TemporaryDirectory() as folder:
        todo = commands(build, str(pathlib.Path(folder) / "out.o"), arch, thrust)
        for command in [*todo.values()] * 2:
            seconds(command)  # to warm the page cache, and hwcc's
        times = {name: [] for name in todo}
        for _ in range(runs):
            for name, command in todo.items():
                times[name].append(seconds(command))
    return {name: statistics.median(values) for name, values in times.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=BENCH.parent / "build" / "release")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--limit", type=float)
    parser.add_argument("--arch")
    parser.add_argument("--thrust", action="store_true")
    arguments = parser.parse_args()
    medians = measure(arguments.build, arguments.runs, arguments.arch, arguments.thrust)
    yardstick = list(medians.values())[-1]
    for name, value in medians.items():
        print(f"compile_time {name:21} {1000 * value:8.0f} ms, ratio {value / yardstick:.2f}")
    return 1 if arguments.limit and medians["hwcc"] / yardstick > arguments.limit else 0


sys.exit(main())
