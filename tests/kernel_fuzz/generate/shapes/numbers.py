"""Floats, doubles, half, bfloat16 and narrow integers; sums of products that may be contracted."""
from generate.expressions import U_VARIABLES, double, real, unsigned
from generate.scope import THREAD
from generate.shapes import shape
from generate.tree import Node


@shape("floats", THREAD, 6)
def float_assignment(scope):
    variable = scope.draw.pick(["f0", "f1"])
    return Node(f"{variable} = bounded(", real(scope, 3), ");\n")


@shape("floats", THREAD, 3)
def double_assignment(scope):
    return Node("g0 = bounded(", double(scope, 3), ");\n")


@shape("floats", THREAD, 2)
def converted(scope):
    """Numbers from one type to another."""
    draw = scope.draw
    call = draw.pick(["__float2int_rn(f0)", "__float2uint_rz(fabsf(f1))", "__double2int_rd(g0)", "(int)f1", "(unsigned)fabsf(f0)",
                      "__float2int_ru(f1)", "(unsigned)(int)g0", "(unsigned)(unsigned char)(int)f0", "__float2ll_rn(f0)"])
    return Node(f"{draw.pick(U_VARIABLES)} += (unsigned){call};\n")


@shape("halves", THREAD, 6)
def half(scope):
    """A short calculation in half or bfloat16, of small numbers, each step rounded once."""
    draw, kernel = scope.draw, scope.kernel
    brain = draw.chance(40)
    ctype, bits = ("__nv_bfloat16", "__bfloat16_as_ushort") if brain else ("__half", "__half_as_ushort")
    make = "__int2bfloat16_rn" if brain else "__int2half_rn"
    a, b, c = (kernel.fresh("h") for _ in range(3))
    steps = []
    for _ in range(draw.between(1, 3)):
        steps.append(Node(f"{c} = " + draw.pick([f"__hfma({a}, {b}, {c})", f"__hadd_rn({c}, {b})", f"__hmul_rn({a}, {b})",
                                                 f"__hsub_rn({a}, {c})", f"__hneg({c})", f"__habs({b})",
                                                 f"__hlt({a}, {b}) ? {a} : {c}", f"__hgt({c}, {b}) ? {b} : {a}",
                                                 f"__hmin({c}, {b})", f"__hmax({a}, {c})", f"{a} >= {c} ? {c} : {b}",
                                                 f"{make}((int){c} + ({c} == {a}))"]) + ";\n"))
    small = lambda: Node("(int)((", unsigned(scope, 1), f") & 15) - {draw.below(8)}", instead="3")
    return Node("{\n", f"const {ctype} {a} = {make}(", small(), f"), {b} = {make}(", small(), ");\n",
                f"{ctype} {c} = {make}(", small(), ");\n", *steps, f"{draw.pick(U_VARIABLES)} += {bits}({c});\n", "}\n")


@shape("halves", THREAD, 3)
def half_pair(scope):
    draw, kernel = scope.draw, scope.kernel
    a, b = kernel.fresh("h"), kernel.fresh("h")
    call = draw.pick([f"__hfma2({a}, {b}, {a})", f"__hadd2_rn({a}, {b})", f"__hmul2_rn({a}, {b})", f"__hneg2({b})",
                      f"__lowhigh2highlow({a})", f"__halves2half2(__high2half({b}), __low2half({a}))"])
    return Node("{\n", f"const __half2 {a} = __floats2half2_rn((float)(u0 & 31), (float)(", unsigned(scope, 1), " & 7));\n",
                f"const __half2 {b} = __float2half2_rn((float)(", unsigned(scope, 1), " & 15) * 0.25f);\n",
                f"const __half2 both{a} = {call};\n",
                f"{draw.pick(U_VARIABLES)} ^= __half_as_ushort(__low2half(both{a})) * 65537u + "
                f"__half_as_ushort(__high2half(both{a}));\n", "}\n")


@shape("narrow", THREAD, 5)
def narrow(scope):
    """Arithmetic in short and char."""
    draw = scope.draw
    form = draw.pick(["s0 = (short)(s0 + {});", "b0 = (unsigned char)(b0 * {});", "s0 = (short)(b0 - (int)({} & 255));",
                      "b0 ^= (unsigned char){};", "s0 >>= {} & 7;", "b0 = (unsigned char)(b0 << ({} & 7) | b0 >> 5);",
                      "s0 = (short)((short){} * (int)b0);", "u0 += (signed char){};", "u1 ^= (unsigned)(short){};",
                      "c0 = (signed char)(c0 + {});", "u2 += (unsigned)(c0 < (signed char){});"])
    a, b = form.split("{}")
    return Node(a, "(", unsigned(scope, 2), ")", b, "\n")


@shape("contracted", THREAD, 6)
def contracted(scope):
    """Products and sums that a compiler may fuse; they go into an array that only like forms compare."""
    draw, kernel = scope.draw, scope.kernel
    kernel.needs("fused", "float", kernel.total, "contracted")
    form = draw.pick(["{} * {} + {}", "{} - {} * {}", "{} * {} - {}", "({} + {}) * {}", "{} * {} + 0.1f * {}"])
    pieces = ["(", form.split("{}")[0]]
    for text in form.split("{}")[1:]:
        pieces += ["(", draw.pick(["f0", "f1", "(float)(u0 & 4095) * 0.01f", "(float)(u1 & 255) + 0.3f", "1.1f"]), ")", text]
    return Node(f"{kernel.parameter('fused')}[{kernel.thread()}] = ", *pieces, ");\n")
