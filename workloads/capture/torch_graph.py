"""From a module to one FX graph of a training step, as AOTAutograd makes it, with nothing materialised."""

import collections
import contextlib
import operator

import torch
import torch.distributed
from torch import fx
from torch._functorch.aot_autograd import aot_compile_joint_with_descriptors, aot_export_joint_with_descriptors
from torch.distributed.distributed_c10d import _resolve_process_group
from torch.utils.checkpoint import CheckpointPolicy
from torch.utils.flop_counter import flop_registry

COLLECTIVES = torch.ops._c10d_functional

# What PyTorch's registry lacks: attention's kernel on a CPU counts as those on other devices do.
ATEN = torch.ops.aten
FORMULAS = dict(flop_registry)
FORMULAS.setdefault(
    ATEN._scaled_dot_product_flash_attention_for_cpu,
    flop_registry[ATEN._scaled_dot_product_flash_attention],
)
FORMULAS.setdefault(
    ATEN._scaled_dot_product_flash_attention_for_cpu_backward,
    flop_registry[ATEN._scaled_dot_product_flash_attention_backward],
)


def trace(module, inputs, regather):
    """Forward and backward graph of `module` on `inputs`, as AOTAutograd's default partitioner divides them.

    regather: parameters that were gathered are dropped after their use and gathered again in the backward pass.
    Returns (forward, backward), the second None for a module without gradients.
    """
    parts = {}

    def keep(name):
        def compiler(graph_module, _):
            # Waiting counts as a side effect, so that the partitioner leaves dead copies of collectives behind.
            graph_module.graph.eliminate_dead_code(lambda node: node.op != "call_function")
            parts[name] = graph_module
            return graph_module.forward

        return compiler

    with contextlib.ExitStack() as stack:
        joint = aot_export_joint_with_descriptors(
            stack, module, inputs, fw_compiler=keep("forward"), bw_compiler=keep("backward")
        )
        if regather:
            _mark_gathers(joint.graph_module.graph)
        aot_compile_joint_with_descriptors(joint)
    return parts["forward"], parts.get("backward")


def _mark_gathers(graph):
    """Marks what makes parameters whole as to be computed anew in the backward pass.

    The chain from a parameter to the gather's result and on through views of it: what has one input that is itself on
    such a chain.
    """
    from_parameter = set()
    for node in graph.nodes:
        if _is_input(node):
            if node.name.startswith("primals"):
                from_parameter.add(node)
            continue
        if not _is_on_chain(node, from_parameter):
            continue
        from_parameter.add(node)
        node.meta["recompute"] = CheckpointPolicy.MUST_RECOMPUTE
        node.meta["ac_graph_id"] = 0


CHAIN = {
    torch.ops.aten._to_copy.default,
    COLLECTIVES.all_gather_into_tensor.default,
    COLLECTIVES.wait_tensor.default,
    torch.ops.aten.view.default,
    torch.ops.aten.split.Tensor,
    torch.ops.aten.cat.default,
    operator.getitem,
}


def _is_on_chain(node, chain):
    inputs = node.all_input_nodes
    return node.target in CHAIN and bool(inputs) and all(parent in chain for parent in inputs)


def _is_input(node):
    """Whether an FX node is neither computed nor returned."""
    return node.op not in ("call_function", "get_attr", "output")


def join(forward, backward):
    """One graph of a training step: the backward graph reads what the forward graph made.

    Its inputs are the forward graph's and the gradients of its results; its results are the forward graph's first ones
    (those that it does not only keep) and the gradients of its inputs.
    """
    step, root, known = fx.Graph(), torch.nn.Module(), {}

    def copy(module):
        """Copies what is not there yet; returns what the graph's output lists."""
        for node in module.graph.nodes:
            if node.op == "output":
                return [known[result.name] for result in node.args[0] if isinstance(result, fx.Node)]
            if node.name in known and _is_input(node):
                continue
            added = known[node.name] = step.node_copy(node, lambda parent: known[parent.name])
            if node.op == "get_attr":  # both graphs may have a constant of that name
                added.target = f"{node.target}_of_{len(known)}"
                setattr(root, added.target, getattr(module, node.target))

    results = copy(forward)
    saved = sum(_is_input(node) and not node.name.startswith("tangents") for node in backward.graph.nodes)
    gradients = copy(backward)
    step.output(tuple(results[: len(results) - saved] + gradients))
    return fx.GraphModule(root, step)


def text_of(program):
    """The graph as Python text, each value with its type, sizes, strides and device."""
    return program.print_readable(print_output=False, include_stride=True, include_device=True)


def process_groups(graph, mesh):
    """The groups that the graph's collectives name: {name: {"axes": of the mesh, "ranks": this rank's group}}."""
    axes = {mesh.get_group(axis).group_name: [axis] for axis in mesh.mesh_dim_names}
    groups = {}
    for node in _collective_nodes(graph):
        group = node.args[-1]
        ranks = torch.distributed.get_process_group_ranks(_resolve_process_group(group))
        groups[group] = {"axes": axes.get(group, _axes_of(ranks, mesh)), "ranks": ranks}
    return dict(sorted(groups.items()))


def _axes_of(ranks, mesh):
    """The axes of the mesh along which ranks differ."""
    places = torch.stack([(mesh.mesh == rank).nonzero()[0] for rank in ranks])
    return [axis for axis, column in zip(mesh.mesh_dim_names, places.T) if len(column.unique()) > 1]


def _calls(graph):
    """Nodes that call an operator of PyTorch's."""
    return (node for node in graph.nodes
            if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload))


def _collective_nodes(graph):
    return (node for node in _calls(graph)
            if node.target.namespace == "_c10d_functional" and node.target is not COLLECTIVES.wait_tensor.default)


def collectives(graph):
    """What this rank takes part in: rows of {"kind", "group": its ranks, "process_group", "count", "bytes": of the
    operands}."""
    rows = collections.defaultdict(lambda: [0, 0])
    for node in _collective_nodes(graph):
        operand = node.args[0].meta["val"]
        row = rows[node.target._opname, node.args[-1]]
        row[0] += 1
        row[1] += operand.numel() * operand.element_size()
    return [{"kind": kind, "group": torch.distributed.get_world_size(_resolve_process_group(group)),
             "process_group": group, "count": count, "bytes": size}
            for (kind, group), (count, size) in sorted(rows.items())]


def flops(graph):
    """FLOPs as PyTorch's FlopCounterMode counts them: matrix products, convolutions, fused attention."""
    total = 0
    for node in _calls(graph):
        formula = FORMULAS.get(node.target._overloadpacket)
        if formula:
            arguments, options = fx.map_arg((node.args, node.kwargs), lambda parent: parent.meta["val"])
            total += formula(*arguments, **options, out_val=node.meta["val"])
    return int(total)


def operators(graph):
    """How often each operator is called: {"aten.mm": 3, …}, most frequent first."""
    counts = collections.Counter(f"{node.target.namespace}.{node.target._opname}" for node in _calls(graph))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
