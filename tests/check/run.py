#!/usr/bin/env python3
"""Runs a program of pairs under `hostwarp check`: racy_* kernels, or functions of the host, must be found, fixed_* not.

usage: run.py HWCC FILE.cu

A comment `// finds: KIND: TEXT` before a racy one gives the finding's kind, and a part of what it says; each
`// says: TEXT` behind that more of it (`A | B`: one or the other, since threads may come in another order; `\\n`: the end of a
line); lines with `// HERE` inside of it are all the places that its findings may name, and must. `// options: ...` is
for hwcc, `// check: ...` for hostwarp check, `// devices: ...` are those that there are.
"""

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TESTED = re.compile(r"^(?:__global__|HOST) void (?:__\w+__\(.*?\) )?((?:racy|fixed)_\w+)\(")
PLACE = re.compile(r"^  (?:at|and) +.*?:(\d+)(?::\d+)? in", re.MULTILINE)
FINDING = re.compile(r"^hostwarp: (?=[a-z ]+: )", re.MULTILINE)


@dataclass
class Expectation:
    kind: str = ""
    text: str = ""
    says: list[str] = field(default_factory=list)
    lines: set[int] = field(default_factory=set)


def expectations(source: str) -> dict[str, Expectation]:
    """What is racy or fixed in a file, with what is to be found in them."""
    found: dict[str, Expectation] = {}
    comment, says, current = "", [], None
    for number, line in enumerate(source.splitlines(), 1):
        if line.startswith("// finds: "):
            comment, says = line.removeprefix("// finds: "), []
        if line.startswith("// says: "):
            says.append(line.removeprefix("// says: ").replace("\\n", "\n"))
        if tested := TESTED.search(line):
            current = found.setdefault(tested[1], Expectation())
            if tested[1].startswith("racy_"):
                current.kind, _, current.text = comment.partition(": ")
                current.says = says
        if line.endswith("// HERE") and current:
            current.lines.add(number)
    return found


def mistakes(expected: dict[str, Expectation], output: str) -> list[str]:
    findings = [text for text in FINDING.split(output)[1:] if "\n  by " in text]
    wrong = []
    for name, expectation in expected.items():
        mine = [text for text in findings if f"kernel {name}(" in text or f" in {name}(" in text]
        if name.startswith("fixed_"):
            wrong += [f"{name} has no defect, but:\n{text}" for text in mine]
            continue
        if not expectation.kind:
            wrong.append(f"{name} has no comment that says what is to be found")
        right = [text for text in mine if text.startswith(expectation.kind) and expectation.text in text]
        if not right:
            wrong.append(f"{name}: no '{expectation.kind}' with '{expectation.text}'" + "".join(f"\n{t}" for t in mine))
        for said in expectation.says if right else []:
            if not any(choice in text for choice in said.split(" | ") for text in right):
                wrong.append(f"{name}: nothing says '{said}':\n" + "".join(right))
        lines = {int(line) for text in right for line in PLACE.findall(text)}
        if expectation.lines and right and lines != expectation.lines:
            wrong.append(f"{name}: lines {sorted(lines)}, not {sorted(expectation.lines)}")
    return wrong


def main() -> int:
    hwcc, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    text = source.read_text()
    expected = expectations(text)
    options, devices = (re.findall(rf"(?<=^// {word}: ).*", text, re.MULTILINE) for word in ("options", "devices"))
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache"}
        if devices:
            environment["HOSTWARP_DEVICES"] = devices[0]
        subprocess.run([hwcc, *" ".join(options).split(), source, "-o", f"{folder}/program"], check=True)
        views = " ".join(re.findall(r"(?<=^// check: ).*", text, re.MULTILINE)).split()
        command = [hwcc.parent / "hostwarp", "check", *views, f"{folder}/program"]
        outputs = [subprocess.run(command, env=environment | variables, capture_output=True, text=True, check=False)
                   for variables in ({"HOSTWARP_WORKERS": "1"}, {"HOSTWARP_WORKERS": "8"},
                                     {"HOSTWARP_FORM": "fibers"}, {"HOSTWARP_SEED": "1"}, {"HOSTWARP_SEED": "2"})]
    wrong = []
    for run in outputs:
        wrong += mistakes(expected, run.stderr)
        if run.returncode != 1:
            wrong.append(f"exit status {run.returncode}, not 1; it printed:\n{run.stdout}{run.stderr}")
    if outputs[0].stderr != outputs[1].stderr:
        wrong.append("two runs, with 1 and 8 workers, say different things")
    print("\n".join(wrong) or f"{sum(name.startswith('racy_') for name in expected)} pairs, right in {len(outputs)} runs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
