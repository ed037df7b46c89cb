#include "block_state.hpp"

#include <set>

namespace dse::frontend {
namespace {

using workload::AxisSet;
using workload::CollectiveKind;
using workload::MemoryKind;
using Tied = StageParameters::Tied;

workload::WorkId add_collective(CollectiveKind kind, AxisSet axes, Amount size, Structure& structure) {
    structure.works.emplace_back(CollectiveFormula{kind, axes, std::move(size)});
    return workload::WorkId(structure.works.size() - 1);
}

workload::BufferId add_buffer(Amount size, Structure& structure) {
    structure.buffers.push_back({MemoryKind::communication, std::move(size)});
    return workload::BufferId(structure.buffers.size() - 1);
}

/// Gradients that are partial over more than their replicas: those of norms under sequence parallelism. Where
/// gradients are kept sharded over dp, only a shard of them is left to be added.
void add_inner_reduction(std::size_t block, const Block& owner, const PassPlan& backward, std::int64_t zero,
                         StageParameters& parameters, Structure& structure, BlockState& state) {
    Amount partial;
    AxisSet axes;
    std::set<TensorId> added;  // a parameter that two operations read has one gradient
    for (const ParameterGradient& gradient : backward.gradients) {
        const AxisSet replicas = replicas_of(owner.tensor(gradient.parameter));
        const AxisSet inner = gradient.partial - replicas;
        if (inner.empty()) continue;
        axes = axes | inner;
        const AxisSet shared = zero >= 2 ? replicas : AxisSet{};
        if (added.insert(gradient.parameter).second)
            parameters.append(block, gradient.parameter, {{}, Storage::gradient, 1.0, shared}, partial);
    }
    state.reduces_tp = !axes.empty();
    state.reduce_tp = add_collective(CollectiveKind::all_reduce, axes, std::move(partial), structure);
}

}  // namespace

std::vector<BlockState> make_block_states(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                                          const StructureOptions& options, std::int64_t zero,
                                          StageParameters& parameters, Structure& structure) {
    // On one stage a tied parameter is its owner's: gathered after the update and reduced once, there.
    const Tied shared = options.stages == 1 ? Tied::left_out : Tied::counted;
    // ZeRO-3 drops what it gathered after use: a tied parameter is gathered for each of its users.
    const Tied used = zero == 3 ? Tied::counted : shared;
    const CollectiveKind reduction = zero == 0 ? CollectiveKind::all_reduce : CollectiveKind::reduce_scatter;
    std::vector<BlockState> states;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        BlockState& state = states.emplace_back();
        for (const AxisSet declared : every_replica_axes) {
            if ((declared & options.active).empty()) continue;
            const AxisSet axes = replica_group(declared, options.active);
            const Amount gathered = parameters.of_block(i, declared, Storage::parameter, used);
            if (gathered.terms.empty()) continue;
            const Amount gradients = parameters.of_block(i, declared, Storage::gradient, shared);
            state.replicas.push_back({declared,
                                      add_collective(CollectiveKind::all_gather, axes, gathered, structure),
                                      add_collective(reduction, axes, gradients, structure),
                                      add_buffer(gathered, structure), add_buffer(gradients, structure)});
        }
        add_inner_reduction(i, blocks[i], plans[i].backward, zero, parameters, structure, state);
    }
    return states;
}

}  // namespace dse::frontend
