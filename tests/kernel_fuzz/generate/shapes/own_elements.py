"""Loads and stores of a thread's own elements, at strides, whose indices may coincide; arms that read the thread's index anew."""
from generate.expressions import U_VARIABLES, condition, own_element, real, unsigned, value_for
from generate.scope import THREAD
from generate.shapes import shape, statements
from generate.tree import Node


def added(own, text):
    """What a value of the own array adds to an unsigned variable."""
    return f"__float_as_uint({text})" if own.ctype == "float" else f"(unsigned){text}"


def access(scope, own):
    """One load or store."""
    draw = scope.draw
    element = own_element(scope, own)
    way = draw.below(6)
    if way < 2:
        return Node(element, " = ", value_for(scope, own.ctype, 2), ";\n")
    if way == 2 and own.ctype != "float":
        return Node(element, f" {draw.pick(['+=', '^=', '-=', '|='])} ({own.ctype})(", unsigned(scope, 1), ");\n")
    if way == 3 and own.ctype == "float":
        return Node("f0 = ", element, ";\n")
    variable = draw.pick(U_VARIABLES)
    begin, end = (f"{variable} += __float_as_uint(", ")") if own.ctype == "float" else (f"{variable} += (unsigned)", "")
    return Node(begin, element, end, ";\n")


@shape("own", THREAD, 6)
def burst(scope):
    """Several loads and stores of the elements of one array."""
    own = scope.draw.pick(scope.kernel.own)
    return Node(*[access(scope, own) for _ in range(scope.draw.between(3, 6))])


@shape("own", THREAD, 5)
def overtaking(scope):
    """A load, a store that may change it, another load, in straight lines."""
    draw = scope.draw
    own = draw.pick(scope.kernel.own)
    first, second, third = (own_element(scope, own) for _ in range(3))
    name = scope.kernel.fresh("v")
    change = f"bounded(__fmul_rn({name}, 2.0f))" if own.ctype == "float" else f"({own.ctype})({name} + 7)"
    begin, end = ("__float_as_uint(", ")") if own.ctype == "float" else ("(unsigned)", "")
    return Node("{\n", f"const {own.ctype} {name} = ", first, ";\n", second, f" = {change};\n",
                f"{draw.pick(U_VARIABLES)} += {begin}{name}{end} + {begin}", third, f"{end};\n", "}\n")


@shape("own", THREAD, 2)
def by_pointer(scope):
    """The elements through a pointer to the first."""
    draw = scope.draw
    own = draw.pick([own for own in scope.kernel.own])
    if own.side_by_side:
        return None
    name = scope.kernel.fresh("p")
    body = []
    for _ in range(draw.between(2, 4)):
        where = Node(unsigned(scope, 1), f" % {own.stride}u", instead="0")
        if draw.chance(50):
            body.append(Node(f"{name}[", where, "] = ", value_for(scope, own.ctype, 1), ";\n"))
        else:
            body.append(Node(f"{draw.pick(U_VARIABLES)} ^= " + added(own, f"{name}["), where, "]",
                             ")" if own.ctype == "float" else "", ";\n") if own.ctype != "float" else
                        Node(f"f1 = {name}[", where, "];\n"))
    return Node("{\n", f"{own.ctype} *{name} = {scope.kernel.parameter(own.name)} + {scope.kernel.thread()} * {own.stride};\n",
                *body, "}\n")


@shape("arms", THREAD, 6)
def both_arms(scope):
    """A store in either arm, each with an index of its own."""
    own = scope.draw.pick(scope.kernel.own)
    then = [access(scope, own) for _ in range(scope.draw.between(1, 2))]
    other = [access(scope, own) for _ in range(scope.draw.between(1, 2))]
    return Node("if (", condition(scope, 1), ") {\n", *then, "} else {\n", *other, "}\n")


@shape("arms", THREAD, 3)
def arms_after_work(scope):
    """A loop in one arm and a store in both."""
    draw, kernel = scope.draw, scope.kernel
    own = draw.pick(kernel.own)
    sum_, counter = kernel.fresh("sum"), kernel.fresh("i")
    inner = scope.inner(THREAD, turns=4, counter=counter)
    return Node("if (", condition(scope, 1), ") {\n", f"unsigned {sum_} = 0;\n",
                f"for (unsigned {counter} = 0; {counter} < {draw.between(2, 5)}; ++{counter}) {{\n",
                Node(f"{sum_} += {kernel.parameter('in')}[(", unsigned(inner, 1), f") & 255];\n"), "}\n",
                *own_store(scope, own, sum_), "} else {\n", *own_store(scope, own, "u3"), "}\n")


def own_store(scope, own, variable):
    if own.ctype == "float":
        return [own_element(scope, own), f" = (float)({variable} & 4095);\n"]
    return [own_element(scope, own), f" = ({own.ctype}){variable};\n"]


@shape("any", THREAD, 3)
def assignment(scope):
    draw = scope.draw
    return Node(f"{draw.pick(U_VARIABLES)} {draw.pick(['=', '+=', '^=', '-='])} ", unsigned(scope, 3), ";\n")


@shape("own", THREAD, 2)
def wide_assignment(scope):
    """64-bit and signed values."""
    draw = scope.draw
    if draw.chance(50):
        return Node(f"i0 {draw.pick(['=', '^='])} (int)", unsigned(scope, 2), ";\n")
    form = draw.pick(["q0 = q0 * {} + {};", "q0 ^= (unsigned long long){} << ({} & 31);", "q0 += __umul64hi(q0, {}) + {};",
                      "q0 = (q0 >> ({} & 63)) ^ {};", "q0 %= ((unsigned long long){} << 9) + {} + 12345;"])
    a, b, c = form.split("{}")
    return Node(a, unsigned(scope, 1), b, unsigned(scope, 1), c, "\n")


@shape("arms", THREAD, 1)
def copies_of_index(scope):
    """The whole threadIdx by value, and one of its members by a choice."""
    draw = scope.draw
    name = scope.kernel.fresh("here")
    return Node("{\n", f"const uint3 {name} = threadIdx;\n", f"{draw.pick(U_VARIABLES)} += (", condition(scope, 1),
                f" ? {name}.{draw.pick('xyz')} : {name}.{draw.pick('xyz')}) * {draw.between(1, 99)}u;\n", "}\n")


@shape("floats", THREAD, 2)
def float_elements(scope):
    """Floats read from and written to own elements, if there are any."""
    reals = [own for own in scope.kernel.own if own.ctype == "float"]
    if not reals:
        return None
    own = scope.draw.pick(reals)
    return Node(own_element(scope, own), " = bounded(", real(scope, 3), ");\n")


@shape("arms", THREAD, 2)
def statements_in_arms(scope):
    inner = scope.inner(THREAD)
    body = Node(*statements(inner, 1, 2))
    return Node(Node("if (", condition(scope, 1), ") {\n", body, "}\n", instead=body))
