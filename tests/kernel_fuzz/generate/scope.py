"""Where a statement stands: which threads come here together, and what they may read."""

# What comes here together, and equally often: one thread; the lanes of `mask`; all threads of the block that have not
# left; all of the grid.
THREAD, WARP, BLOCK, GRID = range(4)


class Scope:
    def __init__(self, kernel, level, mask="live", depth=0):
        self.kernel, self.draw = kernel, kernel.draw
        self.level = level
        self.mask = mask if kernel.masked else None
        self.depth = depth
        self.readable = ()         # shared arrays that any thread may read at any index here
        self.shared_writable = True  # a thread may write its own element of shared arrays
        self.counters = ()         # loop variables
        self.turns = 1             # how often enclosing loops come here at most

    def inner(self, level=None, mask=None, turns=1, counter=None):
        """The scope of a statement's body."""
        scope = Scope(self.kernel, self.level if level is None else level, mask or self.mask, self.depth + 1)
        if scope.level >= WARP and not scope.mask:
            scope.level = scope.level if scope.level >= BLOCK else THREAD
        scope.readable, scope.shared_writable = self.readable, self.shared_writable
        scope.counters = self.counters + ((counter,) if counter else ())
        scope.turns = self.turns * turns
        return scope

    def reading(self, array, level):
        """The scope between barriers, where others' elements of the array may be read and none written."""
        scope = self.inner(min(self.level, level))
        scope.readable, scope.shared_writable = self.readable + (array,), False
        return scope
