"""Random expressions. Each is exact, so that every compiler and processor computes the same bits."""
from generate.kernel import INPUTS
from generate.tree import Node

U_VARIABLES = ["u0", "u1", "u2", "u3"]
NARROW = ["unsigned char", "unsigned short", "signed char", "short"]
CONSTANTS = [0, 1, 2, 3, 5, 7, 8, 13, 31, 32, 33, 63, 100, 255, 256, 1000, 4095, 65535, 65536, 99991, 0x7FFFFFFF,
             0x80000000, 0xFFFFFFFF, 0x12345678, 0xDEADBEEF]


def axis(scope):
    """One of the thread's or block's built-in variables, or a choice between two."""
    draw = scope.draw
    members = ["threadIdx.x", "threadIdx.y", "threadIdx.z"]
    way = draw.below(10)
    if way < 4:
        return draw.pick(members)
    if way < 7:
        return Node("(", condition(scope, 0), f" ? {draw.pick(members)} : {draw.pick(members)})", instead="threadIdx.x")
    if way == 7:
        return draw.pick(["blockIdx.x", "blockIdx.y", "blockDim.x", "gridDim.x"])
    if way == 8:
        return Node("(", condition(scope, 0), f" ? threadIdx.{draw.pick('xy')} : blockIdx.{draw.pick('xyz')})",
                    instead="threadIdx.y")
    return draw.pick(["laneId()", f"({scope.kernel.local()} & 31)", f"({scope.kernel.local()} >> 5)"])


def uniform(scope):
    """A value that all threads which come here together have in common."""
    draw, kernel = scope.draw, scope.kernel
    ways = [kernel.parameter("flag"), kernel.parameter("d0"), kernel.parameter("d1"), kernel.parameter("n"),
            f"{kernel.parameter('in')}[{draw.below(INPUTS)}]", f"(unsigned){draw.pick(CONSTANTS)}u"]
    if scope.level <= 2:
        ways.append("blockIdx.x")
    return draw.pick(ways)


def uniform_condition(scope):
    draw = scope.draw
    return draw.pick([f"({uniform(scope)} & {draw.pick([1, 2, 3])}) != 0", f"{uniform(scope)} % 3 == {draw.below(3)}",
                      f"{uniform(scope)} < {uniform(scope)}", f"{scope.kernel.parameter('flag')}"])


def leaf(scope):
    draw, kernel = scope.draw, scope.kernel
    ways = [(8, lambda: draw.pick(U_VARIABLES)), (2, lambda: f"{draw.pick(CONSTANTS)}u"), (5, lambda: axis(scope)),
            (2, lambda: uniform(scope)), (1, lambda: "(unsigned)i0"),
            (1, lambda: draw.pick(["(unsigned)q0", "(unsigned)(q0 >> 32)"]))]
    if scope.counters:
        ways.append((3, lambda: draw.pick(scope.counters)))
    if "narrow" in kernel.groups:
        ways.append((3, lambda: draw.pick(["(unsigned)s0", "(unsigned)b0"])))
        ways.append((3, lambda: f"(unsigned)({draw.pick(NARROW)})({draw.pick(['threadIdx.x', 'threadIdx.y', 'l', 't'])}"
                                f" * {draw.pick([3, 40, 1000, 4097])}u)"))
    if "floats" in kernel.groups:
        ways.append((2, lambda: draw.pick(["__float_as_uint(f0)", "__float_as_uint(f1)", "(unsigned)__double2hiint(g0)"])))
    return draw.weighted(ways)()


def read(scope, depth):
    """A load: of the inputs, of an element of the thread's own, of shared memory that may be read here."""
    draw, kernel = scope.draw, scope.kernel
    if scope.readable and draw.chance(60):
        return Node(f"{draw.pick(scope.readable)}[", unsigned(scope, depth - 1), f" % {kernel.threads}u]", instead="u0")
    integers = [own for own in kernel.own if own.ctype != "float"]
    if integers and draw.chance(50):
        return Node("(unsigned)", own_element(scope, draw.pick(integers)), instead="u1")
    return Node(f"{kernel.parameter('in')}[", unsigned(scope, depth - 1), f" & {INPUTS - 1}]", instead="u2")


def offset(scope, own):
    """Which of the thread's own elements: a constant, a value all threads share, or any."""
    draw, kernel = scope.draw, scope.kernel
    way = draw.below(10)
    if own.stride == 1:
        return "0"
    if way < 5:
        return str(draw.below(own.stride))
    if way < 8:
        return f"{kernel.parameter(draw.pick(['d0', 'd1']))} % {own.stride}"
    return Node(unsigned(scope, 1), f" % {own.stride}u", instead="0")


def own_element(scope, own):
    """An element of the thread's own, as something that can be read and written."""
    kernel = scope.kernel
    array, thread, where = kernel.parameter(own.name), kernel.thread(), offset(scope, own)
    if own.side_by_side:
        return Node(f"{array}[(", where, f") * {kernel.total}u + {thread}]", instead=f"{array}[t]")
    return Node(f"{array}[{thread} * {own.stride} + (", where, ")]", instead=f"{array}[t * {own.stride}]")


UNARY = ["~{}", "-({})", "(unsigned)__popc({})", "(unsigned)__clz({})", "__brev({})", "(unsigned)__ffs({})", "(unsigned)(unsigned char){}",
         "(unsigned)(short){}", "(unsigned)(signed char)({} >> 3)", "(unsigned)((int){} >> 5)", "(unsigned)!{}"]
BINARY = ["{} + {}"] * 4 + ["{} - {}"] * 3 + ["{} * {}"] * 3 + ["{} ^ {}"] * 3 + [
    "{} & {}", "{} | {}", "{} << ({} & 31)", "{} >> ({} & 31)", "{} / ({} | 1u)", "{} % ({} | 1u)", "min({}, {})",
    "max({}, {})", "__umulhi({}, {})", "(unsigned)((int){} / (int)(({} & 255u) + 1u))", "(unsigned)({} < {})",
    "(unsigned)((int){} > (int){})", "(unsigned)abs((int)({} & 0xffffu) - (int)({} & 0xffffu))"]
TERNARY = ["__byte_perm({}, {}, {} & 0x7777u)", "__funnelshift_l({}, {}, {})", "__funnelshift_r({}, {}, {})",
           "__usad({}, {}, {})", "{} * {} + {}", "(({} & {}) ^ {})", "__dp4a({}, {}, {})", "__vadd4({}, {}) ^ {}"]


def filled(form, parts, instead):
    texts = form.split("{}")
    pieces = ["(", texts[0]]
    for part, text in zip(parts, texts[1:]):
        pieces += [part, text]
    return Node(*pieces, ")", instead=instead)


def unsigned(scope, depth):
    """A value of type unsigned."""
    draw = scope.draw
    if depth <= 0:
        return leaf(scope)
    way = draw.below(20)
    if way < 4:
        return leaf(scope)
    if way < 6:
        return filled(draw.pick(UNARY), [unsigned(scope, depth - 1)], "u0")
    if way < 14:
        first = unsigned(scope, depth - 1)
        return filled(draw.pick(BINARY), [first, unsigned(scope, depth - 1)], first)
    if way < 16:
        first = unsigned(scope, depth - 1)
        return filled(draw.pick(TERNARY), [first, unsigned(scope, depth - 1), unsigned(scope, 0)], first)
    if way < 18:
        first = unsigned(scope, depth - 1)
        return Node("(", condition(scope, depth - 1), " ? ", first, " : ", unsigned(scope, depth - 1), ")", instead=first)
    return read(scope, depth)


def condition(scope, depth):
    """A truth value that may differ from thread to thread."""
    draw, kernel = scope.draw, scope.kernel
    way = draw.below(8)
    if way < 2:
        return f"{kernel.local()} % {draw.pick([2, 3, 5, 7])} == {draw.below(2)}"
    if way == 2:
        return uniform_condition(scope)
    if way == 3:
        return f"{kernel.local()} < {draw.below(kernel.threads + 1)}u"
    compare = draw.pick(["<", ">", "<=", "==", "!="])
    if way < 6:
        return Node("((", unsigned(scope, depth), f") & {draw.pick([1, 2, 5, 12])}u) != 0", instead="(u0 & 1) != 0")
    if way == 6:
        return Node("(int)", unsigned(scope, depth), f" {compare} (int)", unsigned(scope, depth), instead="u0 > u1")
    return Node(unsigned(scope, depth), f" {compare} ", unsigned(scope, depth), instead="u1 < u2")


def real(scope, depth):
    """A float whose bits do not depend on the compiler: every operation is rounded once and never fused."""
    draw, kernel = scope.draw, scope.kernel
    if depth <= 0 or draw.chance(20):
        reals = [own for own in kernel.own if own.ctype == "float"]
        if reals and draw.chance(40):
            return Node(own_element(scope, draw.pick(reals)), instead="f0")
        return draw.pick(["f0", "f1", "1.5f", "-0.375f", "3.0f", "0.1f", "(float)(int)(u0 & 255) - 100.0f",
                          "(float)(u1 & 1023)", "__int2float_rn((int)u2 >> 20)"])
    first = real(scope, depth - 1)
    form = draw.pick(["__fmaf_rn({}, {}, {})", "__fmaf_rn({}, {}, {})", "__fadd_rn({}, {})", "__fmul_rn({}, {})",
                      "__fsub_rn({}, {})", "-({})", "fabsf({})", "__fsqrt_rn(fabsf({}))",
                      "__fdiv_rn({}, __fadd_rn(1.0f, fabsf({})))", "floorf({})", "truncf({})", "rintf({})", "({} < {} ? 2.0f : -0.25f)", "__double2float_rn((double){})"])
    return filled(form, [first] + [real(scope, depth - 1) for _ in range(form.count("{}") - 1)], first)


def double(scope, depth):
    draw = scope.draw
    if depth <= 0 or draw.chance(25):
        return draw.pick(["g0", "1.25", "-0.1", "(double)f0", "(double)(int)u0", "__uint2double_rn(u1)"])
    first = double(scope, depth - 1)
    form = draw.pick(["__fma_rn({}, {}, {})", "__dadd_rn({}, {})", "__dmul_rn({}, {})", "__dsqrt_rn(fabs({}))", "-({})",
                      "__ddiv_rn({}, __dadd_rn(1.0, fabs({})))", "floor({})", "__dsub_rn({}, {})"])
    return filled(form, [first] + [double(scope, depth - 1) for _ in range(form.count("{}") - 1)], first)


def value_for(scope, ctype, depth):
    """A value to store into an object of the type."""
    if ctype == "float":
        return Node("bounded(", real(scope, depth), ")", instead="f1")
    return Node(f"({ctype})(", unsigned(scope, depth), ")", instead=f"({ctype})u3")
