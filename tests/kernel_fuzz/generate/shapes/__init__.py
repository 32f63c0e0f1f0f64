"""The table of shapes: kinds of statements, each with the group it belongs to and the threads it needs together."""
import functools
import importlib

SHAPES = []  # (group, least level, weight, function)
MODULES = ["own_elements", "control", "warps", "barriers", "spaces", "calls", "numbers", "shared_sums", "textures",
           "inline_ptx", "grids", "subsets", "windows",
           "sixteen_bits", "block_idioms", "thread_idioms"]


def shape(group, level, weight=4):
    """Registers a function that makes a statement of a scope, or None where it does not fit."""
    def register(function):
        SHAPES.append((group, level, weight, function))
        return function
    return register


@functools.cache
def load():
    for module in MODULES:
        importlib.import_module(f"generate.shapes.{module}")


def statement(scope):
    """A random statement that may stand in the scope; it can be left out."""
    load()
    groups = scope.kernel.groups
    fitting = [(weight, make) for group, level, weight, make in SHAPES
               if (group in groups or group == "any") and level <= scope.level]
    while True:
        node = scope.draw.weighted(fitting)(scope)
        if node is not None:
            return node


def statements(scope, least, most):
    """A list of statements, fewer where loops and branches are deep."""
    if scope.depth > 2:
        least, most = 1, 2
    return [statement(scope) for _ in range(scope.draw.between(least, most))]
