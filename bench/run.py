#!/usr/bin/env python3
"""Runs the benchmarks of a build and prints one line per figure: program, name, value, unit.

Usage: run.py --build DIR [--only NAME] [--repeat N] [CASE...]. A program that times itself prints lines
`name value unit`; run.py takes the median of N runs of each. NAME may be `peers`, which stands for peers/run.py with
all it has, or one of its suites; the cases are then those of the suite to run."""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parent


def line(program, name, value, unit):
    print(f"{program:24} {name:44} {value:14.3f} {unit}", flush=True)


def run_google(path):
    """A Google Benchmark program: its own repetition control, CPU-independent real time."""
    command = [str(path), "--benchmark_format=json", "--benchmark_min_time=0.2"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    for entry in json.loads(result.stdout)["benchmarks"]:
        line(path.name, entry["name"], entry["real_time"], entry["time_unit"])
        if "items_per_second" in entry:
            line(path.name, entry["name"] + " items", entry["items_per_second"] / 1e6, "M/s")


def figures(path):
    """What one run of a self-timing program printed: {name: (value, unit)}."""
    result = subprocess.run([str(path)], capture_output=True, text=True, check=True)
    found = {}
    for text in result.stdout.splitlines():
        words = text.rsplit(maxsplit=2)
        if len(words) == 3:
            try:
                found[words[0]] = (float(words[1]), words[2])
            except ValueError:
                continue  # prose between the figures
    return found


def run_program(path, repeat):
    runs = [figures(path) for _ in range(repeat)]
    for name, (_, unit) in runs[0].items():
        line(path.name, name, statistics.median(run[name][0] for run in runs), unit)


def programs(folder, only):
    found = [p for p in sorted(folder.iterdir()) if p.is_file() and p.stat().st_mode & 0o100]
    return [p for p in found if only in p.name]


def peers(arguments):
    """The exit status of the comparison with other implementations."""
    names = arguments.cases or ([] if arguments.only == "peers" else [arguments.only])
    command = [sys.executable, str(BENCH / "peers" / "run.py"), "--build", str(arguments.build), "--rounds",
               str(arguments.repeat), *names]
    return subprocess.run(command).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    suites = {path.name for path in (BENCH / "peers").iterdir() if path.is_dir()}
    if arguments.only == "peers" or arguments.only in suites:
        return peers(arguments)
    failed = 0
    for path in programs(arguments.build / "bench", arguments.only):
        try:
            run_google(path) if path.name.endswith("_bench") else run_program(path, arguments.repeat)
        except subprocess.CalledProcessError as error:
            print(f"{path.name}: exit status {error.returncode}\n{error.stderr}", file=sys.stderr)
            failed = 1
    if arguments.only in "compile_time" and (arguments.build / "bin" / "hwcc").exists():
        command = [sys.executable, str(BENCH / "compile_time.py"), "--build", str(arguments.build)]
        failed |= subprocess.run(command).returncode
    return failed


sys.exit(main())
