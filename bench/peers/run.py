#!/usr/bin/env python3
"""Runs kernels as CUDA by hwcc, as plain C++ and by other implementations on the same cores, and prints Markdown.

Usage: run.py --build DIR [--rounds N] [--one-core | --gpu] [--out FILE] [NAME...]. A NAME is a suite (a folder here), a group (a file of it)
or a case; without one everything runs. Every form that the machine has the tools for is built; the cases run in turn, form by form, over the rounds;
each result is compared with the native form's, and a wrong one makes the run fail and has no figure."""
import argparse
import datetime
import os
import pathlib
import sys

import cliffs
import forms
import measure
import tables

SUITES = {"textbook": "Textbook kernels", "untuned": "Kernels that nobody tuned for",
          "shapes": "Shapes that slow programs have", "classics": "Classics with many waits",
          "launches": "Launches and barriers"}


def groups_of(suite, wanted):
    """The groups of a suite that are wanted, or may have a case that is."""
    groups = sorted(path.with_suffix("") for path in (forms.HERE / suite).glob("*.cu"))
    names = {"cliffs", *SUITES, *(path.stem for path in forms.HERE.glob("*/*.cu"))}
    return [group for group in groups if wanted - names or not wanted or wanted & {suite, group.name}]


def built(programs, suite, available, wanted):
    """{(group, form): program} of a suite."""
    found = {}
    for group in groups_of(suite, wanted):
        for form in available:
            if group.with_suffix(form.source).exists():
                name = f"{suite}/{group.name}.{form.key}"
                program = programs.build(name, form.command(group), group.parent.glob(f"{group.name}*"))
                if program:
                    found[group.name, form.key] = program
    return found


def jobs_of(programs, suite, available, wanted):
    """(case, form, program) in the order of the first form that has each case."""
    jobs = []
    for (group, form), program in built(programs, suite, available, wanted).items():
        for case in programs.cases[f"{suite}/{group}.{form}"]:
            if not wanted or wanted & {suite, group, case}:
                jobs.append((case, form, program))
    return jobs


def write_references(jobs, folder, table):
    """The first native form of each case writes what the others' results are compared with."""
    written = set()
    for case, form, program in jobs:
        if form in forms.NATIVE and case not in written:
            written.add(case)
            _, wrong = measure.run(program, case, "--write", folder / case)
            if wrong:
                table.wrong[(case, form)] = wrong


def measured(jobs, rounds, folder):
    table = measure.Table()
    folder.mkdir(parents=True, exist_ok=True)
    write_references(jobs, folder, table)
    for number in table.rounds(rounds):
        for case in dict.fromkeys(case for case, _, _ in jobs):
            for _, form, program in measure.in_turn([job for job in jobs if job[0] == case], number):
                table.add(case, form, *measure.run(program, case, "--check", folder / case))
    return table


def section(title, table, rounds, rows):
    today = datetime.date.today().isoformat()
    return (f"### {title}\n\n{today}, {tables.machine()}, {rounds} rounds in turn, other work used "
            f"{table.load.others():.2f} cores; best / median.\n\n{rows}\n")


def run_suite(programs, suite, available, wanted, rounds):
    """The Markdown of a suite and what was wrong in it."""
    jobs = jobs_of(programs, suite, available, wanted)
    if not jobs:
        return "", []
    table = measured(jobs, rounds, programs.folder / suite / "references")
    keys = {form for _, form, _ in jobs}
    shown = [form for form in available if form.key in keys and form.key not in forms.NATIVE]
    return section(SUITES[suite], table, rounds, tables.comparison(table.figures, shown)), table.problems()


def run_cliffs(programs, hwcc, rounds):
    table = cliffs.measured(programs, hwcc, rounds)
    return section("Cliffs", table, rounds, tables.cliffs(cliffs.TITLES, table.figures)), table.problems()


def tools(every):
    """The forms that the machine has the tools for; it says which it has not."""
    for form in every:
        if not form.command:
            measure.say(f"{form.title}: {form.missing}")
    return [form for form in every if form.command]


def arguments_of():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one-core", action="store_true",
                        help="only the last core, and implementations that keep to it: other work disturbs less")
    parser.add_argument("--gpu", action="store_true", help="on a GPU, beside nvcc's code: its times stand as native")
    parser.add_argument("--out", type=pathlib.Path, help="a file that gets the tables, too")
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


def keep_to_one_core():
    """For all programs that are run from here on."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    os.environ.update(OMP_NUM_THREADS="1", HOSTWARP_WORKERS="1")


def main():
    arguments = arguments_of()
    wanted = set(arguments.names)
    build = arguments.build.resolve()
    hwcc = build / "bin" / "hwcc"
    # What decides what a program is made of.
    compiler = [hwcc, hwcc.with_name("hwcc-device"), build / "lib" / "hostwarp_clang_plugin.so"]
    programs = measure.Programs(build / "bench" / "peers", forms.HERE, compiler)
    available = tools(forms.on_gpu(hwcc) if arguments.gpu else forms.every(hwcc))
    if arguments.gpu:
        os.environ["HOSTWARP_BACKEND"] = "gpu"
    if arguments.one_core:
        keep_to_one_core()
        available = [form for form in available if form.key in {*forms.NATIVE, "hostwarp"}]
    parts = [run_suite(programs, suite, available, wanted, arguments.rounds) for suite in SUITES]
    if not arguments.gpu and (not wanted or "cliffs" in wanted):
        parts.append(run_cliffs(programs, hwcc, arguments.rounds))
    text = "\n".join(part for part, _ in parts if part)
    problems = [problem for _, found in parts for problem in found] + programs.failed
    print(text)
    if arguments.out:
        arguments.out.write_text(text)
    for problem in problems:
        measure.say(problem)
    if not text:
        measure.say(f"no suite, group or case has the name {' or '.join(wanted)}")
    return 1 if problems or not text else 0


if __name__ == "__main__":
    sys.exit(main())
