"""Kernels, blocks and threads, as they lie in the memory of the process."""
import gdb

from . import memory
from .memory import of, u8, u32, u64
from .tables import index_of

LANES = 32
_cache = {}


def forget():
    """The process has gone on."""
    _cache.clear()


def kept(function):
    """What the function finds is kept until the process goes on."""
    def ask():
        if function not in _cache:
            _cache[function] = function()
        return _cache[function]
    return ask


class Kernel:
    """A launch that has begun and not ended, or waits for its turn."""

    def __init__(self, address):
        self.address = address
        request = address + of["Grid.request_"]
        self.request = request
        self.number = u64(address + of["Grid.launch_"])
        self.grid_id = u64(request + of["GridRequest.gridId"])
        self.name = memory.text(u64(request + of["GridRequest.kernelName"]))
        self.grid = memory.dim3(request + of["GridRequest.grid"])
        self.block = memory.dim3(request + of["GridRequest.block"])
        self.device = -memory.s64(request + of["GridRequest.deviceDelta"]) >> 40
        self.first_sm = u32(request + of["GridRequest.firstSm"])
        self.sms = max(u32(request + of["GridRequest.smCount"]), 1)
        self.entry = u64(request + of["GridRequest.entry"])
        self._code = None

    def place(self):
        """Where its code begins, for this processor, as gdb's `break` takes it."""
        entry = gdb.execute(f"info symbol {self.entry:#x}", to_string=True).split()[0]
        symbol = entry.replace("__hwd_entry.", "__hwd_", 1)
        try:
            self._code = int(gdb.parse_and_eval(f"(unsigned long)&'{symbol}'"))
            return f"-qualified -function {symbol}"
        except gdb.error:  # the kernel has become a part of its entry
            self._code = self.entry
            return f"*{self.entry:#x}"

    def code(self):
        """The address of its code."""
        if self._code is None:
            self.place()
        return self._code

    def blocks(self):
        return [block for block in blocks() if block.kernel.address == self.address]


class Block:
    """A block that has begun and not ended."""

    def __init__(self, address, kernel):
        self.address = address
        self.kernel = kernel
        self.linear = u64(address + of["Block.linear_"])
        self.index = index_of(self.linear, kernel.grid)
        self.count = u32(address + of["Block.threads_"])
        self.whole = u64(address + of["Block.blockEntry_"]) != 0
        self.sm = kernel.first_sm + self.linear % kernel.sms
        self._threads = None

    def warps(self):
        return [Warp(self, number) for number in range(u32(self.address + of["Block.warpCount_"]))]

    def threads(self):
        """All that have not ended, in order."""
        if self._threads is None:
            self._threads = [thread for warp in self.warps() for thread in warp.threads()]
        return self._threads

    def thread(self, linear):
        return next((thread for thread in self.threads() if thread.linear == linear), None)

    def ready(self):
        """The fibers of threads that may go on and do not run."""
        queue = self.address + of["Block.ready_"]
        if u64(queue + of["FiberQueue.size_"]) == 0:
            return set()
        if u8(queue + of["FiberQueue.random_"]):
            return set(memory.vector(queue + of["FiberQueue.array_"]))
        found, fiber = set(), u64(queue + of["FiberQueue.head_"])
        while fiber:
            found.add(fiber)
            fiber = u64(fiber + of["Fiber.next"])
        return found

    def barriers(self):
        """The open ones: (number, arrived, wanted)."""
        live = u32(self.address + of["Block.live_"])
        for number in range(16):
            barrier = self.address + of["Block.barriers_"] + number * of["sizeof(Barrier)"]
            arrived = u32(barrier + of["Barrier.arrived"])
            if arrived:
                yield number, arrived, u32(barrier + of["Barrier.count"]) or live


class Warp:
    def __init__(self, block, number):
        self.block, self.number = block, number
        self.address = u64(block.address + of["Block.warps_"]) + number * of["sizeof(Warp)"]
        self.live = u32(self.address + of["Warp.live"])
        self.started = u32(self.address + of["Warp.started"])

    def threads(self):
        lanes = memory.read(self.address + of["Warp.lanes"], 8 * LANES)
        ready = self.block.ready()
        for lane in range(LANES):
            if self.live >> lane & 1:
                has_begun = self.started >> lane & 1
                fiber = int.from_bytes(lanes[8 * lane:8 * lane + 8], "little") if has_begun else 0
                yield Thread(self.block, self.number * LANES + lane, fiber, fiber in ready)


class Thread:
    """A thread of a block. `fiber` is 0 before it begins."""

    def __init__(self, block, linear, fiber, is_ready):
        self.block, self.linear, self.fiber, self.is_ready = block, linear, fiber, is_ready
        self.index = index_of(linear, block.kernel.block)

    @property
    def kernel(self):
        return self.block.kernel

    @property
    def warp(self):
        return self.linear // LANES

    @property
    def lane(self):
        return self.linear % LANES

    def name(self):
        return self.kernel.number, self.block.linear, self.linear

    def os_thread(self):
        """gdb's thread that runs it; None: it waits."""
        return running().get(self.fiber) if self.fiber else None

    def site(self):
        """The return address of the call in which it waits."""
        return u64(self.fiber + of["Fiber.wait"] + of["Wait.site"])

    def state(self):
        if not self.fiber:
            return "not begun"
        if self.os_thread():
            return "runs"
        return "ready" if self.is_ready else self._wait()

    def _wait(self):
        wait = self.fiber + of["Fiber.wait"]
        kind = of.name("WaitKind", u8(wait + of["Wait.kind"]))
        detail, count = u32(wait + of["Wait.detail"]), u32(wait + of["Wait.count"])
        if kind == "Barrier":
            limit = f", {count} threads" if count else ""
            return f"waits at barrier {detail}{limit}" if detail or count else "waits at __syncthreads()"
        if kind == "Warp":
            what = of.name("Collective", u8(wait + of["Wait.collective"]))
            return f"waits at {COLLECTIVES.get(what, what)}" + (f"({detail:#x})" if detail else "()")
        return {"Tile": f"waits at a tile of {detail} threads", "Cluster": "waits at the cluster's barrier",
                "Grid": "waits at the grid's barrier", "Spin": "spins"}.get(kind, "waits")


COLLECTIVES = {"SyncWarp": "__syncwarp", "Shuffle": "__shfl_sync", "Vote": "a vote", "MatchAny": "__match_any_sync",
               "MatchAll": "__match_all_sync", "Reduce": "__reduce_sync", "Together": "mma_sync",
               "ActiveMask": "__activemask"}


def dispatcher():
    address = u64(memory.symbol("hw_debugger_dispatcher"))
    if address == 0:
        raise memory.NotThere("No CUDA kernel has been launched.")
    return address


@kept
def kernels():
    """All launches in flight, by number."""
    found = [Kernel(u64(grids)) for grids in _shared_pointers(dispatcher() + of["Dispatcher.inFlight_"])]
    return sorted(found, key=lambda kernel: kernel.number)


def _shared_pointers(vector):
    """The addresses of the elements of a std::vector of std::shared_ptr."""
    return range(u64(vector), u64(vector + 8), 16)


@kept
def blocks():
    """All blocks that have begun and not ended, by kernel and place."""
    by_address = {kernel.address: kernel for kernel in kernels()}
    found = []
    for worker in memory.vector(dispatcher() + of["Dispatcher.workers_"]):
        for block in memory.vector(worker + of["Worker.blocks_"]):
            kernel = by_address.get(u64(block + of["Block.grid_"]))
            if kernel:
                found.append(Block(block, kernel))
    return sorted(found, key=lambda block: (block.kernel.number, block.linear))


def current_fiber():
    """hw_current of the selected OS thread: 0 outside of kernels."""
    offset = memory.s64(memory.symbol("hw_debugger_current_offset"))
    base = int(gdb.selected_frame().read_register("fs_base")) & (1 << 64) - 1
    return u64(base + offset) if base and offset else 0


@kept
def running():
    """The OS threads that run a CUDA thread, by its fiber."""
    selected, frame, found = gdb.selected_thread(), gdb.selected_frame(), {}
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        fiber = current_fiber()
        if fiber:
            found[fiber] = thread
    selected.switch()
    frame.select()
    return found


def thread_of(fiber):
    """The thread that a fiber runs; None when the block is gone."""
    block = u64(fiber + of["Fiber.block"])
    for each in blocks():
        if each.address == block:
            return each.thread(u32(fiber + of["hw_thread.linearThread"]))
    return None
