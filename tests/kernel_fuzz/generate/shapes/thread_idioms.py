"""What threads and warps are full of: scans and sorts in registers, searches, small sorts, digits, long numbers."""
from generate.expressions import U_VARIABLES, condition, unsigned
from generate.scope import THREAD, WARP
from generate.shapes import shape
from generate.shapes.block_idioms import has_whole_warps
from generate.shapes.warps import into
from generate.tree import Node


@shape("idioms", WARP, 3)
def scan_of_warp(scope):
    """A sum over the lanes before, by shuffles up."""
    draw, kernel = scope.draw, scope.kernel
    value, step, other = (kernel.fresh(stem) for stem in ("value", "step", "other"))
    if not has_whole_warps(scope):
        return None
    ctype = draw.pick(["unsigned", "int", "unsigned long long"])
    width = draw.pick([32, 32, 16, 8])
    adds = draw.pick([f"if ((l & {width - 1}) >= {step}) {value} += {other};",
                f"{value} += (l & {width - 1}) >= {step} ? {other} : 0;",
                      f"if ((l & {width - 1}) >= {step}) {value} = max({value}, {other});"])
    return Node("{\n", f"{ctype} {value} = ({ctype})(", unsigned(scope, 2), ");\n",
                draw.pick(["#pragma unroll\n", "#pragma unroll 1\n", ""]),
                f"for (int {step} = 1; {step} < {width}; {step} <<= 1) {{\n",
                f"const {ctype} {other} = __shfl_up_sync(~0u, {value}, {step}{'' if width == 32 else ', ' + str(width)});\n",
                adds, "\n}\n",
                into(draw), f"(unsigned){value};\n", "}\n")


@shape("idioms", WARP, 3)
def sort_of_warp(scope):
    """A bitonic sort in registers."""
    draw, kernel = scope.draw, scope.kernel
    key, size, step, other = (kernel.fresh(stem) for stem in ("key", "size", "step", "other"))
    if not has_whole_warps(scope):
        return None
    ctype = draw.pick(["unsigned", "int", "unsigned long long"])
    return Node("{\n", f"{ctype} {key} = ({ctype})(", unsigned(scope, 2), ");\n",
                f"for (unsigned {size} = 2; {size} <= 32; {size} *= 2)\n",
                f"for (unsigned {step} = {size} / 2; {step} > 0; {step} /= 2) {{\n",
                f"const {ctype} {other} = __shfl_xor_sync(~0u, {key}, {step});\n",
                f"const bool up = (l & {size}) == 0, low = (l & {step}) == 0;\n",
                f"{key} = up == low ? min({key}, {other}) : max({key}, {other});\n", "}\n", into(draw), f"(unsigned){key};\n",
                "}\n")


@shape("idioms", WARP, 3)
def by_distinct_values(scope):
    """Lanes with the same value are served together, one value after the other, until none is left."""
    draw, kernel = scope.draw, scope.kernel
    value, left, first, same, sum_ = (kernel.fresh(stem) for stem in ("value", "left", "first", "same", "sum"))
    if not has_whole_warps(scope):
        return None
    return Node("{\n", f"const unsigned {value} = (", unsigned(scope, 1), f") % {draw.between(1, 6)}u;\n",
                f"unsigned {left} = ~0u, {sum_} = 0;\n",
                f"while ({left}) {{\n", f"const unsigned {first} = __shfl_sync(~0u, {value}, __ffs({left}) - 1);\n",
                f"const unsigned {same} = __ballot_sync(~0u, {value} == {first});\n",
                draw.pick([f"if ({value} == {first}) {sum_} = {same} + __popc({left});\n",
                f"{sum_} += {value} == {first} ? __popc({same}) : 1;\n"]),
                f"{left} &= ~{same};\n", "}\n", into(draw), f"{sum_};\n", "}\n")


@shape("idioms", WARP, 2)
def segments_of_warp(scope):
    """Sums of runs of lanes that flags begin."""
    draw, kernel = scope.draw, scope.kernel
    heads, begin, value, step, other = (kernel.fresh(stem) for stem in ("heads", "begin", "value", "step", "other"))
    if not has_whole_warps(scope):
        return None
    return Node("{\n", f"const unsigned {heads} = __ballot_sync(~0u, ", condition(scope, 1), ") | 1u;\n",
                f"const unsigned {begin} = 31 - __clz({heads} & (0xFFFFFFFFu >> (31 - (l & 31))));\n",
                f"unsigned {value} = ", unsigned(scope, 1),
                ";\n", f"for (unsigned {step} = 1; {step} < 32; {step} *= 2) {{\n",
                f"const unsigned {other} = __shfl_up_sync(~0u, {value}, {step});\n",
                f"if ((l & 31) >= {begin} + {step}) {value} += {other};\n",
                "}\n", into(draw), f"{value};\n", "}\n")


@shape("idioms", THREAD, 3)
def sort_of_thread(scope):
    """An insertion sort, or a selection, of a few numbers in local memory."""
    draw, kernel = scope.draw, scope.kernel
    keys, i, j, key = (kernel.fresh(stem) for stem in ("keys", "i", "j", "key"))
    n = draw.between(3, 8)
    ctype = draw.pick(["unsigned", "int", "unsigned char", "short"])
    sort = draw.pick([
        f"for (int {i} = 1; {i} < {n}; ++{i}) {{\nconst {ctype} {key} = {keys}[{i}];\nint {j} = {i} - 1;\n"
        f"for (; {j} >= 0 && {keys}[{j}] > {key}; --{j}) {keys}[{j} + 1] = {keys}[{j}];\n{keys}[{j} + 1] = {key};\n}}\n",
        f"for (int {i} = 0; {i} < {n - 1}; ++{i})\nfor (int {j} = {i} + 1; {j} < {n}; ++{j})\n"
        f"if ({keys}[{j}] < {keys}[{i}]) {{\nconst {ctype} {key} = {keys}[{i}];\n{keys}[{i}] = {keys}[{j}];\n{keys}[{j}] = {key};\n}}\n"])
    return Node("{\n", f"{ctype} {keys}[{n}];\n", f"for (int {i} = 0; {i} < {n}; ++{i}) {keys}[{i}] = ({ctype})((",
                unsigned(scope, 1),
                f") >> ({i} & 7)) ^ ({ctype})({i} * 37);\n", sort, into(draw), f"(unsigned){keys}[(", unsigned(scope, 1),
                f") % {n}u];\n", "}\n")


@shape("idioms", THREAD, 3)
def search(scope):
    """Where a number would stand in a table that is taken to be sorted."""
    draw, kernel = scope.draw, scope.kernel
    low, high, middle = (kernel.fresh(stem) for stem in ("low", "high", "mid"))
    ctype = draw.pick(["int", "unsigned"])
    return Node("{\n", f"{ctype} {low} = 0, {high} = {draw.between(1, 256)};\n", f"while ({low} < {high}) {{\n",
                f"const {ctype} {middle} = {draw.pick([f'({low} + {high}) / 2', f'{low} + (({high} - {low}) >> 1)'])};\n",
                f"if ({kernel.parameter('in')}[{middle}] < ", unsigned(scope, 1),
                f") {low} = {middle} + 1;\nelse {high} = {middle};\n", "}\n",
                into(draw), f"(unsigned){low};\n", "}\n")


@shape("idioms", THREAD, 3)
def bits_one_by_one(scope):
    """A loop over the bits that are set."""
    draw, kernel = scope.draw, scope.kernel
    bits, bit, sum_ = (kernel.fresh(stem) for stem in ("bits", "bit", "sum"))
    ctype, first = draw.pick([("unsigned", "__ffs"), ("unsigned long long", "__ffsll")])
    return Node("{\n", f"unsigned {sum_} = 0;\n", f"for ({ctype} {bits} = ",
                draw.pick(["", "(q0 << 7) ^ " if ctype != "unsigned" else "~"]),
                unsigned(scope, 1), f"; {bits}; {bits} &= {bits} - 1) {{\n", f"const int {bit} = {first}({bits}) - 1;\n",
                Node(f"if ({bit} == {draw.between(8, 31)}) break;\n"),
                f"{sum_} = {sum_} * 5 + {kernel.parameter('in')}[{bit}];\n", "}\n", into(draw),
                f"{sum_};\n", "}\n")


@shape("idioms", THREAD, 2)
def digits(scope):
    """A number as text and back again."""
    draw, kernel = scope.draw, scope.kernel
    text, length, value, i = (kernel.fresh(stem) for stem in ("text", "length", "value", "i"))
    base = draw.pick([10, 16, 7])
    return Node("{\n", f"char {text}[16];\n", f"int {length} = 0;\n", f"unsigned {value} = ", unsigned(scope, 2), ";\n",
                f"do {text}[{length}++] = \"0123456789abcdef\"[{value} % {base}];\n",
                f"while (({value} /= {base}) && {length} < 15);\n",
                f"for (int {i} = 0; {i} < {length} / 2; ++{i}) {{\n", f"const char c = {text}[{i}];\n",
                f"{text}[{i}] = {text}[{length} - 1 - {i}], {text}[{length} - 1 - {i}] = c;\n", "}\n",
                f"for (int {i} = 0; {i} < {length}; ++{i}) {value} = {value} * 31 + {text}[{i}];\n", into(draw), f"{value};\n",
                "}\n")


@shape("idioms", THREAD, 2)
def long_number(scope):
    """Numbers of several words: sums with carries, products."""
    draw, kernel = scope.draw, scope.kernel
    a, b, carry, i, j = (kernel.fresh(stem) for stem in ("a", "b", "carry", "i", "j"))
    words = draw.between(2, 4)
    return Node("{\n", f"unsigned {a}[{words}], {b}[{2 * words}] = {{}};\n",
                f"for (int {i} = 0; {i} < {words}; ++{i}) {a}[{i}] = (", unsigned(scope, 1), f") + {i} * 0x9E3779B9u;\n",
                f"for (int {i} = 0; {i} < {words}; ++{i}) {{\n", f"unsigned long long {carry} = 0;\n",
                f"for (int {j} = 0; {j} < {words}; ++{j}) {{\n",
                f"{carry} += (unsigned long long){a}[{i}] * {a}[{j}] + {b}[{i} + {j}];\n",
                f"{b}[{i} + {j}] = (unsigned){carry};\n",
                f"{carry} >>= 32;\n", "}\n", f"{b}[{i} + {words}] = (unsigned){carry};\n", "}\n", into(draw), f"{b}[(",
                unsigned(scope, 1),
                f") % {2 * words}u];\n", "}\n")


@shape("idioms", THREAD, 3)
def wide_elements(scope):
    """Several elements at once: vectors of the inputs, and of a thread's own."""
    draw, kernel = scope.draw, scope.kernel
    vector = kernel.fresh("vector")
    own = [own for own in kernel.own if own.ctype == "unsigned" and own.stride in (2, 4) and not own.side_by_side]
    if not own or draw.chance(40):
        kind, count = draw.pick([("uint4", 64), ("uint2", 128), ("ushort4", 128), ("uchar4", 256), ("ulonglong2", 64)])
        return Node("{\n", f"const {kind} {vector} = reinterpret_cast<const {kind} *>({kernel.parameter('in')})[(",
                unsigned(scope, 1),
                    f") & {count - 1}];\n", into(draw),
                    f"(unsigned)({vector}.x * 3 + {vector}.{'y' if kind.endswith('2') else draw.pick('yzw')});\n", "}\n")
    chosen = draw.pick(own)
    kind = f"uint{chosen.stride}"
    place = f"reinterpret_cast<{kind} *>({kernel.parameter(chosen.name)})[{kernel.thread()}]"
    members = "xyzw"[:chosen.stride]
    return Node("{\n", f"{kind} {vector} = {place};\n", f"{vector}.{draw.pick(members)} += ", unsigned(scope, 1), ";\n",
                Node("if (", condition(scope, 1), f") {vector}.{draw.pick(members)} ^= ", unsigned(scope, 1), ";\n"),
                f"{place} = {vector};\n",
                into(draw), f"{vector}.{draw.pick(members)};\n", "}\n")


@shape("idioms", THREAD, 2)
def table_of_constants(scope):
    """A table that the compiler knows, looked up by a number that it does not."""
    draw, kernel = scope.draw, scope.kernel
    table = kernel.fresh("table")
    ctype = draw.pick(["unsigned", "unsigned char", "short", "int"])
    numbers = [draw.between(0, 250) for _ in range(draw.pick([4, 8, 16]))]
    kind = draw.pick(["const", "static constexpr", "const"])
    return Node("{\n", f"{kind} {ctype} {table}[{len(numbers)}] = {{{', '.join(map(str, numbers))}}};\n", into(draw),
                f"(unsigned){table}[(",
                unsigned(scope, 1), f") & {len(numbers) - 1}] * {draw.between(1, 9)}u;\n", "}\n")


@shape("idioms", THREAD, 2)
def steps_until(scope):
    """A loop whose turns the data decides, with more than one way out."""
    draw, kernel = scope.draw, scope.kernel
    value, steps = kernel.fresh("value"), kernel.fresh("steps")
    return Node("{\n", f"unsigned {value} = (", unsigned(scope, 1), f") & {draw.pick([63, 255, 1023])};\n",
                f"int {steps} = 0;\n",
                f"while ({value} > 1) {{\n", f"if (++{steps} >= {draw.between(5, 40)}) break;\n",
                f"{value} = {value} & 1 ? 3 * {value} + 1 : {value} / 2;\n",
                Node(f"if ({value} == {draw.pick([16, 40, 52])}) {{\n{draw.pick(U_VARIABLES)} += {steps};\ncontinue;\n}}\n"),
                "}\n", into(draw),
                f"{value} * 64 + {steps};\n", "}\n")


@shape("idioms", THREAD, 2)
def small_matrix(scope):
    """A product of small matrices in local memory, transposed in place or not."""
    draw, kernel = scope.draw, scope.kernel
    a, c, i, j, k = (kernel.fresh(stem) for stem in ("a", "c", "i", "j", "k"))
    n = draw.between(2, 4)
    other = draw.pick([f"{a}[{k}][{j}]", f"{a}[{j}][{k}]"])
    return Node("{\n", f"unsigned {a}[{n}][{n}], {c}[{n}][{n}] = {{}};\n",
                f"for (int {i} = 0; {i} < {n * n}; ++{i}) {a}[{i} / {n}][{i} % {n}] = (", unsigned(scope, 1),
                f") * {draw.between(1, 9)} + {i};\n",
                f"for (int {i} = 0; {i} < {n}; ++{i})\nfor (int {j} = 0; {j} < {n}; ++{j})\nfor (int {k} = 0; {k} < {n}; ++{k})\n",
                f"{c}[{i}][{j}] += {a}[{i}][{k}] * {other};\n", into(draw), f"{c}[(", unsigned(scope, 1), f") % {n}u][(",
                unsigned(scope, 1),
                f") % {n}u];\n", "}\n")
