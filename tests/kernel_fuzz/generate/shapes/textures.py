"""Texels, without filtering: what is read is exact."""
from generate.expressions import U_VARIABLES, unsigned
from generate.scope import THREAD
from generate.shapes import shape
from generate.tree import Node


@shape("textures", THREAD, 6)
def texel(scope):
    draw, kernel = scope.draw, scope.kernel
    name = draw.pick(["line", "plane", "edged"])
    kernel.needs(name, "cudaTextureObject_t", 1, "texture")
    begin = f"{draw.pick(U_VARIABLES)} {draw.pick(['+=', '^='])} "
    if name == "line":
        return Node(begin, f"tex1Dfetch<unsigned>({kernel.parameter(name)}, (", unsigned(scope, 1), ") & 255);\n")
    place = lambda: Node("(float)(int)((", unsigned(scope, 1), f") % 24u) - {draw.pick(['3.5f', '2.5f', '0.25f'])}", instead="4.5f")
    return Node(begin, f"tex2D<unsigned>({kernel.parameter(name)}, ", place(), ", ", place(), ");\n")
