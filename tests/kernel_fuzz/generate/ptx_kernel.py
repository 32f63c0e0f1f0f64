"""Kernels written in PTX, which the program loads when it runs: straight lines, branches, loops, barriers, shuffles."""
from generate.shapes.inline_ptx import PLAIN
from generate.tree import Node, text_of

VALUES = ["%r0", "%r1", "%r2", "%r3"]
HEADER = """.version 7.8
.target sm_80
.address_size 64
.visible .entry {name}(.param .u64 p_in, .param .u64 p_res, .param .u64 p_own0, .param .u32 p_flag) {{
.reg .u32 %r<12>;
.reg .u32 a, b;
.reg .u64 w, %in, %own, %res, %d<4>;
.reg .pred p, q;
.shared .align 8 .b32 cells[{threads}];
ld.param.u64 %in, [p_in];
ld.param.u64 %res, [p_res];
ld.param.u64 %own, [p_own0];
ld.param.u32 %r2, [p_flag];
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mad.lo.u32 %r3, %r1, {threads}, %r0;
mul.wide.u32 w, %r3, {own_bytes};
add.u64 %own, %own, w;
mul.wide.u32 w, %r3, 16;
add.u64 %res, %res, w;
mov.u32 %r10, cells;
mad.lo.u32 %r10, %r0, 4, %r10;
mov.u64 w, 1;
mov.u32 a, %r0;
mov.u32 b, %r3;
setp.lt.u32 p, a, 20;
"""


class PtxKernel:
    def __init__(self, draw, name):
        self.draw, self.name = draw, name
        self.threads, self.blocks = draw.pick([32, 64, 96, 77]), draw.between(1, 3)
        self.stride = draw.pick([1, 2, 3, 4])
        self.labels = 0
        self.seed, self.flag = draw.below(10**6), draw.below(5)
        self.node = Node(*self._lines(draw.between(5, 14), depth=0))

    def _label(self):
        self.labels += 1
        return f"L{self.labels}"

    def _lines(self, count, depth):
        return [self._line(depth) for _ in range(count)]

    def _line(self, depth):
        """A statement. Barriers and shuffles stand where all threads come by, at depth 0."""
        draw = self.draw
        ways = [(6, self._plain), (4, self._own), (3, self._input), (2, self._place)]
        if depth < 2:
            ways += [(3, self._branch), (2, self._loop)]
        if depth == 0:
            ways.append((3, self._exchange))
        if depth == 0 and self.threads % 32 == 0:
            ways.append((3, self._shuffle))
        return draw.weighted(ways)(depth)

    def _plain(self, _):
        draw = self.draw
        value = draw.pick(VALUES)
        lines = [draw.pick(PLAIN).replace("%%", "%").replace("%1", "%r1").replace("%2", "%r2") for _ in range(draw.between(1, 3))]
        return Node(f"mov.u32 a, {value};\n", *[line + "\n" for line in lines], f"xor.b32 {value}, a, b;\n")

    def _own(self, _):
        """A load or a store of an own element, at a constant or at any index."""
        draw, value = self.draw, self.draw.pick(VALUES)
        access = draw.pick([f"ld.global.u32 {value}, [{{}}];\n", f"st.global.u32 [{{}}], {value};\n"])
        if draw.chance(60):
            return Node(access.format(f"%own+{4 * draw.below(self.stride)}"))
        return Node(f"rem.u32 b, {draw.pick(VALUES)}, {self.stride};\n", "mul.wide.u32 %d0, b, 4;\n",
                    "add.u64 %d0, %own, %d0;\n", access.format("%d0"))

    def _input(self, _):
        draw = self.draw
        return Node(f"and.b32 b, {draw.pick(VALUES)}, 255;\n", "mul.wide.u32 %d1, b, 4;\n", "add.u64 %d1, %in, %d1;\n",
                    f"ld.global.nc.u32 {draw.pick(VALUES)}, [%d1];\n")

    def _place(self, _):
        """The thread's place, read anew, and a choice between two of its members."""
        draw = self.draw
        return Node(f"setp.lt.u32 q, {draw.pick(VALUES)}, {draw.pick(VALUES)};\n", f"mov.u32 b, %tid.{draw.pick('xy')};\n",
                    f"@q mov.u32 b, {draw.pick(['%ctaid.x', '%laneid', '%ntid.x', '%tid.x'])};\n",
                    f"add.u32 {draw.pick(VALUES)}, b, {draw.pick(VALUES)};\n")

    def _branch(self, depth):
        draw, other, end = self.draw, self._label(), self._label()
        return Node(f"setp.{draw.pick(['lt.u32', 'ge.s32', 'ne.u32'])} q, {draw.pick(VALUES)}, {draw.pick(VALUES)};\n",
                    f"@q bra {other};\n", *self._lines(draw.between(1, 2), depth + 1), f"bra {end};\n", f"{other}:\n",
                    *self._lines(draw.between(0, 2), depth + 1), f"{end}:\n")

    def _loop(self, depth):
        draw, top = self.draw, self._label()
        counter = f"%r{7 + depth}"
        return Node(f"and.b32 {counter}, {draw.pick(VALUES)}, 3;\n", f"{top}:\n", *self._lines(draw.between(1, 2), depth + 1),
                    f"add.u32 {counter}, {counter}, -1;\n", f"setp.gt.s32 q, {counter}, 0;\n", f"@q bra {top};\n")

    def _exchange(self, _):
        draw = self.draw
        return Node(f"st.shared.u32 [%r10], {draw.pick(VALUES)};\n", "bar.sync 0;\n",
                    f"rem.u32 b, {draw.pick(VALUES)}, {self.threads};\n", "shl.b32 b, b, 2;\n", "mov.u32 a, cells;\n",
                    "add.u32 a, a, b;\n", f"ld.shared.u32 {draw.pick(VALUES)}, [a];\n", "bar.sync 0;\n")

    def _shuffle(self, _):
        draw = self.draw
        way = draw.pick([f"bfly.b32 {{}}, {{}}, {draw.between(1, 31)}, 31", f"up.b32 {{}}, {{}}, {draw.between(1, 9)}, 0",
                         f"down.b32 {{}}, {{}}, {draw.between(1, 9)}, 31", f"idx.b32 {{}}, {{}}, {draw.below(32)}, 31"])
        return Node(f"shfl.sync.{way.format(draw.pick(VALUES), draw.pick(VALUES))}, 0xffffffff;\n")

    def device(self, dropped):
        text = HEADER.format(name=self.name, threads=self.threads, own_bytes=4 * self.stride) + text_of(self.node, dropped)
        text += "".join(f"st.global.u32 [%res+{4 * index}], {value};\n" for index, value in enumerate(VALUES))
        lines = "\n".join(f'"{line}\\n"' for line in (text + "ret;\n}").splitlines())
        return f"static const char *const {self.name} =\n{lines};\n"

    def host(self):
        name, total = self.name, self.threads * self.blocks
        return "\n".join([
            f"static void run_{name}() {{", f'Array<unsigned> in("in", 256, RANDOM, {self.seed});',
            f'Array<unsigned> res("res", {total * 4}, NOTHING, 0);',
            f'Array<unsigned> own0("own0", {total * self.stride}, RANDOM, {self.seed + 1});',
            f"unsigned flag = {self.flag};", "void *list[] = {&in.data, &res.data, &own0.data, &flag};",
            f'launchPtx({name}, "{name}", {self.blocks}, {self.threads}, list);', f'finish("{name}");',
            f'res.show("{name}");', f'own0.show("{name}");', "}", ""])
