"""The process's memory, and the values that the runtime tells of itself (fibers/debugger.h)."""
import struct

import gdb


class NotThere(gdb.GdbError):
    """The program does not run, or not with hostwarp."""


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def u8(address):
    return read(address, 1)[0]


def u32(address):
    return struct.unpack("<I", read(address, 4))[0]


def u64(address):
    return struct.unpack("<Q", read(address, 8))[0]


def s64(address):
    return struct.unpack("<q", read(address, 8))[0]


def dim3(address):
    return struct.unpack("<3I", read(address, 12))


def text(address, most=4096):
    """The bytes up to the zero, as text."""
    found = b""
    while len(found) < most:
        step = 64 - address % 64  # never beyond what is mapped
        piece = read(address, step)
        end = piece.find(b"\0")
        if end >= 0:
            return (found + piece[:end]).decode(errors="replace")
        found += piece
        address += step
    return found.decode(errors="replace")


def vector(address):
    """The pointers in a std::vector of pointers."""
    begin, end = struct.unpack("<2Q", read(address, 16))
    return struct.unpack(f"<{(end - begin) // 8}Q", read(begin, end - begin)) if end > begin else ()


def symbol(name):
    """The address of a symbol of the runtime's."""
    if gdb.selected_inferior().pid == 0:
        raise NotThere("The program is not being run.")
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{name}"))
    except gdb.error:
        raise NotThere("The program has not loaded hostwarp's libcudart, or an older one.") from None


class _Values:
    """The rows of fibers/debugger.def: of["Block.live_"] is an offset."""

    def __init__(self):
        self._rows = {}

    def forget(self):
        self._rows = {}

    def __getitem__(self, name):
        if not self._rows:
            self._rows = dict(self._read())
        return self._rows[name]

    def name(self, kind, value):
        """The enumerator of a kind with this number."""
        self["WaitKind.None"]
        return next((name.partition(".")[2] for name, each in self._rows.items()
                     if each == value and name.startswith(kind + ".")), str(value))

    @staticmethod
    def _read():
        row = u64(symbol("hw_debugger_values"))
        while (name := u64(row)) != 0:
            yield text(name), u64(row + 8)
            row += 16


of = _Values()
