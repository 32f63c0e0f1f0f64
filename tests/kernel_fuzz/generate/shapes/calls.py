"""Calls: functions that are not inlined, recursion, calls by address, virtual functions."""
from generate.expressions import U_VARIABLES, unsigned
from generate.scope import THREAD
from generate.shapes import shape
from generate.tree import Node


def into(draw):
    return f"{draw.pick(U_VARIABLES)} {draw.pick(['=', '+=', '^='])} "


@shape("calls", THREAD, 5)
def not_inlined(scope):
    draw = scope.draw
    names = ["mixed", "ownPlace", "byIndex", "choose"]
    if scope.kernel.rdc:
        names += ["farMixed", "farPlace", "farTable"]
    name = draw.pick(names)
    return Node(into(draw), f"{name}(", unsigned(scope, 2), ", ", unsigned(scope, 1), ");\n")


@shape("calls", THREAD, 2)
def recursive(scope):
    draw = scope.draw
    if scope.turns > 12:
        return None
    return Node(into(draw), draw.pick(["descend", "ping"]), "((", unsigned(scope, 1), ") % 6u, ", unsigned(scope, 1), ");\n")


@shape("calls", THREAD, 2)
def lambda_(scope):
    """A lambda that captures variables by reference."""
    draw = scope.draw
    name = scope.kernel.fresh("call")
    return Node("{\n", f"auto {name} = [&](unsigned x) {{ u1 += x; return x * u0 + threadIdx.{draw.pick('xy')}; }};\n",
                f"u2 ^= {name}(", unsigned(scope, 1), ");\n", f"u3 += applied({name}, ", unsigned(scope, 1), ");\n", "}\n")


@shape("indirect", THREAD, 5)
def by_address(scope):
    """A function chosen at run time."""
    draw = scope.draw
    return Node(into(draw), "table[(", unsigned(scope, 1), ") & 3](", unsigned(scope, 1), ", ", unsigned(scope, 1), ");\n")


@shape("indirect", THREAD, 5)
def virtual(scope):
    """A virtual function of an object chosen at run time."""
    draw, kernel = scope.draw, scope.kernel
    a, b, which = kernel.fresh("circle"), kernel.fresh("square"), kernel.fresh("which")
    return Node("{\n", f"Circle {a}(", unsigned(scope, 1), ");\n", f"Square {b}(", unsigned(scope, 1), ");\n",
                f"const Shape *{which} = (", unsigned(scope, 1), f") % 3 == 0 ? static_cast<const Shape *>(&{a}) : &{b};\n",
                into(draw), f"{which}->area(", unsigned(scope, 1), ");\n", "}\n")
