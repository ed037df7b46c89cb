#include "block_state.hpp"

#include <algorithm>
#include <set>

#include "late_share.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::MemoryKind;

graph::WorkId add_collective(CollectiveKind kind, AxisSet axes, Amount size, Structure& structure,
                             Exposure part = Exposure::whole) {
    structure.works.emplace_back(
        CollectiveFormula{kind, axes, std::move(size), graph::Members::all, std::nullopt, part});
    return graph::WorkId(structure.works.size() - 1);
}

graph::BufferId add_buffer(Amount size, Structure& structure, MemoryKind kind = MemoryKind::communication) {
    structure.buffers.push_back({kind, std::move(size)});
    return graph::BufferId(structure.buffers.size() - 1);
}

/// Adds the reduction of gradients that are partial sums over further axes besides their replicas': those of
/// norms with sequence parallelism. If gradients are sharded over dp, only a shard is reduced.
void add_inner_reduction(std::size_t block, const Block& owner, const PassPlan& backward,
                         bool shards_gradients, StageParameters& parameters, Structure& structure,
                         BlockState& state) {
    Amount partial;
    AxisSet axes;
    std::set<TensorId> added;  // a parameter has a single gradient even if two operations read it
    for (const ParameterGradient& gradient : backward.gradients) {
        const AxisSet replicas = replicas_of(owner.tensor(gradient.parameter));
        const AxisSet inner = gradient.partial - replicas;
        if (inner.empty()) continue;
        axes = axes | inner;
        const auto held = shards_gradients ? StageParameters::Held::shared : StageParameters::Held::whole;
        if (added.insert(gradient.parameter).second)
            partial.append(parameters.of(block, {&gradient.parameter, 1}, Storage::gradient, held));
    }
    state.reduces_tp = !axes.empty();
    state.reduce_tp = add_collective(CollectiveKind::all_reduce, axes, std::move(partial), structure);
}

/// A block's parameters with the same replica axes, grouped by collective.
std::vector<std::vector<TensorId>> units_of(const Block& block, AxisSet replicas, graph::GatherUnit unit) {
    std::vector<std::vector<TensorId>> units;
    for (const TensorId id : block.parameters()) {
        if (block.tensor(id).sparse || replicas_of(block.tensor(id)) != replicas) continue;
        if (units.empty() || unit == graph::GatherUnit::parameter) units.emplace_back();
        units.back().push_back(id);
    }
    return units;
}

std::vector<TensorId> without_tied(const Block& block, std::vector<TensorId> parameters) {
    std::erase_if(parameters, [&](TensorId id) { return block.tensor(id).tied; });
    return parameters;
}

/// Memory of the values that a forward pass keeps for the backward pass, with shared memory counted once.
Amount kept_by(const Block& block, const PassPlan& forward, Extents& extents) {
    const auto memory = memory_of(forward);
    std::set<VersionId> parts;
    for (const VersionId version : forward.saved) {
        for (const VersionId part : memory[version.index()]) {
            const TensorRole role = block.tensor(forward.versions[part.index()].tensor).role;
            if (role != TensorRole::parameter && role != TensorRole::input) parts.insert(part);
        }
    }
    Amount amount;
    for (const VersionId part : parts)
        amount.append(amount_of(block, forward.versions[part.index()], extents));
    return amount;
}

/// The copies of a block's activations to and from the host, if it has offloaded activations.
std::optional<Offloaded> make_offloaded(const Block& block, const PassPlan& forward, Structure& structure) {
    if (!block.offloaded) return std::nullopt;
    const Amount size = kept_by(block, forward, structure.extents);
    if (size.terms.empty()) return std::nullopt;
    const auto work = [&](graph::CopyDirection direction) {
        structure.works.emplace_back(CopyFormula{size, direction});
        return graph::WorkId(structure.works.size() - 1);
    };
    return Offloaded{work(graph::CopyDirection::to_host), work(graph::CopyDirection::to_device),
                     add_buffer(size, structure, MemoryKind::activations),
                     add_buffer(size, structure, graph::host_memory)};
}

bool reads_any(const PassPlan& plan, const std::vector<TensorId>& parameters) {
    return std::any_of(plan.versions.begin(), plan.versions.end(), [&](const Version& version) {
        return !version.gradient &&
               std::find(parameters.begin(), parameters.end(), version.tensor) != parameters.end();
    });
}

}  // namespace

graph::StreamId stream_of(graph::WorkId collective, Structure& structure) {
    return structure.streams.of(std::get<CollectiveFormula>(structure.works[collective.index()]).axes);
}

std::vector<BlockState> make_block_states(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                                          const StructureOptions& options, std::int64_t zero,
                                          StageParameters& parameters, Structure& structure) {
    const auto part_of = [](LateShare late) {
        return late == LateShare::some ? Exposure::hidden : Exposure::whole;
    };
    const Exposure gathered_part = part_of(early_gathers(options, zero));
    const Exposure reduced_part = part_of(late_reductions(options, zero));
    const bool shards_gradients = zero >= shards_gradients_from(options.stack);
    const AxisSet copies = options.active & AxisSet{graph::MeshAxis::replica};
    const graph::GatherUnit unit = options.stack.gather_unit;
    std::vector<BlockState> states;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        BlockState& state = states.emplace_back();
        if (options.forward_only) continue;
        // With one stage, a tied parameter is gathered and reduced once, by its owner.
        const auto shared = [&](const std::vector<TensorId>& all) {
            return options.stages == 1 ? without_tied(blocks[i], all) : all;
        };
        for (const AxisSet declared : every_replica_axes) {
            const bool shards = !(declared & options.active).empty();
            if (!shards && copies.empty()) continue;
            const AxisSet axes = replica_group(declared, options.active);
            for (const std::vector<TensorId>& all : units_of(blocks[i], declared, unit)) {
                // ZeRO-3 frees gathered parameters after use, so that a tied parameter is gathered for each
                // of its users.
                const std::vector<TensorId> gathered = zero == 3 ? all : shared(all);
                if (gathered.empty()) continue;
                const std::vector<TensorId> reduced = shared(all);
                const Amount whole = parameters.of(i, gathered, Storage::parameter);
                const Amount gradients = parameters.of(i, reduced, Storage::gradient);
                Replicas& replicas = state.replicas.emplace_back();
                replicas.parameters = all;
                replicas.is_single = unit == graph::GatherUnit::parameter;
                if (shards)
                    replicas.gather =
                        add_collective(CollectiveKind::all_gather, axes, whole, structure, gathered_part);
                replicas.gathered = add_buffer(whole, structure);
                replicas.unreduced = add_buffer(gradients, structure);
                replicas.gathered_in_backward =
                    unit == graph::GatherUnit::block || reads_any(plans[i].backward, all);
                if (reduced.empty()) continue;
                if (zero == 0) {
                    replicas.reduce = add_collective(CollectiveKind::all_reduce, axes | copies, gradients,
                                                     structure, reduced_part);
                    continue;
                }
                if (shards)
                    replicas.reduce = add_collective(CollectiveKind::reduce_scatter, axes, gradients,
                                                     structure, reduced_part);
                if (copies.empty()) continue;
                replicas.replicate = add_collective(
                    CollectiveKind::all_reduce, copies,
                    parameters.of(i, reduced, Storage::gradient, StageParameters::Held::shared), structure,
                    reduced_part);
            }
        }
        add_inner_reduction(i, blocks[i], plans[i].backward, shards_gradients, parameters, structure, state);
        state.offloaded = make_offloaded(blocks[i], plans[i].forward, structure);
        if (!updates_on_host(options.stack)) continue;
        const std::vector<TensorId> all = shared(blocks[i].parameters());
        if (all.empty()) continue;
        const auto held = zero >= 1 ? StageParameters::Held::shared : StageParameters::Held::whole;
        structure.works.emplace_back(
            CopyFormula{parameters.of(i, all, Storage::gradient, held), graph::CopyDirection::to_host});
        state.send_gradients = graph::WorkId(structure.works.size() - 1);
    }
    return states;
}

}  // namespace dse::frontend
