"""Barriers for some warps of a block, and barrier objects in shared memory."""
from generate.expressions import U_VARIABLES, unsigned
from generate.scope import BLOCK
from generate.shapes import shape
from generate.tree import Node


@shape("subsets", BLOCK, 6)
def named_barrier(scope):
    """The first warps of the block exchange values behind a barrier of their own."""
    draw, kernel = scope.draw, scope.kernel
    warps = kernel.threads // 32
    if kernel.exits or not scope.shared_writable or kernel.threads % 32:
        return None
    array, some = kernel.shared_array(), draw.between(1, warps)
    number, count = draw.between(1, 7), 32 * some
    wait = f'asm volatile("bar{draw.pick(["", "rier"])}.sync {number}, {count};" ::: "memory");\n'
    return Node("{\n", f"if (({kernel.local()} >> 5) < {some}) {{\n", f"{array}[{kernel.local()}] = ", unsigned(scope, 2),
                ";\n", wait, f"{draw.pick(U_VARIABLES)} += {array}[(", Node(unsigned(scope, 1), instead="l + 33"),
                f") % {count}u];\n", wait, "}\n",
                # Other warps must not come to the same number with another count meanwhile.
                "__syncthreads();\n", "}\n")


@shape("subsets", BLOCK, 3)
def one_side_arrives(scope):
    """Producers arrive, consumers wait: bar.arrive and bar.sync."""
    draw, kernel = scope.draw, scope.kernel
    warps = kernel.threads // 32
    if kernel.exits or not scope.shared_writable or kernel.threads % 32 or warps < 2:
        return None
    array, makers = kernel.shared_array(), draw.between(1, warps - 1)
    return Node("{\n", "__syncthreads();\n", f"if ((l >> 5) < {makers}) {{\n", f"{array}[{kernel.local()}] = ",
                unsigned(scope, 2), ";\n", "__threadfence_block();\n",
                f'asm volatile("bar.arrive 9, {kernel.threads};" ::: "memory");\n', "} else {\n",
                f'asm volatile("bar.sync 9, {kernel.threads};" ::: "memory");\n',
                f"{draw.pick(U_VARIABLES)} += {array}[(", Node(unsigned(scope, 1), instead="l"), f") % {32 * makers}u];\n",
                "}\n", "__syncthreads();\n", "}\n")


@shape("fences", BLOCK, 4)
def barrier_object(scope):
    """An mbarrier: arrive, wait for the phase, read a neighbour's value."""
    draw, kernel = scope.draw, scope.kernel
    if kernel.exits or not scope.shared_writable or scope.turns > 8:
        return None
    array, object_ = kernel.shared_array(), kernel.fresh("phases")
    rounds, turn = draw.between(1, 2), kernel.fresh("round")
    return Node("{\n", f"__shared__ unsigned long long {object_};\n",
                f"if ({kernel.local()} == 0) beginPhases(&{object_}, {kernel.threads});\n", "__syncthreads();\n",
                f"for (unsigned {turn} = 0; {turn} < {rounds}; ++{turn}) {{\n", f"{array}[{kernel.local()}] = ",
                unsigned(scope, 2), ";\n", f"waitForPhase(&{object_}, arriveAtPhase(&{object_}));\n",
                f"{draw.pick(U_VARIABLES)} += {array}[(", Node(unsigned(scope, 1), instead="l + 1"), f") % {kernel.threads}u];\n",
                f"waitForPhase(&{object_}, arriveAtPhase(&{object_}));\n", "}\n", "__syncthreads();\n",
                f"if (l == 0) endPhases(&{object_});\n", "__syncthreads();\n", "}\n")


@shape("fences", BLOCK, 2)
def reducing_barrier(scope):
    """How many threads are still there, and a reduction at a barrier in PTX."""
    draw = scope.draw
    if draw.chance(50):
        return Node(f"{draw.pick(U_VARIABLES)} += __syncthreads_count(1);\n")
    return Node(f"{draw.pick(U_VARIABLES)} += countAtBarrier(", unsigned(scope, 1), " & 1);\n")
