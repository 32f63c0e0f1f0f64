"""Inline PTX: short sequences over two registers, with predicates and branches."""
from generate.expressions import U_VARIABLES, unsigned
from generate.scope import THREAD
from generate.shapes import shape
from generate.tree import Node

PLAIN = ["add.u32 a, a, b;", "sub.u32 b, a, b;", "mad.lo.u32 a, a, b, a;", "mul.hi.u32 b, a, b;", "xor.b32 a, a, b;",
         "shl.b32 a, b, 3;", "shr.s32 b, a, 2;", "shf.l.wrap.b32 a, a, b, 7;", "prmt.b32 a, a, b, 0x5410;",
         "prmt.b32 b, a, b, 0x0367;", "bfe.u32 a, b, 4, 9;", "bfe.s32 b, a, 3, 11;", "bfi.b32 a, b, a, 8, 8;",
         "lop3.b32 a, a, b, %1, 0x96;", "lop3.b32 b, a, b, %2, 0xca;", "popc.b32 b, a;", "clz.b32 b, a;", "brev.b32 a, a;",
         "min.u32 a, a, b;", "max.s32 b, a, b;", "sad.u32 a, a, b, %1;", "setp.lt.u32 p, a, b;", "setp.ge.s32 p, b, a;",
         "@p add.u32 a, a, 17;", "@!p xor.b32 b, b, a;", "selp.u32 a, a, b, p;", "slct.u32.s32 a, a, b, b;",
         "mov.u32 b, %%tid.x;", "mov.u32 a, %%ntid.x;", "mov.u32 b, %%laneid;", "not.b32 a, a;", "neg.s32 b, b;",
         "mul.wide.u32 w, a, b;", "cvt.u32.u64 a, w;", "mov.b64 {a, b}, w;", "add.cc.u32 a, a, b; addc.u32 b, b, 0;",
         "cvt.u32.u8 a, b;", "cvt.s32.s16 b, a;", "vabsdiff.u32.u32.u32 a, a, b;", "dp4a.u32.u32 a, a, b, a;"]


@shape("inline_ptx", THREAD, 6)
def sequence(scope):
    draw = scope.draw
    lines = ["mov.u32 a, %1;", "mov.u32 b, %2;", "mov.u64 w, 5;", "setp.lt.u32 p, a, b;"]
    for _ in range(draw.between(2, 6)):
        if draw.chance(12):
            lines += ["{", f"@{draw.pick(['', '!'])}p bra past;", draw.pick(PLAIN), draw.pick(PLAIN), "past:", "}"]
        else:
            lines.append(draw.pick(PLAIN))
    body = "".join(f'    "{line}\\n"\n' for line in ["{", ".reg .u32 a, b;", ".reg .u64 w;", ".reg .pred p;"] + lines +
                   ["xor.b32 %0, a, b;", "}"])
    volatile = " volatile" if draw.chance(30) else ""
    return Node("{\n", "unsigned out;\n", f"asm{volatile}(\n{body}", ': "=r"(out) : "r"(', unsigned(scope, 1), '), "r"(',
                unsigned(scope, 1), "));\n", f"{draw.pick(U_VARIABLES)} += out;\n", "}\n")
