"""Which CUDA thread is looked at: the one that runs, or one that waits and has been switched to."""
import gdb

from . import engine, frames
from .memory import NotThere
from .tables import linear_of, triple

NO_FOCUS = "Focus is not set on any active CUDA kernel."
UNCHANGED = "Request cannot be satisfied. CUDA focus unchanged."


class _Focus:
    def __init__(self):
        self.chosen = None  # the name of a thread that waits
        self.last = None    # of the thread that was looked at last


_focus = _Focus()


def forget():
    """The process goes on: the focus is on what runs again."""
    engine.forget()
    _focus.chosen = None
    frames.shown.hide()


def current():
    """The thread that is looked at; None outside of kernels."""
    try:
        if _focus.chosen:
            return _find(*_focus.chosen)
        fiber = engine.current_fiber()
        return engine.thread_of(fiber) if fiber else None
    except (NotThere, gdb.MemoryError):
        return None


def _find(kernel, block, thread):
    for each in engine.blocks():
        if (each.kernel.number, each.linear) == (kernel, block):
            return each.thread(thread)
    return None


def describe(thread):
    kernel = thread.kernel
    return (f"CUDA kernel {kernel.number}, grid {kernel.grid_id}, block {triple(thread.block.index)}, thread "
            f"{triple(thread.index)}, device {kernel.device}, sm {thread.block.sm}, warp {thread.warp}, lane "
            f"{thread.lane}")


def switch_to(thread):
    """Shows the stack of the thread, and prints where it stands."""
    if not thread.fiber:
        raise gdb.GdbError(f"Thread {triple(thread.index)} of block {triple(thread.block.index)} has not begun: threads "
                           "begin one after the other, as those before them wait or end.")
    if thread.block.whole:
        raise gdb.GdbError("The threads of this block run as a loop: only the debug build has a stack for each.")
    forget_shown()
    os_thread = thread.os_thread()
    if os_thread:
        os_thread.switch()
    else:
        frames.shown.show(thread.fiber)
        _focus.chosen = thread.name()
    _focus.last = thread.name()
    frame = frames.of_kernel()
    if frame:
        frame.select()
    print(f"[Switching focus to {describe(thread)}]")
    gdb.execute("frame")


def forget_shown():
    _focus.chosen = None
    frames.shown.hide()


def pick(wanted):
    """The thread for words and numbers: block, thread and so on; what is not said is that of the focus, or the first
    that there is."""
    now = current()
    kernel = _pick_kernel(wanted, now)
    block = _pick_block(wanted, kernel, now)
    linear = _pick_thread(wanted, block, now)
    threads = block.threads() if linear is None else [thread for thread in block.threads() if thread.linear == linear]
    begun = [thread for thread in threads if thread.fiber] or threads
    if not begun:
        raise gdb.GdbError(UNCHANGED)
    return begun[0]


def _pick_kernel(wanted, now):
    found = [kernel for kernel in engine.kernels()
             if wanted.get("kernel", (kernel.number,))[0] == kernel.number
             and wanted.get("grid", (kernel.grid_id,))[0] == kernel.grid_id
             and wanted.get("device", (kernel.device,))[0] == kernel.device]
    if now and now.kernel.number in [kernel.number for kernel in found]:
        return now.kernel
    with_blocks = [kernel for kernel in found if kernel.blocks()]
    if not with_blocks:
        raise gdb.GdbError(UNCHANGED)
    return with_blocks[0]


def _pick_block(wanted, kernel, now):
    blocks = [block for block in kernel.blocks() if wanted.get("sm", (block.sm,))[0] == block.sm]
    if "block" in wanted:
        index = _padded(wanted["block"], kernel.grid)
        blocks = [block for block in blocks if block.index == index]
    elif now and now.block.linear in [block.linear for block in blocks]:
        return now.block
    if not blocks:
        raise gdb.GdbError(UNCHANGED)
    return blocks[0]


def _pick_thread(wanted, block, now):
    """Its linear number; None: any."""
    if "thread" in wanted:
        return linear_of(_padded(wanted["thread"], block.kernel.block), block.kernel.block)
    own = now if now and now.block.address == block.address else None
    if "warp" in wanted or "lane" in wanted:
        warp = wanted["warp"][0] if "warp" in wanted else own.warp if own else 0
        lane = wanted["lane"][0] if "lane" in wanted else 0
        return warp * engine.LANES + lane
    return own.linear if own and not {"block", "kernel"} & wanted.keys() else None


def _padded(index, extent):
    index = tuple(index) + (0,) * (3 - len(index))
    if any(each >= limit for each, limit in zip(index, extent)):
        raise gdb.GdbError(UNCHANGED)
    return index


def announce():
    """Says, where the process has stopped in another CUDA thread than before, which it is."""
    thread = current()
    name = thread.name() if thread and not thread.block.whole else None
    if name and name != _focus.last:
        print(f"[Switching focus to {describe(thread)}]")
    _focus.last = name or _focus.last
