"""What a kernel is before it has statements: its grid, parameters, arrays, and the groups of shapes it may have."""

INPUTS = 256  # elements of `in`, which every thread may read at any index
SUMS = 32     # elements of `sums`, which threads change by commutative atomics only

BLOCKS = [(32, 1, 1), (64, 1, 1), (96, 1, 1), (128, 1, 1), (7, 1, 1), (33, 1, 1), (77, 1, 1), (100, 1, 1),
          (8, 8, 1), (16, 4, 1), (32, 3, 1), (5, 7, 1), (13, 3, 1), (4, 4, 4), (8, 2, 4), (3, 5, 7), (2, 3, 9)]
GRIDS = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (2, 2, 1), (1, 3, 1), (2, 1, 2)]
# Variables of 16 bits and pairs of them: type, name, first value.
SIXTEEN = [("__half", "halfA", "sixteen<__half>({in}[(t * 3 + 1) & 255])"), ("__half", "halfB", "__int2half_rn((int)(l & 15) - 5)"),
           ("__half2", "halvesA", "sixteen<__half2>({in}[(t + 9) & 255])"), ("__half2", "halvesB", "sixteen<__half2>(t * 2654435761u)"),
           ("__nv_bfloat16", "brainA", "sixteen<__nv_bfloat16>({in}[(t * 5 + 2) & 255])"),
           ("__nv_bfloat16", "brainB", "sixteen<__nv_bfloat16>(t * 40503u)"),
           ("__nv_bfloat162", "brainsA", "sixteen<__nv_bfloat162>({in}[(t + 5) & 255])"),
           ("__nv_bfloat162", "brainsB", "sixteen<__nv_bfloat162>({flag} * 77777u + l * 0x3039211u)")]
SIXTEEN_ELEMENTS = len(SIXTEEN) + 4  # of a thread in `fused16`: the variables, and products that are stored
# Groups of shapes; each kernel has some of them, so that rare combinations are seen alone, too.
GROUPS = ["own", "arms", "loops", "jumps", "warps", "barriers", "tiles", "spaces", "locals", "structs", "calls",
          "indirect", "floats", "halves", "narrow", "atomics", "textures", "inline_ptx", "subsets", "fences", "contracted", "idioms", "sixteen"]


class Own:
    """An array of which each thread has `stride` elements of its own."""

    def __init__(self, name, ctype, stride, side_by_side):
        self.name, self.ctype, self.stride, self.side_by_side = name, ctype, stride, side_by_side


class Buffer:
    """An array that the host makes, fills and shows. `kind` says how: own, inputs, results, sums, contracted."""

    def __init__(self, name, ctype, count, kind):
        self.name, self.ctype, self.count, self.kind = name, ctype, count, kind


class Kernel:
    def __init__(self, draw, name, kind):
        self.draw, self.name, self.kind = draw, name, kind
        self.block = draw.pick(BLOCKS)
        self.grid = draw.pick(GRIDS)
        if kind == "cluster":
            self.grid = draw.pick([(2, 1, 1), (4, 1, 1), (2, 2, 1)])
        self.threads = self.block[0] * self.block[1] * self.block[2]
        self.blocks = self.grid[0] * self.grid[1] * self.grid[2]
        self.total = self.threads * self.blocks
        self.groups = set(draw.some(GROUPS, 1, 9)) | {"own"}
        if draw.chance(60):
            self.groups.add("arms")
        if self.threads % 32:
            self.groups -= {"tiles", "subsets"}
        self.exits = kind == "plain" and draw.chance(35)
        self.masked = bool(self.groups & {"warps", "tiles"})
        self.anew = draw.pick([20, 60, 100])  # percent of the places where the thread's index is computed anew
        self.own = [self._own(i) for i in range(draw.between(1, 2))]
        self.buffers = [Buffer("in", "unsigned", INPUTS, "inputs"), Buffer("res", "unsigned", self.total * 4, "results")]
        self.buffers += [Buffer(own.name, own.ctype, self.total * own.stride, "own") for own in self.own]
        self.shared = []      # declarations of shared arrays of one element per thread
        self.helpers = []     # device functions, as nodes
        self.dynamic_bytes = 0
        self.names = 0
        self.struct_params = draw.chance(30)
        self.results_side_by_side = draw.chance(30)
        self.rdc = False

    def _own(self, index):
        draw = self.draw
        ctype = draw.weighted([(6, "unsigned"), (1, "unsigned short"), (1, "unsigned char"), (1, "unsigned long long"),
                               (2, "float")])
        return Own(f"own{index}", ctype, draw.pick([2, 2, 2, 3, 4, 5, 1]), draw.chance(20))

    def fresh(self, stem):
        """A name that the kernel has not used."""
        self.names += 1
        return f"{stem}{self.names}"

    def needs(self, name, ctype, count, kind):
        """Adds a buffer unless the kernel has it."""
        if all(buffer.name != name for buffer in self.buffers):
            self.buffers.append(Buffer(name, ctype, count, kind))

    def parameter(self, name):
        return "a." + name if self.struct_params else name

    def local_index(self):
        """The thread's number in its block, written in one of several ways."""
        x, y, z = self.block
        if y == 1 and z == 1:
            return "threadIdx.x"
        ways = [f"(threadIdx.y * {x} + threadIdx.x)"] if z == 1 else []
        ways.append("((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)")
        ways.append(f"(threadIdx.x + {x} * (threadIdx.y + threadIdx.z * {y}))")
        return self.draw.pick(ways)

    def block_index(self):
        if self.grid[1] == 1 and self.grid[2] == 1:
            return "blockIdx.x"
        return "((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x)"

    def local(self):
        if not self.draw.chance(self.anew):
            return "l"
        return self.draw.weighted([(5, self.local_index()), (1, "localThread()")])

    def thread(self):
        """The thread's number in the grid."""
        if not self.draw.chance(self.anew):
            return "t"
        ways = [(6, f"({self.block_index()} * {self.threads} + {self.local_index()})"),
                (2, f"({self.block_index()} * (blockDim.x * blockDim.y * blockDim.z) + {self.local_index()})"),
                (1, "globalThread()")]
        if "tiles" in self.groups:
            ways.append((1, "(unsigned)cg::this_grid().thread_rank()"))
        return self.draw.weighted(ways)

    def result(self, index):
        """One of the thread's four results."""
        res, thread = self.parameter("res"), self.thread()
        return f"{res}[{index * self.total} + {thread}]" if self.results_side_by_side else f"{res}[{thread} * 4 + {index}]"

    def shared_array(self):
        """The name of a shared array with one element for each thread of the block."""
        if len(self.shared) >= 2 or (self.shared and self.draw.chance(60)):
            return self.draw.pick(self.shared)[0]
        name = f"sh{len(self.shared)}"
        dynamic = self.draw.chance(30) and not self.dynamic_bytes
        if dynamic:
            self.dynamic_bytes = 4 * self.threads
        self.shared.append((name, dynamic))
        return name
