"""The settings that every test program runs in, and whether its kernels then ran in the form that the setting is about.

A kernel can run in several forms: all threads of a block by one function, which users get, for each instruction set, made
for the shape of block that it is launched with, before or while the program runs, or for any; or each thread on a fiber of its own, in order or at random. The runtime tells which form each launch took
(HOSTWARP_FORM_COUNTS), and the program's symbols say which kernels have a block function.
"""
import collections
import dataclasses
import functools
import os
import pathlib
import re
import subprocess
import tempfile

LEVELS = ("baseline", "avx2", "avx512")
# What the dynamic linker calls them.
LEVEL_NAMES = {"avx2": "x86-64-v3", "avx512": "x86-64-v4"}
# Each is one schedule, on one worker.
SEEDS = (7, 20240229, 12345)
SUMMARY = "forms: "
OPTIONS = ("HOSTWARP_SEED", "HOSTWARP_FORM", "HOSTWARP_ISA", "HOSTWARP_WORKERS", "HOSTWARP_SPECIALISE", "HOSTWARP_FORM_COUNTS")


@dataclasses.dataclass(frozen=True)
class Setting:
    name: str
    workers: int
    level: str = None       # instruction set of the default form; None: any
    any_block: bool = False  # no function made for one shape of block may run
    specialised: bool = False  # kernels without code for the shape of block get it when they are launched
    fibers: bool = False    # no block function may run
    seed: int = 0
    optimised: bool = True  # False: the program with device code as written, or less optimised

    def environment(self):
        """The variables that make the setting; those that it does not name are to be unset."""
        variables = {"HOSTWARP_BACKEND": "cpu", "HOSTWARP_WORKERS": str(self.workers),
                     "HOSTWARP_SPECIALISE": "always" if self.specialised else "off"}
        # The highest is what users get without asking: wrong_forms() sees that it is.
        if self.level and self.level != machine_levels()[-1]:
            variables["HOSTWARP_ISA"] = self.level
        if self.seed:
            variables["HOSTWARP_SEED"] = str(self.seed)
        elif self.fibers or self.any_block:
            variables["HOSTWARP_FORM"] = "fibers" if self.fibers else "any_block"
        return variables


@functools.cache
def machine_levels():
    """The instruction sets that this machine has, the lowest first. /proc/cpuinfo may lack one that the processor has."""
    text = subprocess.run(["/lib64/ld-linux-x86-64.so.2", "--help"], capture_output=True, text=True, check=True).stdout
    return LEVELS[:1] + tuple(level for level in LEVELS[1:] if f"{LEVEL_NAMES[level]} (supported" in text)


def settings():
    """All settings: the default form first, as users get it, then those that look for defects of other kinds."""
    found = [Setting(f"{level}, {workers} worker{'s'[:workers - 1]}", workers, level=level)
             for level in reversed(machine_levels()) for workers in (1, 2)]
    found += [Setting(f"any block, {level}, 2 workers", 2, level=level, any_block=True)
              for level in reversed(machine_levels()[1:])]
    # It compiles while the program runs.
    found += [Setting(f"specialised, {level}, 2 workers", 2, level=level, specialised=True)
              for level in machine_levels()[1:][-1:]]
    found += [Setting(f"fibers in order, {workers} worker{'s'[:workers - 1]}", workers, fibers=True) for workers in (1, 2)]
    found += [Setting(f"seed {seed}", 1, fibers=True, seed=seed) for seed in SEEDS]
    return found + [Setting("unoptimised, 2 workers", 2, optimised=False)]


def environment_for(setting, counts):
    environment = {name: value for name, value in os.environ.items() if name not in OPTIONS}
    return dict(environment, HOSTWARP_FORM_COUNTS=str(counts), **setting.environment())


def launches_in(counts):
    """The lines of a file of counts: how often each (form, level, kernel) was launched."""
    launches = collections.Counter()
    if counts.exists():
        for line in counts.read_text().splitlines():
            number, form, level, kernel = line.split(" ", 3)
            launches[form, level, kernel] += int(number)
    return launches


@dataclasses.dataclass
class Run:
    status: int  # of the process; None: it ran for too long
    output: str  # stdout and stderr
    launches: collections.Counter


def run(command, setting, timeout=60, cwd=None):
    """Runs a program in a setting."""
    with tempfile.TemporaryDirectory() as folder:
        counts = pathlib.Path(folder, "counts")
        process = subprocess.Popen(command, env=environment_for(setting, counts), cwd=cwd, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, status = process.communicate(timeout=timeout)[0], process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            output, status = process.communicate()[0], None
        return Run(status, output.decode(errors="replace"), launches_in(counts))


def block_functions(binary):
    """The kernels of a program that have a function for any block ("block") or for one shape of it ("shaped"), by that form
    and their mangled names, each with the instruction sets that it has in each image: those for other architectures may be
    of other sizes."""
    # nm would load a compiler's library as its plugin.
    text = subprocess.run(["readelf", "--symbols", "--wide", str(binary)], capture_output=True, text=True).stdout
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for shaped, symbol in re.findall(r" FUNC .* __hwd_(shaped_)?block\.(\S+)$", text, re.M):
        # The compiler puts the instruction set behind the name, and the image's number before or behind that.
        kernel, *parts = symbol.split(".")
        level = next((part for part in parts if part in LEVELS), LEVELS[0])
        image = ".".join(part for part in parts if part not in LEVELS)
        found["shaped" if shaped else "block", kernel][image].add(level)
    return found


def level_for(wanted, levels):
    """The one of a kernel's instruction sets that runs where `wanted` is asked for: the highest not above it."""
    return max((level for level in levels if LEVELS.index(level) <= LEVELS.index(wanted)), key=LEVELS.index, default=None)


def wrong_shape(setting, level, images):
    """Whether code for one shape of block should not have run, or not this. What is compiled at run time is in no image."""
    if setting.any_block or setting.level is None or not images:
        return setting.any_block or setting.level not in (None, level)
    # Large functions have one variant alone.
    return level not in {level_for(setting.level, levels) for levels in images.values()}


def wrong_forms(setting, launches, blocks):
    """What is wrong with the forms in which a program ran in a setting, given block_functions()."""
    problems = []
    for form, level, kernel in sorted(launches):
        if form == "specialised" and not setting.specialised:
            problems.append(f"{kernel} got code while the program ran")
        if setting.fibers and form in ("block", "shaped", "specialised", "refused"):
            problems.append(f"{kernel} ran as {form}, not on fibers")
        elif form == "shaped" and wrong_shape(setting, level, blocks.get((form, kernel), {})):
            problems.append(f"{kernel} ran as {level} code for one shape of block")
        elif not setting.fibers and setting.optimised and ("block", kernel) in blocks:
            # Large block functions have no variant for the baseline.
            wanted = {level_for(setting.level, levels) for levels in blocks["block", kernel].values()}
            if form == "fibers" and None not in wanted:
                problems.append(f"{kernel} has a block function, but ran on fibers")
            elif form == "block" and level not in wanted:
                problems.append(f"{kernel} ran with {level} code, not {' or '.join(map(str, wanted))}")
    return problems


class Tally:
    """Adds up what ran, for the line at the end of a test's output that tests/summary adds up over all tests."""

    def __init__(self):
        self.runs, self.launches = 0, collections.Counter()

    def add(self, launches):
        self.runs += 1
        for (form, level, _), number in launches.items():
            self.launches[f"{form}.{level}" if form in ("block", "shaped", "specialised") else form] += number

    def line(self):
        counts = [f"{name}={number}" for name, number in sorted(self.launches.items())]
        return SUMMARY + " ".join([f"runs={self.runs}", *counts])
