"""The magic %%cuda of notebooks and IPython: a cell is a program of CUDA C++.

    %load_ext hostwarp

    %%cuda -O2 -std=c++20 --args "384 400"
    ...

compiles the cell by hwcc, runs it, and shows what it prints and the pictures that it has written (.png, .ppm). Options that are
not listed in OPTIONS are hwcc's."""
import pathlib
import shlex
import struct
import subprocess
import tempfile
import zlib

# option of the magic -> (what is missing behind it, or None: it takes nothing)
OPTIONS = {"--check": None, "--device": "a device", "--timeout": "seconds", "--args": "the program's arguments", "--save": "a file"}
PICTURES = 8  # at most so many are shown
SECONDS = 60.0


class Mistake(Exception):
    """What the reader of the cell has to mend."""


def parse(line):
    """(options of the magic, options of hwcc)."""
    own, compiler = {}, []
    try:
        words = iter(shlex.split(line))
    except ValueError as error:
        raise Mistake(f"%%cuda {line}: {error}") from None
    for word in words:
        name, equals, value = word.partition("=")
        if name not in OPTIONS:
            compiler.append(word)
        elif OPTIONS[name] is None:
            own[name] = True
        else:
            own[name] = value if equals else next(words, None)
            if own[name] is None:
                raise Mistake(f"%%cuda: {name} needs {OPTIONS[name]} behind it")
    return own, compiler


def seconds_of(options):
    try:
        return float(options.get("--timeout", SECONDS))
    except ValueError:
        raise Mistake(f"%%cuda: --timeout {options['--timeout']} is no number of seconds") from None


def compile_cell(hwcc, cell, options, folder):
    """The program; Mistake with the compiler's words, whose line numbers are the cell's (its first line is %%cuda)."""
    source, program = folder / "cell.cu", folder / "cell"
    # What follows %%cuda is the cell's second line.
    source.write_text(f'#line 2 "cell"\n{cell}')
    command = [hwcc, *options, f"-I{pathlib.Path.cwd()}", source, "-o", program]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if result.returncode != 0:
        raise Mistake(result.stderr + result.stdout)
    return program, result.stderr


def command_of(hostwarp, program, options):
    words = [hostwarp, "check" if "--check" in options else "run"]
    if "--device" in options and "--check" not in options:
        words += ["--device", options["--device"]]
    return [*words, program, *shlex.split(options.get("--args", ""))]


def run(command, environment, folder, seconds):
    """(stdout, stderr, None or what a person should know of its end)."""
    try:
        result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, errors="replace",
                                stdin=subprocess.DEVNULL, timeout=seconds)
    except subprocess.TimeoutExpired as expired:
        def text(output):
            return output.decode(errors="replace") if isinstance(output, bytes) else output or ""
        return text(expired.stdout), text(expired.stderr), f"ended after {seconds:g} seconds; --timeout gives it more"
    status = result.returncode
    ending = None if status == 0 else f"exit status {status}" if status > 0 else f"ended by signal {-status}"
    return result.stdout, result.stderr, ending


def png_of_ppm(data):
    """A PNG of a binary PPM (P6) with 255 values; None if it is none."""
    header, place = [], 0
    while len(header) < 4:
        end = place
        while end < len(data) and not data[end:end + 1].isspace():
            end += 1
        word = data[place:end]
        if word.startswith(b"#"):
            end = data.find(b"\n", place)
        elif word:
            header.append(word)
        if end < 0 or end >= len(data):
            return None
        place = end + 1
    if header[0] != b"P6" or not all(word.isdigit() for word in header[1:]) or header[3] != b"255":
        return None
    width, height = int(header[1]), int(header[2])
    row = 3 * width
    if width == 0 or height == 0 or len(data) - place < row * height:
        return None
    lines = b"".join(b"\0" + data[place + y * row:place + (y + 1) * row] for y in range(height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(lines, 6)) + chunk(b"IEND", b""))


def pictures_in(folder):
    """(name, PNG or None) of the pictures in a folder; None: it cannot be shown."""
    for file in sorted(folder.iterdir()):
        if file.suffix == ".ppm":
            yield file.name, png_of_ppm(file.read_bytes())
        elif file.suffix == ".png":
            yield file.name, file.read_bytes()


class Cell:
    """A cell that is compiled and run. show(text, is_error) and show_picture(png) put out what comes of it."""

    def __init__(self, root, environment, show, show_picture):
        self.bin, self.environment, self.show, self.show_picture = pathlib.Path(root) / "bin", environment, show, show_picture

    def show_pictures(self, folder):
        found = list(pictures_in(folder))
        for name, png in found[:PICTURES]:
            if png is None:
                self.show(f"{name}: no picture that can be shown; P6 with 255 values can\n", True)
            else:
                self.show_picture(png)
        if len(found) > PICTURES:
            self.show(f"{len(found) - PICTURES} more pictures are not shown\n", True)

    def take(self, line, cell):
        options, for_compiler = parse(line)
        seconds = seconds_of(options)
        if "--save" in options:
            pathlib.Path(options["--save"]).write_text(cell)
        with tempfile.TemporaryDirectory(prefix="hostwarp-cell-") as place:
            folder = pathlib.Path(place)
            program, warnings = compile_cell(self.bin / "hwcc", cell, for_compiler, folder)
            self.show(warnings, True)
            written = folder / "run"
            written.mkdir()
            environment = dict(self.environment)
            if "--device" in options:
                environment["HOSTWARP_DEVICES"] = options["--device"]
            output, errors, ending = run(command_of(self.bin / "hostwarp", program, options), environment, written, seconds)
            self.show(output, False)
            self.show(errors, True)
            self.show_pictures(written)
            if ending:
                self.show(f"%%cuda: {ending}\n", True)

    def run(self, line, cell):
        """Compiles and runs the cell; whatever is wrong with it becomes text."""
        try:
            self.take(line, cell)
        except Mistake as mistake:
            self.show(f"{mistake}\n", True)
        except OSError as error:
            self.show(f"%%cuda: {error.filename or ''}: {error.strerror}\n", True)


def load(shell, root):
    """Gives the shell, an IPython.core.interactiveshell.InteractiveShell, the magic."""
    import os
    import sys

    def show(text, is_error):
        if text:
            print(text, end="", file=sys.stderr if is_error else sys.stdout)

    def show_picture(png):
        from IPython.display import Image, display
        display(Image(data=png))

    def cuda(line, cell):
        """Compile the cell as CUDA C++ and run it: %%cuda [options of hwcc] [--check] [--device D] [--timeout S] [--args A] [--save FILE]"""
        Cell(root, os.environ, show, show_picture).run(line, cell)
    shell.register_magic_function(cuda, magic_kind="cell", magic_name="cuda")
