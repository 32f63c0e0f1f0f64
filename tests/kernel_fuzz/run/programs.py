"""Compiles a program, runs it, and finds where outputs differ."""
import os
import pathlib
import subprocess

import build
from run.forms import BUILDS, FUSED

TIMEOUT = 60


class DoesNotCompile(Exception):
    """Or a kernel has no block function for a reason that is a defect."""


class Built:
    """The executables of one program, made when they are needed."""

    def __init__(self, hwcc, folder, text):
        self.hwcc, self.folder = hwcc, pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.sources = [self.folder / "program.cu"]
        self.sources[0].write_text(text)
        self.options = ["-O2", "-w"]
        if text.startswith("// units: 2"):
            self.options.append("-rdc=true")
            self.sources.append(self.folder / "second.cu")
            self.sources[1].write_text('#define SECOND_UNIT\n#include "program.cu"\n')
        self.made = None

    def executables(self):
        """One for each build of forms.py."""
        if self.made is None:
            self.made = {name: self.folder / f"program{name}" for name in BUILDS}
            result = build.build(self.hwcc, [*self.options, *self.sources], *self.made.values())
            if not result.succeeded or result.left_over:
                raise DoesNotCompile("\n".join([result.output, *result.left_over]))
        return self.made

    def output(self, form, *arguments):
        """What the program prints in this form, its last line the exit status unless that is 0."""
        environment = {**os.environ, **form.environment}
        try:
            done = subprocess.run([self.executables()[form.build], *arguments], capture_output=True, text=True,
                                  env=environment, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return "ends not\n"
        status = f"status {done.returncode}: {done.stderr.strip()[-300:]}\n" if done.returncode else ""
        return done.stdout + status


def results(output):
    """The lines by kernel and array."""
    found = {}
    for line in output.splitlines():
        words = line.split()
        if len(words) == 3 and words[0].startswith("k"):
            found[words[0], words[1]] = words[2]
        else:
            found[line, ""] = line
    return found


def differing(expected, output, leave_out=()):
    """Which kernels' arrays are not the same, as (kernel, array)."""
    one, other = results(expected), results(output)
    return [key for key in [*one, *(key for key in other if key not in one)]
            if one.get(key) != other.get(key) and key[1] not in leave_out]


class Difference:
    """Forms whose output differs from another's, all at the same places."""

    def __init__(self, form, reference, places):
        self.forms, self.reference, self.places = [form], reference, places

    def kernels(self):
        return sorted({kernel for kernel, array in self.places if array})

    def __str__(self):
        # How it ended first, then the arrays.
        places = sorted(self.places, key=lambda place: bool(place[1]))
        places = ", ".join(" ".join(place).strip() for place in places[:8])
        return "\n    ".join([f"{places} differ from {self.reference} in", *map(str, self.forms)])


def references(form, forms):
    """The first of all forms, and the first ones that compute the same bits in arrays in which that one need not."""
    found = [forms[0]]
    for array in FUSED:
        like = next(other for other in forms if other.likeness(array) == form.likeness(array))
        if like not in found:
            found.append(like)
    return found


def compare(built, forms):
    """All differences from the first form; what may be fused is compared among like forms only."""
    outputs, found = {}, {}
    for form in forms:
        outputs[form] = built.output(form, "fused")
        for reference in references(form, forms):
            places = differing(outputs[reference], outputs[form], form.unlike(reference))
            if not places:
                continue
            key = reference, tuple(places)
            if key in found:
                found[key].forms.append(form)
            else:
                found[key] = Difference(form, reference, places)
            break
    return list(found.values())
