"""The stack of a thread that waits, as gdb's own: an unwinder says of the frame in which the OS thread has stopped that
the waiting thread's frames called it. No register of the process is changed."""
import contextlib

import gdb
from gdb.unwinder import Unwinder, register_unwinder

from .memory import of, u64

# Where Boost.Context's jump_fcontext() keeps registers, from the handle on; the stack begins behind. fibers/context.h
# then steps back over the red zone.
SAVED = {"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38}
SAVED_BYTES, RED_ZONE = 0x40, 128

RUNTIME = ("hw_", "hostwarp::", "std::", "boost::")


class _Shown:
    """The waiting thread whose stack is shown, and where the OS thread really stands."""

    def __init__(self):
        self.registers = self.place = None

    def show(self, fiber):
        self.hide()
        stands = gdb.newest_frame()
        self.place = tuple(int(stands.read_register(name)) for name in ("rsp", "rip"))
        handle = u64(fiber + of["Fiber.context"] + of["Context.handle"])
        self.registers = {name: u64(handle + offset) for name, offset in SAVED.items()}
        self.registers["rsp"] = handle + SAVED_BYTES + RED_ZONE
        gdb.invalidate_cached_frames()

    def hide(self):
        if self.registers:
            self.registers = self.place = None
            gdb.invalidate_cached_frames()

    @contextlib.contextmanager
    def nothing(self):
        """Within, the OS thread's own stack is there."""
        selected, thread, registers = gdb.selected_frame(), gdb.selected_thread(), self.registers
        self._take(None)
        try:
            yield
        finally:
            thread.switch()
            self._take(registers)
            selected.select()

    def _take(self, registers):
        if registers is not self.registers:
            self.registers = registers
            gdb.invalidate_cached_frames()


shown = _Shown()


class _Id:
    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class _FiberUnwinder(Unwinder):
    def __init__(self):
        super().__init__("hostwarp")

    def __call__(self, frame):
        if not shown.registers:
            return None
        sp, pc = frame.read_register("rsp"), frame.read_register("rip")
        if (int(sp), int(pc)) != shown.place:
            return None
        # Callers' frames are to lie at higher addresses.
        saved = shown.registers
        number = gdb.Value(saved["rsp"] - SAVED_BYTES)
        info = frame.create_unwind_info(_Id(number.cast(sp.type), pc))
        for name, value in saved.items():
            info.add_saved_register(name, gdb.Value(value).cast(frame.read_register(name).type))
        return info


class _FrameFilter:
    """Backtraces begin behind the engine's own frames, and end where the kernel begins."""

    def __init__(self):
        self.name, self.priority, self.enabled = "hostwarp", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        has_begun = False
        for frame in frames:
            inferior = frame.inferior_frame()
            has_begun = has_begun or not self._is_hidden(inferior)
            if not has_begun:
                continue
            if is_entry(inferior):
                return
            yield frame

    @staticmethod
    def _is_hidden(frame):
        name = frame.name() or ""
        if shown.registers is not None and frame.level() == 0 or name.startswith("hw_debugger_"):
            return True
        return is_runtime(frame) and not name.startswith(("hw_", "cuda", "cu"))


def is_entry(frame):
    """The frame that the engine calls for each thread."""
    return (frame.name() or "").startswith("__hwd_entry.")


def is_runtime(frame):
    name = frame.name()
    if name and name.startswith(RUNTIME):
        return True
    return "libcudart" in (gdb.solib_name(frame.pc()) or "")


def _stack():
    frame = gdb.newest_frame()
    while frame is not None:
        yield frame
        frame = frame.older()


def of_kernel():
    """The innermost frame of the user's code in the stack of the thread that is looked at; None: there is none."""
    innermost, found = shown.registers is not None, None
    for frame in _stack():
        if innermost:  # where the OS thread stands
            innermost = False
        elif is_entry(frame):
            return found
        elif found is None and not is_runtime(frame) and frame.type() != gdb.SIGTRAMP_FRAME:
            found = frame
    return None


def place_text(frame):
    """What gdb prints when it stops there."""
    return gdb.execute("frame", to_string=True).rstrip("\n")


def install():
    register_unwinder(None, _FiberUnwinder(), replace=True)
    _FrameFilter()
