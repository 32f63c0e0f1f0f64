"""Programs of many seeds, side by side; those that differ are reduced and kept."""
import concurrent.futures
import pathlib
import random
import tempfile
import threading
import time

from generate.program import Program
from run.forms import all_forms
from run.programs import Built, DoesNotCompile, compare
from run.reduce import Reduction


class Tally:
    """What was found, told as it is found."""

    def __init__(self):
        self.lock = threading.Lock()
        self.programs = self.failed = 0

    def add(self, seed, problems):
        with self.lock:
            self.programs += 1
            self.failed += bool(problems)
            for problem in problems:
                print(f"seed {seed}: {problem}", flush=True)


def check_seed(options, forms, seed, tally, ends):
    if time.monotonic() > ends:
        return
    program = Program(seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        try:
            differences = compare(Built(options.hwcc, folder / "whole", program.text()), forms)
        except DoesNotCompile as problem:
            tally.add(seed, [f"does not compile: {problem}"])
            return
        tally.add(seed, differences)
        if differences and options.reduce:
            keep(options, folder, program, differences[0])


def keep(options, folder, program, difference):
    """Writes the reduced program where it can be found."""
    text = Reduction(options.hwcc, folder, program, difference, options.reduce).run()
    options.found.mkdir(parents=True, exist_ok=True)
    path = options.found / f"seed{program.seed}.cu"
    path.write_text(text or program.text(note=f" Differs, but not alone:\n// {difference}"))
    print(f"seed {program.seed}: reduced to {path}", flush=True)


def random_seeds():
    while True:
        yield random.randrange(1000, 10**9)


def check(options):
    """The exit status: 1 if any program differs or does not compile."""
    forms, tally = all_forms(), Tally()
    ends = time.monotonic() + 60 * options.minutes if options.minutes else float("inf")
    seeds = iter(options.seeds or random_seeds())
    # Each worker draws its next seed when it is done, so that an endless list of them is no matter.
    lock = threading.Lock()

    def work():
        while time.monotonic() < ends:
            with lock:
                seed = next(seeds, None)
            if seed is None:
                return
            check_seed(options, forms, seed, tally, ends)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for worker in [pool.submit(work) for _ in range(options.jobs)]:
            worker.result()
    print(f"{tally.programs} programs in {len(forms)} forms: {tally.failed} differ or do not compile")
    return 1 if tally.failed else 0
