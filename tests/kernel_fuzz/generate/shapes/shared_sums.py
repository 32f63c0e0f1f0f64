"""Atomics: commutative ones without their results on shared elements, any on the thread's own."""
from generate.expressions import U_VARIABLES, axis, condition, own_element, unsigned
from generate.kernel import SUMS
from generate.scope import BLOCK, THREAD, WARP
from generate.shapes import shape
from generate.tree import Node

# Each element is changed by one operation only: different ones do not commute.
OPERATIONS = ["Add", "Add", "Xor", "Or", "Min", "Max", "And", "Add"]


@shape("atomics", THREAD, 6)
def summed(scope):
    """An operation on an element that any thread may choose."""
    draw, kernel = scope.draw, scope.kernel
    kernel.needs("sums", "unsigned", SUMS, "sums")
    which = draw.below(len(OPERATIONS))
    index = Node("(", draw.pick([unsigned, lambda scope, depth: axis(scope)])(scope, 1), ") % 4u", instead="0")
    suffix = draw.weighted([(6, ""), (1, "_system")])
    return Node(f"atomic{OPERATIONS[which]}{suffix}(&{kernel.parameter('sums')}[{which * 4} + ", index, "], ",
                unsigned(scope, 2), ");\n")


@shape("atomics", THREAD, 5)
def retried(scope):
    """A sum or a maximum by a compare-and-exchange that is tried until it succeeds, on elements that `summed` changes likewise."""
    draw, kernel = scope.draw, scope.kernel
    kernel.needs("sums", "unsigned", SUMS, "sums")
    function, operation = draw.pick([("addByRetry", "Add"), ("raiseByRetry", "Max")])
    index = Node("(", unsigned(scope, 1), ") % 4u", instead="0")
    return Node(f"{function}(&{kernel.parameter('sums')}[{OPERATIONS.index(operation) * 4} + ", index, "], ",
                unsigned(scope, 2), ");\n")


@shape("atomics", THREAD, 2)
def own_atomics(scope):
    """Atomics on the thread's own elements, with their results."""
    draw, kernel = scope.draw, scope.kernel
    integers = [own for own in kernel.own if own.ctype in ("unsigned", "unsigned long long")]
    if not integers:
        return None
    own = draw.pick(integers)
    call = draw.pick(["Add", "Exch", "Xor", "Max", "CAS"])
    compared = f"({own.ctype})(u1 & 7), " if call == "CAS" else ""
    return Node(f"{draw.pick(U_VARIABLES)} += (unsigned)atomic{call}(&", own_element(scope, own),
                f", {compared}({own.ctype})(", unsigned(scope, 1), "));\n")


@shape("atomics", WARP, 3)
def one_for_all(scope):
    """One lane adds for those that are there."""
    kernel, mask = scope.kernel, scope.mask
    if not mask:
        return None
    kernel.needs("sums", "unsigned", SUMS, "sums")
    name = kernel.fresh("there")
    return Node("{\n", f"const unsigned {name} = __ballot_sync({mask}, ", condition(scope, 1), ");\n",
                f"if (laneId() + 1 == __ffs({name})) atomicAdd(&{kernel.parameter('sums')}[1], __popc({name}));\n", "}\n")


@shape("atomics", BLOCK, 4)
def histogram(scope):
    """Sums in shared memory, between barriers."""
    draw, kernel = scope.draw, scope.kernel
    name = kernel.fresh("bins")
    if kernel.exits or kernel.threads < 8:
        return None
    return Node("{\n", f"__shared__ unsigned {name}[8];\n", f"if ({kernel.local()} < 8) {name}[{kernel.local()}] = 0;\n",
                "__syncthreads();\n", f"atomicAdd(&{name}[(", unsigned(scope, 1), ") & 7], ", unsigned(scope, 1), ");\n",
                "__syncthreads();\n", f"{draw.pick(U_VARIABLES)} += {name}[(", unsigned(scope, 1), ") & 7];\n",
                "__syncthreads();\n", "}\n")
