"""`cuda ...`: what is looked at."""
import re

import gdb

from . import engine, events, focus, frames
from .tables import triple

WORDS = ("kernel", "grid", "block", "thread", "device", "sm", "warp", "lane")
_TOKEN = re.compile(r"\s*(?:([a-z]+)|(\d+)|\((\s*\d+\s*(?:,\s*\d+\s*){0,2})\)|(,))")


def parse(text):
    """{"block": (1, 0, 0), "thread": None}: words, with their numbers where there are some."""
    found, word, place = {}, None, 0
    text = text.rstrip()
    while place < len(text):
        token = _TOKEN.match(text, place)
        if not token:
            raise gdb.GdbError(f"Not understood: {text[place:].strip()}")
        place = token.end()
        name, number, several, _ = token.groups()
        if name:
            if name not in WORDS:
                raise gdb.GdbError(f"cuda knows {', '.join(WORDS)}, and not '{name}'.")
            word = name
            found[word] = None
        elif number or several:
            if word is None:
                raise gdb.GdbError(f"A word is missing before {number or several}.")
            found[word] = (found[word] or ()) + tuple(int(each) for each in (several or number).split(","))
    for word, value in found.items():
        if value and len(value) > (3 if word in ("block", "thread") else 1):
            raise gdb.GdbError(f"Too many numbers for {word}.")
    return found


def _values(thread):
    return {"kernel": thread.kernel.number, "grid": thread.kernel.grid_id, "block": triple(thread.block.index),
            "thread": triple(thread.index), "device": thread.kernel.device, "sm": thread.block.sm,
            "warp": thread.warp, "lane": thread.lane}


class _Cuda(gdb.Command):
    """Show or change which CUDA thread is looked at.

    cuda kernel 1 block (2,0,0) thread (5,0,0)    switch; what is left out stays as it is
    cuda device 0 sm 2 warp 1 lane 3              likewise
    cuda kernel block thread                      show
    cuda next-race                                with `hostwarp debug --check`: go on to the next finding"""

    def __init__(self):
        super().__init__("cuda", gdb.COMMAND_STACK, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        words = parse(argument)
        if not words:
            words = dict.fromkeys(WORDS)
        if any(value is not None for value in words.values()):
            return focus.switch_to(focus.pick({word: value for word, value in words.items() if value is not None}))
        thread = focus.current()
        if thread is None:
            raise gdb.GdbError(focus.NO_FOCUS)
        values = _values(thread)
        print(", ".join(f"{word} {values[word]}" for word in words))


class _Word(gdb.Command):
    """Show or change which CUDA thread is looked at: see `help cuda`."""

    def __init__(self, word):
        self._word = word
        super().__init__(f"cuda {word}", gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        cuda.invoke(f"{self._word} {argument}", from_tty)


class _NextRace(gdb.Command):
    """Go on to where the next race, or other finding, is found. The program must have been started with
    `hostwarp debug --check`."""

    def __init__(self):
        super().__init__("cuda next-race", gdb.COMMAND_RUNNING, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        events.stop_at_next_finding()
        gdb.execute("continue" if gdb.selected_inferior().pid else "run")


class _LetGo(gdb.Command):
    """What is done before the process goes on: gdb shall not take the stack of a waiting thread for that of the OS
    thread. For `next` and the like, a waiting thread first comes to the end of its wait."""

    def __init__(self):
        super().__init__("hostwarp-let-go", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        if argument == "step" and frames.shown.registers:
            self._wait()
        focus.forget()

    @staticmethod
    def _wait():
        frame = frames.of_kernel()
        if frame is None or frame.newer() is None:
            return
        place = gdb.FinishBreakpoint(frame.newer(), internal=True)
        place.silent = True
        gdb.execute("continue", to_string=True)
        if place.is_valid():
            place.delete()
            raise gdb.GdbError("The program has stopped elsewhere before the thread's wait was over.")


HOOKED = {"continue": "", "run": "", "start": "", "kill": "", "until": "", "advance": "", "jump": "",
          "next": "step", "step": "step", "nexti": "step", "stepi": "step"}

cuda = None


def install():
    global cuda
    cuda = _Cuda()
    for word in WORDS:
        _Word(word)
    _NextRace()
    _LetGo()
    for command, how in HOOKED.items():
        gdb.execute(f"define hook-{command}\nhostwarp-let-go {how}\nend", to_string=True)
