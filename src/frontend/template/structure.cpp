#include "frontend/template/structure.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <variant>

#include "body_builder.hpp"
#include "dse/base/check.hpp"
#include "dse/graph/turns.hpp"
#include "late_share.hpp"
#include "optimizer_step.hpp"
#include "resident_memory.hpp"
#include "state_places.hpp"
#include "task_builder.hpp"

namespace dse::frontend {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::Item;
using graph::MemoryKind;
using graph::MeshAxis;
using graph::RegionId;
using graph::StageProgram;
using graph::WorkId;

/// Whether some parameters have replicas over which their states can be sharded.
bool can_shard(const StructureOptions& options) {
    return std::any_of(every_replica_axes.begin(), every_replica_axes.end(),
                       [&](AxisSet replicas) { return !(replicas & options.active).empty(); });
}

/// Whether some parameters have replicas.
bool data_parallel(const StructureOptions& options) {
    return can_shard(options) || options.active.contains(MeshAxis::replica);
}

std::int64_t zero_stage(const StructureOptions& options) {
    return can_shard(options) ? options.stack.zero : 0;
}

/// Kernels with which delayed scaling reduces a stage's maxima: they are concatenated, reduced, and scales
/// and histories updated (TransformerEngine v1.7, pytorch/fp8.py, reduce_and_update_fp8_tensors).
constexpr double kernels_of_maxima = 3.0;

/// The devices over which delayed scaling reduces maxima; empty if it does not, or a stage has one device.
AxisSet maxima_axes(const StructureOptions& options) {
    const graph::SoftwareStack& stack = options.stack;
    if (options.forward_only || !stack.delayed_scaling || stack.precision != graph::Precision::fp8) return {};
    return options.active & (graph::attention_axes | MeshAxis::replica);
}

TaskOptions task_options(const StructureOptions& options) {
    const graph::SoftwareStack& stack = options.stack;
    const std::int64_t zero = zero_stage(options);
    return {.zero = zero,
            .prefetch = stack.prefetch,
            .gathers_last = stack.backward_prefetch == graph::BackwardPrefetch::post,
            .gathers_root = zero == 3 && stack.gather_unit == graph::GatherUnit::layer,
            .reshards = stack.reshard_after_forward,
            .offload_prefetch = stack.offload_prefetch,
            .data_parallel = data_parallel(options),
            .accumulates_whole = stack.accumulate_whole,
            .reduces_late = late_reductions(options, zero) == LateShare::all,
            .gathers_early = early_gathers(options, zero) == LateShare::all,
            .host_launches = !stack.cuda_graphs,
            .splits_backward = options.splits_backward,
            .has_whole_backward = options.placement == graph::Placement::mirrored,
            .sends_gradients = updates_on_host(stack),
            .host_waits = stack.synchronous_transfers && options.stages > 1 && !stack.cuda_graphs,
            .reduces_maxima = !maxima_axes(options).empty(),
            .keeps_outputs = stack.keeps_outputs,
            .forward_only = options.forward_only};
}

class StructureBuilder {
  public:
    StructureBuilder(std::span<const Block> blocks, std::span<const Sharding> shardings,
                     std::span<const BlockPlans> plans, Extents extents, const StructureOptions& options)
        : blocks_{blocks},
          plans_{plans},
          options_{options},
          zero_{zero_stage(options)},
          structure_{{}, {}, {}, std::move(extents), graph::StreamTable{options.stack.queues}},
          shardings_{shardings},
          parameters_{blocks, shardings, structure_.extents},
          states_{make_block_states(blocks, plans, options, zero_, parameters_, structure_)},
          tasks_{blocks, plans, states_, task_options(options), structure_},
          turns_{structure_.graph.regions, [this](const Item& item) {
                     return std::holds_alternative<CollectiveFormula>(structure_.works[item.work.index()]);
                 }} {}

    Structure build(std::span<const StageUnits> stages) {
        add_boundary();
        add_barrier();
        add_maxima();
        for (const StageUnits& units : stages) add_stage(units);
        structure_.streams.assign_to(structure_.graph);
        structure_.graph.works.resize(structure_.works.size());
        structure_.graph.buffers.resize(structure_.buffers.size());
        return std::move(structure_);
    }

  private:
    void add_boundary() {
        graph::Graph& graph = structure_.graph;
        const auto inner = std::find_if(blocks_.begin(), blocks_.end(),
                                        [](const Block& block) { return block.input.has_value(); });
        if (inner == blocks_.end()) return;
        const PassPlan& plan = plans_[static_cast<std::size_t>(inner - blocks_.begin())].forward;
        Amount size = amount_of(inner->tensor(*inner->input), plan.versions[plan.entry->index()].layout,
                                structure_.extents);
        const graph::BufferId boundary = structure_.add_buffer(MemoryKind::activations, size);
        const WorkId nothing = structure_.add_work(LaunchFormula{});
        LaunchFormula message;
        if (!options_.forward_only) message.kernels = options_.stack.launch_factor;
        tasks_.set_boundary(boundary, nothing, structure_.add_work(message));
        graph.send_forward = structure_.add_work(TransferFormula{size});
        if (options_.forward_only) add_tokens(*inner);
        graph.send_backward = structure_.add_work(TransferFormula{std::move(size)});
    }

    /// Adds the message from the last stage to the first: one token per sequence.
    void add_tokens(const Block& inner) {
        const Tensor& boundary = inner.tensor(*inner.input);
        Amount tokens;
        const ProductId sequences = structure_.extents.times(
            Extents::one, Extent{boundary.shape.front(), inner.entry.split.front() & options_.active});
        tokens.terms.push_back({sequences, Storage::index, 1.0, {}});
        structure_.graph.send_around = structure_.add_work(TransferFormula{std::move(tokens)});
    }

    /// Adds the reduction of the gradient norm: one number over all ranks. Inference has no such barrier.
    void add_barrier() {
        if (options_.forward_only) {
            structure_.graph.barrier = structure_.add_work(LaunchFormula{});
            return;
        }
        AxisSet everyone = options_.active & (graph::attention_axes | MeshAxis::replica);
        if (options_.stages > 1) everyone = everyone | MeshAxis::pipeline;
        Amount number;
        number.terms.push_back({{}, Storage::full, 1.0, {}});
        structure_.graph.barrier =
            structure_.add_work(CollectiveFormula{CollectiveKind::all_reduce, everyone, std::move(number)});
    }

    void add_maxima() {
        const AxisSet axes = maxima_axes(options_);
        if (axes.empty()) return;
        Amount number;
        number.terms.push_back({{}, Storage::full, 1.0, {}});
        CollectiveFormula maxima{CollectiveKind::all_reduce, axes, std::move(number)};
        maxima.blocks = true;
        LaunchFormula launches;
        launches.kernels = kernels_of_maxima * options_.stack.launch_factor;
        const WorkId reduction = structure_.add_work(std::move(maxima));
        tasks_.set_maxima(reduction, structure_.add_work(launches));
    }

    void add_stage(const StageUnits& units) {
        const auto known = std::find(known_stages_.begin(), known_stages_.end(), units);
        if (known != known_stages_.end()) {
            structure_.graph.program_of.push_back(static_cast<std::uint32_t>(known - known_stages_.begin()));
            return;
        }
        known_stages_.push_back(units);
        StageProgram program;
        if (options_.forward_only) {
            make_steps(units, program);
        } else {
            for (const auto& chunk : units) program.chunks.push_back(make_chunk(chunk, program));
            if (has_copies()) overlap_chunks(program);
            const StepParts parts{blocks_, states_, options_, zero_, parameters_, structure_};
            const StepRegions ends = make_optimizer_step(units, parts, program.counts);
            program.update = ends.update;
            program.finish = ends.finish;
            program.resident = resident_of_training(units, resident_parts());
        }
        structure_.graph.programs.push_back(std::move(program));
        structure_.graph.program_of.push_back(static_cast<std::uint32_t>(known_stages_.size() - 1));
    }

    /// Inference: all steps are equal.
    void make_steps(const StageUnits& units, StageProgram& program) {
        const RegionId pass = tasks_.make(units.front(), {BodyPass::forward, false, false}, program);
        program.chunks.assign(options_.steps, {pass, pass, pass, pass, pass, pass});
        program.update = program.finish = structure_.add_region({"nothing", 0, {}, {}});
        program.resident = resident_of_inference(units, resident_parts());
    }

    graph::ChunkProgram make_chunk(const std::vector<Unit>& units, StageProgram& program) {
        graph::ChunkProgram chunk;
        std::vector<Unit> reversed(units.rbegin(), units.rend());
        chunk.forward = tasks_.make(units, {BodyPass::forward, false, false}, program);
        // With ZeRO-1 and -2, and with ZeRO-3 without resharding, the updated parameters are gathered while
        // the first microbatch runs.
        const bool stays = zero_ == 3 && !options_.stack.reshard_after_forward;
        const bool arrives = data_parallel(options_) && (zero_ == 1 || zero_ == 2 || stays);
        chunk.forward_first =
            arrives ? tasks_.make(units, {BodyPass::forward, true, false}, program) : chunk.forward;
        const auto ends_with = [&](BodyPass pass) {
            const RegionId region = tasks_.make(reversed, {pass, false, false}, program);
            const bool reduces =
                data_parallel(options_) || reduces_inside(units) || updates_on_host(options_.stack);
            return std::pair{region, reduces ? tasks_.make(reversed, {pass, false, true}, program) : region};
        };
        if (options_.splits_backward) {
            chunk.backward = tasks_.make(reversed, {BodyPass::input, false, false}, program);
            chunk.backward_last =
                stays ? tasks_.make(reversed, {BodyPass::input, false, true}, program) : chunk.backward;
            std::tie(chunk.weight, chunk.weight_last) = ends_with(BodyPass::weight);
            if (has_copies()) std::tie(chunk.whole, chunk.whole_last) = ends_with(BodyPass::backward);
        } else {
            std::tie(chunk.backward, chunk.backward_last) = ends_with(BodyPass::backward);
            chunk.weight = chunk.backward;
            chunk.weight_last = chunk.backward_last;
        }
        return chunk;
    }

    /// Whether each stage holds a piece of both of two copies of the model.
    [[nodiscard]] bool has_copies() const { return options_.placement == graph::Placement::mirrored; }

    void overlap_chunks(StageProgram& program) {
        graph::ChunkProgram& first = program.chunks[0];
        graph::ChunkProgram& second = program.chunks[1];
        first.overlapped = turns_.of_tasks(first.forward, second.whole, program);
        second.overlapped = turns_.of_tasks(second.forward, first.whole, program);
    }

    [[nodiscard]] bool reduces_inside(const std::vector<Unit>& units) const {
        return std::any_of(units.begin(), units.end(),
                           [&](const Unit& unit) { return states_[unit.block].reduces_tp; });
    }

    [[nodiscard]] ResidentParts resident_parts() {
        return {blocks_, plans_, shardings_, states_, options_, zero_, parameters_, structure_};
    }

    std::span<const Block> blocks_;
    std::span<const BlockPlans> plans_;
    const StructureOptions& options_;
    std::int64_t zero_;
    Structure structure_;
    std::span<const Sharding> shardings_;
    StageParameters parameters_;
    std::vector<BlockState> states_;
    TaskBuilder tasks_;
    graph::Turns turns_;
    std::vector<StageUnits> known_stages_;
};

}  // namespace

Structure build_structure(std::span<const Block> blocks, std::span<const Sharding> shardings,
                          std::span<const BlockPlans> plans, Extents extents,
                          std::span<const StageUnits> stages, const StructureOptions& options) {
    return StructureBuilder(blocks, shardings, plans, std::move(extents), options).build(stages);
}

}  // namespace dse::frontend
