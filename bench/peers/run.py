#!/usr/bin/env python3
"""Runs kernels as CUDA by hwcc, as plain C++ and by other implementations on the same cores, and prints Markdown.

Usage: run.py --build DIR [--rounds N] [--out FILE] [NAME...]. A NAME is a suite (a folder here), a group (a file of it)
or a case. Every form that the machine has the tools for is built; the cases run in turn, form by form, over the rounds;
each result is compared with the native form's, and a wrong one makes the run fail and has no figure."""
import argparse
import datetime
import pathlib
import sys

import forms
import measure
import tables

SUITES = {"textbook": "Textbook kernels", "untuned": "Kernels that nobody tuned for",
          "shapes": "Shapes that slow programs have"}


def groups_of(suite, wanted):
    """The groups of a suite that are wanted, or may have a case that is."""
    groups = sorted(path.with_suffix("") for path in (forms.HERE / suite).glob("*.cu"))
    names = SUITES.keys() | {path.stem for path in forms.HERE.glob("*/*.cu")}
    return [group for group in groups if wanted - names or not wanted or wanted & {suite, group.name}]


def built(programs, suite, available, wanted):
    """{(group, form): program} of a suite."""
    found = {}
    for group in groups_of(suite, wanted):
        for form in available:
            if group.with_suffix(form.source).exists():
                name = f"{suite}/{group.name}.{form.key}"
                program = programs.build(name, form.command(group), group)
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
    cases = list(dict.fromkeys(case for case, _, _ in jobs))
    for number in range(rounds):
        measure.say(f"round {number + 1} of {rounds}, others use {table.load.others():.2f} cores")
        for case in cases:
            forms_of_case = [job for job in jobs if job[0] == case]
            turn = number % len(forms_of_case)
            for _, form, program in forms_of_case[turn:] + forms_of_case[:turn]:
                table.add(case, form, *measure.run(program, case, "--check", folder / case))
    return table


def heading(title, table, rounds):
    today = datetime.date.today().isoformat()
    return (f"### {title}\n\n{today}, {tables.machine()}, {rounds} rounds in turn, other work used "
            f"{table.load.others():.2f} cores; best / median.\n")


def run_suite(programs, suite, available, wanted, rounds):
    """The Markdown of a suite and what was wrong in it."""
    jobs = jobs_of(programs, suite, available, wanted)
    if not jobs:
        return "", []
    table = measured(jobs, rounds, programs.folder / suite / "references")
    keys = {form for _, form, _ in jobs}
    shown = [form for form in available if form.key in keys and form.key not in forms.NATIVE]
    text = heading(SUITES[suite], table, rounds) + "\n" + tables.comparison(table.figures, shown) + "\n"
    return text, [f"{case}, {form}: {why}" for (case, form), why in table.wrong.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=pathlib.Path, help="a file that gets the tables, too")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    bin_folder = (arguments.build / "bin").resolve()
    programs = measure.Programs((arguments.build / "bench" / "peers").resolve(), forms.HERE, [bin_folder / "hwcc"])
    available = []
    for form in forms.every(bin_folder / "hwcc"):
        if form.command:
            available.append(form)
        else:
            measure.say(f"{form.title}: {form.missing}")
    texts, wrong = [], []
    wanted = set(arguments.names)
    for suite in SUITES:
        text, found = run_suite(programs, suite, available, wanted, arguments.rounds)
        texts.append(text)
        wrong += found
    text = "\n".join(filter(None, texts))
    print(text)
    if arguments.out:
        arguments.out.write_text(text)
    for problem in wrong + programs.failed:
        measure.say(problem)
    return 1 if wrong or programs.failed else 0


sys.exit(main())
