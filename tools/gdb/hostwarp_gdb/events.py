"""What happens when the process stops or goes on: faults by CUDA's names, kernels that begin, findings."""
import gdb

from . import engine, focus, frames, memory
from .memory import of

# CUDA's numbers of exceptions, by the engine's faults and by signals.
FAULTS = {"IllegalAddress": (14, "Warp Illegal Address"), "MisalignedAddress": (6, "Warp Misaligned Address"),
          "StackOverflow": (2, "Lane User Stack Overflow"), "IllegalInstruction": (4, "Warp Illegal Instruction"),
          "Trap": (4, "Warp Illegal Instruction"), "Assert": (12, "Warp Assert")}
SIGNALS = {"SIGSEGV": "IllegalAddress", "SIGBUS": "IllegalAddress", "SIGILL": "IllegalInstruction",
           "SIGFPE": "DivideByZero"}
# The guard below each stack (fibers/stack_pool.h).
GUARD_BYTES = 16 * 1024


def _tell(fault, what=""):
    number, name = FAULTS.get(fault, (None, None))
    if number:
        print(f"CUDA Exception: {name}")
        print(f"The thread received CUDA_EXCEPTION_{number}, {name}.")
    elif fault == "DivideByZero":
        print("A thread has divided an integer by zero, which a GPU does not notice.")
    if what:
        print(what.rstrip("\n"))


def _argument(register):
    return int(gdb.newest_frame().read_register(register))


class _Internal(gdb.Breakpoint):
    """A breakpoint on one of the functions that do nothing, which users do not see. `stop` says whether to stop."""

    def __init__(self, function, enabled):
        super().__init__(function, internal=True)
        self.silent = True
        self.enabled = enabled


class _Wishes:
    """What is to stop the program, and what has."""
    launches = findings = False
    fault = finding = None


class _Faults(_Internal):
    def __init__(self):
        super().__init__("hw_debugger_fault", True)

    def stop(self):
        _Wishes.fault = (of.name("Fault", _argument("rdi") & 0xffffffff), memory.text(_argument("rsi")))
        return True


class _Findings(_Internal):
    def __init__(self):
        super().__init__("hw_debugger_finding", _Wishes.findings)

    def stop(self):
        stop_at_next_finding(False)
        _Wishes.finding = memory.text(_argument("rdi"))
        return True


class _Launches(_Internal):
    def __init__(self):
        super().__init__("hw_debugger_launch", _Wishes.launches)

    def stop(self):
        kernel = engine.Kernel(_argument("rdi"))
        gdb.Breakpoint(kernel.place(), internal=True, temporary=True)
        return False


_breakpoints = {}


def _enable(kind, wanted):
    if kind in _breakpoints:
        _breakpoints[kind].enabled = wanted


def break_on_launch(wanted):
    _Wishes.launches = wanted
    _enable(_Launches, wanted)


def stop_at_next_finding(wanted=True):
    _Wishes.findings = wanted
    _enable(_Findings, wanted)


def _on_new_objfile(event):
    """The runtime has come, perhaps."""
    if _breakpoints:
        return
    try:
        gdb.parse_and_eval("(unsigned long)&hw_debugger_fault")
    except gdb.error:
        return
    for kind in (_Faults, _Findings, _Launches):
        _breakpoints[kind] = kind()


def _on_stop(event):
    engine.forget()
    try:
        _look(event)
    except (memory.NotThere, gdb.MemoryError):
        pass


def _look(event):
    if _Wishes.fault:
        _tell(*_Wishes.fault)
        _Wishes.fault = None
        _show_kernel()
    elif _Wishes.finding:
        print(_Wishes.finding.partition("\n")[0])
        _Wishes.finding = None
        _show_kernel()
    elif isinstance(event, gdb.SignalEvent) and event.stop_signal in SIGNALS and engine.current_fiber():
        _tell(_fault_of(event.stop_signal))
    focus.announce()


def _show_kernel():
    frame = frames.of_kernel()
    if frame:
        frame.select()
        print(frames.place_text(frame))


def _fault_of(signal):
    """A fault in a stack's guard is an overflow."""
    low = memory.u64(engine.current_fiber() + of["Fiber.stack"] + of["Stack.low"])
    pointer = int(gdb.newest_frame().read_register("rsp"))
    overflows = signal == "SIGSEGV" and low - GUARD_BYTES <= pointer < low + 256
    return "StackOverflow" if overflows else SIGNALS[signal]


def _is_stub(location):
    """The host's function of the kernel's name, which launches it."""
    symbol = gdb.execute(f"info symbol {location.address:#x}", to_string=True)
    if symbol.startswith("__hwd_"):  # device code
        return False
    if "__device_stub__" in (location.function or "") + symbol:
        return True
    name = symbol.partition(" in section")[0].partition(" + ")[0].strip()
    try:
        return bool(gdb.parse_and_eval(f"(unsigned long)&'__device_stub__{name}'"))
    except gdb.error:
        return False


def _leave_stubs(breakpoint):
    """Breakpoints by a kernel's name are for the kernel."""
    if breakpoint.type != gdb.BP_BREAKPOINT or not breakpoint.is_valid() or breakpoint.number < 0:
        return
    for location in breakpoint.locations:
        if location.enabled and _is_stub(location):
            location.enabled = False


def _on_exit(event):
    focus.forget()
    memory.of.forget()


def install():
    gdb.execute("set breakpoint pending on", to_string=True)
    try:
        # gdb 13 otherwise loses the process where it ends while gdb has not resumed its last thread yet.
        gdb.execute("maintenance set target-non-stop off", to_string=True)
    except gdb.error:
        pass  # it runs already
    gdb.events.breakpoint_created.connect(_leave_stubs)
    gdb.events.breakpoint_modified.connect(_leave_stubs)
    gdb.events.new_objfile.connect(_on_new_objfile)
    _on_new_objfile(None)
    gdb.events.stop.connect(_on_stop)
    gdb.events.cont.connect(lambda event: focus.forget())
    gdb.events.exited.connect(_on_exit)
