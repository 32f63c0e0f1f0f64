"""What blocks are full of: sorts, scans, tiles and halos in shared memory, as textbooks write them."""
from generate.expressions import condition, unsigned
from generate.scope import BLOCK
from generate.shapes import shape
from generate.shapes.warps import into
from generate.tree import Node


def power(threads):
    """The largest power of two that is not above."""
    return 1 << threads.bit_length() - 1


def has_whole_warps(scope):
    return scope.level >= BLOCK and not scope.kernel.exits and scope.kernel.threads % 32 == 0


def has_whole_block(scope):
    return not scope.kernel.exits


@shape("idioms", BLOCK, 3)
def sort_in_shared(scope):
    """A bitonic sort: neighbours are exchanged by whichever of the two has the lower number."""
    draw, kernel = scope.draw, scope.kernel
    keys, size, step, other, mine = (kernel.fresh(stem) for stem in ("keys", "size", "step", "other", "mine"))
    count = power(kernel.threads)
    if not has_whole_block(scope) or count < 2:
        return None
    swap = draw.pick([f"const unsigned {mine} = {keys}[l]; {keys}[l] = {keys}[{other}]; {keys}[{other}] = {mine};",
                      f"const unsigned {mine} = {keys}[{other}]; {keys}[{other}] = {keys}[l], {keys}[l] = {mine};"])
    order = draw.pick([f"({keys}[l] > {keys}[{other}]) == ((l & {size}) == 0)",
                       f"((l & {size}) ? {keys}[l] < {keys}[{other}] : {keys}[l] > {keys}[{other}])"])
    return Node("{\n", f"__shared__ unsigned {keys}[{kernel.threads}];\n", f"{keys}[l] = ", unsigned(scope, 2), ";\n",
                "__syncthreads();\n", f"for (unsigned {size} = 2; {size} <= {count}; {size} *= 2)\n",
                f"for (unsigned {step} = {size} / 2; {step} > 0; {step} >>= 1) {{\n",
                f"const unsigned {other} = l ^ {step};\n", f"if (l < {count} && {other} > l)\n",
                f"if ({order}) {{ {swap} }}\n",
                "__syncthreads();\n", "}\n", into(draw), f"{keys}[(", unsigned(scope, 1), f") % {kernel.threads}u];\n",
                "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 3)
def scan_by_sweeps(scope):
    """An exclusive sum, up the tree and down again."""
    draw, kernel = scope.draw, scope.kernel
    tree, distance, left, right, kept = (kernel.fresh(stem) for stem in ("tree", "dist", "left", "right", "kept"))
    count = power(kernel.threads)
    ctype = draw.pick(["unsigned", "unsigned", "int", "unsigned long long"])
    if not has_whole_block(scope) or count < 4:
        return None
    places = (f"const unsigned {left} = {distance} * (2 * l + 1) - 1, {right} = {distance} * (2 * l + 2) - 1;\n")
    return Node("{\n", f"__shared__ {ctype} {tree}[{kernel.threads}];\n", f"{tree}[{kernel.local()}] = ({ctype})(",
                unsigned(scope, 2),
                ");\n", f"unsigned {distance} = 1;\n", f"for (int d = {count} >> 1; d > 0; d >>= 1, {distance} *= 2) {{\n",
                "__syncthreads();\n", "if (l < d) {\n", places, f"{tree}[{right}] += {tree}[{left}];\n", "}\n", "}\n",
                f"if (l == 0) {tree}[{count - 1}] = 0;\n", f"for (unsigned d = 1; d < {count}; d *= 2) {{\n",
                f"{distance} >>= 1;\n",
                "__syncthreads();\n", "if (l < d) {\n", places, f"const {ctype} {kept} = {tree}[{left}];\n",
                f"{tree}[{left}] = {tree}[{right}];\n", f"{tree}[{right}] += {kept};\n", "}\n", "}\n", "__syncthreads();\n",
                into(draw), f"(unsigned){tree}[l];\n", "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 3)
def double_buffer(scope):
    """Steps from one array to the other, with neighbours at the edges clamped or wrapped."""
    draw, kernel = scope.draw, scope.kernel
    cells, at, turn, before, behind = (kernel.fresh(stem) for stem in ("cells", "at", "turn", "before", "behind"))
    n = kernel.threads
    ctype = draw.pick(["unsigned", "unsigned char", "short", "float"])
    edges = draw.pick([(f"l == 0 ? {n - 1} : l - 1", f"l == {n - 1} ? 0 : l + 1"),
                       ("max((int)l - 1, 0)", f"min((int)l + 1, {n - 1})"),
                       (f"(l + {n} - 1) % {n}", f"(l + 1) % {n}")])
    step = {"float": f"bounded(__fmaf_rn({cells}[{at}][{before}], 0.25f, {cells}[{at}][{behind}]))"}.get(
        ctype,
                f"({ctype})({cells}[{at}][{before}] {draw.pick(['+', '^', '-'])} {cells}[{at}][l] * 3 + {cells}[{at}][{behind}])")
    first = "(float)((" if ctype == "float" else f"({ctype})(("
    last = f"__float_as_uint({cells}[{at}][l])" if ctype == "float" else f"(unsigned){cells}[{at}][l]"
    if not has_whole_block(scope):
        return None
    return Node("{\n", f"__shared__ {ctype} {cells}[2][{n}];\n", f"int {at} = 0;\n", f"{cells}[0][l] = {first}",
                unsigned(scope, 1),
                ") & 255);\n", "__syncthreads();\n", f"const unsigned {before} = {edges[0]}, {behind} = {edges[1]};\n",
                f"for (int {turn} = 0; {turn} < {draw.between(1, 5)}; ++{turn}) {{\n", f"{cells}[{at} ^ 1][l] = {step};\n",
                f"{at} = 1 - {at};\n", "__syncthreads();\n", "}\n", into(draw), last, ";\n", "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 3)
def transposed(scope):
    """A tile that is written along its rows and read along its columns, with or without padding."""
    draw, kernel = scope.draw, scope.kernel
    tile, row, column = (kernel.fresh(stem) for stem in ("tile", "row", "col"))
    n = kernel.threads
    width = draw.pick([width for width in (1, 2, 4, 5, 7, 8, 11, 16, 32) if n % width == 0])
    height, padding = n // width, draw.below(2)
    ctype = draw.pick(["unsigned", "unsigned short", "unsigned long long", "uint2"])
    value, read = ("make_uint2(", ".x") if ctype == "uint2" else (f"({ctype})(", "")
    end = ", u1)" if ctype == "uint2" else ")"
    if not has_whole_block(scope):
        return None
    return Node("{\n", f"__shared__ {ctype} {tile}[{height}][{width + padding}];\n",
                f"const unsigned {row} = l / {width}, {column} = l % {width};\n", f"{tile}[{row}][{column}] = {value}",
                unsigned(scope, 1),
                end, ";\n", "__syncthreads();\n", into(draw), f"(unsigned){tile}[l % {height}][l / {height}]{read};\n",
                "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 3)
def halo(scope):
    """Cells of shared memory with some more at both ends, which the first threads fetch."""
    draw, kernel = scope.draw, scope.kernel
    cells, sum_, i = (kernel.fresh(stem) for stem in ("cells", "sum", "i"))
    radius, n = draw.between(1, 3), kernel.threads
    if not has_whole_block(scope) or n < radius:
        return None
    source = kernel.parameter("in")
    left = draw.pick([f"{source}[(l * 5 + 1) & 255]", f"(l & 1 ? {source}[l] : 7u)"])
    return Node("{\n", f"__shared__ unsigned {cells}[{n + 2 * radius}];\n", f"{cells}[l + {radius}] = ", unsigned(scope, 1),
                ";\n",
                f"if (l < {radius}) {{\n", f"{cells}[l] = {left};\n",
                f"{cells}[l + {radius + n}] = {source}[(l + 99) & 255];\n", "}\n",
                "__syncthreads();\n", f"unsigned {sum_} = 0;\n", draw.pick(["#pragma unroll\n", ""]),
                f"for (int {i} = -{radius}; {i} <= {radius}; ++{i}) {sum_} = {sum_} * 3 + {cells}[l + {radius} + {i}];\n",
                into(draw),
                f"{sum_};\n", "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 3)
def product_of_tiles(scope):
    """A product of two square tiles, an element for each thread that has one."""
    draw, kernel = scope.draw, scope.kernel
    left, right, sum_, k = (kernel.fresh(stem) for stem in ("left", "right", "sum", "k"))
    n = next(size for size in (16, 8, 4, 2, 1) if size * size <= kernel.threads)
    ctype, first = draw.pick([("unsigned", "0u"), ("float", "0.0f")])
    if not has_whole_block(scope) or n == 1:
        return None
    made = "(float)(({}) & 15)" if ctype == "float" else "({})"
    a, b = made.split("{}")
    more = f"{sum_} = __fmaf_rn({left}[y][{k}], {right}[{k}][x], {sum_});" if ctype == "float" else \
        f"{sum_} += {left}[y][{k}] * {right}[{k}][x];"
    return Node("{\n", f"__shared__ {ctype} {left}[{n}][{n}], {right}[{n}][{n}];\n",
                f"const unsigned x = l % {n}, y = l / {n};\n",
                f"if (l < {n * n}) {{\n", f"{left}[y][x] = {a}", unsigned(scope, 1), f"{b};\n", f"{right}[y][x] = {a}",
                unsigned(scope, 1),
                f"{b};\n", "}\n", "__syncthreads();\n", f"{ctype} {sum_} = {first};\n", f"if (l < {n * n})\n",
                f"for (int {k} = 0; {k} < {n}; ++{k}) {more}\n", "__syncthreads();\n", into(draw), f"(unsigned){sum_};\n",
                "}\n")


@shape("idioms", BLOCK, 3)
def bins(scope):
    """A histogram of the block in shared memory."""
    draw, kernel = scope.draw, scope.kernel
    counts, i = kernel.fresh("counts"), kernel.fresh("i")
    number = draw.pick([4, 16, 37, 64])
    if not has_whole_block(scope):
        return None
    operation = draw.pick(["atomicAdd", "atomicXor", "atomicMax", "atomicOr"])
    return Node("{\n", f"__shared__ unsigned {counts}[{number}];\n",
                f"for (unsigned {i} = l; {i} < {number}; {i} += {kernel.threads})",
                f" {counts}[{i}] = 0;\n", "__syncthreads();\n", Node("if (", condition(scope, 1), ") ", instead=""),
                f"{operation}(&{counts}[(", unsigned(scope, 1), f") % {number}], ",
                draw.pick(["1", "l + 1", "1u << (l & 31)"]), ");\n",
                "__syncthreads();\n", into(draw), f"{counts}[l % {number}];\n", "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 2)
def greatest_with_place(scope):
    """The greatest number of the block, and the first thread that has it."""
    draw, kernel = scope.draw, scope.kernel
    best, where, mine = (kernel.fresh(stem) for stem in ("best", "where", "mine"))
    if not has_whole_block(scope):
        return None
    return Node("{\n", f"__shared__ unsigned {best}, {where};\n", f"const unsigned {mine} = ", unsigned(scope, 2), ";\n",
                f"if (l == 0) {best} = 0, {where} = ~0u;\n", "__syncthreads();\n", f"atomicMax(&{best}, {mine});\n",
                "__syncthreads();\n",
                f"if ({mine} == {best}) atomicMin(&{where}, l);\n", "__syncthreads();\n", into(draw),
                f"{where} * 7 + {best};\n",
                "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 2)
def wavefront(scope):
    """Diagonals of a table, each after the ones before; threads off the diagonal wait."""
    draw, kernel = scope.draw, scope.kernel
    row, step, column = (kernel.fresh(stem) for stem in ("row", "step", "col"))
    n = min(kernel.threads, draw.between(3, 9))
    if not has_whole_block(scope):
        return None
    return Node("{\n", f"__shared__ unsigned {row}[{n + 1}][{n + 1}];\n",
                f"if (l <= {n}) {row}[0][l] = {row}[l][0] = l * 3;\n",
                f"if ({n} >= {kernel.threads} && l == 0) {row}[0][{n}] = {row}[{n}][0] = 5;\n", "__syncthreads();\n",
                f"for (int {step} = 0; {step} < {2 * n - 1}; ++{step}) {{\n", f"const int {column} = {step} - (int)l;\n",
                f"if (l < {n} && {column} >= 0 && {column} < {n})\n",
                f"{row}[l + 1][{column} + 1] = max({row}[l][{column}] + ((u0 >> {column}) & 3), ",
                f"max({row}[l + 1][{column}], {row}[l][{column} + 1]) + 1);\n", "__syncthreads();\n", "}\n", into(draw),
                f"{row}[{n}][l % {n + 1}];\n", "__syncthreads();\n", "}\n")


@shape("idioms", BLOCK, 3)
def compaction(scope):
    """Numbers that pass a test go to the front, in order: places by votes, and the warps' sums."""
    draw, kernel = scope.draw, scope.kernel
    kept, sums, keeps, votes, place, i = (kernel.fresh(stem) for stem in ("kept", "sums", "keeps", "votes", "place", "i"))
    if not has_whole_warps(scope):
        return None
    warps = kernel.threads // 32
    return Node("{\n", f"__shared__ unsigned {kept}[{kernel.threads}], {sums}[{warps}];\n", f"{kept}[l] = 0;\n",
                f"const bool {keeps} = ",
                condition(scope, 1), ";\n", f"const unsigned {votes} = __ballot_sync(~0u, {keeps});\n",
                f"if ((l & 31) == 0) {sums}[l / 32] = __popc({votes});\n", "__syncthreads();\n",
                f"unsigned {place} = __popc({votes} & ((1u << (l & 31)) - 1));\n",
                f"for (unsigned {i} = 0; {i} < l / 32; ++{i}) {place} += {sums}[{i}];\n", f"if ({keeps}) {kept}[{place}] = ",
                unsigned(scope, 1), ";\n", "__syncthreads();\n", into(draw), f"{kept}[l];\n", "__syncthreads();\n", "}\n")
