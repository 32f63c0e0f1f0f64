"""Exchange of values within a block: shared memory between barriers of all kinds."""
from generate.expressions import U_VARIABLES, condition, unsigned
from generate.scope import BLOCK, THREAD, WARP
from generate.shapes import shape, statements
from generate.tree import Node


def barrier(scope):
    """A barrier for all threads of the block that are still there."""
    draw, kernel = scope.draw, scope.kernel
    ways = [(8, "__syncthreads();\n"), (1, "__threadfence_block();\n__syncthreads();\n")]
    if "inline_ptx" in kernel.groups:
        ways.append((4, 'asm volatile("bar.sync 0;" ::: "memory");\n'))
    if "tiles" in kernel.groups:
        ways.append((4, "cg::this_thread_block().sync();\n"))
    if draw.chance(20):
        call = draw.pick(["__syncthreads_count", "__syncthreads_and", "__syncthreads_or"])
        return Node(f"{draw.pick(U_VARIABLES)} += {call}(", condition(scope, 1), ");\n")
    return draw.weighted(ways)


def fixed(scope):
    """A barrier that is always there, as a part of something larger."""
    made = barrier(scope)
    if isinstance(made, Node):
        # What it counts may be left out, the barrier may not.
        made.instead = "__syncthreads();\n"
    return made


@shape("barriers", BLOCK, 8)
def exchange(scope):
    """Each thread writes its element, all read any."""
    draw, kernel = scope.draw, scope.kernel
    if not scope.shared_writable:
        return None
    array = kernel.shared_array()
    between = statements(scope.inner(THREAD), 1, 2) if draw.chance(30) else []
    level = WARP if kernel.masked else THREAD
    reading = scope.reading(array, level)
    index = Node("(", unsigned(scope, 1), f") % {kernel.threads}u", instead=f"(l + 1) % {kernel.threads}u")
    taken = [Node(f"{draw.pick(U_VARIABLES)} += {array}[", index, "];\n")]
    if draw.chance(50):
        taken += statements(reading, 1, 3)
    return Node("{\n", f"{array}[{kernel.local()}] = ", unsigned(scope, 2), ";\n", *between, fixed(scope), *taken,
                fixed(scope), "}\n")


@shape("barriers", BLOCK, 3)
def scan(scope):
    """A sum over the threads before, in steps with two barriers each."""
    kernel, draw = scope.kernel, scope.draw
    if not scope.shared_writable:
        return None
    array, step, before = kernel.shared_array(), kernel.fresh("step"), kernel.fresh("before")
    return Node("{\n", f"{array}[l] = ", unsigned(scope, 2), ";\n", "__syncthreads();\n",
                f"for (unsigned {step} = 1; {step} < {kernel.threads}; {step} *= 2) {{\n",
                f"const unsigned {before} = {kernel.local()} >= {step} ? {array}[{kernel.local()} - {step}] : 0;\n",
                "__syncthreads();\n", f"{array}[{kernel.local()}] += {before};\n", "__syncthreads();\n", "}\n",
                f"{draw.pick(U_VARIABLES)} += {array}[{kernel.local()}];\n", "}\n")


@shape("barriers", BLOCK, 2)
def tree_sum(scope):
    """A sum in halves, where fewer threads work in each step."""
    kernel, draw = scope.kernel, scope.draw
    if not scope.shared_writable:
        return None
    array, half = kernel.shared_array(), kernel.fresh("half")
    power = 1 << (kernel.threads - 1).bit_length() - 1 if kernel.threads > 1 else 1
    return Node("{\n", f"{array}[l] = ", unsigned(scope, 1), ";\n", "__syncthreads();\n",
                f"for (unsigned {half} = {power}; {half} > 0; {half} /= 2) {{\n",
                f"if ({kernel.local()} < {half} && l + {half} < {kernel.threads}) {array}[l] += {array}[l + {half}];\n",
                "__syncthreads();\n", "}\n", f"{draw.pick(U_VARIABLES)} += {array}[0];\n", "__syncthreads();\n", "}\n")


@shape("barriers", BLOCK, 4)
def lone_barrier(scope):
    made = barrier(scope)
    return made if isinstance(made, Node) else Node(made)


@shape("barriers", BLOCK, 3)
def by_some(scope):
    """Few threads write for all; the others wait at a barrier behind the branch."""
    kernel, draw = scope.kernel, scope.draw
    if not scope.shared_writable:
        return None
    array = kernel.shared_array()
    limit = draw.between(1, 4)
    return Node("{\n", "__syncthreads();\n", f"if ({kernel.local()} < {limit}) {{\n",
                f"{array}[{kernel.local()}] = ", unsigned(scope, 2), ";\n",
                "}\n", fixed(scope), f"{draw.pick(U_VARIABLES)} ^= {array}[{draw.below(min(limit, kernel.threads))}];\n",
                fixed(scope), "}\n")
