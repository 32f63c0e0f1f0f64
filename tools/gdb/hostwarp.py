# What gdb knows of CUDA kernels that hostwarp runs: `source` this file, or start gdb with `hostwarp debug`.
import os
import sys

sys.dont_write_bytecode = True
folder = os.path.dirname(os.path.abspath(__file__))
if folder not in sys.path:
    sys.path.insert(0, folder)
import hostwarp_gdb  # noqa: E402

hostwarp_gdb.install(folder)
