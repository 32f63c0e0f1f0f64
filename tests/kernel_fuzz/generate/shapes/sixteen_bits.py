"""Half, bfloat16 and pairs of them by operators: sums of products that may be fused, whatever stands between the two.

What comes of them stays in variables of their own, which go to the array `fused16` alone: nothing else depends on it."""
from generate.expressions import condition, filled, uniform, unsigned
from generate.kernel import INPUTS, SIXTEEN, SIXTEEN_ELEMENTS
from generate.scope import BLOCK, THREAD, WARP
from generate.shapes import shape, statements
from generate.shapes.barriers import fixed
from generate.shapes.control import may_nest
from generate.tree import Node

FUSIBLE = ["{} * {} + {}"] * 3 + ["{} * {} - {}", "{} - {} * {}", "-({} * {}) + {}", "{} * {} + {} * {}", "({} + {}) * {}"]
PLAIN = ["{} + {}", "{} - {}", "{} * {}", "-{}"]
CALLS = ["__hadd{2}(__hmul{2}({}, {}), {})", "__hsub{2}({}, __hmul{2}({}, {}))", "__hsub{2}_sat(__hmul{2}({}, {}), {})",
         "__hadd{2}_sat({}, __hmul{2}({}, {}))", "__hmul{2}_rn({}, {}) + {}", "__hadd{2}_rn({} * {}, {})",
         "__hfma{2}({}, {}, {})", "__hfma{2}_relu({}, {}, {})", "__hmin{2}({}, {} * {})", "__hmax{2}({}, {})",
         "__hmax{2}_nan({} * {}, {})", "__habs{2}({})", "sumApart({}, {}, {})", "productApart({}, {}) + {}"]
OF_ONE = ["({} < {} ? {} : {})", "({} >= {} ? {} * {} : {}) + {}", "sumInPtx({}, {}, {})"]
OF_PAIRS = ["__hlt2({}, {}) * {} + {}", "__hge2({}, {} * {})", "__lowhigh2highlow({}) * {} + {}"]


class Format:
    def __init__(self, ctype, others, extra):
        """`others`: values of this format that are made of other formats'."""
        self.ctype, self.others = ctype, others
        self.variables = [name for of, name, _ in SIXTEEN if of == ctype]
        calls = [form.replace("{2}", "2" if ctype.endswith("2") else "") for form in CALLS]
        self.forms = FUSIBLE * 2 + PLAIN + calls + extra


FORMATS = [
    Format("__half", ["__low2half(halvesA)", "__high2half(halvesB)", "__float2half_rn(__bfloat162float(brainA))",
                      "__int2half_rn((int)(u1 & 15) - 7)", "__float2half_rn(__half2float(halfB))"], OF_ONE),
    Format("__half2", ["__halves2half2(halfA, halfB)", "__half2half2(halfA)", "__float2half2_rn(0.3f)",
                       "__lows2half2(halvesB, halvesA)"], OF_PAIRS),
    Format("__nv_bfloat16", ["__low2bfloat16(brainsA)", "__high2bfloat16(brainsB)", "__float2bfloat16_rn(__half2float(halfA))",
                             "__int2bfloat16_rn((int)(u0 & 31) - 15)", "__float2bfloat16_rn(1.1f)"], OF_ONE),
    Format("__nv_bfloat162", ["__halves2bfloat162(brainB, brainA)", "__bfloat162bfloat162(brainA)",
                              "__float2bfloat162_rn(-0.7f)"], OF_PAIRS),
]


def format_for(scope):
    """The format of a statement, whose results go to `fused16`."""
    kernel = scope.kernel
    kernel.needs("fused16", "unsigned", kernel.total * SIXTEEN_ELEMENTS, "contracted")
    return scope.draw.pick(FORMATS)


def value(scope, of, depth):
    draw = scope.draw
    way = draw.below(10)
    if depth <= 0 or way < 2:
        if way < 6:
            return draw.pick(of.variables)
        if way < 8:
            return Node(f"sixteen<{of.ctype}>(", unsigned(scope, 1), ")", instead=of.variables[0])
        return draw.pick(of.others)
    form = draw.pick(of.forms)
    first = value(scope, of, depth - 1)
    return filled(form, [first] + [value(scope, of, depth - 1 - draw.below(2)) for _ in range(form.count("{}") - 1)], first)


def product(scope, of):
    """A product as a variable of its own: its name, and its text."""
    name = scope.kernel.fresh("product")
    return name, Node(f"const {of.ctype} {name} = ", value(scope, of, 1), " * ", value(scope, of, 1), ";\n")


def total(scope, of, name):
    """A sum that may take in the product of this name."""
    draw, other = scope.draw, value(scope, of, 1)
    if draw.chance(40):
        return Node("(", other, ")" + draw.pick([f" + {name}", f" - {name}"]))
    return Node(draw.pick([f"{name} + ", f"{name} - ", f"-{name} + ", f"{name} + {name} * "]), "(", other, ")")


def assigned(scope, of, *parts):
    """A statement that gives a variable the value, if that is not large."""
    return Node(f"{scope.draw.pick(of.variables)} = within(", *parts, ");\n")


@shape("sixteen", THREAD, 8)
def assignment(scope):
    of = format_for(scope)
    return assigned(scope, of, value(scope, of, 3))


@shape("sixteen", THREAD, 3)
def compound(scope):
    draw, of = scope.draw, format_for(scope)
    name = draw.pick(of.variables)
    return Node(f"{name} {draw.pick(['+=', '-='])} ", value(scope, of, 1), " * ", value(scope, of, 1), ";\n",
                f"{name} = within({name});\n")


@shape("sixteen", THREAD, 5)
def shared_product(scope):
    """A product that two sums take, or a sum and something else, or a sum in one arm."""
    draw, kernel, of = scope.draw, scope.kernel, format_for(scope)
    name, made = product(scope, of)
    way = draw.below(4)
    lines = [assigned(scope, of, total(scope, of, name))]
    if way == 0:
        lines.append(assigned(scope, of, total(scope, of, name)))
    elif way == 1:
        place = f"{kernel.thread()} * {SIXTEEN_ELEMENTS} + {draw.between(len(SIXTEEN), SIXTEEN_ELEMENTS - 1)}"
        lines.append(Node(f"{kernel.parameter('fused16')}[{place}] = bitsOf({name});\n"))
    elif way == 2:
        lines = [Node("if (", condition(scope, 1), ") ", lines[0]), *statements(scope.inner(THREAD), 0, 1)]
    else:
        lines = [Node("if (", condition(scope, 1), ") ", lines[0], "else ", assigned(scope, of, total(scope, of, name)))]
    return Node("{\n", made, *lines, "}\n")


@shape("sixteen", THREAD, 4)
def sum_in_loop(scope):
    """A sum of products turn by turn, or of a product that is the same in all turns."""
    if not may_nest(scope):
        return None
    draw, kernel, of = scope.draw, scope.kernel, format_for(scope)
    counter, result = kernel.fresh("i"), kernel.fresh("sum")
    name, made = product(scope, of)
    turns = Node("(", unsigned(scope, 1), ") % 5u", instead="2") if draw.chance(50) else f"{uniform(scope)} % 4u + 1"
    read = f"sixteen<{of.ctype}>({kernel.parameter('in')}[({counter} * 5 + {kernel.thread()}) & {INPUTS - 1}])"
    step = draw.pick([f"{result} += {name}", f"{result} = {name} + {result} * {of.variables[0]}", f"{result} -= {read} * {name}",
                      f"{result} += {read} * {of.variables[1]}", f"{result} = {of.variables[0]} - {read} * {result}"])
    unrolled = draw.pick(["", "", "#pragma unroll 1\n", "#pragma unroll\n"])
    return Node("{\n", made, f"{of.ctype} {result} = {draw.pick(of.variables)};\n", unrolled,
                f"for (unsigned {counter} = 0; {counter} < ", turns, f"; ++{counter}) {step};\n",
                assigned(scope, of, result), "}\n")


@shape("sixteen", WARP, 4)
def from_lane(scope):
    """A product, or what it is added to, of another lane."""
    draw, of = scope.draw, format_for(scope)
    if not scope.mask:
        return None
    name, made = product(scope, of)
    other = f"ofLane<{of.ctype}>({scope.mask}, {draw.pick([name, *of.variables])}, laneId() ^ {draw.between(1, 31)})"
    return Node("{\n", made, assigned(scope, of, total(scope, of, name), " + ", other), "}\n")


@shape("sixteen", BLOCK, 6)
def across_barrier(scope):
    """A product before a barrier and its sum behind it."""
    of = format_for(scope)
    name, made = product(scope, of)
    between = statements(scope.inner(THREAD), 1, 1) if scope.draw.chance(30) else []
    return Node("{\n", made, fixed(scope), *between, assigned(scope, of, total(scope, of, name)), "}\n")
