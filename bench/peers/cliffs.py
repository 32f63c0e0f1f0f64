"""Pairs of programs that do the same, without and with one thing that may be dear."""
import forms
import measure

FOLDER = forms.HERE / "cliffs"
# The cases of cliffs.cu and units.cu named `<key>Without` and `<key>With`, or those of VARIANTS.
TITLES = {
    "printf": "a printf on a path that is never taken",
    "assert": "an assert",
    "pointer": "a call through a function pointer",
    "square": "a sum by shuffles in blocks of 16 x 16 (256 x 1)",
    "noinline": "a sum by shuffles in a `__noinline__` function",
    "tile": "a sum in tiles of 64 (32)",
    "barrier": "named barriers (`__syncthreads()`)",
    "grid": "a barrier of the grid (two kernels)",
    "store": "a scattered store by half of the threads (by all)",
    "unit": "`-rdc=true`, a call into another unit",
    "launch": "16 launches from a kernel (from the host)",
    "optimisation": "`-O0 -Xptxas -O0`, sums by halving (`-O3`)",
    "seed": "`HOSTWARP_SEED=1`, sums by halving",
}
# key: program and case without, program and case with, environment with
VARIANTS = {
    "unit": (("one_unit", "unit"), ("units", "unit"), {}),
    "launch": (("units", "launchWithout"), ("units", "launchWith"), {}),
    "optimisation": (("cliffs", "sums"), ("cliffs_unoptimised", "sums"), {}),
    "seed": (("cliffs", "sums"), ("cliffs", "sums"), {"HOSTWARP_SEED": "1"}),
}


def built(programs, hwcc):
    """{name: program}, without those that the compiler refuses."""
    cliffs, units = FOLDER / "cliffs.cu", FOLDER / "units.cu"
    commands = {
        "cliffs": ["-O3", cliffs],
        "cliffs_unoptimised": ["-O0", "-Xptxas", "-O0", cliffs],
        "one_unit": ["-O3", "-DBENCH_ONE_UNIT", units],
        "units": ["-O3", "-rdc=true", units, FOLDER / "units_other.cu"],
    }
    sources = list(FOLDER.iterdir())
    made = {name: programs.build(f"cliffs/{name}", [hwcc, "-std=c++20", *line, forms.MAIN], sources)
            for name, line in commands.items()}
    return {name: program for name, program in made.items() if program}


def jobs_of(made):
    """(key, `without` or `with`, program, case, environment) of each pair whose programs there are."""
    jobs = []
    for key in TITLES:
        pair = (("cliffs", f"{key}Without"), ("cliffs", f"{key}With"), {})
        without, with_it, environment = VARIANTS.get(key, pair)
        if without[0] in made and with_it[0] in made:
            jobs.append((key, "without", made[without[0]], without[1], {}))
            jobs.append((key, "with", made[with_it[0]], with_it[1], environment))
    return jobs


def measured(programs, hwcc, rounds):
    table = measure.Table()
    references = programs.folder / "cliffs" / "references"
    references.mkdir(parents=True, exist_ok=True)
    jobs = jobs_of(built(programs, hwcc))
    for key, kind, program, case, environment in jobs:
        if kind == "without":
            _, wrong = measure.run(program, case, "--write", references / key, environment)
            if wrong:
                table.wrong[(key, kind)] = wrong
    for number in table.rounds(rounds):
        for key in TITLES:
            for _, kind, program, case, environment in measure.in_turn([job for job in jobs if job[0] == key], number):
                table.add(key, kind, *measure.run(program, case, "--check", references / key, environment))
    return table
