#!/usr/bin/env python3
"""Runs what the pages of the documentation show: programs, commands, and what these print. README.md has the marks.

Usage: run.py [--slow] BUILD [PAGE...]     --slow: also the blocks that are marked so; PAGE: docs/check.md, all without"""
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MARK = re.compile(r"^<!-- (first|slow first|file|run|slow output of|output of|output|part|not run)\b:? ?(.*?) ?-->$")
FENCE = re.compile(r"^(```+)")
NAMES = "/home/ada"  # what pages call the folder in which they run


class Wrong(Exception):
    pass


class Block:
    def __init__(self, line, mark, words, text):
        self.line, self.mark, self.words, self.text = line, mark, words, text


def blocks(page):
    """The blocks of a page, each with the mark above it, or None."""
    lines, mark, i = page.splitlines(), None, 0
    while i < len(lines):
        match, fence = MARK.match(lines[i]), FENCE.match(lines[i])
        begin = i + 1
        if match and match.group(1).endswith("first"):
            yield Block(begin, *match.groups(), "")
        elif match:
            mark = match.groups()
        elif fence:
            end = next(k for k in range(i + 1, len(lines)) if lines[k].strip() == fence.group(1))
            yield Block(begin, *(mark or (None, "")), "\n".join(lines[i + 1:end]) + "\n")
            i, mark = end, None
        elif lines[i].startswith("    ") and (i == 0 or not lines[i - 1].strip() or MARK.match(lines[i - 1])):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            yield Block(begin, *(mark or (None, "")), "\n".join(line[4:] for line in lines[i:end]).rstrip() + "\n")
            i, mark = end - 1, None
        elif lines[i].strip():
            mark = None
        i += 1


def exempt():
    """Pairs (pattern of pages, reason): pages whose blocks have no marks."""
    lines = (HERE / "exempt.txt").read_text().splitlines()
    return [tuple(part.strip() for part in line.split(":", 1)) for line in lines if line and not line.startswith("#")]


def collapsed(text):
    """Text with addresses, times and white space that differ from run to run made alike."""
    text = re.sub(r"0x[0-9a-f]{9,}", "0x~", text)
    text = re.sub(r"\b\d+\.\d+ (m?s)\b", r"~ \1", text)
    return " ".join(text.split())


def difference(shown, printed):
    """The first part of what a page shows that was not printed behind those before it; None: all were. A line `...` stands
    for any lines, and one that ends in it for any end of a line."""
    rest = collapsed(printed.replace(os.getcwd(), NAMES))
    for part in re.split(r"(?:^|(?<=\s))\.\.\.$", shown, flags=re.M):
        wanted = collapsed(part)
        place = rest.find(wanted)
        if place < 0:
            return part
        rest = rest[place + len(wanted):]
    return None


def steps(text):
    """Pairs (command, what it prints or None) of a block; without `$ ` at its beginning it is one script."""
    if not text.startswith("$ "):
        return [(text, None)]
    result = []
    for line in text.splitlines():
        if line.startswith("$ "):
            result.append([line[2:], ""])
        else:
            result[-1][1] += line + "\n"
    return result


class Page:
    """A page that runs in a folder of its own, which is the working directory."""

    def __init__(self, name, environment, slow):
        self.name, self.environment, self.slow = name, environment, slow
        self.printed, self.ran, self.left_out, self.skipped = "", 0, 0, False

    def run(self, block, words):
        status = next((int(word[5:]) for word in words if word.startswith("exit=")), 0)
        self.skipped = "slow" in words and not self.slow
        if self.skipped:
            self.left_out += 1
            return
        result = None
        for command, shown in steps(block.text):
            result = subprocess.run(["bash", "-e", "-c", command], env=self.environment, text=True, errors="replace",
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300)
            self.printed = result.stdout
            missing = difference(shown, self.printed) if shown else None
            if missing:
                raise Wrong(f"{command}\nhas not printed:\n{missing}but:\n{self.printed}")
        if result.returncode != status:
            raise Wrong(f"{block.text}exit status {result.returncode} in place of {status}:\n{self.printed}")
        self.ran += 1

    def print_of(self, command):
        """Runs a command that the page does not show; what became of it shows in what it prints."""
        result = subprocess.run(["bash", "-c", command], env=self.environment, text=True, errors="replace",
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=300)
        self.printed = result.stdout
        self.ran += 1

    def compare(self, shown):
        missing = difference(shown, self.printed)
        if missing:
            raise Wrong(f"not printed:\n{missing}but:\n{self.printed}")

    def take(self, block):
        if block.mark == "file":
            path = pathlib.Path(block.words)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        elif block.mark == "run":
            self.run(block, block.words.split())
        elif block.mark in ("first", "slow first"):
            self.run(Block(block.line, "run", "", block.words), block.mark.split())
        elif block.mark == "output" and not self.skipped:
            self.compare(block.text)
        elif block.mark == "output of" or block.mark == "slow output of" and self.slow:
            self.print_of(block.words)
            self.compare(block.text)
        elif block.mark == "slow output of":
            self.left_out += 1
        elif block.mark == "part":
            lines = re.sub(r"(?m)^ *\d+ {2}", "  ", block.text)
            if not os.path.exists(block.words) or collapsed(lines) not in collapsed(pathlib.Path(block.words).read_text()):
                raise Wrong(f"{block.words} has no such lines:\n{block.text}")
        elif block.mark == "not run" and not block.words:
            raise Wrong("a block that is not run needs a reason")
        elif block.mark is None:
            raise Wrong("this block has no mark; tests/docs/README.md says which there are")

    def run_all(self):
        files = HERE / "files" / self.name.removesuffix(".md").replace("/", "_")
        os.symlink(ROOT / "samples", "samples")
        if files.is_dir():
            shutil.copytree(files, ".", dirs_exist_ok=True)
        for block in blocks((ROOT / self.name).read_text()):
            try:
                self.take(block)
            except Wrong as wrong:
                print(f"{self.name}:{block.line}: {wrong}", flush=True)
                return False
        return True


def environment_of(build):
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HOSTWARP_", "NVCC_", "CUDA_"))}
    cache = build / "tests/docs.cache"
    cache.mkdir(parents=True, exist_ok=True)
    return dict(environment, PATH=f"{build / 'bin'}:{environment['PATH']}", XDG_CACHE_HOME=str(cache), LC_ALL="C.UTF-8")


def check_page(name, environment, slow):
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        page = Page(name, environment, slow)
        fine = page.run_all()
        os.chdir(ROOT)
    return fine, page.ran, page.left_out


def pages_with_marks():
    listed = subprocess.run([ROOT / "tools/docs_site/build", "--pages"], capture_output=True, text=True, check=True).stdout
    patterns = [pattern for pattern, _ in exempt()]
    return [page for page in ["README.md", *listed.split()] if not any(fnmatch.fnmatch(page, p) for p in patterns)]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--slow"]
    environment = environment_of(pathlib.Path(arguments[0]).resolve())
    failed, ran, left_out = [], 0, 0
    for name in arguments[1:] or pages_with_marks():
        fine, more, slow = check_page(name, environment, "--slow" in sys.argv)
        ran, left_out = ran + more, left_out + slow
        if not fine:
            failed.append(name)
    print(f"{ran} blocks of commands were run, {left_out} are left to ./dev docs --test" +
          (f"; wrong: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


sys.exit(main())
