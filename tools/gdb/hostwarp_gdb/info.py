"""`info cuda ...`."""
import gdb

from . import engine, focus, frames, settings
from .tables import lines, runs, triple


def _show(headers, rows, left=(), nothing="No CUDA kernels."):
    print("\n".join(lines(headers, rows, left)) if rows else nothing)


def _is_kernel(kernel, now):
    return now is not None and now.kernel.number == kernel.number


def kernels():
    now, rows = focus.current(), []
    for kernel in engine.kernels():
        mask = 0
        for block in kernel.blocks():
            mask |= 1 << block.sm
        status = "Active" if kernel.blocks() else "Pending"
        rows.append((_is_kernel(kernel, now), (kernel.number, "-", kernel.device, kernel.grid_id, status, f"{mask:#x}",
                                               triple(kernel.grid), triple(kernel.block), kernel.name)))
    _show(("Kernel", "Parent", "Dev", "Grid", "Status", "SMs Mask", "GridDim", "BlockDim", "Invocation"), rows,
          ("Invocation",))


def _coalesced(items, key, follows):
    if settings.coalescing.value:
        return runs(items, key, follows)
    return [[item, item, 1] for item in items]


def blocks():
    now, rows = focus.current(), []
    for kernel in engine.kernels():
        own = kernel.blocks()
        if own:
            rows.append(f"Kernel {kernel.number}")
        for first, last, count in _coalesced(own, lambda block: 0, lambda one, next: one.linear + 1 == next.linear):
            mark = _is_kernel(kernel, now) and first.linear <= now.block.linear <= last.linear
            rows.append((mark, (triple(first.index), triple(last.index), count, "running")))
    _show(("BlockIdx", "To BlockIdx", "Count", "State"), rows)


class _Places:
    """Where threads stand: address, file and line."""

    def __init__(self):
        self._known, self._running_at = {}, {}

    def of(self, thread):
        """The key by which threads are put together."""
        if not thread.fiber:
            return thread.kernel.code(), "not begun"
        if thread.os_thread():
            return self._running(thread), thread.state()
        return thread.site(), thread.state()

    def _running(self, thread):
        if thread.fiber not in self._running_at:
            with frames.shown.nothing():
                thread.os_thread().switch()
                self._running_at[thread.fiber] = self._place_of(frames.of_kernel())
        return self._running_at[thread.fiber]

    def _place_of(self, frame):
        if frame is None:
            return 0
        self._known[frame.pc()] = self._text_of(frame.find_sal())
        return frame.pc()

    @staticmethod
    def _text_of(place):
        return (place.symtab.filename.rpartition("/")[2], place.line) if place.symtab else ("n/a", "n/a")

    def text(self, pc, is_call):
        if pc not in self._known:
            self._known[pc] = self._text_of(gdb.find_pc_line(pc - 1 if is_call and pc else pc))
        return self._known[pc]


def _threads_of(kernel):
    return [thread for block in kernel.blocks() for thread in block.threads()]


def threads():
    now, rows, places = focus.current(), [], _Places()
    for kernel in engine.kernels():
        own = [(thread, places.of(thread)) for thread in _threads_of(kernel)]
        if own:
            rows.append(f"Kernel {kernel.number}")
        rows += [_thread_row(run, now, places) for run in _coalesced(own, lambda each: each[1], _follows)]
    _show(("BlockIdx", "ThreadIdx", "To BlockIdx", "ThreadIdx", "Count", "Virtual PC", "Filename", "Line", "State"),
          rows, ("State",))


def _follows(one, next):
    before, after = one[0], next[0]
    count = before.block.count
    return before.block.linear * count + before.linear + 1 == after.block.linear * count + after.linear


def _thread_row(run, now, places):
    (first, (pc, state)), (last, _), count = run
    file, line = places.text(pc, state not in ("runs", "not begun"))
    name = now.name() if now else None
    return (name is not None and first.name() <= name <= last.name(),
            (triple(first.block.index), triple(first.index), triple(last.block.index), triple(last.index), count,
             f"{pc:#018x}", file, line, state))


def warps():
    now, rows, places = focus.current(), [], _Places()
    for block in engine.blocks():
        rows.append(f"Device {block.kernel.device} SM {block.sm}")
        for warp in block.warps():
            own = list(warp.threads())
            if not own:
                continue
            lead = next((thread for thread in own if now and thread.name() == now.name()), own[0])
            at = places.of(lead)
            active = sum(1 << thread.lane for thread in own if places.of(thread) == at)
            rows.append((lead.name() == (now.name() if now else None),
                         (warp.number, f"{active:#010x}", f"{warp.live & ~active:#010x}", f"{at[0]:#018x}",
                          block.kernel.number, triple(block.index), triple(own[0].index))))
    _show(("Wp", "Active Lanes Mask", "Divergent Lanes Mask", "Active PC", "Kernel", "BlockIdx", "ThreadIdx"), rows)


def lanes():
    now, rows, places = focus.current(), [], _Places()
    if now is None:
        raise gdb.GdbError(focus.NO_FOCUS)
    rows.append(f"Device {now.kernel.device} SM {now.block.sm} Warp {now.warp}")
    own = {thread.lane: thread for thread in now.block.threads() if thread.warp == now.warp}
    for lane in range(engine.LANES):
        thread = own.get(lane)
        if thread:
            pc, state = places.of(thread)
            rows.append((lane == now.lane, (lane, "active", f"{pc:#018x}", triple(thread.index), state)))
        elif now.warp * engine.LANES + lane < now.block.count:
            rows.append((False, (lane, "exited", "", "", "")))
    _show(("Ln", "State", "Virtual PC", "ThreadIdx", "Doing"), rows, ("Doing",))


def barriers():
    rows = []
    for block in engine.blocks():
        for number, arrived, wanted in block.barriers():
            rows.append((False, (block.kernel.number, triple(block.index), number, arrived, wanted)))
    _show(("Kernel", "BlockIdx", "Barrier", "Arrived", "Of"), rows, nothing="No thread waits at a barrier of its block.")


def devices():
    now, rows = focus.current(), []
    for device in sorted({kernel.device for kernel in engine.kernels()}):
        own = [kernel for kernel in engine.kernels() if kernel.device == device]
        masks = sum(1 << sm for sm in {block.sm for kernel in own for block in kernel.blocks()})
        sms = memory_sms(own[0])
        rows.append((now is not None and now.kernel.device == device, (device, sms, engine.LANES, f"{masks:#x}")))
    _show(("Dev", "SMs", "Lanes/Warp", "Active SMs Mask"), rows)


def memory_sms(kernel):
    from .memory import of, u32
    return u32(kernel.request + of["GridRequest.deviceSms"])


def sms():
    now, rows = focus.current(), []
    for device in sorted({block.kernel.device for block in engine.blocks()}):
        rows.append(f"Device {device}")
        own = [block for block in engine.blocks() if block.kernel.device == device]
        for sm in sorted({block.sm for block in own}):
            active = sum(1 for block in own if block.sm == sm for warp in block.warps() if warp.live)
            mark = now is not None and (now.kernel.device, now.block.sm) == (device, sm)
            rows.append((mark, (sm, f"{(1 << active) - 1:#018x}")))
    _show(("SM", "Active Warps Mask"), rows)


TABLES = {"kernels": kernels, "blocks": blocks, "threads": threads, "warps": warps, "lanes": lanes,
          "barriers": barriers, "devices": devices, "sms": sms}


class _InfoCuda(gdb.Command):
    """What CUDA kernels are doing: info cuda kernels, blocks, threads, warps, lanes, barriers, devices, sms."""

    def __init__(self):
        super().__init__("info cuda", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)


class _Info(gdb.Command):
    """A table of what CUDA kernels are doing."""

    def __init__(self, name, show):
        self._show = show
        super().__init__(f"info cuda {name}", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        self._show()


def install():
    _InfoCuda()
    for name, show in TABLES.items():
        _Info(name, show)
