#!/usr/bin/env python3
"""Runs one test of the driver: a text file that holds the sources, the commands and what must come out.

    A line of prose.
    NEEDS: runtime            skip unless the build has it: compiler (headers and device compiler), runtime (libcudart),
                              openmp (LLVM's), cccl (NVIDIA's)
    RUN: hwcc -c a.cu         a shell command; hwcc is the one under test
    EXIT: 1                   its exit status, 0 unless given
    STDOUT: text              a line of its output contains the text, after the line matched before
    STDERR: text              likewise
    STDOUT-NOT: text          no line contains the text
    STDERR-NOT: text
    FILES: a.o b.d            what the command has left behind, besides the sources; only checked if given
    ==> a.cu <==              the lines behind it, up to the next such line, are a file

{{regular expression}} inside a text is one. The exit status is 77 if the test cannot run here.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FIELDS = ("NEEDS", "RUN", "EXIT", "STDOUT", "STDERR", "STDOUT-NOT", "STDERR-NOT", "FILES")
SKIPPED = 77


class Step:
    def __init__(self, command):
        self.command = command
        self.status = 0
        self.files = None
        self.expected = {name: [] for name in FIELDS}


def parse(path):
    needs, steps, files, current = [], [], {}, None
    for line in pathlib.Path(path).read_text().splitlines():
        begin = re.fullmatch(r"==> (.+) <==", line)
        if begin:
            current = begin.group(1)
            files[current] = []
        elif current is not None:
            files[current].append(line)
        else:
            field, _, value = line.partition(":")
            value = value.strip()
            if field == "NEEDS":
                needs += value.split()
            elif field == "RUN":
                steps.append(Step(value))
            elif field == "EXIT":
                steps[-1].status = int(value)
            elif field == "FILES":
                steps[-1].files = value.split()
            elif field in FIELDS:
                steps[-1].expected[field].append(value)
    return needs, steps, files


def pattern(text):
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return re.compile("".join(p if i % 2 else re.escape(p) for i, p in enumerate(parts)))


def mismatch(output, wanted, unwanted):
    lines = output.splitlines()
    position = 0
    for text in wanted:
        found = next((i for i in range(position, len(lines)) if pattern(text).search(lines[i])), None)
        if found is None:
            return f"no line (after the ones matched before) has: {text}"
        position = found + 1
    for text in unwanted:
        if any(pattern(text).search(line) for line in lines):
            return f"a line has: {text}"
    return None


def has(need, root):
    if need == "runtime":
        return has("compiler", root) and (root / "lib/libcudart.so").exists()
    if need == "openmp":
        return any(pathlib.Path("/usr/lib").glob("llvm-*/lib/libomp.so"))
    if need == "cccl":
        return any(pathlib.Path(os.environ.get("CUDA_PATH", "/usr/local/cuda")).glob("include/cccl/cub/version.cuh"))
    return (root / "bin/hwcc-device").exists() and (root / "include/cuda_runtime.h").exists()


def check(step, result, before):
    if result.returncode != step.status:
        return f"exit status {result.returncode}, expected {step.status}"
    for name, output in (("STDOUT", result.stdout), ("STDERR", result.stderr)):
        problem = mismatch(output, step.expected[name], step.expected[name + "-NOT"])
        if problem:
            return f"{name}: {problem}"
    if step.files is not None:
        left = sorted(set(os.listdir(".")) - before)
        if left != sorted(step.files):
            return f"files left behind: {left}, expected {sorted(step.files)}"
    return None


def main():
    hwcc, test = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    needs, steps, files = parse(test)
    root = hwcc.parent.parent
    missing = [need for need in needs if not has(need, root)]
    if missing:
        print("skipped, this build lacks:", *missing)
        return SKIPPED
    environment = dict(os.environ, PATH=f"{hwcc.parent}:{os.environ['PATH']}", LC_ALL="C", HWCC_ROOT=str(root))
    for name in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"):
        environment.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        temporary = pathlib.Path(folder, "tmp")
        temporary.mkdir()
        environment["TMPDIR"] = str(temporary)
        for name, lines in files.items():
            pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(name).write_text("\n".join(lines) + "\n")
        before = set(os.listdir("."))
        for step in steps:
            result = subprocess.run(["bash", "-c", step.command], env=environment, text=True, capture_output=True,
                                    errors="replace", timeout=300)
            problem = check(step, result, before)
            if not problem and any(temporary.iterdir()):
                problem = f"left in TMPDIR: {[p.name for p in temporary.iterdir()]}"
            if problem:
                print(f"{test}: {step.command}\n{problem}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr}")
                return 1
    return 0


sys.exit(main())
