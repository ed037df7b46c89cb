#include "dse/ir/partition/partition.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program_builder.hpp"
#include "dse/ir/program/program_error.hpp"
#include "ir/partition/choice.hpp"
#include "ir/partition/collective_writer.hpp"
#include "ir/partition/local_types.hpp"
#include "ir/partition/manual_border.hpp"
#include "ir/partition/model_share.hpp"
#include "ir/partition/opcode_parts.hpp"
#include "ir/partition/plan.hpp"
#include "ir/partition/propagation.hpp"
#include "ir/partition/stated_sharding.hpp"
#include "ir/passes/program_copy.hpp"

namespace dse::ir {
namespace partition {
namespace {

// What may be computed whole on every device where it cannot be cut: little work, and no device of its own in
// it.
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

std::vector<SlotLayout> propagated_layouts(const Program& program, const Slots& slots) {
    std::vector<SlotLayout> layouts = layouts_before(program, slots);
    propagate(relations(program, slots), layouts);
    return layouts;
}

class Partitioner {
  public:
    explicit Partitioner(const Program& program)
        : in_{program},
          out_{without_computations(program)},
          mesh_{mesh_of(program)},
          slots_{program},
          layouts_{propagated_layouts(program, slots_)},
          writer_{builder_, program.language, program.meshes[mesh_.index()]},
          plan_{program, slots_, layouts_},
          shares_{program, program.meshes[mesh_.index()].device_count()},
          values_(program.values.size()),
          done_(program.computations.size(), false) {}

    Program result() {
        out_.replicas = 1;
        out_.partitions = in_.meshes[mesh_.index()].device_count();
        out_.partitioned = true;
        out_.shardings.resize(1);  // what they said is done
        out_.entry = in_.entry;
        for (const Computation& computation : in_.computations)
            builder_.computation(in_.text(computation.name), computation.line);
        write(in_.entry, nullptr);
        validate(out_);
        return std::move(out_);
    }

  private:
    [[nodiscard]] const Layout& layout(ValueId value, std::size_t leaf = 0) const {
        return layouts_[slots_.of(value, leaf).index()].dimensions;
    }

    [[nodiscard]] TypeId local(ValueId value) { return local(value, layouts_of(value)); }
    [[nodiscard]] TypeId local(ValueId value, const std::vector<Layout>& layouts) {
        return local_type(out_.types, in_.type_of(value), layouts);
    }

    /// \param like  whose layouts the results are to have; nullptr: those of their own
    void write(ComputationId id, const std::vector<ValueId>* like) {
        if (done_[id.index()]) return;
        done_[id.index()] = true;
        const Computation& computation = in_[id];
        for (const ValueId argument : computation.arguments)
            if (in_[argument].operation < 0)
                values_[argument.index()] = builder_.argument(id, local(argument));
        for (const Operation& operation : computation.operations) write(id, operation, like);
        // HLO's parameters are operations.
        std::vector<ValueId> arguments;
        for (const ValueId argument : computation.arguments) arguments.push_back(values_[argument.index()]);
        out_.computations[id.index()].arguments = std::move(arguments);
        std::vector<ValueId> results;
        for (std::size_t i = 0; i < computation.results.size(); ++i)
            results.push_back(
                fit(id, computation.results[i], target(computation, i, like), computation.line));
        builder_.results(id, results);
    }

    // Whose layout a computation's result is to have.
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
        return layouts_of(value);
    }

    [[nodiscard]] std::vector<Layout> layouts_of(ValueId value) const {
        std::vector<Layout> result;
        for (std::size_t leaf = 0; leaf < slots_.count(value); ++leaf) result.push_back(layout(value, leaf));
        return result;
    }

    // The value's part, moved to these layouts.
    ValueId fit(ComputationId id, ValueId value, const std::vector<Layout>& wanted, std::uint32_t line) {
        const ValueId part = values_[value.index()];
        const std::vector<Layout> now = layouts_of(value);
        if (wanted == now) return part;
        if (!are_alike(now, wanted))
            throw ProgramError(line, fmt::format("an operand or a result of another shape than where it "
                                                 "goes is not partitioned: {}",
                                                 advice));
        Moved& moved = moved_[{id, value}];
        for (const auto& [layouts, copy] : moved)
            if (layouts == wanted) return copy;
        const ValueId copy = made_anywhere(in_, value)
                                 ? remake(id, value, wanted[0])
                                 : writer_.reshard(id, part, in_.type_of(value), now, wanted, line);
        moved.emplace_back(wanted, copy);
        return copy;
    }

    // Whether what lies in one way may lie in the other: of as many leaves and dimensions.
    static bool are_alike(const std::vector<Layout>& a, const std::vector<Layout>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const Layout& one, const Layout& other) { return one.size() == other.size(); });
    }

    // The value's part in another layout, made from nothing once more.
    ValueId remake(ComputationId id, ValueId value, const Layout& wanted) {
        const Operation& operation = *in_.definition(value);
        std::vector<ValueId> operands;
        for (const ValueId operand : in_.operands(operation)) operands.push_back(values_[operand.index()]);
        const std::array results{local(value, {wanted})};
        ProgramBuilder::Draft draft = ProgramBuilder::like(operation);
        draft.operands = operands;
        draft.results = results;
        return builder_.value(id, draft);
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
        if (const Plan::Entry* plan = plan_.of(operation))
            compute(id, operation, *plan);
        else
            whole(id, operation);
    }

    void finish(ComputationId id, const Operation& operation, const std::vector<ValueId>* like) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(fit(id, old[i], target(in_[id], i, like), operation.line));
        append(id, operation, operands, {});
    }

    // Only moves: nothing is left of the operation but the collectives.
    void move(ComputationId id, const Operation& operation) {
        const auto operands = in_.operands(operation);
        if (operands.size() != 1 || operation.results.count != 1) refuse(operation);
        const ValueId result = Program::result(operation);
        values_[result.index()] = fit(id, operands[0], layouts_of(result), operation.line);
    }

    // What a device has of the operand is what it has of the result, unless some axes only are crossed by
    // hand.
    void cross(const Operation& operation) {
        const auto operands = in_.operands(operation);
        if (operands.size() != 1 || operation.results.count != 1) refuse(operation);
        const ValueId result = Program::result(operation);
        const ValueId part = values_[operands[0].index()];
        if (out_.types[out_.type_of(part)].sizes != out_.types[local(result)].sizes) refuse(operation);
        values_[result.index()] = part;
    }

    void copy(ComputationId id, const Operation& operation) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        for (std::size_t i = 0; i < old.size(); ++i) {
            const bool straight =
                operation.opcode == Opcode::optimization_barrier && i < operation.results.count;
            operands.push_back(
                straight ? fit(id, old[i], layouts_of(Program::result(operation, i)), operation.line)
                         : values_[old[i].index()]);
        }
        append(id, operation, operands, local_results(operation));
    }

    // Each element lies in a tuple as the tuple does.
    void tuple(ComputationId id, const Operation& operation) {
        const std::vector<Layout> whole = layouts_of(Program::result(operation));
        auto next = whole.begin();
        std::vector<ValueId> operands;
        for (const ValueId operand : in_.operands(operation)) {
            const auto count = static_cast<std::ptrdiff_t>(slots_.count(operand));
            if (whole.end() - next < count) refuse(operation);
            operands.push_back(fit(id, operand, {next, next + count}, operation.line));
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
        for (std::size_t i = 0; i < slots_.count(result); ++i) after.push_back(layout(whole, *leaf + i));
        if (!are_alike(after, layouts_of(result))) refuse(operation);
        append(id, operation, {values_[whole.index()]}, {local(result, after)});
        settle(id, operation, 0, after);
    }

    void loop(ComputationId id, const Operation& operation) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        const auto called = in_.called(operation);
        if (called.size() != 2) refuse(operation);
        const std::vector<ValueId>& carried = in_[called[1]].arguments;
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(
                fit(id, old[i], layouts_of(i < carried.size() ? carried[i] : old[i]), operation.line));
        write(called[0], nullptr);
        write(called[1], &carried);
        std::vector<TypeId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(local(i < carried.size() ? carried[i] : Program::result(operation, i)));
        append(id, operation, operands, results);
        for (std::size_t i = 0; i < operation.results.count && i < carried.size(); ++i)
            settle(id, operation, i, layouts_of(carried[i]));
    }

    void enter(ComputationId id, const Operation& operation) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        const auto called = in_.called(operation);
        for (std::size_t i = 0; i < old.size(); ++i) {
            const std::optional<ValueId> argument = argument_of(operation, i);
            operands.push_back(argument ? fit(id, old[i], layouts_of(*argument), operation.line)
                                        : values_[old[i].index()]);
        }
        std::vector<ValueId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(Program::result(operation, i));
        for (const ComputationId callee : called) write(callee, &results);
        append(id, operation, operands, local_results(operation));
    }

    // What an operand is inside: HLO gives each branch an operand of its own behind the choice; regions of
    // MLIR see their surroundings.
    [[nodiscard]] std::optional<ValueId> argument_of(const Operation& operation, std::size_t operand) const {
        const bool is_choice = operation.opcode == Opcode::conditional;
        const auto called = in_.called(operation);
        const std::size_t computation = is_choice ? operand - 1 : 0;  // of the choice itself: none
        if (computation >= called.size()) return std::nullopt;
        const std::vector<ValueId>& arguments = in_[called[computation]].arguments;
        const std::size_t argument = is_choice ? 0 : operand;
        if (argument >= arguments.size()) return std::nullopt;
        return arguments[argument];
    }

    // Its body is written for one device already, as far as the axes by hand go.
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
            return outside(by_hand(sharding, attribute->manual_axes, rank, operation.line), layout(part));
        };
        std::vector<ValueId> operands;
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(
                fit(id, old[i], {crossing(old[i], body.arguments[i], attribute->in[i])}, operation.line));
        write(called[0], nullptr);
        std::vector<TypeId> results;
        for (const ValueId result : body.results) results.push_back(local(result));
        append(id, operation, operands, results);
        for (std::size_t i = 0; i < operation.results.count; ++i)
            settle(id, operation, i,
                   {crossing(Program::result(operation, i), body.results[i], attribute->out[i])});
    }

    void compute(ComputationId id, const Operation& operation, const Plan::Entry& plan) {
        const FactorRule& rule = plan.relation.rule;
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(
                fit(id, old[i], {layout_of(rule, rule.operands[i], plan.axes)}, operation.line));
        std::vector<TypeId> results;
        std::vector<Layout> after;
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            after.push_back(layout_of(rule, rule.results[i], plan.axes));
            results.push_back(local(Program::result(operation, i), {after[i]}));
        }
        for (const ComputationId callee : in_.called(operation)) write(callee, nullptr);
        append(id, operation, operands, results, attribute_of(operation, rule, plan.axes, results),
               shares_.of(id, operation, rule, plan.axes));
        const Axes partial = partial_axes(rule, plan.axes);
        for (std::size_t i = 0; i < operation.results.count; ++i)
            settle(id, operation, i, {after[i]}, partial);
    }

    AttributeId attribute_of(const Operation& operation, const FactorRule& rule,
                             const std::vector<Axes>& axes, const std::vector<TypeId>& results) {
        if (rule.operands.empty()) return operation.attribute;
        const Layout layout = layout_of(rule, rule.operands[0], axes);
        const Type& whole = slots_.type(slots_.of(in_.operands(operation)[0]));
        return builder_.attribute(local_attribute(in_.attribute(operation), whole, layout,
                                                  local_type(whole, layout), out_.types[results[0]]));
    }

    // Every device computes all of it, from whole operands.
    void whole(ComputationId id, const Operation& operation) {
        bool cut = false;
        std::vector<ValueId> operands;
        for (const ValueId operand : in_.operands(operation)) {
            std::vector<Layout> wanted;
            for (const Layout& now : layouts_of(operand)) wanted.emplace_back(now.size());
            cut = cut || wanted != layouts_of(operand);
            if (cut && !may_run_whole(operation.opcode)) refuse(operation);
            operands.push_back(fit(id, operand, wanted, operation.line));
        }
        std::vector<TypeId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(in_.type_of(Program::result(operation, i)));
        for (const ComputationId callee : in_.called(operation)) write(callee, nullptr);
        append(id, operation, operands, results, operation.attribute, shares_.of(id, operation));
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            std::vector<Layout> after;
            for (const Layout& now : layouts_of(Program::result(operation, i)))
                after.emplace_back(now.size());
            settle(id, operation, i, after);
        }
    }

    // A result that stands in a layout of the operation's making, moved to the layout that the program gives
    // it.
    void settle(ComputationId id, const Operation& operation, std::size_t i, const std::vector<Layout>& after,
                const Axes& partial = {}) {
        const ValueId result = Program::result(operation, i);
        const std::vector<Layout> wanted = layouts_of(result);
        if (after == wanted && partial.empty()) return;
        if (!are_alike(after, wanted)) refuse(operation);
        values_[result.index()] = writer_.reshard(id, values_[result.index()], in_.type_of(result), after,
                                                  wanted, operation.line, partial);
    }

    std::vector<TypeId> local_results(const Operation& operation) {
        std::vector<TypeId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(local(Program::result(operation, i)));
        return results;
    }

    void append(ComputationId id, const Operation& operation, const std::vector<ValueId>& operands,
                const std::vector<TypeId>& results) {
        append(id, operation, operands, results, operation.attribute);
    }
    void append(ComputationId id, const Operation& operation, const std::vector<ValueId>& operands,
                const std::vector<TypeId>& results, AttributeId attribute, double model_share = 1) {
        ProgramBuilder::Draft draft = ProgramBuilder::like(operation);
        draft.operands = operands;
        draft.results = results;
        draft.called = in_.called(operation);
        draft.attribute = attribute;
        draft.model_share = model_share;
        const Operation& added = builder_.append(id, draft);
        for (std::size_t i = 0; i < results.size() && i < operation.results.count; ++i)
            values_[Program::result(operation, i).index()] = Program::result(added, i);
    }

    [[noreturn]] void refuse(const Operation& operation) const {
        throw ProgramError(operation.line,
                           fmt::format("'{}' is not partitioned: {}", foreign_name(in_, operation), advice));
    }

    static constexpr std::string_view advice = "capture the program after partitioning";

    const Program& in_;
    Program out_;
    ProgramBuilder builder_{out_};
    MeshId mesh_;
    Slots slots_;
    std::vector<SlotLayout> layouts_;
    CollectiveWriter writer_;
    Plan plan_;
    ModelShares shares_;
    std::vector<ValueId> values_;  ///< by old value: its part
    std::vector<bool> done_;       ///< by computation
    /// What was moved to another layout is not moved there again by the same computation: compilers keep one
    /// of equal values.
    using Moved = std::vector<std::pair<std::vector<Layout>, ValueId>>;
    std::map<std::pair<ComputationId, ValueId>, Moved> moved_;
};

}  // namespace
}  // namespace partition

Program partitioned(const Program& program) {
    DSE_EXPECT(!program.partitioned);
    // Each call of a function may lie another way.
    const Program inlined = inline_calls(program, Inlined::functions);
    return partition::Partitioner{inlined}.result();
}

}  // namespace dse::ir
