"""Makes a program that differs smaller, as long as it differs in the same forms."""
import time

from generate.tree import Node
from run.programs import Built, DoesNotCompile, differing


class Reduction:
    def __init__(self, hwcc, folder, program, difference, seconds):
        self.hwcc, self.folder, self.program = hwcc, folder, program
        self.form, self.reference = difference.forms[0], difference.reference
        self.kernels = difference.kernels()[:1] or None
        self.dropped = set()
        self.ends = time.monotonic() + seconds
        self.tried = 0

    def differs(self, dropped, kernels):
        """Whether the smaller program still does; one that does not compile or ends badly in both forms does not."""
        self.tried += 1
        built = Built(self.hwcc, self.folder / f"try{self.tried % 2}", self.program.text(dropped, kernels))
        try:
            expected = built.output(self.reference, "fused")
            if "status" in expected or "ends not" in expected:
                return False
            output = built.output(self.form, "fused")
            return bool(differing(expected, output, self.form.unlike(self.reference)))
        except DoesNotCompile:
            return False

    def run(self):
        """The text of the smallest program found, or None if the kernel alone does not differ."""
        if not self.differs(self.dropped, self.kernels):
            self.kernels = None
            if not self.differs(self.dropped, None):
                return None
        alive = self._alive()
        size = max(len(alive) // 2, 1)
        while time.monotonic() < self.ends:
            progress = self._pass(size)
            if size == 1 and not progress:
                break
            size = size if progress and size == 1 else max(size // 2, 1)
        return self.program.text(self.dropped, self.kernels, self._note())

    def _pass(self, size):
        """Tries to leave out each run of so many nodes; says whether one could be."""
        progress, at = False, 0
        alive = self._alive()
        while at < len(alive) and time.monotonic() < self.ends:
            chunk = alive[at:at + size]
            if self.differs(self.dropped | set(chunk), self.kernels):
                self.dropped |= set(chunk)
                progress, alive = True, self._alive()
            else:
                at += size
        return progress

    def _reached(self):
        """The nodes that rendering meets, those that are left out among them, large pieces first."""
        level = [node for kernel in self.program.kernels if self.kernels is None or kernel.name in self.kernels
                 for node in kernel.node.children()]
        found = list(self.program.loose)
        while level:
            found += level
            level = [below for node in level for below in
                     ([node.instead] if node.number in self.dropped else node.parts) if isinstance(below, Node)]
        return found

    def _alive(self):
        return [node.number for node in self._reached() if node.number not in self.dropped]

    def _note(self):
        kernels = f" --kernels {','.join(self.kernels)}" if self.kernels else ""
        left_out = sorted(node.number for node in self._reached() if node.number in self.dropped)
        return (f" Reduced; differs between\n//   {self.form}\n//   {self.reference}\n"
                f"// kernel_fuzz show {self.program.seed}{kernels} --drop {','.join(map(str, left_out))}")
