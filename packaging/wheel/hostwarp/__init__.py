"""CUDA C++ on the CPU. The package is an installation of hostwarp: the commands hwcc and hostwarp are on the path, `root` is
its folder, with bin, lib, include and lib/cmake, for CMAKE_PREFIX_PATH and the like."""
import os
import pathlib
import sys

root = pathlib.Path(__file__).resolve().parent / "root"
include = root / "include"
lib = root / "lib"


def _become(program):
    path = root / "bin" / program
    try:
        os.execv(path, [str(path), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{program}: {path}: {error.strerror}; pip install --force-reinstall mends it")


def _hwcc():
    _become("hwcc")


def _hostwarp():
    _become("hostwarp")


def load_ipython_extension(shell):
    """What `%load_ext hostwarp` calls: the magic %%cuda of magic.py."""
    from . import magic
    magic.load(shell, root)
