#include "dse/ir/partition/partition.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dse/base/check.hpp"
#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/program/program_builder.hpp"
#include "ir/partition/choice.hpp"
#include "ir/partition/collective_writer.hpp"
#include "ir/partition/common_mesh.hpp"
#include "ir/partition/halo_ranges.hpp"
#include "ir/partition/local_types.hpp"
#include "ir/partition/manual_border.hpp"
#include "ir/partition/model_share.hpp"
#include "ir/partition/opcode_parts.hpp"
#include "ir/partition/parts.hpp"
#include "ir/partition/plan.hpp"
#include "ir/partition/propagation.hpp"
#include "ir/partition/split_constants.hpp"
#include "ir/partition/stated_sharding.hpp"
#include "ir/passes/program_copy.hpp"
#include "ir/program/repeats.hpp"

namespace dse::ir {
namespace partition {
namespace {

// Operations that may be computed completely on every device if they cannot be partitioned: they do little
// work and involve no specific device.
bool may_run_whole(Opcode opcode) {
    switch (opcode_class(opcode)) {
        case OpcodeClass::communication:
        case OpcodeClass::control:
        case OpcodeClass::foreign:
            return false;
        default:
            return opcode != Opcode::attention && opcode != Opcode::attention_backward;
    }
}

std::vector<SlotLayout> propagated_layouts(const Program& program, const Slots& slots,
                                           const std::vector<Relation>& relations) {
    std::vector<SlotLayout> layouts = layouts_before(program, slots);
    propagate(relations, layouts);
    return layouts;
}

class Partitioner {
  public:
    explicit Partitioner(const SplitConstants& split) : Partitioner{split.program, split.origins} {}

    Partitioner(const Program& program, const std::vector<std::optional<ValueId>>& origins)
        : in_{program},
          out_{without_computations(program)},
          mesh_{mesh_of(program)},
          slots_{program},
          relations_{relations(program, slots_)},
          layouts_{propagated_layouts(program, slots_, relations_)},
          writer_{builder_, program.language, program.meshes[mesh_.index()]},
          plan_{program, slots_, layouts_, relations_},
          shares_{program, program.meshes[mesh_.index()].device_count()},
          parts_{program, origins, slots_, layouts_, builder_, writer_},
          done_(program.computations.size(), false) {}

    Program result() {
        out_.replicas = 1;
        out_.partitions = in_.meshes[mesh_.index()].device_count();
        out_.partitioned = true;
        out_.shardings.resize(1);  // they have been applied
        out_.entry = in_.entry;
        for (const Computation& computation : in_.computations)
            builder_.computation(in_.text(computation.name), computation.line);
        write(in_.entry, nullptr);
        validate(out_);
        return std::move(out_);
    }

  private:
    /// \param like  values whose layouts the results get; nullptr: their own
    void write(ComputationId id, const std::vector<ValueId>* like) {
        if (done_[id.index()]) return;
        done_[id.index()] = true;
        const Computation& computation = in_[id];
        for (const ValueId argument : computation.arguments)
            if (in_[argument].operation < 0)
                parts_.set(argument, builder_.argument(id, parts_.local(argument)));
        for (const Operation& operation : computation.operations) write(id, operation, like);
        // HLO's parameters are operations.
        std::vector<ValueId> arguments;
        for (const ValueId argument : computation.arguments) arguments.push_back(parts_[argument]);
        out_.computations[id.index()].arguments = std::move(arguments);
        std::vector<ValueId> results;
        for (std::size_t i = 0; i < computation.results.size(); ++i)
            results.push_back(
                parts_.fit(id, computation.results[i], target(computation, i, like), computation.line));
        builder_.results(id, results);
    }

    // The layout that a computation's result gets.
    [[nodiscard]] std::vector<Layout> target(const Computation& computation, std::size_t i,
                                             const std::vector<ValueId>* like) const {
        const ValueId value = like != nullptr && i < like->size() ? (*like)[i] : computation.results[i];
        if (like == nullptr && &computation == &in_[in_.entry]) {
            std::vector<Layout> returned;
            for (std::size_t leaf = 0; leaf < slots_.count(value); ++leaf)
                returned.push_back(layouts_[slots_.returned(i, leaf).index()].dimensions);
            return returned;
        }
        if (like == nullptr && i < computation.result_shardings.size()) {
            auto stated =
                stated_layouts(in_, computation.result_shardings[i], slots_, value, computation.line);
            if (!stated.empty()) return stated;
        }
        return parts_.layouts_of(value);
    }

    void write(ComputationId id, const Operation& operation, const std::vector<ValueId>* like) {
        switch (opcode_parts(operation.opcode).role) {
            case Role::finish:
                finish(id, operation, like);
                return;
            case Role::move:
            case Role::reshard:
                move(id, operation);
                return;
            case Role::manual:
                manual(id, operation);
                return;
            case Role::loop:
                loop(id, operation);
                return;
            case Role::enter:
            case Role::branch:
                enter(id, operation);
                return;
            case Role::tuple:
                tuple(id, operation);
                return;
            case Role::element:
                element(id, operation);
                return;
            case Role::fence:
            case Role::keep:
                copy(id, operation);
                return;
            case Role::compute:
                break;
        }
        if (is_sharding_call(in_, operation)) {
            move(id, operation);
            return;
        }
        if (is_border_call(in_, operation)) {
            cross(operation);
            return;
        }
        if (parts_.is_at_hand(id, operation)) return;
        if (const Plan::Entry* plan = plan_.of(operation))
            compute(id, operation, *plan);
        else
            whole(id, operation);
        parts_.keep(id, operation);
    }

    void finish(ComputationId id, const Operation& operation, const std::vector<ValueId>* like) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        operands.reserve(old.size());
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(parts_.fit(id, old[i], target(in_[id], i, like), operation.line));
        append(id, operation, operands, {});
    }

    // Operations that only move arrays: nothing but their collectives remains.
    void move(ComputationId id, const Operation& operation) {
        const auto operands = in_.operands(operation);
        if (operands.size() != 1 || operation.results.count != 1) refuse(operation);
        const ValueId result = Program::result(operation);
        parts_.set(result, parts_.fit(id, operands[0], parts_.layouts_of(result), operation.line));
    }

    // The part of the operand is the part of the result, unless only some of the axes are manual.
    void cross(const Operation& operation) {
        const auto operands = in_.operands(operation);
        if (operands.size() != 1 || operation.results.count != 1) refuse(operation);
        const ValueId result = Program::result(operation);
        const ValueId part = parts_[operands[0]];
        if (out_.types[out_.type_of(part)].sizes != out_.types[parts_.local(result)].sizes) refuse(operation);
        parts_.set(result, part);
    }

    void copy(ComputationId id, const Operation& operation) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        for (std::size_t i = 0; i < old.size(); ++i) {
            const bool straight =
                operation.opcode == Opcode::optimization_barrier && i < operation.results.count;
            operands.push_back(
                straight
                    ? parts_.fit(id, old[i], parts_.layouts_of(Program::result(operation, i)), operation.line)
                    : parts_[old[i]]);
        }
        append(id, operation, operands, local_results(operation));
    }

    // Each element has the layout of its leaves in the tuple.
    void tuple(ComputationId id, const Operation& operation) {
        const std::vector<Layout> whole = parts_.layouts_of(Program::result(operation));
        auto next = whole.begin();
        std::vector<ValueId> operands;
        for (const ValueId operand : in_.operands(operation)) {
            const auto count = static_cast<std::ptrdiff_t>(slots_.count(operand));
            if (whole.end() - next < count) refuse(operation);
            operands.push_back(parts_.fit(id, operand, {next, next + count}, operation.line));
            next += count;
        }
        if (next != whole.end()) refuse(operation);
        append(id, operation, operands, local_results(operation));
    }

    void element(ComputationId id, const Operation& operation) {
        const ValueId whole = in_.operands(operation)[0];
        const ValueId result = Program::result(operation);
        const auto leaf = first_leaf(in_, operation);
        if (!leaf || *leaf + slots_.count(result) > slots_.count(whole)) refuse(operation);
        std::vector<Layout> after;
        for (std::size_t i = 0; i < slots_.count(result); ++i)
            after.push_back(parts_.layout(whole, *leaf + i));
        if (!are_alike(after, parts_.layouts_of(result))) refuse(operation);
        const std::array operands{parts_[whole]};
        const std::array results{parts_.local(result, after)};
        append(id, operation, operands, results);
        parts_.settle(id, operation, 0, after);
    }

    void loop(ComputationId id, const Operation& operation) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        const auto called = in_.called(operation);
        if (called.size() != 2) refuse(operation);
        const std::vector<ValueId>& carried = in_[called[1]].arguments;
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(parts_.fit(
                id, old[i], parts_.layouts_of(i < carried.size() ? carried[i] : old[i]), operation.line));
        write(called[0], nullptr);
        write(called[1], &carried);
        std::vector<TypeId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(parts_.local(i < carried.size() ? carried[i] : Program::result(operation, i)));
        append(id, operation, operands, results);
        for (std::size_t i = 0; i < operation.results.count && i < carried.size(); ++i)
            parts_.settle(id, operation, i, parts_.layouts_of(carried[i]));
    }

    void enter(ComputationId id, const Operation& operation) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        const auto called = in_.called(operation);
        for (std::size_t i = 0; i < old.size(); ++i) {
            const std::optional<ValueId> argument = argument_of(operation, i);
            operands.push_back(argument ? parts_.fit(id, old[i], parts_.layouts_of(*argument), operation.line)
                                        : parts_[old[i]]);
        }
        std::vector<ValueId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(Program::result(operation, i));
        for (const ComputationId callee : called) write(callee, &results);
        append(id, operation, operands, local_results(operation));
    }

    // The argument that an operand becomes inside. In HLO each branch has its own operand after the
    // condition; in MLIR regions can read outer values.
    [[nodiscard]] std::optional<ValueId> argument_of(const Operation& operation, std::size_t operand) const {
        const bool is_choice = operation.opcode == Opcode::conditional;
        const auto called = in_.called(operation);
        const std::size_t computation = is_choice ? operand - 1 : 0;  // none for the condition itself
        if (computation >= called.size()) return std::nullopt;
        const std::vector<ValueId>& arguments = in_[called[computation]].arguments;
        const std::size_t argument = is_choice ? 0 : operand;
        if (argument >= arguments.size()) return std::nullopt;
        return arguments[argument];
    }

    // Its body is already written for one device with respect to the manual axes.
    void manual(ComputationId id, const Operation& operation) {
        const auto* attribute = in_.attribute_if<ManualComputation>(operation);
        const auto called = in_.called(operation);
        const auto old = in_.operands(operation);
        if (attribute == nullptr || called.size() != 1) refuse(operation);
        const Computation& body = in_[called[0]];
        if (attribute->in.size() != old.size() || body.arguments.size() != old.size() ||
            attribute->out.size() != operation.results.count ||
            body.results.size() != operation.results.count)
            refuse(operation);
        const auto crossing = [&](ValueId whole, ValueId part, const Sharding& sharding) {
            if (slots_.count(whole) != 1 || slots_.count(part) != 1) refuse(operation);
            const std::size_t rank = slots_.type(slots_.of(whole)).sizes.size();
            return outside(by_hand(sharding, attribute->manual_axes, rank, operation.line),
                           parts_.layout(part));
        };
        std::vector<ValueId> operands;
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(parts_.fit(id, old[i], {crossing(old[i], body.arguments[i], attribute->in[i])},
                                          operation.line));
        write(called[0], nullptr);
        std::vector<TypeId> results;
        for (const ValueId result : body.results) results.push_back(parts_.local(result));
        append(id, operation, operands, results);
        for (std::size_t i = 0; i < operation.results.count; ++i)
            parts_.settle(id, operation, i,
                          {crossing(Program::result(operation, i), body.results[i], attribute->out[i])});
    }

    void compute(ComputationId id, const Operation& operation, const Plan::Entry& plan) {
        const FactorRule& rule = plan.relation->rule();
        boost::container::small_vector<ValueId, 4> operands;
        const auto old = in_.operands(operation);
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(lies_as_needed(plan, i, old[i])
                                   ? parts_[old[i]]
                                   : parts_.fit(id, old[i], stops(plan, i),
                                                layout_of(rule, rule.operands[i], plan.axes), plan.group,
                                                operation.line));
        if (!operands.empty()) operands[0] = with_halos(id, operation, plan, operands[0]);
        const Axes partial = partial_axes(rule, plan.axes);
        const auto stays = [&](std::size_t i) {
            return partial.empty() &&
                   lies_as_needed(plan, rule.operands.size() + i, Program::result(operation, i));
        };
        boost::container::small_vector<TypeId, 2> results;
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            const ValueId result = Program::result(operation, i);
            results.push_back(stays(i) ? parts_.local(result, parts_.layout(result))
                                       : parts_.local(result, layout_of(rule, rule.results[i], plan.axes)));
        }
        for (const ComputationId callee : in_.called(operation)) write(callee, nullptr);
        append(id, operation, {operands.data(), operands.size()}, {results.data(), results.size()},
               attribute_of(operation, rule, plan.axes, results.front()),
               shares_.of(id, operation, rule, plan.axes));
        for (std::size_t i = 0; i < operation.results.count; ++i)
            if (!stays(i))
                parts_.settle(id, operation, i, layout_of(rule, rule.results[i], plan.axes), partial,
                              stops(plan, rule.operands.size() + i), plan.summing);
    }

    // Whether the operation uses an array in exactly the program's layout, without intermediate layouts.
    [[nodiscard]] bool lies_as_needed(const Plan::Entry& plan, std::size_t array, ValueId value) const {
        const bool stops_nowhere = array >= plan.stops.size() || plan.stops[array].empty();
        return stops_nowhere && slots_.count(value) == 1 &&
               lies_as(parts_.layout(value), plan.relation->rule(), plan.relation->factors(array), plan.axes);
    }

    static std::vector<Layout> stops(const Plan::Entry& plan, std::size_t array) {
        return array < plan.stops.size() ? plan.stops[array] : std::vector<Layout>{};
    }

    // Gets the elements that each device needs of its neighbours' parts, along partitioned dimensions that
    // are sliced or padded.
    ValueId with_halos(ComputationId id, const Operation& operation, const Plan::Entry& plan, ValueId part) {
        const Type& whole = slots_.type(slots_.of(in_.operands(operation)[0]));
        const Type& result = slots_.type(slots_.of(Program::result(operation)));
        const FactorRule& rule = plan.relation->rule();
        for (std::size_t d = 0; d < whole.sizes.size(); ++d) {
            if (!exchanges_halo(rule, plan.axes, d)) continue;
            const Axes& axes = plan.axes[rule.operands[0][d][0]];
            part = writer_.exchange_halo(
                id, part, d, axes, whole.sizes[d],
                wanted_ranges(in_.attribute(operation), d, result.sizes[d], parts_of(axes)), operation.line);
        }
        return part;
    }

    AttributeId attribute_of(const Operation& operation, const FactorRule& rule,
                             const std::vector<Axes>& axes, TypeId result) {
        if (rule.operands.empty() || !states_sizes(in_.attribute(operation))) return operation.attribute;
        const Layout layout = layout_of(rule, rule.operands[0], axes);
        const Type& whole = slots_.type(slots_.of(in_.operands(operation)[0]));
        Attribute attribute = local_attribute(in_.attribute(operation), whole, layout,
                                              local_type(whole, layout), out_.types[result]);
        for (std::size_t d = 0; d < layout.size(); ++d)
            if (exchanges_halo(rule, axes, d)) attribute = without_halo(std::move(attribute), d);
        return builder_.attribute(std::move(attribute));
    }

    // Every device computes the whole operation from whole operands.
    void whole(ComputationId id, const Operation& operation) {
        bool cut = false;
        std::vector<ValueId> operands;
        for (const ValueId operand : in_.operands(operation)) {
            std::vector<Layout> wanted;
            for (const Layout& now : parts_.layouts_of(operand)) wanted.emplace_back(now.size());
            cut = cut || wanted != parts_.layouts_of(operand);
            if (cut && !may_run_whole(operation.opcode)) refuse(operation);
            operands.push_back(parts_.fit(id, operand, wanted, operation.line));
        }
        std::vector<TypeId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(in_.type_of(Program::result(operation, i)));
        for (const ComputationId callee : in_.called(operation)) write(callee, nullptr);
        append(id, operation, operands, results, operation.attribute, shares_.of(id, operation));
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            std::vector<Layout> after;
            for (const Layout& now : parts_.layouts_of(Program::result(operation, i)))
                after.emplace_back(now.size());
            parts_.settle(id, operation, i, after);
        }
    }

    std::vector<TypeId> local_results(const Operation& operation) {
        std::vector<TypeId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(parts_.local(Program::result(operation, i)));
        return results;
    }

    void append(ComputationId id, const Operation& operation, std::span<const ValueId> operands,
                std::span<const TypeId> results) {
        append(id, operation, operands, results, operation.attribute);
    }
    void append(ComputationId id, const Operation& operation, std::span<const ValueId> operands,
                std::span<const TypeId> results, AttributeId attribute, double model_share = 1) {
        ProgramBuilder::Draft draft = ProgramBuilder::like(operation);
        draft.operands = operands;
        draft.results = results;
        draft.called = in_.called(operation);
        draft.attribute = attribute;
        draft.model_share = model_share;
        const Operation& added = builder_.append(id, draft);
        for (std::size_t i = 0; i < results.size() && i < operation.results.count; ++i)
            parts_.set(Program::result(operation, i), Program::result(added, i));
    }

    [[noreturn]] void refuse(const Operation& operation) const { not_partitioned(in_, operation); }

    const Program& in_;
    Program out_;
    ProgramBuilder builder_{out_};
    MeshId mesh_;
    Slots slots_;
    std::vector<Relation> relations_;
    std::vector<SlotLayout> layouts_;
    CollectiveWriter writer_;
    Plan plan_;
    ModelShares shares_;
    Parts parts_;
    std::vector<bool> done_;  ///< by computation
};

// Functions are inlined, since their calls may have different layouts. Nothing limits how deeply computations
// of HLO stand in each other, which inlining checks.
SplitConstants prepared(const Program& program) {
    if (program.language != Language::mlir || has_calls(program, Inlined::functions))
        return split_constants(inline_calls(program, Inlined::functions));
    SplitConstants split = split_constants(program);
    mark_repeats(split.program);
    return split;
}

}  // namespace
}  // namespace partition

Program partitioned(const Program& program) {
    DSE_EXPECT(!program.partitioned);
    if (const auto over_one_mesh = partition::over_common_mesh(program)) return partitioned(*over_one_mesh);
    return partition::Partitioner{partition::prepared(program)}.result();
}

}  // namespace dse::ir
