#!/usr/bin/env python3
"""Runs one test of the driver: a text file that holds the sources, the commands and what must come out.

    A line of prose.
    NEEDS: runtime            skip unless the build has it: compiler (headers and device compiler), runtime (libcudart),
                              openmp (LLVM's), cccl (NVIDIA's), mpi (mpirun), gdb, watchpoints (of the processor, which some
                              virtual machines lack), root (the user is, and no sanitizer is loaded)
    RUN: hwcc -c a.cu         a shell command; hwcc is the one under test
    EXIT: 1                   its exit status, 0 unless given
    STDOUT: text              a line of its output contains the text, after the line matched before
    STDERR: text              likewise
    STDOUT-NOT: text          no line contains the text
    STDERR-NOT: text
    FILES: a.o b.d            what the command has left behind, besides the sources; only checked if given
    ==> a.cu <==              the lines behind it, up to the next such line, are a file

{{regular expression}} inside a text is one. The exit status is 77 if the test cannot run here.

A command that runs a program it has made (./name) is run again, with the same expectations, in each other setting of
tests/support/forms.py: hwcc does nothing then. Device code that is not optimised is built of what the program carries.
ONCE: instead of RUN: is for commands that cannot be repeated.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import forms  # noqa: E402

FIELDS = ("NEEDS", "RUN", "ONCE", "EXIT", "STDOUT", "STDERR", "STDOUT-NOT", "STDERR-NOT", "FILES")
SKIPPED = 77


class Step:
    def __init__(self, command, once):
        self.command, self.once = command, once
        self.status = 0
        self.files = None
        self.expected = {name: [] for name in FIELDS}

    def programs(self):
        """What it runs of the things it makes, unless that can be done only once."""
        return [] if self.once else re.findall(r"(?:^|[\s;&])\./(\w+)", self.command)


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
            elif field in ("RUN", "ONCE"):
                steps.append(Step(value, field == "ONCE"))
            elif field == "EXIT":
                steps[-1].status = int(value)
            elif field == "FILES":
                steps[-1].files = value.split()
            elif field in FIELDS:
                steps[-1].expected[field].append(value)
    return needs, steps, files


def pattern(text):
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return re.compile("".join(f"(?:{p})" if i % 2 else re.escape(p) for i, p in enumerate(parts)))


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


def watchpoints_work():
    """Whether gdb stops where a variable of a program is written that it watches by the processor's means."""
    if not has("gdb", None):
        return False
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder, "p.c"), pathlib.Path(folder, "p")
        source.write_text("volatile int watched;\nint main(void) { watched = 1; return watched - 1; }\n")
        subprocess.run(["cc", "-g", source, "-o", program], check=True)
        commands = [word for each in ("break main", "run", "watch watched", "continue") for word in ("-ex", each)]
        told = subprocess.run(["gdb", "-nx", "-batch", *commands, program], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL).stdout
        return "New value = 1" in told


def has(need, root):
    if need == "runtime":
        return has("compiler", root) and (root / "lib/libcudart.so").exists()
    if need == "root":
        return os.geteuid() == 0 and not os.environ.get("LD_PRELOAD")
    if need == "mpi":
        return shutil.which("mpirun") is not None
    if need == "gdb":
        return shutil.which("gdb") is not None
    if need == "watchpoints":
        return watchpoints_work()
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


class Test:
    """One test in its folder, which is the working directory."""

    def __init__(self, files, environment):
        self.environment, self.tally = environment, forms.Tally()
        for name, lines in files.items():
            pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(name).write_text("\n".join(lines) + "\n")
        self.before = set(os.listdir("."))
        self.temporary = pathlib.Path(environment["TMPDIR"])
        self.temporary.mkdir()

    def run(self, step, command, environment):
        """Runs the command; what is wrong with what it did, as text."""
        result = subprocess.run(["bash", "-c", command], env=environment, text=True, capture_output=True,
                                errors="replace", timeout=300)
        problem = check(step, result, self.before)
        if not problem and any(self.temporary.iterdir()):
            problem = f"left in TMPDIR: {[p.name for p in self.temporary.iterdir()]}"
        return problem and f"{problem}\n--- stdout\n{result.stdout}--- stderr\n{result.stderr}"

    def run_in(self, setting, step):
        """Runs the step's programs once more, in this setting."""
        counts = self.temporary.with_name("counts")
        counts.unlink(missing_ok=True)
        environment = {name: value for name, value in self.environment.items() if name not in forms.OPTIONS}
        environment.update(setting.environment(), HOSTWARP_FORM_COUNTS=str(counts))
        if not setting.optimised:
            # What is built stays out of the user's folder.
            environment |= {"HOSTWARP_BUILD": "debug", "XDG_CACHE_HOME": str(self.temporary.with_name("cache"))}
        problem = self.run(step, "hwcc() { :; }; " + step.command, environment)
        launches = forms.launches_in(counts)
        self.tally.add(launches)
        blocks = {}
        for program in step.programs():
            blocks.update(forms.block_functions(program))
        wrong = forms.wrong_forms(setting, launches, blocks)
        return "\n".join([f"in the setting '{setting.name}':", *wrong, problem or ""]) if wrong or problem else None

    def run_everywhere(self, step):
        """The step itself, and its programs in every setting."""
        problem = self.run(step, step.command, self.environment)
        for setting in forms.settings() if step.programs() else []:
            problem = problem or self.run_in(setting, step)
        return problem


def environment_for(hwcc, root, scratch):
    environment = dict(os.environ, PATH=f"{hwcc.parent}:{os.environ['PATH']}", LC_ALL="C", HWCC_ROOT=str(root))
    for name in ("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"):
        environment.pop(name, None)
    return dict(environment, TMPDIR=str(scratch / "tmp"))


def main():
    hwcc, test = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    needs, steps, files = parse(test)
    root = hwcc.parent.parent
    missing = [need for need in needs if not has(need, root)]
    if missing:
        print("SKIP: this build lacks", *missing)
        return SKIPPED
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch, "test")
        folder.mkdir()
        os.chdir(folder)
        running = Test(files, environment_for(hwcc, root, pathlib.Path(scratch)))
        for step in steps:
            problem = running.run_everywhere(step)
            if problem:
                print(f"{test}: {step.command}\n{problem}")
                return 1
        if running.tally.runs:
            print(running.tally.line())
    return 0


sys.exit(main())
