"""The forms in which one program runs: how it is compiled, and what the environment says."""
import pathlib

BUILDS = ("-O2", "-O0")  # the second with device code as written, as -G leaves it
FUSED = ("fused", "fused16")  # arrays with sums whose products may be fused with them
VARIABLES = ("HOSTWARP_ISA", "HOSTWARP_WORKERS", "HOSTWARP_SEED", "HOSTWARP_FORM", "HOSTWARP_SPECIALISE")


class Form:
    def __init__(self, build, isa, workers, seed="", form="", specialise="off"):
        self.build, self.isa = build, isa
        self.environment = dict(zip(VARIABLES, (isa, str(workers), str(seed), form, specialise)))

    def __str__(self):
        values = " ".join(f"{name}={value}" for name, value in self.environment.items() if value)
        return f"{self.build} {values}"

    def likeness(self, array):
        """Forms of one likeness compute the same bits in this array, one of FUSED."""
        # Where the processor lacks FMA, sums of floats are rounded twice, those of 16 bits are not.
        return self.build, array == "fused" and self.isa == "baseline"

    def unlike(self, other):
        """The arrays that may be different in another form."""
        return [array for array in FUSED if self.likeness(array) != other.likeness(array)]


def isa_levels():
    """Those that this processor has."""
    flags = pathlib.Path("/proc/cpuinfo").read_text().split()
    levels = ["baseline"]
    if "avx2" in flags and "fma" in flags:
        levels.append("avx2")
        if all("avx512" + part in flags for part in ("f", "bw", "dq", "vl", "cd")):
            levels.append("avx512")
    return levels


def all_forms():
    """The reference first: each thread on a fiber of its own."""
    levels = isa_levels()
    best = levels[-1]
    forms = [Form("-O2", best, 1, seed=1), Form("-O2", best, 1, form="fibers"), Form("-O2", best, 2, seed=7),
             Form("-O2", "baseline", 2, seed=12345)]
    forms += [Form("-O2", isa, workers) for isa in levels for workers in (1, 2)]
    forms += [Form("-O2", isa, 2, form="any_block") for isa in levels[1:]]
    forms += [Form("-O2", isa, 2, specialise="always") for isa in levels[1:][-1:]]
    forms += [Form("-O0", best, 1), Form("-O0", best, 1, seed=7)]
    return forms
