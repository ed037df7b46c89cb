#include "block_state.hpp"

#include <set>

namespace dse::frontend {
namespace {

using workload::AxisSet;
using workload::CollectiveKind;
using workload::MemoryKind;
using workload::MeshAxis;
using Tied = StageParameters::Tied;

workload::WorkId add_collective(CollectiveKind kind, AxisSet axes, Amount size, Structure& structure) {
    structure.works.emplace_back(CollectiveFormula{kind, axes, std::move(size)});
    return workload::WorkId(structure.works.size() - 1);
}

workload::BufferId add_buffer(Amount size, Structure& structure) {
    structure.buffers.push_back({MemoryKind::communication, std::move(size)});
    return workload::BufferId(structure.buffers.size() - 1);
}

/// Gradients that are partial over more than dp: those of norms under sequence parallelism. Where gradients
/// are kept sharded over dp, only a shard of them is left to be added.
void add_inner_reduction(std::size_t block, const PassPlan& backward, std::int64_t zero,
                         StageParameters& parameters, Structure& structure, BlockState& state) {
    Amount partial;
    AxisSet axes;
    std::set<TensorId> added;  // a parameter that two operations read has one gradient
    for (const ParameterGradient& gradient : backward.gradients) {
        const AxisSet inner = gradient.partial - AxisSet{MeshAxis::data};
        if (inner.empty()) continue;
        axes = axes | inner;
        if (added.insert(gradient.parameter).second)
            parameters.append(block, gradient.parameter, 1.0, Storage::gradient, partial);
    }
    if (zero >= 2) partial.shared = MeshAxis::data;
    state.reduces_tp = !axes.empty();
    state.reduce_tp = add_collective(CollectiveKind::all_reduce, axes, std::move(partial), structure);
}

}  // namespace

std::vector<BlockState> make_block_states(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                                          const StructureOptions& options, std::int64_t zero,
                                          StageParameters& parameters, Structure& structure) {
    // On one stage a tied parameter is its owner's: gathered after the update and reduced once, there.
    const Tied shared = options.stages == 1 ? Tied::left_out : Tied::counted;
    const CollectiveKind reduction = zero == 0 ? CollectiveKind::all_reduce : CollectiveKind::reduce_scatter;
    std::vector<BlockState> states;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        BlockState& state = states.emplace_back();
        // ZeRO-3 drops what it gathered after use: a tied parameter is gathered for each of its users.
        const Amount gathered =
            parameters.of_block(i, Storage::parameter, zero == 3 ? Tied::counted : shared);
        const Amount gradients = parameters.of_block(i, Storage::gradient, shared);
        state.has_parameters = !gathered.terms.empty();
        state.gathered = add_buffer(gathered, structure);
        state.unreduced = add_buffer(gradients, structure);
        state.gather = add_collective(CollectiveKind::all_gather, MeshAxis::data, gathered, structure);
        state.reduce = add_collective(reduction, MeshAxis::data, gradients, structure);
        add_inner_reduction(i, plans[i].backward, zero, parameters, structure, state);
    }
    return states;
}

}  // namespace dse::frontend
