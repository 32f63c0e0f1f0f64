#!/usr/bin/env python3
"""Runs programs of pairs several times under `hostwarp check`: what it says must be the same to the byte.

usage: repeat.py HWCC FILE.cu...

Each program runs in order, with fibers and with a seed, each of these with 1, 2 and 8 workers and once more. What must
be the same is stderr, stdout, the exit status, and the JSON, SARIF and HTML files. run.py says what is to be found.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FORMS = ({}, {"HOSTWARP_FORM": "fibers"}, {"HOSTWARP_SEED": "3"})
WORKERS = ("1", "1", "2", "8")
REPORTS = ("json", "sarif", "html")


def report_of(command: list[str], environment: dict[str, str], folder: Path) -> str:
    """All that one run says."""
    written = [folder / f"report.{kind}" for kind in REPORTS]
    for path in written:
        path.unlink(missing_ok=True)
    asked = [word for kind, path in zip(REPORTS, written) for word in (f"--{kind}", str(path))]
    run = subprocess.run(command[:2] + asked + command[2:], env=environment, capture_output=True, text=True, check=False)
    files = [f"{path.name}:\n{path.read_text() if path.exists() else 'is missing'}" for path in written]
    return "\n".join([f"exit {run.returncode}", f"stdout:\n{run.stdout}", f"stderr:\n{run.stderr}", *files])


def first_difference(one: str, other: str) -> str:
    lines = zip(one.splitlines() + ["(the end)"], other.splitlines() + ["(the end)"])
    return next((f"    {a[:200]}\n    {b[:200]}" for a, b in lines if a != b), "    in white space")


def differences(hwcc: Path, source: Path) -> list[str]:
    text = source.read_text()
    options, views, devices = (" ".join(re.findall(rf"(?<=^// {word}: ).*", text, re.MULTILINE))
                               for word in ("options", "check", "devices"))
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache"}
        if devices:
            environment["HOSTWARP_DEVICES"] = devices
        subprocess.run([hwcc, *options.split(), source, "-o", folder / "program"], check=True)
        command = [str(hwcc.parent / "hostwarp"), "check", *views.split(), str(folder / "program")]
        for form in FORMS:
            first = ""
            for workers in WORKERS:
                report = report_of(command, environment | form | {"HOSTWARP_WORKERS": workers}, folder)
                first = first or report
                if "finding" not in report:
                    wrong.append(f"{source.name} {form}: nothing was found:\n{report}")
                if report != first:
                    wrong.append(f"{source.name} {form}: another report with {workers} workers than in the first run, "
                                 f"with one:\n{first_difference(first, report)}")
    return wrong


def main() -> int:
    hwcc, sources = Path(sys.argv[1]).resolve(), [Path(each).resolve() for each in sys.argv[2:]]
    wrong = [line for source in sources for line in differences(hwcc, source)]
    print("\n".join(wrong) or f"{len(sources)} programs, {len(FORMS) * len(WORKERS)} runs of each: one report per form")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
