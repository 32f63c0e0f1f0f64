#!/usr/bin/env python3
"""Runs programs with a defect, and the same without, under `hostwarp compare`.

usage: run.py HWCC defects.cu

Each defect must be found, in the kernel and the memory that have it; its twin must come to no difference. Then what the
command says of files, settings and programs that cannot be compared."""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FAST = "--second=program={fast}"
SEEDED = "--second=form=fibers,seed=5"

# name: (kernel, what the report says beside, options)
DEFECTS = {
    "neighbour": ("neighbour(int*, bool)", r"of type int differ", SEEDED),
    "tree": ("tree(int*, bool)", r"1 of 1 element of type int differs", SEEDED),
    "lastWriter": ("lastWriter(int*, bool)", r"element +0 \(offset 0\): \d+ in the first run", SEEDED),
    "chain": ("chain(int*, bool)", r"of 64 elements of type int differ", SEEDED),
    "inPlace": ("inPlace(double*, bool)", r"of 256 elements of type double differ", SEEDED),
    "accumulate": ("accumulate(float*)", r"63 of 64 elements of type float differ", ""),
    "histogram": ("histogram(unsigned int*)", r"7 of 7 elements of type unsigned int differ", ""),
    "stencil": ("stencil(double const*, double*, int)", r"[12] of 64 elements of type double differ", ""),
    "search": ("search(int const*, int)", r"memory +variable found", ""),
    "sum": ("sum(float*, bool)", r"ulps apart(?s:.*)--rtol", SEEDED),
    "sumOfDoubles": ("sumOfDoubles(double*, bool)", r"ulps? apart(?s:.*)--rtol", SEEDED),
    "compact": ("compact(int*, unsigned int*, bool)", r"of 512 elements of type int differ", SEEDED),
    "warpSum": ("warpSum(int*, bool)", r"1 of 1 element of type int differs", SEEDED),
    "leader": ("leader(int*, bool)", r"of 32 elements of type int differ", SEEDED),
    "rotate": ("rotate(short*, bool)", r"of 32 elements of type short differ", SEEDED),
    "seed": (None, r"differ at copy by cudaMemcpy\(\)", ""),
    "generate": ("generate(unsigned int*, unsigned int)", r"64 of 64 elements of type unsigned int differ", ""),
    "managed": (None, r"differ at what the host has written", ""),
    "product": ("product(float*, bool)", r"--ulp \d+ would hide it", FAST),
    "quotient": ("quotient(float*, bool)", r"--ulp \d+ would hide it", FAST),
    "difference": ("difference(float*, bool)", r"--ulp \d+ would hide it", FAST),
    "fused": ("fused(float*, bool)", r"--ulp \d+ would hide it", FAST),
    "grid": (None, r"the first run does kernel nothing\(int\), grid \(\d+,1,1\).*the second kernel nothing\(int\)", ""),
    "sizes": (None, r"allocation 1: \d+ bytes \(cudaMalloc\) in the first run, \d+ bytes", ""),
    "status": (None, r"after 1 launch: exit status 0 of the first run, 3 of the second", "--second=COMPARE_STATUS=1"),
}

OTHER = r"""
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void spin(volatile int *go) { while (!*go); }
__global__ void race(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void fault(int *p) { *p = 1; }
int main(int argc, char **argv) {
  int *memory;
  if (!std::strcmp(argv[1], "silent")) return 0;
  cudaMalloc(&memory, 64 * sizeof(int));
  if (!std::strcmp(argv[1], "race")) race<<<1, 64>>>(memory);
  if (!std::strcmp(argv[1], "fault")) fault<<<1, 1>>>(nullptr);
  if (!std::strcmp(argv[1], "crash")) race<<<1, 1>>>(memory), std::abort();
  if (!std::strcmp(argv[1], "killed") && std::getenv("COMPARE_KILLED")) kill(getpid(), SIGKILL);
  if (!std::strcmp(argv[1], "hang")) {
    int *go;
    cudaMallocHost(&go, sizeof(int));
    *go = 0;
    spin<<<1, 1>>>(go);
    *go = 1;
  }
  cudaDeviceSynchronize();
}
"""


class Test:
    def __init__(self, hwcc, source, folder):
        self.hwcc, self.source, self.folder = hwcc, source, folder
        self.fast_math = source.with_name("fast_math.cu")
        self.tool = hwcc.parent / "hostwarp"
        self.lines = {}
        for file in (source, self.fast_math):
            for number, line in enumerate(file.read_text().splitlines(), 1):
                for names in re.findall(r"(?<=// HERE: ).*", line):
                    self.lines |= {name: f"{file.name}:{number}" for name in names.split()}
        self.failures = []

    def compile(self, name, source, *options):
        subprocess.run([self.hwcc, "-g", *options, str(source), "-o", str(self.folder / name)], check=True)
        return str(self.folder / name)

    def compare(self, *arguments, **variables):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HOSTWARP_")}
        # With more workers it is left to chance which of several blocks comes last.
        environment |= {"XDG_CACHE_HOME": str(self.folder / "cache"), "HOSTWARP_BACKEND": "cpu", "HOSTWARP_WORKERS": "1",
                        **variables}
        done = subprocess.run([str(self.tool), "compare", *map(str, arguments)], env=environment, capture_output=True,
                              text=True, errors="replace", timeout=300, check=False)
        return done.returncode, done.stdout + done.stderr

    def expect(self, what, run, status, *patterns):
        missing = [pattern for pattern in patterns if not re.search(pattern, run[1])]
        if run[0] != status or missing:
            self.failures.append(f"FAILED: {what}: exit status {run[0]}, expected {status}; missing: {missing}\n{run[1]}")

    def defect(self, name):
        kernel, text, options_text = DEFECTS[name]
        options = [part.format(fast=self.folder / "fast") for part in options_text.split()]
        patterns = [text]
        if kernel:
            patterns.append(r"differ after launch 1: kernel " + re.escape(kernel))
        if name in self.lines:
            patterns.append(re.escape(self.lines[name]) + " in ")
        program = self.folder / ("plain" if FAST in options_text else "defects")
        self.expect(name, self.compare("--no-check", *options, program, name, "bad"), 1, *patterns)
        self.expect(f"{name} without its defect", self.compare("--no-check", *options, program, name, "good"), 0,
                    "no difference in")


def alike(test, program):
    """What differs and does not count."""
    test.expect("pointers", test.compare("--no-check", "--second=COMPARE_GAP=1,isa=baseline", program, "pointers"), 0, "no difference in 1 launch")
    for tolerance in ("--rtol=1e-9", "--atol=1e-9", "--ulp=100"):
        run = test.compare("--no-check", SEEDED, tolerance, program, "sumOfDoubles", "bad")
        test.expect(f"a sum within {tolerance}", run, 0, "no difference in 1 launch")
    run = test.compare("--no-check", SEEDED, "--ulp=1", program, "sum", "bad")
    test.expect("a sum beyond a tolerance", run, 1, "kernel sum")


def saved(test, program):
    """Files of digests, with values and without."""
    digests, values = test.folder / "run.digests", test.folder / "values.digests"
    test.expect("save", test.compare(f"--save={digests}", program, "chain", "good"), 0, "launches .* are in")
    test.expect("the same", test.compare(f"--with={digests}", program, "chain", "good"), 0, "no difference in 1 launch")
    # With one worker the blocks of a racy kernel come in order.
    ordered = {"HOSTWARP_WORKERS": "1"}
    test.expect("save values", test.compare("--save", values, "--values", program, "chain", "bad", **ordered), 0)
    test.expect("the same values", test.compare("--with", values, program, "chain", "bad", **ordered), 0, "no difference")
    run = test.compare("--no-check", f"--with={values}", SEEDED, program, "chain", "bad")
    test.expect("other values", run, 1, "kernel chain", re.escape(test.lines["chain"]) + " in", "element +[0-9]+ ")
    run = test.compare(f"--with={digests}", program, "chain", "bad")
    test.expect("other arguments", run, 2, "is of another program or other arguments: 'defects chain good', not 'defects chain bad'")
    lines = digests.read_text().splitlines(keepends=True)
    changed = test.folder / "changed.digests"
    for what, text, pattern in (
            ("another version", lines[0].replace('"hostwarp_digests":1', '"hostwarp_digests":2') + lines[1], "another version of hostwarp"),
            ("no digests", "something else\n", "is no file of digests"),
            ("a damaged line", lines[0] + "{]\n", "is damaged in line 2"),
            ("half a file", lines[0], "ends before its end, in line 2")):
        changed.write_text(text)
        test.expect(what, test.compare(f"--with={changed}", program, "chain", "good"), 2, pattern)
    changed.write_text("".join(lines).replace('"block":[1,1,1]', '"block":[2,1,1]'))
    test.expect("another block", test.compare(f"--with={changed}", program, "chain", "good"), 1, r"block \(2,1,1\).*block \(1,1,1\)")
    other = json.loads(lines[-2])
    other["changed"][-1]["digest"] = "0" * 32
    changed.write_text("".join(lines[:-2]) + json.dumps(other) + "\n" + lines[-1])
    run = test.compare("--no-check", f"--with={changed}", program, "chain", "good")
    test.expect("another digest", run, 1, "digest +0{32} in the first run, [0-9a-f]{32} in the second: values were not saved")


def explained(test, program):
    """hostwarp check says why, and JSON has all of it."""
    report = test.folder / "report.json"
    run = test.compare(SEEDED, f"--json={report}", program, "race")
    test.expect("explanation", run, 1, r"check +race within a block: .*other\.cu:\d+ and .*other\.cu:\d+")
    data = json.loads(report.read_text())
    memory = data["difference"]["memory"][0]
    if data["verdict"] != "differs" or memory["type"] != "int" or not data["check"] or "other.cu" not in memory["place"]:
        test.failures.append(f"FAILED: JSON: {data}")


def incomparable(test, program):
    """What cannot be compared ends with 2 and a sentence."""
    test.expect("no program", test.compare("./missing"), 2, "could not be started(?s:.*)No such file")
    test.expect("nothing", test.compare(), 2, "compare needs a program")
    test.expect("no work", test.compare(program, "silent"), 2, "no call that allocates, copies or launches")
    test.expect("crash", test.compare(program, "crash"), 2, "was ended by a signal: Aborted, after 1 launch")
    test.expect("killed", test.compare("--second=COMPARE_KILLED=1", program, "killed"), 2, "COMPARE_KILLED=1 was ended by a signal: Killed")
    test.expect("hang", test.compare("--timeout=1", program, "hang"), 2, "has done nothing for 1 s")
    test.expect("fault", test.compare("--no-check", program, "fault"), 0, "no difference in 1 launch")
    for option, pattern in (("--first=fast", "'fast' is no setting"), ("--second=form=round", "none of the values of form"),
                            ("--ulp=-1", "needs a number"), ("--type=matrix", "there is no type 'matrix'"),
                            ("--best=1", "unknown option '--best'"), ("--second=device=x9", "no GPU is called"),
                            ("--with=missing", "cannot read missing"), ("--save=/nowhere/x", "cannot write /nowhere/x")):
        test.expect(option, test.compare(option, program, "race"), 2, pattern)
    run = test.compare(program, "race", TMPDIR=str(test.folder / "nothing"))
    test.expect("no temporary folder", run, 2, "there is no temporary folder")


def main():
    with tempfile.TemporaryDirectory() as folder:
        test = Test(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(folder))
        program = test.compile("defects", test.source)
        test.compile("plain", test.fast_math)
        test.compile("fast", test.fast_math, "-use_fast_math", "-fmad=false")
        (test.folder / "other.cu").write_text(OTHER)
        other = test.compile("other", test.folder / "other.cu")
        with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            list(pool.map(test.defect, DEFECTS))
        alike(test, program)
        saved(test, program)
        explained(test, other)
        incomparable(test, other)
    print("\n".join(test.failures) or f"{len(DEFECTS)} defects found, nothing without them")
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
