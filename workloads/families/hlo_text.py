"""Training steps as HLO text: operations are written down as they are called, and again, backwards, for their gradients.

Arrays are f32. A value is its name and its shape; what depends on no parameter has no gradient.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Value:
    name: str
    shape: tuple


def text_of(shape):
    return f"f32[{','.join(map(str, shape))}]"


@dataclass
class Program:
    """A step of one device of `devices`."""

    devices: int = 1
    lines: list = field(default_factory=list)
    weights: list = field(default_factory=list)
    tape: list = field(default_factory=list)  # of every operation: its value, and what that value's gradient adds to whom

    def emit(self, operation, shape, operands=(), attributes=""):
        name = f"v{len(self.lines)}"
        arguments = ", ".join(operand.name if isinstance(operand, Value) else str(operand) for operand in operands)
        self.lines.append(f"  {name} = {text_of(shape)} {operation}({arguments}){', ' + attributes if attributes else ''}")
        return Value(name, tuple(shape))

    def parameter(self, *shape):
        return self.emit("parameter", shape, [sum(" parameter(" in line for line in self.lines)])

    def weight(self, *shape):
        self.weights.append(self.parameter(*shape))
        return self.weights[-1]

    def constant(self, number, shape):
        return self.emit("broadcast", shape, [self.emit("constant", (), [number])], "dimensions={}")

    def with_gradient(self, value, gradient):
        self.tape.append((value, gradient))
        return value

    def pointwise(self, operation, a, slope=None):
        """Apply a function of one array; its slope is written as one more of them."""
        def gradient(g):
            return [(a, self.emit("multiply", a.shape, [g, self.emit(slope or operation, a.shape, [a])]))]

        return self.with_gradient(self.emit(operation, a.shape, [a]), gradient)

    def add(self, a, b):
        return self.with_gradient(self.emit("add", a.shape, [a, b]), lambda g: [(a, g), (b, g)])

    def multiply(self, a, b):
        return self.with_gradient(self.emit("multiply", a.shape, [a, b]),
                                  lambda g: [(a, self.emit("multiply", a.shape, [g, b])), (b, self.emit("multiply", a.shape, [g, a]))])

    def reshape(self, a, *shape):
        return self.with_gradient(self.emit("reshape", shape, [a]), lambda g: [(a, self.emit("reshape", a.shape, [g]))])

    def transpose(self, a, order):
        back = [order.index(i) for i in range(len(order))]
        attributes = "dimensions={%s}"
        return self.with_gradient(
            self.emit("transpose", [a.shape[i] for i in order], [a], attributes % ",".join(map(str, order))),
            lambda g: [(a, self.emit("transpose", a.shape, [g], attributes % ",".join(map(str, back))))])

    def sum(self, a, dimensions):
        kept = [i for i in range(len(a.shape)) if i not in dimensions]
        zero = self.emit("constant", (), [0])
        return self.with_gradient(
            self.emit("reduce", [a.shape[i] for i in kept], [a, zero], f"dimensions={{{','.join(map(str, dimensions))}}}, to_apply=sum"),
            lambda g: [(a, self._spread(g, a.shape, kept))])

    def broadcast(self, a, shape, dimensions):
        others = [i for i in range(len(shape)) if i not in dimensions]
        return self.with_gradient(self._spread(a, shape, dimensions), lambda g: [(a, self._plain_sum(g, others, a.shape))])

    def _spread(self, a, shape, dimensions):
        return self.emit("broadcast", shape, [a], f"dimensions={{{','.join(map(str, dimensions))}}}")

    def _plain_sum(self, a, dimensions, shape):
        zero = self.emit("constant", (), [0])
        return self.emit("reduce", shape, [a, zero], f"dimensions={{{','.join(map(str, dimensions))}}}, to_apply=sum")

    def dot(self, a, b):
        """Multiply matrices, of equal leading dimensions one by one: (…, m, k) × (…, k, n)."""
        return self.with_gradient(self._dot(a, b, (1, 0)), lambda g: [(a, self._dot(g, b, (1, 1))), (b, self._dot(a, g, (0, 0)))])

    def _dot(self, a, b, contracted):
        lead = len(a.shape) - 2
        left, right = (lead + contracted[0], lead + contracted[1])
        rows = a.shape[lead + 1 - contracted[0]]
        columns = b.shape[lead + 1 - contracted[1]]
        batch = ",".join(map(str, range(lead)))
        attributes = f"lhs_contracting_dims={{{left}}}, rhs_contracting_dims={{{right}}}"
        if lead:
            attributes = f"lhs_batch_dims={{{batch}}}, rhs_batch_dims={{{batch}}}, " + attributes
        return self.emit("dot", (*a.shape[:lead], rows, columns), [a, b], attributes)

    def convolve(self, a, w):
        """Convolve images (batch, height, width, channels) with a kernel (k, k, channels, features), k odd, to the same size."""
        edge = w.shape[0] // 2
        window = f"pad={edge}_{edge}x{edge}_{edge}"
        small = f"window={{size={w.shape[0]}x{w.shape[1]} {window}}}"
        shape = (*a.shape[:3], w.shape[3])
        back = f"window={{size={w.shape[0]}x{w.shape[1]} {window} rhs_reversal=1x1}}, dim_labels=b01f_01oi->b01f"
        large = f"window={{size={a.shape[1]}x{a.shape[2]} {window}}}, dim_labels=f01b_i01o->01bf"
        return self.with_gradient(self.emit("convolution", shape, [a, w], f"{small}, dim_labels=b01f_01io->b01f"),
                                  lambda g: [(a, self.emit("convolution", a.shape, [g, w], back)),
                                             (w, self.emit("convolution", w.shape, [a, g], large))])

    def all_reduce(self, a, group):
        """Add over groups of so many neighbours; the gradient is there already."""
        return self.with_gradient(self._all_reduce(a, self._groups(group, 1)), lambda g: [(a, g)])

    def _all_reduce(self, a, groups):
        channel = 1 + sum(" all-reduce(" in line for line in self.lines)
        return self.emit("all-reduce", a.shape, [a],
                         f"replica_groups={groups}, channel_id={channel}, use_global_device_ids=true, to_apply=sum")

    def _groups(self, size, stride):
        firsts = [r for r in range(self.devices) if r // stride % size == 0]
        return "{" + ",".join("{" + ",".join(str(f + i * stride) for i in range(size)) + "}" for f in firsts) + "}"

    def train(self, loss, group, far):
        """Write gradients, their sums over `far` ranks a `group` apart, and the weights' steps; return the step's text."""
        gradient = {loss.name: self.constant(1, loss.shape)}
        for value, spread in reversed(self.tape):
            if value.name not in gradient:
                continue
            for operand, part in spread(gradient[value.name]):
                before = gradient.get(operand.name)
                gradient[operand.name] = part if before is None else self.emit("add", part.shape, [before, part])
        updated = []
        for weight in self.weights:
            step = gradient[weight.name]
            if far > 1:
                step = self._all_reduce(step, self._groups(far, group))
            scaled = self.emit("multiply", weight.shape, [step, self.constant(0.001, weight.shape)])
            updated.append(self.emit("subtract", weight.shape, [weight, scaled]))
        return self.text(updated)

    def text(self, results):
        types = ", ".join(text_of(value.shape) for value in results)
        root = f"  ROOT r = ({types}) tuple({', '.join(value.name for value in results)})"
        lines = [f"HloModule step, num_partitions={self.devices}", "", "sum {", "  a = f32[] parameter(0)", "  b = f32[] parameter(1)",
                 "  ROOT c = f32[] add(a, b)", "}", "", "ENTRY main {", *self.lines, root, "}", ""]
        return "\n".join(lines)


