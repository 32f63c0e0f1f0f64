"""`set cuda ...` and `show cuda ...`."""
import gdb


class _Switch(gdb.Parameter):
    """A parameter that is on or off."""

    def __init__(self, name, value, what):
        self.set_doc, self.show_doc = f"Set whether {what}.", f"Show whether {what}."
        self.what = what
        super().__init__(f"cuda {name}", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = value

    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return f"Whether {self.what}: {value}."


class _BreakOnLaunch(gdb.Parameter):
    """Stop at the first line of kernels as they begin: none; application, or all, which are the same here."""
    set_doc = "Set at which kernels' first lines to stop: none, application or all."
    show_doc = "Show at which kernels' first lines to stop."

    def __init__(self):
        super().__init__("cuda break_on_launch", gdb.COMMAND_RUNNING, gdb.PARAM_ENUM, ["none", "application", "all"])
        self.value = "none"

    def get_set_string(self):
        from . import events
        events.break_on_launch(self.value != "none")
        return ""

    def get_show_string(self, value):
        return f"Stops at the first line of these kernels: {value}."


class _Prefix(gdb.Command):
    """The settings of hostwarp's CUDA."""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


coalescing = None


def install():
    global coalescing
    _Prefix("set cuda")
    _Prefix("show cuda")
    coalescing = _Switch("coalescing", True, "threads in a row at one place are one line of `info cuda`")
    _BreakOnLaunch()
