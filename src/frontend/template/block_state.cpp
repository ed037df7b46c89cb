#include "block_state.hpp"

#include <algorithm>
#include <set>

#include "late_share.hpp"
#include "state_places.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::MemoryKind;

graph::WorkId add_collective(CollectiveKind kind, AxisSet axes, Amount size, Structure& structure,
                             Exposure part = Exposure::whole) {
    return structure.add_work(
        CollectiveFormula{kind, axes, std::move(size), graph::Members::all, std::nullopt, part});
}

/// Adds the reduction of gradients that are partial sums over further axes besides their replicas': those of
/// norms with sequence parallelism.
void add_inner_reduction(std::size_t block, const Block& owner, const PassPlan& backward,
                         StageParameters& parameters, Structure& structure, BlockState& state) {
    Amount partial;
    AxisSet axes;
    std::set<TensorId> added;  // a parameter has a single gradient even if two operations read it
    for (const ParameterGradient& gradient : backward.gradients) {
        const AxisSet replicas = replicas_of(owner.tensor(gradient.parameter));
        const AxisSet inner = gradient.partial - replicas;
        if (inner.empty()) continue;
        axes = axes | inner;
        if (added.insert(gradient.parameter).second)
            partial.append(parameters.of(block, {&gradient.parameter, 1}, Storage::gradient));
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

/// Copies of a unit's parameters and gradients, which the memory limits.
ComputeFormula copy_of(Amount read, Amount written) {
    ComputeFormula copy;
    copy.read = std::move(read);
    copy.written = std::move(written);
    return copy;
}

std::vector<TensorId> without_frozen(const Block& block, std::vector<TensorId> parameters) {
    std::erase_if(parameters, [&](TensorId id) { return block.tensor(id).frozen; });
    return parameters;
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
        return structure.add_work(CopyFormula{size, direction});
    };
    return Offloaded{work(graph::CopyDirection::to_host), work(graph::CopyDirection::to_device),
                     structure.add_buffer(MemoryKind::activations, size),
                     structure.add_buffer(graph::host_memory, size)};
}

bool reads_any(const PassPlan& plan, const std::vector<TensorId>& parameters) {
    return std::any_of(plan.versions.begin(), plan.versions.end(), [&](const Version& version) {
        return !version.gradient &&
               std::find(parameters.begin(), parameters.end(), version.tensor) != parameters.end();
    });
}

/// Adds the collectives and buffers of parameters that are replicated on several devices.
class ReplicaMaker {
  public:
    ReplicaMaker(const StructureOptions& options, std::int64_t zero, StageParameters& parameters,
                 Structure& structure)
        : options_{options},
          zero_{zero},
          copies_{options.active & AxisSet{graph::MeshAxis::replica}},
          gathered_part_{part_of(early_gathers(options, zero))},
          reduced_part_{part_of(late_reductions(options, zero))},
          parameters_{parameters},
          structure_{structure} {}

    /// \param i  number of the block
    [[nodiscard]] std::vector<Replicas> replicas(std::size_t i, const Block& block,
                                                 const PassPlan& backward) const {
        std::vector<Replicas> made;
        for (const AxisSet declared : every_replica_axes) {
            const Group group{replica_group(declared, options_.active),
                              !(declared & options_.active).empty()};
            if (!group.shards && copies_.empty()) continue;
            for (const std::vector<TensorId>& unit : units_of(block, declared, options_.stack.gather_unit)) {
                // ZeRO-3 frees gathered parameters after use, so that a tied parameter is gathered for each
                // of its users, and a frozen one like all others.
                // FSDP's root holds it once.
                const bool root = options_.stack.gather_unit == graph::GatherUnit::layer;
                const std::vector<TensorId> gathered = zero_ != 3 ? updated(block, unit)
                                                       : root     ? without_tied(block, unit)
                                                                  : unit;
                if (gathered.empty()) continue;
                Replicas& replicas = made.emplace_back();
                replicas.parameters = unit;
                add_gather(parameters_.of(i, gathered, Storage::parameter), group, backward, replicas);
                add_reductions(i, updated(block, unit), group, replicas);
            }
        }
        return made;
    }

    /// The parameters that a block reduces itself, and gathers after their update: with one stage, a tied
    /// parameter is gathered and reduced once, by its owner.
    [[nodiscard]] std::vector<TensorId> updated(const Block& block, const std::vector<TensorId>& all) const {
        std::vector<TensorId> trained = without_frozen(block, all);
        return options_.stages == 1 ? without_tied(block, std::move(trained)) : trained;
    }

  private:
    /// Devices with the same parameters; `shards` is false if they differ in the axis `replica` alone.
    struct Group {
        AxisSet axes;
        bool shards;
    };

    static Exposure part_of(LateShare late) {
        return late == LateShare::some ? Exposure::hidden : Exposure::whole;
    }

    void add_gather(const Amount& whole, Group group, const PassPlan& backward, Replicas& replicas) const {
        const bool by_block = options_.stack.gather_unit != graph::GatherUnit::parameter;
        replicas.is_single = !by_block;
        if (group.shards)
            replicas.gather =
                add_collective(CollectiveKind::all_gather, group.axes, whole, structure_, gathered_part_);
        if (replicas.gather && zero_ == 3 && options_.stack.unit_copies == graph::UnitCopies::all)
            replicas.copy_out = add_copy(whole, whole);
        replicas.gathered = structure_.add_buffer(MemoryKind::communication, whole);
        replicas.gathered_in_backward =
            (by_block && !backward.steps.empty()) || reads_any(backward, replicas.parameters);
    }

    void add_reductions(std::size_t i, const std::vector<TensorId>& reduced, Group group,
                        Replicas& replicas) const {
        replicas.unreduced =
            structure_.add_buffer(MemoryKind::communication, parameters_.of(i, reduced, Storage::gradient));
        if (reduced.empty()) return;
        const Amount gradients = parameters_.of(i, reduced, Storage::reduced);
        if (zero_ == 0 || (zero_ == 1 && options_.stack.reduce_whole)) {
            replicas.reduce = add_collective(CollectiveKind::all_reduce, group.axes | copies_, gradients,
                                             structure_, reduced_part_);
            return;
        }
        if (group.shards)
            replicas.reduce = add_collective(CollectiveKind::reduce_scatter, group.axes, gradients,
                                             structure_, reduced_part_);
        if (replicas.reduce) add_copy_in(i, reduced, replicas);
        if (copies_.empty()) return;
        replicas.replicate =
            add_collective(CollectiveKind::all_reduce, copies_,
                           parameters_.of(i, reduced, Storage::reduced, StageParameters::Held::shared),
                           structure_, reduced_part_);
    }

    /// Gradients in compute precision are written as they are reduced. FSDP1's are joined as they are, and
    /// the division reads and writes all of them once more. (A cast between the two is not counted.)
    void add_copy_in(std::size_t i, const std::vector<TensorId>& reduced, Replicas& replicas) const {
        const graph::UnitCopies copies = options_.stack.unit_copies;
        if (zero_ != 3 || copies == graph::UnitCopies::none) return;
        Amount read = parameters_.of(i, reduced, Storage::activation);
        Amount written = parameters_.of(i, reduced, Storage::reduced);
        if (copies == graph::UnitCopies::gradients) {
            read.append(parameters_.of(i, reduced, Storage::reduced));
            written.append(parameters_.of(i, reduced, Storage::activation));
        }
        replicas.copy_in = add_copy(std::move(read), std::move(written));
    }

    [[nodiscard]] graph::WorkId add_copy(Amount read, Amount written) const {
        return structure_.add_work(copy_of(std::move(read), std::move(written)));
    }

    const StructureOptions& options_;
    std::int64_t zero_;
    AxisSet copies_;
    Exposure gathered_part_;
    Exposure reduced_part_;
    StageParameters& parameters_;
    Structure& structure_;
};

}  // namespace

graph::StreamId stream_of(graph::WorkId collective, Structure& structure) {
    return structure.streams.of(std::get<CollectiveFormula>(structure.works[collective.index()]).axes);
}

std::vector<BlockState> make_block_states(std::span<const Block> blocks, std::span<const BlockPlans> plans,
                                          const StructureOptions& options, std::int64_t zero,
                                          StageParameters& parameters, Structure& structure) {
    const auto held = zero >= 1 ? StageParameters::Held::shared : StageParameters::Held::whole;
    const ReplicaMaker maker{options, zero, parameters, structure};
    std::vector<BlockState> states(blocks.size());
    if (options.forward_only) return states;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        BlockState& state = states[i];
        state.replicas = maker.replicas(i, blocks[i], plans[i].backward);
        add_inner_reduction(i, blocks[i], plans[i].backward, parameters, structure, state);
        state.offloaded = make_offloaded(blocks[i], plans[i].forward, structure);
        if (!updates_on_host(options.stack)) continue;
        const std::vector<TensorId> all = maker.updated(blocks[i], blocks[i].parameters());
        if (all.empty()) continue;
        state.send_gradients = structure.add_work(
            CopyFormula{parameters.of(i, all, Storage::gradient, held), graph::CopyDirection::to_host});
    }
    return states;
}

}  // namespace dse::frontend
