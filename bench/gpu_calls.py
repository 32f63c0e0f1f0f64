#!/usr/bin/env python3
"""What calls of the API, launches and the start of a program cost on a GPU, by hwcc and by nvcc: a table in Markdown.

Usage: gpu_calls.py --hwcc HWCC [--rounds N]. Both programs run in turn; each figure is the median of the rounds."""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().with_name("gpu_calls.cu")
GOAL_NS, GOAL_RATIO, GOAL_START_MS = 50, 1.02, 20


def build(compiler, folder, name):
    program = folder / name
    subprocess.run([*compiler, "-O3", "-std=c++17", f"-I{SOURCE.parent}", str(SOURCE), "-o", str(program)], check=True)
    return program


def run(program, environment, *arguments):
    """The figures of one run, and how long it took in milliseconds."""
    begin = time.perf_counter()
    result = subprocess.run([program, *arguments], env=environment, capture_output=True, text=True)
    took = (time.perf_counter() - begin) * 1e3
    if result.returncode != 0:
        sys.exit(f"{program.name}: exit status {result.returncode}\n{result.stderr}")
    lines = (line.split() for line in result.stdout.splitlines())
    return {name: float(value) for name, value, _ in lines}, took


def measured(programs, environment, rounds):
    """{figure: {compiler: values}}; `start` is a whole process with one launch, in nanoseconds as the others are."""
    figures = {}
    for program in programs.values():
        run(program, environment, "start")  # its code is in the caches from here on
    for _ in range(rounds):
        for compiler, program in programs.items():
            found, _ = run(program, environment)
            for _ in range(3):
                found.setdefault("start", []).append(run(program, environment, "start")[1] * 1e6)
            found["start"] = statistics.median(found["start"])
            for name, value in found.items():
                figures.setdefault(name, {}).setdefault(compiler, []).append(value)
    return figures


def goal(name):
    if name == "start":
        return f"+{GOAL_START_MS} ms"
    return f"{GOAL_RATIO} times" if "launch" in name or "graph" in name else f"+{GOAL_NS} ns"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hwcc", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # NVIDIA's library as it is: a shared one, which the calls of hwcc's program reach as well.
        programs = {"nvcc": build(["nvcc", "-arch=native", "-cudart", "shared"], folder, "nvcc"),
                    "hwcc": build([arguments.hwcc.resolve()], folder, "hwcc")}
        figures = measured(programs, dict(os.environ, HOSTWARP_BACKEND="gpu"), arguments.rounds)
    print("| what | nvcc, ns | hwcc, ns | more, ns | ratio | goal |\n|---|---|---|---|---|---|")
    for what, values in figures.items():
        nvcc, hwcc = (statistics.median(values[each]) for each in ("nvcc", "hwcc"))
        print(f"| {what} | {nvcc:.1f} | {hwcc:.1f} | {hwcc - nvcc:.1f} | {hwcc / nvcc:.3f} | {goal(what)} |")


if __name__ == "__main__":
    main()
