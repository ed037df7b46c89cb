#include "optimizer_step.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <variant>

#include "body_builder.hpp"
#include "late_share.hpp"
#include "state_places.hpp"

namespace dse::frontend {
namespace {

using graph::CollectiveKind;
using graph::Item;
using graph::MeshAxis;
using graph::RegionId;
using graph::WorkId;

constexpr std::array updated_form{StageParameters::Form{Storage::kept_parameter, 1.0, true}};

class StepMaker {
  public:
    StepMaker(const StageUnits& units, const StepParts& parts) : units_{units}, parts_{parts} {}

    RegionId make_update(std::vector<std::int64_t>& counts) {
        if (updates_on_host(parts_.options.stack)) return make_host_update(counts);
        auto step = step_of<ComputeFormula>([&](std::span<const StageParameters::Form> forms) {
            return parts_.parameters.of_stage(units_, forms, held_from(parts_.zero, 1));
        });
        step.op_class = graph::OpClass::optimizer;
        if (!parts_.options.stack.fused_optimizer) run_apart(step);
        graph::Region region;
        region.name = "update";
        add_item(std::move(step), region);
        if (!parts_.options.stack.fused_optimizer) add_roots(region.items.back());
        region.items.back().name = parts_.structure.add_name("optimizer step");
        if (parts_.options.stack.zeroed_gradients) add_zeroing(region);
        add_launches(region);
        if (early_gathers(parts_.options, parts_.zero) != LateShare::none) {
            add_late(late_works(&Replicas::gather), graph::ValueRef::item(0), "gather parameters", region);
        } else if (parts_.zero > 0) {
            hold_gathers(region);
        }
        return parts_.structure.add_region(std::move(region));
    }

    RegionId make_finish() {
        ComputeFormula norm;
        norm.op_class = graph::OpClass::optimizer;
        norm.read = parts_.parameters.of_stage(units_, gradient_form, held_from(parts_.zero, 1));
        graph::Region region;
        region.name = "gradient norm";
        if (parts_.options.placement == graph::Placement::mirrored) {
            add_copies_reduction(region);
        } else {
            add_tied_reduction(region);
        }
        add_late_reductions(region);
        std::vector<graph::ValueRef> reduced;
        for (std::size_t i = 0; i < region.items.size(); ++i) reduced.push_back(graph::ValueRef::item(i));
        add_item(std::move(norm), region);
        region.items.back().name = parts_.structure.add_name("gradient norm");
        region.items.back().inputs = std::move(reduced);
        return parts_.structure.add_region(std::move(region));
    }

  private:
    /// Memory traffic of an optimizer step. It reads states and gradients, and kept parameters if they are
    /// the master copies; it writes states and kept parameters.
    template <class Formula>
    Formula step_of(const std::function<Amount(std::span<const StageParameters::Form>)>& amount) const {
        const bool is_master = parts_.options.stack.primary_weights == graph::PrimaryWeights::master;
        Formula step;
        step.read = amount(adam_forms);
        step.read.append(amount(gradient_form));
        if (is_master) step.read.append(amount(updated_form));
        step.written = amount(adam_forms);
        step.written.append(amount(updated_form));
        return step;
    }

    /// A buffer of gradients for the next step.
    void add_zeroing(graph::Region& region) {
        const std::int64_t sharded_from = shards_gradients_from(parts_.options.stack);
        ComputeFormula zeroing;
        zeroing.op_class = graph::OpClass::optimizer;
        zeroing.written =
            parts_.parameters.of_stage(units_, gradient_form, held_from(parts_.zero, sharded_from));
        add_item(std::move(zeroing), region);
        region.items.back().name = parts_.structure.add_name("zero gradients");
    }

    /// The first tasks gather parameters that the optimizer has updated.
    void hold_gathers(graph::Region& region) {
        std::vector<graph::StreamId> held;
        for (const CollectiveFormula& gather : late_works(&Replicas::gather)) {
            const graph::StreamId stream = parts_.structure.streams.of(gather.axes);
            if (std::find(held.begin(), held.end(), stream) != held.end()) continue;
            held.push_back(stream);
            add_item(LaunchFormula{}, region, stream);
            region.items.back().inputs = {graph::ValueRef::item(0)};
        }
    }

    /// AdamW's eight operations (decay, two averages of which the second takes two, root, division, epsilon,
    /// update) read twelve numbers of a parameter and write eight where one kernel reads four and writes
    /// three. Source: PyTorch 2.1, torch/optim/adamw.py, _multi_tensor_adamw.
    static void run_apart(ComputeFormula& step) {
        step.read.scale(12.0 / 4.0);
        step.written.scale(8.0 / 3.0);
    }

    /// The root of the second average is a tensor of its own for each parameter, all of which are there at
    /// once (the same); so may be what follows from it.
    void add_roots(Item& step) {
        const std::array root{
            StageParameters::Form{Storage::moment, parts_.options.stack.optimizer_copies, true}};
        Amount roots = parts_.parameters.of_stage(units_, root, held_from(parts_.zero, 1));
        step.allocates =
            step.frees = {parts_.structure.add_buffer(graph::MemoryKind::workspace, std::move(roots))};
    }

    /// The exposed parts of all collectives of one kind in a stage, combined per group.
    std::vector<CollectiveFormula> late_works(std::optional<WorkId> Replicas::*which) const {
        std::vector<CollectiveFormula> late;
        for (const auto& chunk : units_) {
            for (const Unit& unit : chunk) {
                for (const Replicas& replicas : parts_.states[unit.block].replicas) {
                    if (!(replicas.*which)) continue;
                    const WorkId work = *(replicas.*which);
                    add_to(late, std::get<CollectiveFormula>(parts_.structure.works[work.index()]),
                           unit.count);
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
        formula.part = parts_.options.one_bucket ? Exposure::whole : Exposure::exposed;
        formula.blocks = parts_.options.one_bucket;
        late.push_back(std::move(formula));
    }

    void add_late(std::vector<CollectiveFormula> late, graph::ValueRef before, const char* name,
                  graph::Region& region) {
        for (CollectiveFormula& formula : late) {
            const graph::StreamId stream = parts_.structure.streams.of(formula.axes);
            add_item(std::move(formula), region, stream);
            region.items.back().name = parts_.structure.add_name(name);
            region.items.back().inputs = {before};
        }
    }

    /// The host updates the blocks one after the other; updated parameters are copied to the device while the
    /// host works on the next block. The device continues when all copies are complete.
    RegionId make_host_update(std::vector<std::int64_t>& counts) {
        graph::Region region;
        region.name = "update";
        graph::ValueRef arrived;
        for (const auto& chunk : units_) {
            for (const Unit& unit : chunk) {
                Item repeat;
                repeat.kind = Item::Kind::repeat;
                repeat.body = host_update_of(unit.block);
                repeat.count = graph::CountId(counts.size());
                counts.push_back(unit.count);
                repeat.inputs = {arrived};
                region.items.push_back(std::move(repeat));
                arrived = graph::ValueRef::item(region.items.size() - 1);
            }
        }
        add_item(no_work(), region);
        region.items.back().inputs = {arrived};
        return parts_.structure.add_region(std::move(region));
    }

    /// The region's port is the previous copy to the device.
    RegionId host_update_of(std::size_t block) {
        const auto of_block = [&](std::span<const StageParameters::Form> forms) {
            return parts_.parameters.of_unit(units_, block, forms, held_from(parts_.zero, 1));
        };
        graph::Region body;
        body.name = "update of " + parts_.blocks[block].name;
        body.ports = 1;
        add_item(step_of<HostUpdateFormula>(of_block), body, parts_.structure.streams.host());
        add_item(CopyFormula{of_block(updated_form), graph::CopyDirection::to_device}, body,
                 parts_.structure.streams.of(graph::CopyDirection::to_device));
        body.items.back().inputs = {graph::ValueRef::item(0)};
        body.outputs = {graph::ValueRef::item(1)};
        return parts_.structure.add_region(std::move(body));
    }

    /// Reductions that do not overlap with a stage's last backward pass come after it, when the stage has
    /// sent what the previous stage waits for: all but the first stages have time for them while the pipeline
    /// drains.
    void add_late_reductions(graph::Region& region) {
        if (late_reductions(parts_.options, parts_.zero) == LateShare::none) return;
        add_item(no_work(), region);
        for (const auto which : {&Replicas::reduce, &Replicas::replicate})
            add_late(late_works(which), graph::ValueRef::item(region.items.size() - 1), "reduce gradients",
                     region);
    }

    /// Operators that the host issues for each parameter, between which the device has nothing to do.
    void add_launches(graph::Region& region) {
        const graph::SoftwareStack& stack = parts_.options.stack;
        LaunchFormula launches;
        launches.kernels =
            stack.update_launches * parts_.parameters.trained(units_) +
            stack.reduction_launches * parts_.parameters.reduced(units_, parts_.options.active);
        if (launches.kernels == 0.0) return;
        add_item(launches, region);
        region.items.back().name = parts_.structure.add_name("launches of the optimizer");
    }

    /// Adds the reduction of gradients of a parameter that the first and the last stage share.
    void add_tied_reduction(graph::Region& region) {
        if (parts_.options.stages == 1) return;
        Amount gradients = parts_.parameters.shared(
            units_, Storage::gradient, held_from(parts_.zero, shards_gradients_from(parts_.options.stack)));
        if (gradients.terms.empty()) return;
        add_item(CollectiveFormula{CollectiveKind::all_reduce, MeshAxis::pipeline, std::move(gradients),
                                   graph::Members::ends},
                 region, parts_.structure.streams.of(MeshAxis::pipeline));
    }

    /// Adds the reduction of gradients of a stage's two pieces with their copies on the mirrored stage. It
    /// follows the reduction over the replicas, so that with ZeRO only a share is exchanged.
    void add_copies_reduction(graph::Region& region) {
        add_item(
            CollectiveFormula{CollectiveKind::all_reduce, MeshAxis::pipeline,
                              parts_.parameters.of_stage(units_, gradient_form, held_from(parts_.zero, 1)),
                              graph::Members::mirrors},
            region, parts_.structure.streams.of(MeshAxis::pipeline));
    }

    void add_item(WorkFormula formula, graph::Region& region,
                  graph::StreamId stream = graph::compute_stream) {
        Item item;
        item.work = parts_.structure.add_work(std::move(formula));
        item.stream = stream;
        region.items.push_back(std::move(item));
    }

    const StageUnits& units_;
    const StepParts& parts_;
};

}  // namespace

StepRegions make_optimizer_step(const StageUnits& units, const StepParts& parts,
                                std::vector<std::int64_t>& counts) {
    StepMaker maker{units, parts};
    const RegionId update = maker.make_update(counts);
    return {update, maker.make_finish()};
}

}  // namespace dse::frontend
