"""Control flow: branches, loops whose turns differ from thread to thread, switch, goto into loops."""
from generate.expressions import condition, uniform, uniform_condition, unsigned, U_VARIABLES
from generate.scope import BLOCK, THREAD, WARP
from generate.shapes import shape, statements
from generate.tree import Node

MOST_TURNS = 60


def may_nest(scope):
    return scope.depth < 3 and scope.turns < MOST_TURNS


@shape("loops", THREAD, 4)
def counted(scope):
    """A loop whose turns differ from thread to thread."""
    if not may_nest(scope):
        return None
    draw, counter = scope.draw, scope.kernel.fresh("i")
    most = draw.pick([2, 3, 4, 7])
    inner = scope.inner(THREAD, turns=most, counter=counter)
    body = [*statements(inner, 1, 3)]
    if draw.chance(30):
        body.append(Node("if (", condition(inner, 1), f") {draw.pick(['break', 'continue'])};\n"))
        body += statements(inner, 1, 1)
    return Node(f"for (unsigned {counter} = 0; {counter} < ", Node("(", unsigned(scope, 1), f") % {most + 1}u", instead="2"),
                f"; ++{counter}) {{\n", *body, "}\n")


@shape("loops", THREAD, 2)
def until(scope):
    """do ... while with a condition that the body changes."""
    if not may_nest(scope):
        return None
    draw, counter = scope.draw, scope.kernel.fresh("left")
    inner = scope.inner(THREAD, turns=6, counter=counter)
    return Node("{\n", f"unsigned {counter} = ", unsigned(scope, 1), " % 6u;\n", "do {\n", *statements(inner, 1, 3),
                f"}} while ({counter}-- != 0 && ", condition(inner, 1), ");\n", "}\n")


@shape("loops", BLOCK, 5)
def together(scope):
    """A loop that all threads of the block go through equally often."""
    if not may_nest(scope):
        return None
    draw, counter = scope.draw, scope.kernel.fresh("i")
    most = draw.pick([2, 3, 4])
    inner = scope.inner(turns=most, counter=counter)
    return Node(f"for (unsigned {counter} = 0; {counter} < {uniform(scope)} % {most}u + 1; ++{counter}) {{\n",
                *statements(inner, 2, 4), "}\n")


@shape("loops", BLOCK, 3)
def branch_together(scope):
    if not may_nest(scope):
        return None
    inner = scope.inner()
    then = Node(*statements(inner, 1, 3))
    if scope.draw.chance(50):
        return Node(Node(f"if ({uniform_condition(scope)}) {{\n", then, "} else {\n", *statements(inner, 1, 3), "}\n",
                         instead=then))
    return Node(Node(f"if ({uniform_condition(scope)}) {{\n", then, "}\n", instead=then))


@shape("loops", WARP, 4)
def turns_of_lanes(scope):
    """A loop that lanes leave at different turns, with the mask of those that are still in it."""
    if not may_nest(scope) or not scope.mask:
        return None
    kernel = scope.kernel
    counter, mask, trip = kernel.fresh("i"), kernel.fresh("m"), kernel.fresh("turns")
    inner = scope.inner(WARP, mask, turns=5, counter=counter)
    # The mask shrinks from turn to turn: only lanes that are still in the loop may be asked.
    return Node("{\n", f"const unsigned {trip} = ", Node("(", unsigned(scope, 1), ") % 5u", instead="3"), ";\n",
                f"unsigned {mask} = {scope.mask};\n", f"for (unsigned {counter} = 0;; ++{counter}) {{\n",
                f"{mask} = __ballot_sync({mask}, {counter} < {trip});\n", f"if ({counter} >= {trip}) break;\n",
                *statements(inner, 1, 3), "}\n", "}\n")


@shape("loops", WARP, 5)
def parted(scope):
    """Both arms of a branch, each with the mask of its lanes."""
    if not may_nest(scope) or not scope.mask:
        return None
    kernel = scope.kernel
    which, mask, others = kernel.fresh("c"), kernel.fresh("m"), kernel.fresh("m")
    then, other = scope.inner(WARP, mask), scope.inner(WARP, others)
    return Node("{\n", f"const bool {which} = ", condition(scope, 2), ";\n",
                f"const unsigned {mask} = __ballot_sync({scope.mask}, {which}), {others} = {scope.mask} & ~{mask};\n",
                f"if ({which}) {{\n", *statements(then, 1, 3), "} else {\n", f"(void){others};\n", *statements(other, 1, 2),
                "}\n", "}\n")


@shape("jumps", THREAD, 4)
def selection(scope):
    """switch, with cases that fall through."""
    if not may_nest(scope):
        return None
    draw = scope.draw
    inner = scope.inner(THREAD)
    cases = []
    for value in draw.some(range(8), 2, 5):
        leave = "break;\n" if draw.chance(70) else "[[fallthrough]];\n"
        cases += [f"case {value}: {{\n", *statements(inner, 1, 2), "}\n", leave]
    return Node("switch (", Node("(", unsigned(scope, 2), ") & 7", instead="u0 & 7"), ") {\n", *cases,
                "default: {\n", *statements(inner, 1, 1), "}\n", "}\n")


@shape("jumps", THREAD, 3)
def into_the_loop(scope):
    """A loop of goto that is entered at two places: irreducible control flow."""
    if not may_nest(scope):
        return None
    kernel = scope.kernel
    left, top, middle = kernel.fresh("left"), kernel.fresh("top"), kernel.fresh("middle")
    inner = scope.inner(THREAD, turns=4)
    return Node("{\n", f"unsigned {left} = ", unsigned(scope, 1), " & 3u;\n", "if (", condition(scope, 1),
                f") goto {middle};\n", f"{top}: {{\n", *statements(inner, 1, 2), "}\n", f"{middle}: {{\n",
                *statements(inner, 1, 2), "}\n", f"if ({left}-- != 0) goto {top};\n", "}\n")


@shape("jumps", THREAD, 2)
def out_of_two_loops(scope):
    if not may_nest(scope):
        return None
    kernel, draw = scope.kernel, scope.draw
    i, j, done = kernel.fresh("i"), kernel.fresh("j"), kernel.fresh("done")
    inner = scope.inner(THREAD, turns=9, counter=j)
    return Node("{\n", f"for (unsigned {i} = 0; {i} < 3; ++{i})\n", f"for (unsigned {j} = 0; {j} < 3; ++{j}) {{\n",
                *statements(inner, 1, 2), "if (", condition(inner, 1), f") goto {done};\n", "}\n",
                f"{draw.pick(U_VARIABLES)} += 17;\n", f"{done}:;\n", "}\n")


@shape("any", BLOCK, 2)
def leaving(scope):
    """Some threads leave the kernel for good, at a place where the whole block comes by."""
    kernel = scope.kernel
    if not kernel.exits or kernel.kind != "plain":
        return None
    name = kernel.fresh("leaves")
    ballot = [f"live = __ballot_sync(live, !{name});\n"] if kernel.masked else []
    return Node("{\n", f"const bool {name} = ", condition(scope, 1), ";\n", *ballot, f"if ({name}) {{\n",
                f"{kernel.result(3)} = ", unsigned(scope, 1), ";\n", "return;\n", "}\n", "}\n")
