#include "frontend/template/structure.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "body_builder.hpp"
#include "dse/base/check.hpp"
#include "dse/graph/turns.hpp"
#include "late_share.hpp"
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

// Storage forms of a stage's parameters. Adam has two moments and, if parameters are kept in a lower
// precision, a master copy.
constexpr std::array adam{StageParameters::Form{Storage::moment, 2.0, true},
                          StageParameters::Form{Storage::master, 1.0, true}};
constexpr std::array gradient{StageParameters::Form{Storage::gradient, 1.0, true}};
constexpr std::array kept{StageParameters::Form{Storage::kept_parameter, 1.0}};
constexpr std::array updated{StageParameters::Form{Storage::kept_parameter, 1.0, true}};
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

StageParameters::Held held(std::int64_t zero, std::int64_t from) {
    return zero >= from ? StageParameters::Held::shared : StageParameters::Held::whole;
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
        Amount size = amount_of(inner->tensor(*inner->input), false,
                                plan.versions[plan.entry->index()].layout, structure_.extents);
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
            counts_ = &program.counts;
            program.update = make_update(units);
            program.finish = make_finish(units);
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
                amount.append(amount_of(block.tensor(resident->tensor), false, layout, structure_.extents));
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
                data_parallel(options_) || reduces_inside(units) || offloads(graph::Offload::optimizer);
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

    [[nodiscard]] bool offloads(graph::Offload what) const {
        return options_.stack.offload == what || options_.stack.offload == graph::Offload::both;
    }

    /// Memory traffic of an optimizer step. It reads states and gradients, and kept parameters if they are
    /// the master copies; it writes states and kept parameters.
    template <class Formula>
    Formula step_of(const std::function<Amount(std::span<const StageParameters::Form>)>& amount) const {
        const bool is_master = options_.stack.primary_weights == graph::PrimaryWeights::master;
        Formula step;
        step.read = amount(adam);
        step.read.append(amount(gradient));
        if (is_master) step.read.append(amount(updated));
        step.written = amount(adam);
        step.written.append(amount(updated));
        return step;
    }

    /// AdamW's eight operations (decay, two averages of which the second takes two, root, division, epsilon,
    /// update) read twelve numbers of a parameter and write eight where one kernel reads four and writes
    /// three. Source: PyTorch 2.1, torch/optim/adamw.py, _multi_tensor_adamw.
    static void run_apart(ComputeFormula& step) {
        step.read.scale(12.0 / 4.0);
        step.written.scale(8.0 / 3.0);
    }

    RegionId make_update(const StageUnits& units) {
        if (offloads(graph::Offload::optimizer)) return make_host_update(units);
        auto step = step_of<ComputeFormula>([&](std::span<const StageParameters::Form> forms) {
            return parameters_.of_stage(units, forms, held(zero_, 1));
        });
        step.op_class = graph::OpClass::optimizer;
        if (!options_.stack.fused_optimizer) run_apart(step);
        graph::Region region;
        region.name = "update";
        add_item(std::move(step), region);
        region.items.back().name = structure_.add_name("optimizer step");
        if (early_gathers(options_, zero_) != LateShare::none)
            add_late(late_works(units, &Replicas::gather), graph::ValueRef::item(0), "gather parameters",
                     region);
        return add_region(std::move(region));
    }

    /// The exposed parts of all collectives of one kind in a stage, combined per group.
    std::vector<CollectiveFormula> late_works(const StageUnits& units,
                                              std::optional<WorkId> Replicas::*which) const {
        std::vector<CollectiveFormula> late;
        for (const auto& chunk : units) {
            for (const Unit& unit : chunk) {
                for (const Replicas& replicas : states_[unit.block].replicas) {
                    if (!(replicas.*which)) continue;
                    const WorkId work = *(replicas.*which);
                    add_to(late, std::get<CollectiveFormula>(structure_.works[work.index()]), unit.count);
                }
            }
        }
        return late;
    }

    void add_to(std::vector<CollectiveFormula>& late, CollectiveFormula formula, std::int64_t count) const {
        formula.size.scale(static_cast<double>(count));
        const auto same = std::find_if(late.begin(), late.end(), [&](const CollectiveFormula& other) {
            return other.kind == formula.kind && other.axes == formula.axes;
        });
        if (same != late.end()) return same->size.append(formula.size);
        formula.part = options_.one_bucket ? Exposure::whole : Exposure::exposed;
        formula.blocks = options_.one_bucket;
        late.push_back(std::move(formula));
    }

    void add_late(std::vector<CollectiveFormula> late, graph::ValueRef before, const char* name,
                  graph::Region& region) {
        for (CollectiveFormula& formula : late) {
            const graph::StreamId stream = structure_.streams.of(formula.axes);
            add_item(std::move(formula), region, stream);
            region.items.back().name = structure_.add_name(name);
            region.items.back().inputs = {before};
        }
    }

    /// The host updates the blocks one after the other; updated parameters are copied to the device while the
    /// host works on the next block. The device continues when all copies are complete.
    RegionId make_host_update(const StageUnits& units) {
        graph::Region region;
        region.name = "update";
        graph::ValueRef arrived;
        for (const auto& chunk : units) {
            for (const Unit& unit : chunk) {
                Item repeat;
                repeat.kind = Item::Kind::repeat;
                repeat.body = host_update_of(units, unit.block);
                repeat.count = graph::CountId(counts_->size());
                counts_->push_back(unit.count);
                repeat.inputs = {arrived};
                region.items.push_back(std::move(repeat));
                arrived = graph::ValueRef::item(region.items.size() - 1);
            }
        }
        add_item(no_work(), region);
        region.items.back().inputs = {arrived};
        structure_.graph.regions.push_back(std::move(region));
        return RegionId(structure_.graph.regions.size() - 1);
    }

    /// The region's port is the previous copy to the device.
    RegionId host_update_of(const StageUnits& units, std::size_t block) {
        const auto of_block = [&](std::span<const StageParameters::Form> forms) {
            return parameters_.of_unit(units, block, forms, held(zero_, 1));
        };
        graph::Region body;
        body.name = "update of " + blocks_[block].name;
        body.ports = 1;
        add_item(step_of<HostUpdateFormula>(of_block), body, structure_.streams.host());
        add_item(CopyFormula{of_block(updated), graph::CopyDirection::to_device}, body,
                 structure_.streams.of(graph::CopyDirection::to_device));
        body.items.back().inputs = {graph::ValueRef::item(0)};
        body.outputs = {graph::ValueRef::item(1)};
        structure_.graph.regions.push_back(std::move(body));
        return RegionId(structure_.graph.regions.size() - 1);
    }

    RegionId make_finish(const StageUnits& units) {
        ComputeFormula norm;
        norm.op_class = graph::OpClass::optimizer;
        norm.read = parameters_.of_stage(units, gradient, held(zero_, 1));
        graph::Region region;
        region.name = "gradient norm";
        if (has_copies()) {
            add_copies_reduction(units, region);
        } else {
            add_tied_reduction(units, region);
        }
        add_late_reductions(units, region);
        std::vector<graph::ValueRef> reduced;
        for (std::size_t i = 0; i < region.items.size(); ++i) reduced.push_back(graph::ValueRef::item(i));
        const RegionId finish = add_region(std::move(region), std::move(norm), "gradient norm");
        structure_.graph.regions[finish.index()].items.back().inputs = std::move(reduced);
        return finish;
    }

    /// Reductions that do not overlap with a stage's last backward pass come after it, when the stage has
    /// sent what the previous stage waits for: all but the first stages have time for them while the pipeline
    /// drains.
    void add_late_reductions(const StageUnits& units, graph::Region& region) {
        if (late_reductions(options_, zero_) == LateShare::none) return;
        add_item(no_work(), region);
        for (const auto which : {&Replicas::reduce, &Replicas::replicate})
            add_late(late_works(units, which), graph::ValueRef::item(region.items.size() - 1),
                     "reduce gradients", region);
    }

    /// Adds the reduction of gradients of a parameter that the first and the last stage share.
    void add_tied_reduction(const StageUnits& units, graph::Region& region) {
        if (options_.stages == 1) return;
        Amount gradients =
            parameters_.shared(units, Storage::gradient, held(zero_, shards_gradients_from(options_.stack)));
        if (gradients.terms.empty()) return;
        add_item(CollectiveFormula{CollectiveKind::all_reduce, MeshAxis::pipeline, std::move(gradients),
                                   graph::Members::ends},
                 region, structure_.streams.of(MeshAxis::pipeline));
    }

    /// Adds the reduction of gradients of a stage's two pieces with their copies on the mirrored stage. It
    /// follows the reduction over the replicas, so that with ZeRO only a share is exchanged.
    void add_copies_reduction(const StageUnits& units, graph::Region& region) {
        add_item(
            CollectiveFormula{CollectiveKind::all_reduce, MeshAxis::pipeline,
                              parameters_.of_stage(units, gradient, held(zero_, 1)), graph::Members::mirrors},
            region, structure_.streams.of(MeshAxis::pipeline));
    }

    void add_item(WorkFormula formula, graph::Region& region,
                  graph::StreamId stream = graph::compute_stream) {
        Item item;
        item.work = add_work(std::move(formula));
        item.stream = stream;
        region.items.push_back(std::move(item));
    }

    RegionId add_region(graph::Region region) {
        structure_.graph.regions.push_back(std::move(region));
        return RegionId(structure_.graph.regions.size() - 1);
    }

    RegionId add_region(graph::Region region, ComputeFormula kernel, const char* name) {
        add_item(std::move(kernel), region);
        region.items.back().name = structure_.add_name(name);
        return add_region(std::move(region));
    }

    void add_resident(const StageUnits& units, StageProgram& program) {
        const auto add = [&](MemoryKind kind, std::span<const StageParameters::Form> forms,
                             std::int64_t shared_from, const Amount& of_tables) {
            Amount size = parameters_.of_stage(units, forms, held(zero_, shared_from));
            size.append(of_tables);
            program.resident.push_back(add_buffer(kind, std::move(size)));
        };
        add(MemoryKind::parameters, kept, 3, parameters_.tables_of_stage(units));
        // ZeRO-3 casts parameters anew after each gather.
        if (zero_ < 3) add(MemoryKind::parameters, casts, 3, {});
        add(MemoryKind::gradients, gradient, shards_gradients_from(options_.stack), {});
        if (options_.stack.cached_layers > 0.0)
            program.resident.push_back(add_buffer(MemoryKind::workspace, cached_by_allocator(units)));
        const bool leaves = offloads(graph::Offload::optimizer);
        const MemoryKind states = leaves ? graph::host_memory : MemoryKind::optimizer;
        add(states, adam, 1, parameters_.table_rows_of_stage(units));
        if (leaves) add(states, gradient, 1, {});
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
    std::vector<std::int64_t>* counts_{nullptr};  ///< counts of the program under construction
};

}  // namespace

Structure build_structure(std::span<const Block> blocks, std::span<const Sharding> shardings,
                          std::span<const BlockPlans> plans, Extents extents,
                          std::span<const StageUnits> stages, const StructureOptions& options) {
    return StructureBuilder(blocks, shardings, plans, std::move(extents), options).build(stages);
}

}  // namespace dse::frontend
