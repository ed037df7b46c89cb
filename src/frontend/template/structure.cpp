#include "dse/frontend/template/structure.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "body_builder.hpp"
#include "dse/base/check.hpp"

namespace dse::frontend {
namespace {

using workload::AxisSet;
using workload::CollectiveKind;
using workload::CountId;
using workload::Item;
using workload::MemoryKind;
using workload::MeshAxis;
using workload::RegionId;
using workload::StageProgram;
using workload::ValueRef;
using workload::WorkId;

/// Which of the passes of a microbatch a region is for.
struct TaskKind {
    bool forward{true};
    bool first{false};  ///< first microbatch of an iteration: updated parameters arrive
    bool last{false};   ///< last one: gradients are reduced
};

/// Adds up the parameters of a stage.
class StageParameters {
  public:
    StageParameters(std::span<const Block> blocks, std::span<const Sharding> shardings, Extents& extents)
        : blocks_{blocks}, shardings_{shardings}, extents_{extents} {}

    /// Elements a device of the group holds of one block's parameters, as storage, `factor` times.
    void add(std::size_t block, double factor, Storage storage, Amount& amount) {
        for (const TensorId id : blocks_[block].parameters()) {
            append(block, id, factor, storage, amount);
        }
    }

    /// All of a stage, a tied parameter once.
    Amount of_stage(const StageUnits& units, Storage storage, double factor) {
        Amount amount;
        for (const auto& chunk : units) {
            for (const Unit& unit : chunk) {
                for (const TensorId id : blocks_[unit.block].parameters()) {
                    if (blocks_[unit.block].tensor(id).tied && owner_is_here(units, unit.block, id)) continue;
                    append(unit.block, id, factor * static_cast<double>(unit.count), storage, amount);
                }
            }
        }
        return amount;
    }

    void append(std::size_t block, TensorId id, double factor, Storage storage, Amount& amount) {
        Amount bytes =
            amount_of(blocks_[block].tensor(id), false, shardings_[block].layouts[id.index()], extents_);
        bytes.terms.front().storage = storage;
        bytes.terms.front().factor = factor;
        amount.terms.push_back(std::move(bytes.terms.front()));
    }

  private:
    [[nodiscard]] bool owner_is_here(const StageUnits& units, std::size_t block, TensorId id) const {
        const std::string& name = blocks_[block].tensor(id).name;
        for (const auto& chunk : units) {
            for (const Unit& unit : chunk) {
                if (unit.block == block) continue;
                for (const TensorId other : blocks_[unit.block].parameters()) {
                    const Tensor& tensor = blocks_[unit.block].tensor(other);
                    if (tensor.name == name && !tensor.tied) return true;
                }
            }
        }
        return false;
    }

    std::span<const Block> blocks_;
    std::span<const Sharding> shardings_;
    Extents& extents_;
};

class StructureBuilder {
  public:
    StructureBuilder(std::span<const Block> blocks, std::span<const Sharding> shardings,
                     std::span<const BlockPlans> plans, Extents extents, const StructureOptions& options)
        : blocks_{blocks},
          plans_{plans},
          options_{options},
          zero_{options.active.contains(MeshAxis::data) ? options.stack.zero : 0},
          data_parallel_{options.active.contains(MeshAxis::data)},
          structure_{},
          parameters_{blocks, shardings, structure_.extents} {
        structure_.extents = std::move(extents);
    }

    Structure build(std::span<const StageUnits> stages) {
        structure_.graph.streams = {"compute", "tp", "gather", "reduce", "host"};
        nothing_ = add_work(workload::Launch{0.0});
        for (std::size_t i = 0; i < blocks_.size(); ++i) add_state(i);
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            forward_.emplace_back(blocks_[i], plans_[i].forward, true, structure_);
            backward_.emplace_back(blocks_[i], plans_[i].backward, false, structure_);
        }
        add_boundary();
        for (const StageUnits& units : stages) add_stage(units);
        structure_.graph.works.resize(structure_.works.size());
        structure_.graph.buffers.resize(structure_.buffers.size());
        return std::move(structure_);
    }

  private:
    WorkId add_work(WorkFormula formula) {
        structure_.works.push_back(std::move(formula));
        return WorkId(structure_.works.size() - 1);
    }
    workload::BufferId add_buffer(MemoryKind kind, Amount size) {
        structure_.buffers.push_back({kind, std::move(size)});
        return workload::BufferId(structure_.buffers.size() - 1);
    }
    RegionId add_region(workload::Region region) {
        structure_.graph.regions.push_back(std::move(region));
        return RegionId(structure_.graph.regions.size() - 1);
    }
    [[nodiscard]] bool fully_sharded() const { return zero_ == 3; }
    [[nodiscard]] bool host_launches() const { return !options_.stack.cuda_graphs; }

    void add_state(std::size_t block) {
        Amount parameters;
        parameters_.add(block, 1.0, Storage::parameter, parameters);
        Amount gradients;
        parameters_.add(block, 1.0, Storage::gradient, gradients);
        BlockState state;
        state.gathered = add_buffer(MemoryKind::communication, parameters);
        state.unreduced = add_buffer(MemoryKind::communication, gradients);
        state.gather =
            add_work(CollectiveFormula{CollectiveKind::all_gather, MeshAxis::data, std::move(parameters)});
        const CollectiveKind reduction =
            zero_ == 0 ? CollectiveKind::all_reduce : CollectiveKind::reduce_scatter;
        state.reduce = add_work(CollectiveFormula{reduction, MeshAxis::data, std::move(gradients)});
        state.reduces_dp = data_parallel_;
        add_inner_reduction(block, state);
        states_.push_back(state);
    }

    /// Gradients that are partial over more than dp: those of norms under sequence parallelism.
    void add_inner_reduction(std::size_t block, BlockState& state) {
        Amount partial;
        AxisSet axes;
        for (const ParameterGradient& gradient : plans_[block].backward.gradients) {
            const AxisSet inner = gradient.partial - AxisSet{MeshAxis::data};
            if (inner.empty()) continue;
            axes = axes | inner;
            parameters_.append(block, gradient.parameter, 1.0, Storage::gradient, partial);
        }
        state.reduces_tp = !axes.empty();
        state.reduce_tp = add_work(CollectiveFormula{CollectiveKind::all_reduce, axes, std::move(partial)});
    }

    void add_boundary() {
        workload::Graph& graph = structure_.graph;
        for (const Block& block : blocks_) {
            if (!block.input) continue;
            const auto index = static_cast<std::size_t>(&block - blocks_.data());
            const PassPlan& plan = plans_[index].forward;
            Amount size = amount_of(block.tensor(*block.input), false,
                                    plan.versions[plan.entry->index()].layout, structure_.extents);
            boundary_ = add_buffer(MemoryKind::activations, size);
            graph.send_forward = add_work(TransferFormula{size});
            graph.send_backward = add_work(TransferFormula{std::move(size)});
            break;
        }
        // The gradient norm: one number over all ranks.
        AxisSet everyone = options_.active;
        if (options_.stages > 1) everyone = everyone | MeshAxis::pipeline;
        Amount number;
        number.terms.push_back({{}, Storage::full, 1.0});
        graph.barrier = add_work(CollectiveFormula{CollectiveKind::all_reduce, everyone, std::move(number)});
    }

    void add_stage(const StageUnits& units) {
        const auto known = std::find(known_stages_.begin(), known_stages_.end(), units);
        if (known != known_stages_.end()) {
            structure_.graph.program_of.push_back(static_cast<std::uint32_t>(known - known_stages_.begin()));
            return;
        }
        known_stages_.push_back(units);
        StageProgram program;
        for (const auto& chunk : units) program.chunks.push_back(make_chunk(chunk, program));
        program.update = make_update(units);
        program.finish = make_finish(units);
        add_resident(units, program);
        structure_.graph.programs.push_back(std::move(program));
        structure_.graph.program_of.push_back(static_cast<std::uint32_t>(known_stages_.size() - 1));
    }

    workload::ChunkProgram make_chunk(const std::vector<Unit>& units, StageProgram& program) {
        workload::ChunkProgram chunk;
        std::vector<Unit> reversed(units.rbegin(), units.rend());
        chunk.forward = make_task(units, {true, false, false}, program);
        // Under ZeRO-1 and -2 the updated parameters arrive while the first microbatch runs.
        const bool arrives = data_parallel_ && (zero_ == 1 || zero_ == 2);
        chunk.forward_first = arrives ? make_task(units, {true, true, false}, program) : chunk.forward;
        chunk.backward = make_task(reversed, {false, false, false}, program);
        chunk.backward_last = data_parallel_ || reduces_inside(units)
                                  ? make_task(reversed, {false, false, true}, program)
                                  : chunk.backward;
        chunk.weight = chunk.backward;
        chunk.weight_last = chunk.backward_last;
        return chunk;
    }

    [[nodiscard]] bool reduces_inside(const std::vector<Unit>& units) const {
        return std::any_of(units.begin(), units.end(),
                           [&](const Unit& unit) { return states_[unit.block].reduces_tp; });
    }

    [[nodiscard]] BodyVariant variant_of(const TaskKind& kind) const {
        BodyVariant variant;
        if (fully_sharded()) {
            variant.gather_ports = static_cast<std::uint16_t>(options_.stack.prefetch);
            variant.gathers_own = options_.stack.prefetch == 0;
            variant.gather_after_entry = true;
            variant.frees_gathered = true;
        } else if (kind.first) {
            variant.gathers_own = true;
        }
        if (!kind.forward) {
            variant.waits_for_reduction = zero_ >= 2;
            variant.reduces = kind.last || zero_ >= 2;
        }
        return variant;
    }

    RegionId body(std::size_t block, const TaskKind& kind, const BodyVariant& variant) {
        for (const Known& known : known_bodies_) {
            if (known.block == block && known.forward == kind.forward && known.reduce_tp == kind.last &&
                known.variant == variant) {
                return known.region;
            }
        }
        const BodyBuilder& builder = kind.forward ? forward_[block] : backward_[block];
        std::vector<BlockState> states = states_;
        // Over tp, gradients are reduced once an iteration.
        if (!kind.last) states[block].reduces_tp = false;
        const RegionId region = add_region(builder.build(variant, block, states, host_launches()));
        known_bodies_.push_back({block, kind.forward, kind.last, variant, region});
        return region;
    }

    /// The pass of one microbatch through a chunk: every unit in order, its parameters sent for ahead of it.
    RegionId make_task(const std::vector<Unit>& units, const TaskKind& kind, StageProgram& program) {
        std::vector<std::size_t> order;  // block of every repetition
        for (const Unit& unit : units)
            order.insert(order.end(), static_cast<std::size_t>(unit.count), unit.block);

        const BodyVariant base = variant_of(kind);
        const std::size_t ahead = base.gather_ports;
        workload::Region region;
        region.name = fmt::format("{}{}{}", kind.forward ? "forward" : "backward", kind.first ? " first" : "",
                                  kind.last ? " last" : "");
        region.ports = 1;
        add_enter(units, kind, region);

        // Values that go from body to body: boundary, gathers in flight, reduction before.
        std::vector<ValueRef> values{ValueRef::port(0)};
        for (std::size_t i = 0; i < ahead; ++i) {
            values.push_back(i < order.size() ? add_first_gather(order[i], region) : ValueRef::none());
        }
        if (base.waits_for_reduction) values.push_back(ValueRef::none());

        for (std::size_t i = 0; i < order.size();) {
            const auto variant_at = [&](std::size_t position) {
                BodyVariant variant = base;
                if (ahead > 0 && position + ahead < order.size()) variant.gathers = order[position + ahead];
                return variant;
            };
            const BodyVariant variant = variant_at(i);
            std::size_t end = i + 1;
            while (end < order.size() && order[end] == order[i] && variant_at(end) == variant) ++end;
            Item repeat;
            repeat.kind = Item::Kind::repeat;
            repeat.body = body(order[i], kind, variant);
            repeat.count = CountId(program.counts.size());
            program.counts.push_back(static_cast<std::int64_t>(end - i));
            repeat.inputs = values;
            region.items.push_back(std::move(repeat));
            for (std::size_t v = 0; v < values.size(); ++v)
                values[v] = ValueRef::item(region.items.size() - 1, v);
            i = end;
        }
        region.outputs = {values.front()};
        add_exit(units, kind, region);
        return add_region(std::move(region));
    }

    [[nodiscard]] bool receives(const std::vector<Unit>& units, bool forward) const {
        const Block& first = blocks_[units.front().block];
        return forward ? first.input.has_value() : first.output.has_value();
    }
    [[nodiscard]] bool sends(const std::vector<Unit>& units, bool forward) const {
        const Block& last = blocks_[units.back().block];
        return forward ? last.output.has_value() : last.input.has_value();
    }

    /// The buffer into which a neighbour's message arrives.
    void add_enter(const std::vector<Unit>& units, const TaskKind& kind, workload::Region& region) {
        if (!receives(units, kind.forward)) return;
        Item enter;
        enter.work = nothing_;
        enter.stream = streams::host;
        enter.allocates = {boundary_};
        region.items.push_back(std::move(enter));
    }

    void add_exit(const std::vector<Unit>& units, const TaskKind& kind, workload::Region& region) {
        if (!sends(units, kind.forward)) return;
        Item exit;
        exit.work = nothing_;
        exit.stream = streams::host;
        exit.frees = {boundary_};
        region.items.push_back(std::move(exit));
    }

    ValueRef add_first_gather(std::size_t block, workload::Region& region) {
        Item gather;
        gather.work = states_[block].gather;
        gather.stream = streams::gather;
        gather.allocates = {states_[block].gathered};
        region.items.push_back(std::move(gather));
        return ValueRef::item(region.items.size() - 1);
    }

    [[nodiscard]] double optimizer_states() const {
        // Adam: two moments, and a master copy where parameters are kept narrower.
        return options_.stack.precision == workload::Precision::fp32 ? 2.0 : 3.0;
    }

    RegionId make_update(const StageUnits& units) {
        const AxisSet shared = zero_ >= 1 ? AxisSet{MeshAxis::data} : AxisSet{};
        ComputeFormula step;
        step.op_class = workload::OpClass::optimizer;
        step.read = parameters_.of_stage(units, Storage::full, optimizer_states());
        const Amount gradients = parameters_.of_stage(units, Storage::gradient, 1.0);
        step.read.terms.insert(step.read.terms.end(), gradients.terms.begin(), gradients.terms.end());
        step.written = parameters_.of_stage(units, Storage::full, optimizer_states());
        const Amount written = parameters_.of_stage(units, Storage::parameter, 1.0);
        step.written.terms.insert(step.written.terms.end(), written.terms.begin(), written.terms.end());
        step.read.shared = shared;
        step.written.shared = shared;
        return single_kernel("update", std::move(step));
    }

    RegionId make_finish(const StageUnits& units) {
        ComputeFormula norm;
        norm.op_class = workload::OpClass::optimizer;
        norm.read = parameters_.of_stage(units, Storage::gradient, 1.0);
        norm.read.shared = zero_ >= 1 ? AxisSet{MeshAxis::data} : AxisSet{};
        return single_kernel("gradient norm", std::move(norm));
    }

    RegionId single_kernel(const std::string& name, ComputeFormula formula) {
        workload::Region region;
        region.name = name;
        Item item;
        item.work = add_work(std::move(formula));
        item.stream = streams::compute;
        region.items.push_back(std::move(item));
        return add_region(std::move(region));
    }

    void add_resident(const StageUnits& units, StageProgram& program) {
        const auto add = [&](MemoryKind kind, Storage storage, double factor, bool shared) {
            Amount amount = parameters_.of_stage(units, storage, factor);
            if (shared) amount.shared = MeshAxis::data;
            program.resident.push_back(add_buffer(kind, std::move(amount)));
        };
        add(MemoryKind::parameters, Storage::parameter, 1.0, zero_ >= 3);
        add(MemoryKind::gradients, Storage::gradient, 1.0, zero_ >= 2);
        add(MemoryKind::optimizer, Storage::full, optimizer_states(), zero_ >= 1);
    }

    struct Known {
        std::size_t block;
        bool forward;
        bool reduce_tp;
        BodyVariant variant;
        RegionId region;
    };

    std::span<const Block> blocks_;
    std::span<const BlockPlans> plans_;
    const StructureOptions& options_;
    std::int64_t zero_;
    bool data_parallel_;
    Structure structure_;
    StageParameters parameters_;
    std::vector<BlockState> states_;
    std::vector<BodyBuilder> forward_;
    std::vector<BodyBuilder> backward_;
    std::vector<Known> known_bodies_;
    std::vector<StageUnits> known_stages_;
    WorkId nothing_;
    workload::BufferId boundary_;
};

}  // namespace

Structure build_structure(std::span<const Block> blocks, std::span<const Sharding> shardings,
                          std::span<const BlockPlans> plans, Extents extents,
                          std::span<const StageUnits> stages, const StructureOptions& options) {
    return StructureBuilder(blocks, shardings, plans, std::move(extents), options).build(stages);
}

}  // namespace dse::frontend
