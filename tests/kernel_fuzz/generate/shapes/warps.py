"""Exchange of values within a warp, among the lanes of a mask."""
from generate.expressions import U_VARIABLES, condition, unsigned
from generate.scope import BLOCK, WARP
from generate.shapes import shape
from generate.tree import Node


def into(draw):
    return f"{draw.pick(U_VARIABLES)} {draw.pick(['=', '+=', '^='])} "


@shape("warps", WARP, 6)
def shuffle(scope):
    """A value of another lane; of the thread's own where that lane is not in the mask."""
    draw = scope.draw
    if not scope.mask:
        return None
    ctype = draw.weighted([(6, "unsigned"), (1, "int"), (2, "unsigned long long"), (1, "float")])
    value = {"unsigned": lambda: unsigned(scope, 2), "int": lambda: "i0", "unsigned long long": lambda: "q0",
             "float": lambda: "(float)(u0 & 1023)"}[ctype]()
    way = draw.below(4)
    source = ["laneId() ^ {}", "laneId() + {}", "laneId() - {}", "({}) + laneId() * 3"][way].format(draw.between(1, 31))
    if way == 3 and draw.chance(50):
        source = Node("(", unsigned(scope, 1), ")", instead="5")
    # Without a draw, which would make other programs of all seeds.
    function = "ofLaneApart" if way == 1 else "ofLane"
    return Node(into(draw), f"(unsigned){function}<{ctype}>({scope.mask}, ({ctype})(", value, "), ", source, ");\n")


@shape("warps", WARP, 4)
def plain_shuffle(scope):
    """Shuffles of whole warps, and parts of them, as programs write them."""
    draw = scope.draw
    if not scope.mask or scope.level < BLOCK or scope.kernel.exits or scope.kernel.threads % 32:
        return None
    width = draw.pick([32, 32, 16, 8, 4, 2])
    call = draw.pick([f"__shfl_xor_sync(~0u, {{}}, {draw.between(1, width - 1)}, {width})",
                      f"__shfl_up_sync(~0u, {{}}, {draw.between(1, width)}, {width})",
                      f"__shfl_down_sync(~0u, {{}}, {draw.between(1, width)}, {width})",
                      f"__shfl_sync(~0u, {{}}, {draw.below(32)}, {width})"])
    a, b = call.split("{}")
    return Node(into(draw), a, unsigned(scope, 2), b, ";\n")


@shape("warps", WARP, 4)
def reduction(scope):
    """The usual sum over a warp, in five steps."""
    draw = scope.draw
    if not scope.mask or scope.level < BLOCK or scope.kernel.exits or scope.kernel.threads % 32:
        return None
    name, step = scope.kernel.fresh("w"), scope.kernel.fresh("s")
    which = draw.pick(["xor", "down"])
    return Node("{\n", f"unsigned {name} = ", unsigned(scope, 1), ";\n",
                f"for (unsigned {step} = 16; {step} > 0; {step} >>= 1) {name} += __shfl_{which}_sync(~0u, {name}, {step});\n",
                f"{draw.pick(U_VARIABLES)} ^= {name};\n", "}\n")


@shape("warps", WARP, 5)
def vote(scope):
    draw, mask = scope.draw, scope.mask
    if not mask:
        return None
    call = draw.pick(["__ballot_sync", "__any_sync", "__all_sync", "__popc(__ballot_sync"])
    end = ")" if call.startswith("__popc") else ""
    return Node(into(draw), f"{call}({mask}, ", condition(scope, 1), f"){end};\n")


@shape("warps", WARP, 3)
def match(scope):
    draw, mask = scope.draw, scope.mask
    if not mask:
        return None
    if draw.chance(60):
        return Node(into(draw), f"__match_any_sync({mask}, (", unsigned(scope, 1), f") % {draw.between(2, 5)}u);\n")
    name = scope.kernel.fresh("same")
    return Node("{\n", f"int {name};\n", into(draw), f"__match_all_sync({mask}, (", unsigned(scope, 1),
                f") & {draw.between(0, 1)}u, &{name}) + {name};\n", "}\n")


@shape("warps", WARP, 3)
def reduce_sync(scope):
    draw, mask = scope.draw, scope.mask
    if not mask:
        return None
    call = draw.pick(["__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync", "__reduce_and_sync",
                      "__reduce_or_sync", "__reduce_xor_sync"])
    return Node(into(draw), f"{call}({mask}, ", unsigned(scope, 2), ");\n")


@shape("warps", WARP, 3)
def through_shared_memory(scope):
    """A value of another lane, through shared memory and __syncwarp()."""
    draw, kernel, mask = scope.draw, scope.kernel, scope.mask
    if not mask or not scope.shared_writable:
        return None
    array, lane = kernel.shared_array(), kernel.fresh("lane")
    return Node("{\n", f"{array}[{kernel.local()}] = ", unsigned(scope, 1), ";\n", f"__syncwarp({mask});\n",
                f"const unsigned {lane} = (laneId() + {draw.between(1, 31)}) & 31;\n",
                f"if ({mask} >> {lane} & 1) {draw.pick(U_VARIABLES)} += {array}[({kernel.local()} & ~31u) + {lane}];\n",
                f"__syncwarp({mask});\n", "}\n")


@shape("tiles", BLOCK, 8)
def tile(scope):
    """Tiles of cooperative groups; parts of them."""
    draw, kernel = scope.draw, scope.kernel
    if kernel.exits:
        return None
    name, width = kernel.fresh("tile"), draw.pick([32, 16, 8, 4, 2])
    lines = [f"const auto {name} = cg::tiled_partition<{width}>(cg::this_thread_block());\n"]
    for _ in range(draw.between(1, 3)):
        a, b = draw.pick([(f"{name}.shfl(", f", {draw.below(width)})"), (f"{name}.shfl_xor(", f", {draw.below(width)})"),
                          (f"{name}.shfl_down(", f", {draw.below(width)})"), (f"{name}.shfl_up(", f", {draw.below(width)})"),
                          (f"{name}.any((", f") & {draw.pick([1, 3, 4])})"), (f"{name}.ballot((", ") % 3 == 1)"),
                          (f"{name}.match_any((", ") & 3)"), (f"{name}.all((", ") & 7)"),
                          (f"({name}.thread_rank() + {name}.meta_group_rank()) * (", ")")])
        lines.append(Node(into(draw), "(unsigned)", a, unsigned(scope, 1), b, ";\n"))
    if draw.chance(40):
        part = kernel.fresh("part")
        lines.append(Node("{\n", f"const auto {part} = cg::binary_partition({name}, ", condition(scope, 1), ");\n",
                          into(draw), f"{part}.shfl(", unsigned(scope, 1), f", 0) + {part}.size() * 8 + {part}.thread_rank();\n",
                          "}\n"))
    return Node("{\n", *lines, "}\n")
