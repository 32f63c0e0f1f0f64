"""Reads of a window that begins at a multiple of its width, by indices that hold in it for some threads only."""
from generate.expressions import U_VARIABLES
from generate.scope import THREAD
from generate.shapes import shape
from generate.tree import Node


@shape("any", THREAD, 3)
def wavefront(scope):
    """Each thread moves through the window by one step a turn, and begins earlier or later than its neighbours."""
    draw, kernel = scope.draw, scope.kernel
    width = draw.pick([16, 32, 64])
    index, step, variable = kernel.fresh("i"), kernel.fresh("s"), draw.pick(U_VARIABLES)
    first = draw.pick(["blockIdx.x", kernel.parameter("d0"), kernel.parameter("flag"), f"{kernel.parameter('in')}[1]"])
    lane = f"(int){kernel.local()}"
    where = draw.pick([f"{step} - {lane}", f"{step} + {lane} - {width}", f"2 * {lane} - {step}", f"{lane} - {step}"])
    body = f"""for (int {step} = 0; {step} < {draw.pick([1, 3, width, 2 * width])}; {step} += {draw.pick([1, 1, 2, 7])}) {{
const int {index} = {where};
if ({index} >= 0 && {index} < {width}) {variable} = {variable} * 3u + {kernel.parameter('in')}[({first} & 3u) * {width} + {index}];
}}
"""
    return Node(body)
