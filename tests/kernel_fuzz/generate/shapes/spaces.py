"""Memory spaces: local arrays and structures, generic pointers, isspacep, cvta."""
from generate.expressions import U_VARIABLES, condition, own_element, unsigned
from generate.scope import BLOCK, THREAD
from generate.shapes import shape, statements
from generate.tree import Node


@shape("locals", THREAD, 5)
def local_array(scope):
    """A local array that is written and read at indices known at run time only."""
    draw, kernel = scope.draw, scope.kernel
    name, i = kernel.fresh("loc"), kernel.fresh("i")
    size = draw.pick([4, 8, 16])
    ctype = draw.weighted([(5, "unsigned"), (1, "unsigned char"), (1, "short"), (1, "unsigned long long")])
    body = []
    for _ in range(draw.between(2, 5)):
        where = Node("(", unsigned(scope, 1), f") & {size - 1}", instead="u0 & 3")
        if draw.chance(50):
            body.append(Node(f"{name}[", where, f"] {draw.pick(['=', '+=', '^='])} ({ctype})(", unsigned(scope, 2), ");\n"))
        else:
            body.append(Node(f"{draw.pick(U_VARIABLES)} += (unsigned){name}[", where, "];\n"))
    if draw.chance(30):
        body += statements(scope.inner(THREAD), 1, 1)
    return Node("{\n", f"{ctype} {name}[{size}];\n",
                f"for (unsigned {i} = 0; {i} < {size}; ++{i}) {name}[{i}] = ({ctype})({i} * u{draw.below(4)});\n", *body,
                f"{draw.pick(U_VARIABLES)} ^= (unsigned){name}[{draw.below(size)}];\n", "}\n")


@shape("locals", THREAD, 2)
def local_array_by_address(scope):
    """A local array that a function which is not inlined changes."""
    draw, kernel = scope.draw, scope.kernel
    name = kernel.fresh("loc")
    return Node("{\n", f"unsigned {name}[4] = {{u0, u1, ", unsigned(scope, 1), ", 9};\n", f"stir({name}, ",
                unsigned(scope, 1), ");\n", f"{draw.pick(U_VARIABLES)} += {name}[(", unsigned(scope, 1), ") & 3];\n", "}\n")


@shape("structs", THREAD, 5)
def nested(scope):
    """Nested structures: by value, by member, into arrays."""
    draw, kernel = scope.draw, scope.kernel
    name, copy = kernel.fresh("rec"), kernel.fresh("copy")
    members = [f"{name}.in[{{}} & 1].small", f"{name}.in[{{}} & 1].bytes[{{}} % 3]", f"{name}.in[1].wide", f"{name}.pair.y",
               f"{name}.bits", f"{name}.in[{{}} & 1].wide"]
    body = []
    for _ in range(draw.between(2, 5)):
        form = draw.pick(members)
        pieces = []
        for index, text in enumerate(form.split("{}")):
            pieces += ([Node("(", unsigned(scope, 1), ")", instead="u1")] if index else []) + [text]
        if draw.chance(60):
            body.append(Node(*pieces, " = ", unsigned(scope, 1), ";\n"))
        else:
            body.append(Node(f"{draw.pick(U_VARIABLES)} += (unsigned)", *pieces, ";\n"))
    if draw.chance(50):
        body.append(Node(f"{name} = turned({name}, ", unsigned(scope, 1), ");\n"))
    return Node("{\n", f"Record {name} = record(", unsigned(scope, 1), ");\n", *body, f"const Record {copy} = {name};\n",
                f"{draw.pick(U_VARIABLES)} ^= digest({copy});\n", "}\n")


@shape("spaces", THREAD, 5)
def generic_pointer(scope):
    """A pointer to local, shared or global memory, chosen at run time."""
    draw, kernel = scope.draw, scope.kernel
    integers = [own for own in kernel.own if own.ctype == "unsigned"]
    local, pointer = kernel.fresh("loc"), kernel.fresh("p")
    choices = [f"&{local}[u0 & 1]"]
    if integers:
        choices.append(Node("&", own_element(scope, draw.pick(integers))))
    if scope.shared_writable and kernel.masked | ("barriers" in kernel.groups):
        choices.append(f"&{kernel.shared_array()}[{kernel.local()}]")
    first, second = draw.pick(choices), draw.pick(choices)
    inspected = [f"u2 += (__isLocal({pointer}) ? 4 : 0) + (__isGlobal({pointer}) ? 2 : 0) + (__isShared({pointer}) ? 1 : 0);\n",
                 f"*{pointer} += 5;\n", f"u1 ^= *{pointer};\n", f"u3 += throughPointer({pointer});\n"]
    return Node("{\n", f"unsigned {local}[2] = {{u0, ", unsigned(scope, 1), "};\n", f"unsigned *{pointer} = ",
                condition(scope, 1), " ? ", first, " : ", second, ";\n", *[Node(line) for line in draw.some(inspected, 2, 4)],
                f"u0 += {local}[0] + {local}[1];\n", "}\n")


@shape("spaces", BLOCK, 3)
def converted_address(scope):
    """An address of the shared window: cvta, and loads and stores of that space in PTX."""
    draw, kernel = scope.draw, scope.kernel
    if not scope.shared_writable:
        return None
    array = kernel.shared_array()
    return Node("{\n", f"storeShared(&{array}[{kernel.local()}], ", unsigned(scope, 1), ");\n", "__syncthreads();\n",
                f"{draw.pick(U_VARIABLES)} += loadShared(&{array}[(", Node(unsigned(scope, 1), instead="l + 1"),
                f") % {kernel.threads}u]);\n", "__syncthreads();\n", "}\n")


@shape("spaces", THREAD, 1)
def asked_of_inputs(scope):
    """isspacep of the inputs, which are global, and of an address of local memory."""
    draw, kernel = scope.draw, scope.kernel
    name = kernel.fresh("mine")
    return Node("{\n", f"unsigned {name} = u0;\n", f"{draw.pick(U_VARIABLES)} += spaceOf(&{kernel.parameter('in')}[",
                unsigned(scope, 1), f" & 255]) * 3 + spaceOf(&{name});\n", f"u1 += {name};\n", "}\n")
