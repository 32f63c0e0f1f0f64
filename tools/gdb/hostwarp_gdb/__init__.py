"""cuda-gdb's words for gdb, for kernels that hostwarp runs."""
import os

import gdb

# The kernel's addresses begin here.
NOWHERE = 0xffff800000000000


def install(folder):
    from . import commands, events, frames, info, settings
    for module in (settings, frames, commands, info, events):
        module.install()
    # Conditions name threadIdx before the code is there that has it.
    symbols = os.path.join(folder, "builtins.o")
    if os.path.exists(symbols):
        gdb.execute(f"add-symbol-file {symbols} -o {NOWHERE:#x}", to_string=True)
