"""Builds the programs of groups of kernels and runs their cases in turn, over several rounds."""
import os
import pathlib
import resource
import subprocess
import sys
import time

SECONDS = 300  # no case of any form may take longer


def say(text):
    print(text, file=sys.stderr, flush=True)


def newest(paths):
    return max(path.stat().st_mtime for path in paths)


class Programs:
    """The programs of one build folder, made when they are older than a source."""

    def __init__(self, folder, sources, tools):
        self.folder = folder
        self.sources = sources
        self.tools = tools  # files that a program must not be older than
        self.failed = []
        self.cases = {}

    def build(self, name, command, sources):
        """The path of a program, or None when the compiler refuses it."""
        program = self.folder / name
        program.parent.mkdir(parents=True, exist_ok=True)
        since = newest([*sources, *(self.sources / "harness").iterdir(), *self.tools])
        if not program.exists() or program.stat().st_mtime < since:
            say(f"building {name}")
            # Libraries stand at the end of a line, so that the output comes first.
            line = [str(command[0]), "-o", str(program), *map(str, command[1:])]
            built = subprocess.run(line, capture_output=True, text=True, cwd=program.parent)
            if built.returncode != 0:
                self.failed.append(f"{name} does not build: {(built.stderr.strip().splitlines() or ['?'])[0]}")
                return None
        listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout
        self.cases[name] = listed.split()
        return program


class Figures:
    """The times of one case in one form: the best and the median of each round."""

    def __init__(self):
        self.best = []
        self.median = []

    def add(self, output):
        values = dict(line.split()[:2] for line in output.splitlines() if line.endswith(" ms"))
        self.best.append(float(values["best"]))
        self.median.append(float(values["median"]))


def run(program, case, mode, reference, environment=None):
    """What a case printed, and what was wrong, if anything."""
    command = [program, case, mode, reference]
    # Threads of OpenMP that spin would take the cores from the next program.
    settings = dict(os.environ, OMP_WAIT_POLICY="passive", **(environment or {}))
    try:
        result = subprocess.run(command, capture_output=True, text=True, env=settings, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "", f"not done after {SECONDS} seconds"
    if result.returncode == 0:
        return result.stdout, None
    return "", (result.stderr.strip().splitlines() or [f"exit status {result.returncode}"])[-1]


def in_turn(jobs, number):
    """The jobs, another one first in each round."""
    first = number % max(1, len(jobs))
    return jobs[first:] + jobs[:first]


class Load:
    """How many cores other work used since this was made."""

    def __init__(self):
        self.since = time.time()
        self.busy, self.own = self.busy_seconds(), self.own_seconds()

    @staticmethod
    def busy_seconds():
        fields = [int(field) for field in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:]]
        return (sum(fields[:3]) + sum(fields[5:8])) / os.sysconf("SC_CLK_TCK")

    @staticmethod
    def own_seconds():
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(each.ru_utime + each.ru_stime for each in used)

    def others(self):
        theirs = (self.busy_seconds() - self.busy) - (self.own_seconds() - self.own)
        return max(0.0, theirs / (time.time() - self.since))


class Table:
    """figures[case][form] of runs in turn. A form whose result is wrong loses its figures of that case."""

    def __init__(self):
        self.figures = {}
        self.wrong = {}
        self.load = Load()

    def rounds(self, count):
        """The numbers of the rounds, each announced."""
        for number in range(count):
            say(f"round {number + 1} of {count}, others use {self.load.others():.2f} cores")
            yield number

    def problems(self):
        return [f"{case}, {form}: {why}" for (case, form), why in self.wrong.items()]

    def add(self, case, form, output, wrong):
        if wrong:
            self.wrong[(case, form)] = wrong
        elif (case, form) not in self.wrong:
            self.figures.setdefault(case, {}).setdefault(form, Figures()).add(output)
        if (case, form) in self.wrong:
            self.figures.get(case, {}).pop(form, None)
