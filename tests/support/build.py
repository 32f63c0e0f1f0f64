"""Compiles test programs as users do, and once more with device code that is not optimised, as -G leaves it.

Both passes of clang are taken as they were: so the second program takes only what hwcc-device and the linker do. hwcc tells which kernels have no block function; a kernel for which it does not know what to put in the place of the
running thread's state is a defect of hwcc-device (docs/design/block_functions.md), which nobody would see but in the time
that the kernel takes.
"""
import dataclasses
import os
import re
import shlex
import subprocess
import tempfile

REFUSED = " has a fiber per thread: "
LEFT_OVER = REFUSED + "it keeps the address of the running thread's state"


@dataclasses.dataclass
class Build:
    succeeded: bool
    output: str      # what hwcc said, but for the lines that were asked for
    left_over: list  # the lines of kernels that a defect keeps from having a block function


def again_unoptimised(commands, target):
    """Does once more what hwcc-device and the linker did; what went wrong, as lines."""
    for line in commands:
        command = shlex.split(line)
        tool = os.path.basename(command[0])
        if tool == "hwcc-device":
            command = ["-G" if re.fullmatch("-O[0-3]", word) else word for word in command if word != "--explain"]
        elif tool == "hwcc-link":
            command[command.index("-o") + 1] = str(target)
        else:
            continue
        result = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if result.returncode:
            return [f"-G: {tool} ended with {result.returncode}", *result.stderr.splitlines()]
    return []


def build(hwcc, arguments, binary, unoptimised=None):
    """Makes the program, and the unoptimised one if it has a name."""
    with tempfile.TemporaryDirectory() as folder:
        # What this machine cannot run need not be compiled here: samples and the driver's tests have all of it.
        command = [hwcc, "-Xptxas", "-v", "--highest-isa=native", *arguments, "-o", binary]
        if unoptimised:
            command += ["-v", "--keep", "--keep-dir", folder]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace")
        lines = result.stderr.splitlines()
        commands = [line[3:] for line in lines if line.startswith("#$ ")]
        problems = again_unoptimised(commands, unoptimised) if result.returncode == 0 and unoptimised else []
    rest = [line for line in lines if not line.startswith("#$ ") and REFUSED not in line]
    return Build(result.returncode == 0 and not problems, "\n".join(rest + problems),
                 [line for line in lines if line.endswith(LEFT_OVER)])
