#include "frontend/template/structure.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <variant>

#include "body_builder.hpp"
#include "dse/base/check.hpp"
#include "dse/graph/turns.hpp"
#include "late_share.hpp"
#include "optimizer_step.hpp"
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

constexpr std::array kept{StageParameters::Form{Storage::kept_parameter, 1.0}};
constexpr std::array used{StageParameters::Form{Storage::parameter, 1.0}};
constexpr std::array casts{StageParameters::Form{Storage::weight_casts, 1.0}};

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
    return {zero_stage(options),
            options.stack.prefetch,
            options.stack.backward_prefetch == graph::BackwardPrefetch::post,
            zero_stage(options) == 3 && options.stack.gather_unit == graph::GatherUnit::layer,
            options.stack.reshard_after_forward,
            options.stack.offload_prefetch,
            data_parallel(options),
            options.stack.accumulate_whole,
            late_reductions(options, zero_stage(options)) == LateShare::all,
            early_gathers(options, zero_stage(options)) == LateShare::all,
            !options.stack.cuda_graphs,
            options.splits_backward,
            options.placement == graph::Placement::mirrored,
            updates_on_host(options.stack),
            options.stack.synchronous_transfers && options.stages > 1 && !options.stack.cuda_graphs,
            !maxima_axes(options).empty(),
            options.stack.keeps_outputs,
            options.forward_only};
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
    WorkId add_work(WorkFormula formula) {
        structure_.works.push_back(std::move(formula));
        return WorkId(structure_.works.size() - 1);
    }
    graph::BufferId add_buffer(MemoryKind kind, Amount size) {
        structure_.buffers.push_back({kind, std::move(size)});
        return graph::BufferId(structure_.buffers.size() - 1);
    }

    void add_boundary() {
        graph::Graph& graph = structure_.graph;
        const auto inner = std::find_if(blocks_.begin(), blocks_.end(),
                                        [](const Block& block) { return block.input.has_value(); });
        if (inner == blocks_.end()) return;
        const PassPlan& plan = plans_[static_cast<std::size_t>(inner - blocks_.begin())].forward;
        Amount size = amount_of(inner->tensor(*inner->input), plan.versions[plan.entry->index()].layout,
                                structure_.extents);
        const graph::BufferId boundary = add_buffer(MemoryKind::activations, size);
        const WorkId nothing = add_work(LaunchFormula{});
        LaunchFormula message;
        if (!options_.forward_only) message.kernels = options_.stack.launch_factor;
        tasks_.set_boundary(boundary, nothing, add_work(message));
        graph.send_forward = add_work(TransferFormula{size});
        if (options_.forward_only) add_tokens(*inner);
        graph.send_backward = add_work(TransferFormula{std::move(size)});
    }

    /// Adds the message from the last stage to the first: one token per sequence.
    void add_tokens(const Block& inner) {
        const Tensor& boundary = inner.tensor(*inner.input);
        Amount tokens;
        const ProductId sequences = structure_.extents.times(
            Extents::one, Extent{boundary.shape.front(), inner.entry.split.front() & options_.active});
        tokens.terms.push_back({sequences, Storage::index, 1.0, {}});
        structure_.graph.send_around = add_work(TransferFormula{std::move(tokens)});
    }

    /// Adds the reduction of the gradient norm: one number over all ranks. Inference has no such barrier.
    void add_barrier() {
        if (options_.forward_only) {
            structure_.graph.barrier = add_work(LaunchFormula{});
            return;
        }
        AxisSet everyone = options_.active & (graph::attention_axes | MeshAxis::replica);
        if (options_.stages > 1) everyone = everyone | MeshAxis::pipeline;
        Amount number;
        number.terms.push_back({{}, Storage::full, 1.0, {}});
        structure_.graph.barrier =
            add_work(CollectiveFormula{CollectiveKind::all_reduce, everyone, std::move(number)});
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
        const WorkId reduction = add_work(std::move(maxima));
        tasks_.set_maxima(reduction, add_work(launches));
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
            add_resident(units, program);
        }
        structure_.graph.programs.push_back(std::move(program));
        structure_.graph.program_of.push_back(static_cast<std::uint32_t>(known_stages_.size() - 1));
    }

    /// Inference: all steps are equal.
    void make_steps(const StageUnits& units, StageProgram& program) {
        const RegionId pass = tasks_.make(units.front(), {BodyPass::forward, false, false}, program);
        program.chunks.assign(options_.steps, {pass, pass, pass, pass, pass, pass});
        program.update = program.finish = add_region({"nothing", 0, {}, {}});
        program.resident = {add_buffer(MemoryKind::parameters,
                                       parameters_.of_stage(units, used, StageParameters::Held::whole)),
                            add_buffer(MemoryKind::kv_cache, cache_of(units))};
    }

    /// A device's part of the cache of all served sequences.
    Amount cache_of(const StageUnits& units) {
        Amount amount;
        for (const Unit& unit : units.front()) {
            const Block& block = blocks_[unit.block];
            for (std::size_t i = 0; i < block.operations.size(); ++i) {
                const auto& resident = block.operations[i].resident;
                if (!resident) continue;
                const Layout layout = shardings_[unit.block].letters[i].layout(resident->letters);
                amount.append(amount_of(block.tensor(resident->tensor), layout, structure_.extents));
                amount.terms.back().factor *= static_cast<double>(unit.count);
            }
        }
        return amount;
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

    RegionId add_region(graph::Region region) {
        structure_.graph.regions.push_back(std::move(region));
        return RegionId(structure_.graph.regions.size() - 1);
    }

    void add_resident(const StageUnits& units, StageProgram& program) {
        const auto add = [&](MemoryKind kind, std::span<const StageParameters::Form> forms,
                             std::int64_t shared_from, const Amount& of_tables) {
            Amount size = parameters_.of_stage(units, forms, held_from(zero_, shared_from));
            size.append(of_tables);
            program.resident.push_back(add_buffer(kind, std::move(size)));
        };
        add(MemoryKind::parameters, kept, 3, parameters_.tables_of_stage(units));
        Amount originals = parameters_.originals(units, held_from(zero_, 3));
        if (!originals.terms.empty())
            program.resident.push_back(add_buffer(MemoryKind::parameters, std::move(originals)));
        // ZeRO-3 casts parameters anew after each gather.
        if (zero_ < 3) add(MemoryKind::parameters, casts, 3, {});
        add(MemoryKind::gradients, gradient_form, shards_gradients_from(options_.stack), {});
        if (options_.stack.keeps_narrow_gradients) add(MemoryKind::gradients, narrow_gradients, 2, {});
        // ZeRO-3's gradients are flat before the step. The host flattens what it updates.
        if (options_.stack.flat_update && zero_ > 0 && !updates_on_host(options_.stack))
            add(MemoryKind::workspace,
                zero_ < 3 ? std::span{flat_gradients} : std::span{flat_gradients}.last(1), 1, {});
        const bool reduces = std::any_of(states_.begin(), states_.end(),
                                         [](const BlockState& state) { return state.is_replicated(); });
        if (options_.stack.reduce_bucket > 0.0 && reduces) {
            Amount bucket;
            bucket.terms.push_back({Extents::one, Storage::gradient, options_.stack.reduce_bucket, {}});
            program.resident.push_back(add_buffer(MemoryKind::communication, std::move(bucket)));
        }
        if (options_.stack.cached_layers > 0.0)
            program.resident.push_back(add_buffer(MemoryKind::workspace, cached_by_allocator(units)));
        if (options_.stack.launch_queue > 0.0) {
            Amount held = held_for_streams(units);
            if (!held.terms.empty())
                program.resident.push_back(add_buffer(MemoryKind::communication, std::move(held)));
        }
        if (options_.stack.keeps_logits) {
            Amount size = logits_of(units);
            if (!size.terms.empty())
                program.resident.push_back(add_buffer(MemoryKind::workspace, std::move(size)));
        }
        const bool leaves = updates_on_host(options_.stack);
        const MemoryKind states = leaves ? graph::host_memory : MemoryKind::optimizer;
        add(states, adam_forms, 1, parameters_.table_rows_of_stage(units));
        if (leaves) add(states, gradient_form, 1, {});
    }

    /// Memory that the forward pass of the stage's layer with the most operations allocates, times the
    /// stack's `cached_layers`.
    Amount cached_by_allocator(const StageUnits& units) {
        std::optional<std::size_t> layer;
        for (const auto& chunk : units) {
            for (const Unit& unit : chunk) {
                const Block& block = blocks_[unit.block];
                if (!block.input || !block.output) continue;
                if (!layer || blocks_[*layer].operations.size() < block.operations.size()) layer = unit.block;
            }
        }
        Amount amount;
        if (!layer) return amount;
        const PassPlan& pass = plans_[*layer].forward;
        for (std::size_t v = 0; v < pass.versions.size(); ++v) {
            const TensorRole role = blocks_[*layer].tensor(pass.versions[v].tensor).role;
            const bool was_there = role == TensorRole::parameter || role == TensorRole::input ||
                                   (pass.entry && pass.entry->index() == v);
            if (was_there || !pass.versions[v].memory.empty()) continue;
            amount.append(amount_of(blocks_[*layer], pass.versions[v], structure_.extents));
            amount.terms.back().factor *= options_.stack.cached_layers;
        }
        return amount;
    }

    /// What the collectives of a layer's forward pass read or write, but for what is kept, and, under ZeRO-3,
    /// its gathered parameters.
    Amount passed_to_streams(std::size_t block) {
        const PassPlan& pass = plans_[block].forward;
        const auto memory = memory_of(pass);
        std::set<VersionId> stays;
        for (const VersionId version : pass.stays)
            stays.insert(memory[version.index()].begin(), memory[version.index()].end());
        Amount amount;
        for (const Step& step : pass.steps) {
            const auto* collective = std::get_if<CollectiveFormula>(&step.work);
            if (collective == nullptr) continue;
            const bool grows = collective->kind == CollectiveKind::all_gather;
            const VersionId full = grows ? step.outputs.front() : step.inputs.front();
            if (stays.count(full) == 0) amount.append(collective->size);
        }
        if (zero_ == 3) amount.append(parameters_.of(block, blocks_[block].parameters(), Storage::parameter));
        return amount;
    }

    /// Kernels and collectives of a layer's forward pass.
    [[nodiscard]] double launches_of(std::size_t block) const {
        double launches = 0.0;
        for (const Step& step : plans_[block].forward.steps) {
            const auto* kernel = std::get_if<ComputeFormula>(&step.work);
            launches += kernel == nullptr ? 1.0 : kernel->kernels;
        }
        return launches;
    }

    /// Memory of tensors that collectives were given and that are not reused before the device has passed
    /// them, at the end of a chunk's forward pass, where most is kept: of the last layers, as many as the
    /// host may be ahead. Between chunks, it waits for their messages.
    Amount held_for_streams(const StageUnits& units) {
        Amount held;
        double left = options_.stack.launch_queue;
        const std::vector<Unit>& chunk = units.back();
        for (auto unit = chunk.rbegin(); unit != chunk.rend(); ++unit) {
            const Block& block = blocks_[unit->block];
            const double launches = launches_of(unit->block);
            if (!block.input || !block.output || launches <= 0.0) continue;
            const double layers = std::min(static_cast<double>(unit->count), left / launches);
            Amount size = passed_to_streams(unit->block);
            size.scale(layers);
            held.append(size);
            left -= layers * launches;
        }
        return held;
    }

    /// Bytes of the logits that stay: what the losses of the stage's heads read of a microbatch; the copy of
    /// 32 bits where a model's output is cast to it (PyTorch's cross-entropy on logits.float()).
    ///
    /// Pipelines with buffers of outputs (keeps_outputs) have at least two of them, and keep the logits of
    /// two microbatches (Aleph-Alpha/scaling, parallel_module.py; DeepSpeed, runtime/pipe/engine.py). The
    /// second one's are put where a copy of 32 bits was freed, the only free block of PyTorch's caching
    /// allocator that has room, and no other copy of 32 bits fits into the rest of that block.
    Amount logits_of(const StageUnits& units) {
        Amount amount;
        for (const auto& chunk : units) {
            for (const Unit& unit : chunk) {
                const Block& block = blocks_[unit.block];
                // Statistics of the rows are operations of the loss, too, and come before it.
                const auto loss = std::find_if(
                    block.operations.rbegin(), block.operations.rend(),
                    [](const Operation& each) { return each.forward.op_class == graph::OpClass::loss; });
                if (loss == block.operations.rend()) continue;
                const auto& versions = plans_[unit.block].forward.versions;
                const auto logits =
                    std::find_if(versions.begin(), versions.end(), [&](const Version& version) {
                        return version.tensor == loss->operands.front().tensor && !version.gradient;
                    });
                if (logits == versions.end()) continue;
                Amount size = amount_of(block, *logits, structure_.extents);
                if (options_.stack.loss == graph::LossKernel::unfused)
                    size.terms.back().storage = Storage::full;
                if (options_.stack.keeps_outputs) size.append(amount_of(block, *logits, structure_.extents));
                size.scale(block.tensor(logits->tensor).in_memory);
                amount.append(size);
            }
        }
        return amount;
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
