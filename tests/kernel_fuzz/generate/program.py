"""A program of some kernels: its text, whole or with nodes left out."""
import re

from generate.draw import Draw
from generate.expressions import condition, unsigned, value_for
from generate.kernel import SIXTEEN, SIXTEEN_ELEMENTS, Kernel
from generate.pieces import piece, pieces_for
from generate.ptx_kernel import PtxKernel
from generate.scope import BLOCK, GRID, THREAD, Scope
from generate.shapes import statements
from generate.tree import Node, indented, number, text_of

# Variables of every kernel: type, name, first value; those are declared that the kernel uses.
VARIABLES = [("unsigned", "u0", "{in}[t & 255]"), ("unsigned", "u1", "t * 2654435761u"), ("unsigned", "u2", "{flag} + l"),
             ("unsigned", "u3", "{in}[(t * 7 + 3) & 255] >> 3"), ("int", "i0", "(int)u0 >> 4"),
             ("unsigned long long", "q0", "u1 * 0x100000001ull"), ("short", "s0", "(short)u0"),
             ("unsigned char", "b0", "(unsigned char)u1"), ("signed char", "c0", "(signed char)u2"),
             ("float", "f0", "__fmul_rn((float)(int)(u0 & 127), 0.37f)"), ("float", "f1", "(float)(l + 1)"),
             ("double", "g0", "__dmul_rn((double)(int)u1, 0.0001)"), *SIXTEEN]
# How they become a part of the results.
FOLDED = {"i0": "(unsigned)i0", "q0": "(unsigned)(q0 ^ q0 >> 32)", "s0": "(unsigned)s0", "b0": "(unsigned)b0",
          "c0": "(unsigned)c0", "f0": "__float_as_uint(f0)", "f1": "__float_as_uint(f1)",
          "g0": "(unsigned)__double2loint(g0) + (unsigned)__double2hiint(g0)"}
TEXTURES = {"line": "256, 1, cudaAddressModeClamp", "plane": "16, 16, cudaAddressModeClamp",
            "edged": "16, 16, cudaAddressModeBorder"}


def uses(text, name):
    return re.search(rf"\b{name}\b", text) is not None


class KernelText:
    """A kernel with its statements, and how the host launches it."""

    def __init__(self, kernel, name):
        self.kernel, self.name = kernel, name
        draw = kernel.draw
        level = BLOCK if kernel.kind == "plain" else GRID
        scope = Scope(kernel, level)
        self.at_start = draw.chance(40) and "barriers" in kernel.groups
        self.body = statements(scope, *draw.pick([(1, 3), (2, 5), (4, 9)]))
        if level == GRID:
            self.body += statements(scope, 1, 2)
        self.end = self._end(scope.inner(THREAD))
        self.values = [draw.below(3), draw.below(7), draw.below(7), draw.between(1, 300), draw.below(10**6)]
        self.node = Node(*self.body, *self.end)

    def _end(self, scope):
        """What the kernel's results are: stores in a row, or in both arms of a branch."""
        kernel, draw = self.kernel, self.kernel.draw
        stores = [Node(f"{kernel.result(index)} = u{index};\n") for index in range(3)]
        if draw.chance(60):
            own = draw.pick(kernel.own)
            arm = f"{kernel.parameter(own.name)}[{kernel.thread()}{' * ' + str(own.stride) if not own.side_by_side else ''}] = "
            stores.append(Node("if (", condition(scope, 1), f") {kernel.result(3)} = ", unsigned(scope, 2), f";\nelse {arm}",
                               value_for(scope, own.ctype, 1), ";\n"))
        else:
            stores.append(Node(f"{kernel.result(3)} = ", unsigned(scope, 2), ";\n"))
        return stores

    def _parameters(self):
        """Types and names."""
        def ctype(buffer):
            if buffer.kind == "texture":
                return "cudaTextureObject_t "
            return ("const " if buffer.kind == "inputs" else "") + buffer.ctype + " *"
        pointers = [(ctype(buffer), buffer.name) for buffer in self.kernel.buffers]
        return pointers + [("unsigned ", name) for name in ("flag", "d0", "d1", "n")]

    def _declarations(self, body):
        kernel = self.kernel
        lines = []
        for name, dynamic in kernel.shared:
            if uses(body, name):
                lines.append(f"extern __shared__ unsigned {name}[];" if dynamic else f"__shared__ unsigned {name}[{kernel.threads}];")
        lines.append(f"const unsigned l = {self.local_index}, t = {kernel.block_index()} * {kernel.threads} + l;")
        text = body
        for ctype, name, first in reversed(VARIABLES):
            # A variable's first value may come from one before it.
            if uses(text, name):
                value = first.replace("{in}", kernel.parameter("in")).replace("{flag}", kernel.parameter("flag"))
                lines.insert(len(kernel.shared_used) + 1, f"{ctype} {name} = {value};")
                text += value
        if uses(body, "live"):
            lines.append(f"unsigned live = lanesOf({kernel.threads}, l);")
        return lines

    def device(self, dropped):
        kernel = self.kernel
        body = "".join(text_of(node, dropped) for node in self.body)
        for name, text in FOLDED.items():
            if uses(body, name):
                body += f"u3 += {text};\n"
        for index, (_, name, _) in enumerate(SIXTEEN):
            if uses(body, name):
                body += f"{kernel.parameter('fused16')}[t * {SIXTEEN_ELEMENTS} + {index}] = bitsOf({name});\n"
        body += "".join(text_of(node, dropped) for node in self.end)
        kernel.shared_used = [name for name, _ in kernel.shared if uses(body, name)]
        start = "".join(f"{name}[l] = l * 3 + 1;\n" for name in kernel.shared_used)
        start += "__syncthreads();\n" if self.at_start else ""
        lists = self._parameters()
        if kernel.struct_params:
            members = "".join(f"{ctype}{name};\n" for ctype, name in lists)
            before, parameters = f"struct Args_{self.name} {{\n{members}}};\n", f"Args_{self.name} a"
        else:
            before, parameters = "", ", ".join(ctype + name for ctype, name in lists)
        attribute = f"__cluster_dims__({', '.join(map(str, kernel.grid))}) " if kernel.kind == "cluster" else ""
        declarations = "\n".join(self._declarations(body))
        return f"{before}__global__ void {attribute}{self.name}({parameters}) {{\n{declarations}\n{start}{body}}}\n"

    def host(self):
        kernel, name = self.kernel, self.name
        lines, arguments = [f"static void run_{name}() {{"], []
        for index, buffer in enumerate(kernel.buffers):
            if buffer.kind == "texture":
                lines.append(f"Texture {buffer.name}({TEXTURES[buffer.name]});")
                arguments.append(buffer.name + ".object")
                continue
            fill = "NOTHING" if buffer.kind in ("results", "sums", "contracted") else "RANDOM"
            lines.append(f'Array<{buffer.ctype}> {buffer.name}("{buffer.name}", {buffer.count}, {fill}, {self.values[4] + index});')
            arguments.append(buffer.name + ".data")
        arguments += [f"{value}u" for value in self.values[:4]]
        lines += self._launch(arguments)
        lines.append(f'finish("{name}");')
        for buffer in kernel.buffers:
            if buffer.kind == "contracted":
                lines.append(f'if (printsFused) {buffer.name}.show("{name}");')
            elif buffer.kind not in ("texture", "inputs"):
                lines.append(f'{buffer.name}.show("{name}");')
        return "\n".join(lines) + "\n}\n"

    def _launch(self, arguments):
        kernel, name = self.kernel, self.name
        grid, block = (f"dim3({', '.join(map(str, size))})" for size in (kernel.grid, kernel.block))
        # Of every second kernel the compiler does not see the shape, which code may then be made for at run time.
        if int(name[1:]) % 2 == 1:
            block = f"dim3({kernel.block[0]} * one, {kernel.block[1]}, {kernel.block[2]})"
        bytes_ = kernel.dynamic_bytes
        if kernel.struct_params:
            arguments = [f"Args_{name}{{{', '.join(arguments)}}}"]
        if kernel.kind != "cooperative":
            return [f"{name}<<<{grid}, {block}, {bytes_}>>>({', '.join(arguments)});"]
        values = [f"auto v{index} = {argument};" for index, argument in enumerate(arguments)]
        pointers = ", ".join(f"&v{index}" for index in range(len(arguments)))
        return values + [f"void *list[] = {{{pointers}}};",
                         f'check(cudaLaunchCooperativeKernel((const void *){name}, {grid}, {block}, list, {bytes_}, 0), "{name}");']


class Program:
    """The program of a seed. `dropped` numbers the nodes to leave out, `kernels` those that stay."""

    def __init__(self, seed, count=6):
        draw = Draw(seed)
        self.seed, self.count = seed, count
        self.units = 2 if draw.chance(12) else 1
        # A unit that includes this header knows hostwarp's device functions otherwise than one that does not.
        self.header = Node("cg::" if draw.chance(25) else "")
        self.kernels = []
        for index in range(count):
            kind = draw.weighted([(84, "plain"), (7, "cooperative"), (7, "cluster"), (2, "ptx")])
            if kind == "ptx":
                self.kernels.append(PtxKernel(draw, f"k{index}"))
                continue
            kernel = Kernel(draw, f"k{index}", kind)
            kernel.rdc = self.units == 2
            self.kernels.append(KernelText(kernel, f"k{index}"))
        for kernel in self.kernels:
            kernel.local_index = kernel.kernel.local_index() if isinstance(kernel, KernelText) else None
        self.loose = [self.header]
        number([kernel.node for kernel in self.kernels] + self.loose)

    def text(self, dropped=frozenset(), kernels=None, note=""):
        kernels = self.kernels if kernels is None else [k for k in self.kernels if k.name in kernels]
        device = "\n".join(kernel.device(dropped) for kernel in kernels)
        host = "\n".join(kernel.host() for kernel in kernels)
        main = "int main(int argc, char **argv) {\nfor (int i = 1; i < argc; ++i) {\n"
        main += 'printsElements |= !strcmp(argv[i], "elements");\nprintsFused |= !strcmp(argv[i], "fused");\n}\n'
        main += "".join(f"run_{kernel.name}();\n" for kernel in kernels) + "}\n"
        body = device + "\n" + host + "\n" + main
        text = pieces_for(body) + "\n" + body
        headers = self._headers(text + text_of(self.header, dropped))
        text = headers + "\n" + indented(text)
        if self.units == 2:
            text = f"#ifdef SECOND_UNIT\n{indented(piece('secondUnit'))}#else\n{text}#endif\n"
        return f"// units: {self.units}\n// Seed {self.seed}.{note}\n{text}"

    def _headers(self, text):
        lines = []
        if "cg::" in text:
            lines += ["#include <cooperative_groups.h>", "namespace cg = cooperative_groups;"]
        if "__half" in text:
            lines.append("#include <cuda_fp16.h>")
        if "bfloat16" in text:
            lines.append("#include <cuda_bf16.h>")
        return "\n".join(lines) + "\n"
