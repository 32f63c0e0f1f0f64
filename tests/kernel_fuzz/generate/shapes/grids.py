"""Exchange beyond a block: grid barriers, clusters, launches by a kernel."""
from generate.expressions import U_VARIABLES, unsigned
from generate.scope import BLOCK, GRID
from generate.shapes import shape
from generate.tree import Node

CHILD_THREADS = 8


@shape("any", GRID, 8)
def beyond_the_block(scope):
    return cluster_exchange(scope) if scope.kernel.kind == "cluster" else grid_exchange(scope)


def grid_exchange(scope):
    """Each thread writes its element, all of the grid read any."""
    draw, kernel = scope.draw, scope.kernel
    kernel.needs("cells", "unsigned", kernel.total, "own")
    cells = kernel.parameter("cells")
    return Node("{\n", f"{cells}[{kernel.thread()}] = ", unsigned(scope, 2), ";\n", "cg::this_grid().sync();\n",
                f"{draw.pick(U_VARIABLES)} += {cells}[(", Node(unsigned(scope, 1), instead="t + 1"), f") % {kernel.total}u];\n",
                "cg::this_grid().sync();\n", "}\n")


def cluster_exchange(scope):
    """Each thread writes its element of shared memory, all of the cluster read any block's."""
    draw, kernel = scope.draw, scope.kernel
    if not scope.shared_writable:
        return None
    array, other = kernel.shared_array(), kernel.fresh("theirs")
    return Node("{\n", f"{array}[{kernel.local()}] = ", unsigned(scope, 2), ";\n", "cg::this_cluster().sync();\n",
                f"const unsigned *{other} = cg::this_cluster().map_shared_rank({array}, (",
                Node(unsigned(scope, 1), instead="1u"), f") % {kernel.blocks}u);\n",
                f"{draw.pick(U_VARIABLES)} += {other}[(", Node(unsigned(scope, 1), instead="l + 1"),
                f") % {kernel.threads}u];\n", "cg::this_cluster().sync();\n", "}\n")


@shape("any", BLOCK, 5)
def launch(scope):
    """One thread of each block launches a kernel, whose threads write elements of that launch alone."""
    kernel = scope.kernel
    if not kernel.rdc or scope.turns > 1 or kernel.kind != "plain" or any(b.name == "kids" for b in kernel.buffers):
        return None
    kernel.needs("kids", "unsigned", kernel.blocks * CHILD_THREADS, "own")
    return Node(f"if ({kernel.local()} == {scope.draw.below(kernel.threads)}) child<<<1, {CHILD_THREADS}>>>(",
                f"{kernel.parameter('kids')} + {kernel.block_index()} * {CHILD_THREADS}, ", unsigned(scope, 1), ");\n")
