"""Counts in XLA HLO text: operators, collectives and their bytes, FLOPs of dots; loops times their trip counts."""

import collections
import dataclasses
import math
import re

import windows

BYTES = {"pred": 1, "s8": 1, "u8": 1, "s16": 2, "u16": 2, "bf16": 2, "f16": 2, "s32": 4, "u32": 4, "f32": 4,
         "s64": 8, "u64": 8, "f64": 8, "c64": 8, "c128": 16, "f8e4m3fn": 1, "f8e5m2": 1, "token": 0}
COLLECTIVES = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "ragged-all-to-all", "collective-permute",
               "collective-broadcast")
_COMPUTATION = re.compile(r"^(ENTRY )?%([\w.\-]+) \(.*\{$")
_INSTRUCTION = re.compile(r"^\s+(?:ROOT )?%([\w.\-]+) = (\(.*?\)|\S+) ([\w\-]+)\((.*)$")
_TENSOR = re.compile(r"([a-z]\w*)\[([\d,]*)\]")
_NAME = re.compile(r"%([\w.\-]+)")


@dataclasses.dataclass(frozen=True)
class Instruction:
    """One line: its result's shape, its operator, operands by name, and the rest of the line."""

    name: str
    shape: str
    opcode: str
    operands: tuple
    rest: str
    root: bool


def elements(shape):
    """Return the numbers of elements of the tensors in a shape's text, in order."""
    return [math.prod(int(size) for size in dims.split(",") if size) for _, dims in _TENSOR.findall(shape)]


def byte_size(shape):
    """Return the bytes of a shape, of all parts of a tuple."""
    return sum(BYTES[dtype] * math.prod(int(size) for size in dims.split(",") if size)
               for dtype, dims in _TENSOR.findall(shape))


def dimensions(shape):
    """Return the dimensions of one tensor's shape."""
    return [int(size) for size in _TENSOR.search(shape)[2].split(",") if size]


def _split_operands(text):
    """Return (text inside the operator's parentheses, what follows them)."""
    depth = 1
    for position, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return text[:position], text[position + 1:]
    return text, ""


class Module:
    """An HLO module, read line by line.

    Parameters
    ----------
    text : str
        As XLA prints or dumps it, one instruction a line.
    """

    def __init__(self, text):
        self.computations = {}
        self.entry = None
        current = None
        for line in text.splitlines():
            head = _COMPUTATION.match(line)
            if head:
                current = self.computations.setdefault(head[2], {})
                self.entry = head[2] if head[1] else self.entry
                continue
            found = _INSTRUCTION.match(line) if current is not None else None
            if found:
                inside, rest = _split_operands(found[4])
                names = tuple(_NAME.findall(inside)) if found[3] != "constant" else (inside,)
                current[found[1]] = Instruction(found[1], found[2], found[3], names, rest,
                                                line.lstrip().startswith("ROOT"))

    def operators(self):
        """Return {opcode: count} as written, in falling order."""
        counts = collections.Counter(i.opcode for body in self.computations.values() for i in body.values())
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))

    def walk(self):
        """Yield (instruction, its computation, how often it runs) of all that the entry reaches."""
        yield from self._walk(self.entry, 1)

    def _walk(self, name, times):
        body = self.computations[name]
        for instruction in body.values():
            yield instruction, body, times
            runs = times * (self.trip_count(instruction, body) if instruction.opcode == "while" else 1)
            for key in ("body", "calls", "to_apply") if instruction.opcode in ("while", "call", "fusion") else ():
                called = re.search(rf"\b{key}=%([\w.\-]+)", instruction.rest)
                if called:
                    yield from self._walk(called[1], runs)

    def trip_count(self, loop, body):
        """Return how often a `while` runs: as XLA states it, or from a condition `i < n` with i from zero by one.

        Raises
        ------
        ValueError
            For any other condition.
        """
        stated = re.search(r'known_trip_count":\{"n":"(\d+)"', loop.rest)
        if stated:
            return int(stated[1])
        condition = self.computations[re.search(r"condition=%([\w.\-]+)", loop.rest)[1]]
        compare = next(i for i in condition.values() if i.root)
        sides = [self._source(condition, name) for name in compare.operands]
        if compare.opcode != "compare" or "direction=LT" not in compare.rest or sides[1].opcode != "constant":
            raise ValueError(f"cannot tell how often loop '{loop.name}' runs")
        index = int(re.search(r"index=(\d+)", sides[0].rest)[1])
        initial = self._source(body, self._source(body, loop.operands[0]).operands[index])
        if initial.opcode != "constant" or initial.operands != ("0",):
            raise ValueError(f"loop '{loop.name}' does not count from zero")
        return int(sides[1].operands[0])

    @staticmethod
    def _source(body, name):
        """Return the instruction that makes a value, behind copies."""
        instruction = body[name]
        while instruction.opcode == "copy":
            instruction = body[instruction.operands[0]]
        return instruction

    def collectives(self):
        """Return the collectives that one device runs.

        Returns
        -------
        list of dict
            For each kind and group size: `kind`, `group` (devices that take part together), `count` and `bytes`
            (of the operands of one device), both times trip counts, and `written`, the count in the text.
        """
        rows = collections.defaultdict(lambda: [0, 0, 0])
        for instruction, body, times in self.walk():
            kind = instruction.opcode.removesuffix("-start")
            if kind in COLLECTIVES:
                row = rows[kind, group_size(instruction.rest)]
                row[0] += times
                row[1] += times * sum(byte_size(body[name].shape) for name in instruction.operands)
                row[2] += 1
        return [{"kind": kind, "group": group, "count": count, "bytes": size, "written": written}
                for (kind, group), (count, size, written) in sorted(rows.items())]

    def dot_flops(self):
        """Return 2 x multiply-adds of the dots of one device, times trip counts."""
        total = 0
        for instruction, body, times in self.walk():
            if instruction.opcode == "dot":
                contracted = re.search(r"lhs_contracting_dims=\{([\d,]*)\}", instruction.rest)[1]
                lhs = dimensions(body[instruction.operands[0]].shape)
                depth = math.prod(lhs[int(d)] for d in contracted.split(",") if d)
                total += times * 2 * elements(instruction.shape)[0] * depth
        return total

    def convolution_flops(self):
        """Return 2 x multiply-adds of the convolutions of one device by XLA's rule, times trip counts."""
        return sum(times * _convolution(instruction, body) for instruction, body, times in self.walk()
                   if instruction.opcode == "convolution")


def _convolution(instruction, body):
    """Return the FLOPs of one convolution: products with padding and holes are none."""
    labels = re.search(r"dim_labels=(\w+)_(\w+)->(\w+)", instruction.rest)
    lhs, rhs, out = (dict(zip(names, dimensions(shape))) for names, shape in zip(
        labels.groups(), [body[name].shape for name in instruction.operands] + [instruction.shape]))
    window = dict(part.split("=") for part in re.search(r"window=\{(.*?)\}", instruction.rest)[1].split())
    space = sorted(set(labels[3]) - {"b", "f"})

    def of(key, default):
        return window.get(key, "x".join([default] * len(space))).split("x")

    positions = math.prod(
        windows.valid_positions(lhs[d], rhs[d], out[d], int(stride), int(padding.split("_")[0]), int(hole), int(kernel))
        for d, stride, padding, hole, kernel in zip(space, of("stride", "1"), of("pad", "0_0"), of("lhs_dilate", "1"),
                                                    of("rhs_dilate", "1")))
    groups = {key: int(number) for key, number in re.findall(r"(feature|batch)_group_count=(\d+)", instruction.rest)}
    return 2 * (lhs["f"] // groups.get("feature", 1)) * rhs["o"] * (lhs["b"] // groups.get("batch", 1)) * positions


def group_size(attributes):
    """Return how many devices take part together in a collective; of a permute, how many pairs there are.

    Parameters
    ----------
    attributes : str
        The line's end: `replica_groups={{0,1},{2,3}}`, `replica_groups=[2,4]<=[8]`, a mesh form, or pairs.
    """
    pairs = re.search(r"source_target_pairs=\{((?:\{\d+,\d+\},?)*)\}", attributes)
    if pairs:
        return pairs[1].count("{")
    listed = re.search(r"replica_groups=\{\{([\d,]*)\}", attributes)
    if listed:
        return len(listed[1].split(","))
    iota = re.search(r"replica_groups=\[\d+,(\d+)\]<=", attributes)
    if iota:
        return int(iota[1])
    named = re.search(r"replica_groups=mesh\[([^\]]*)\][^{]*\{([^}]*)\}", attributes)
    if named:
        sizes = dict(re.findall(r"(\w+)'?=(\d+)", named[1]))
        return math.prod(int(sizes[axis]) for axis in re.findall(r"\w+", named[2]))
    raise ValueError(f"no groups in '{attributes.strip()}'")
