#include "dse/ir/partition/partition.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "dse/ir/program_builder.hpp"
#include "ir/partition/choice.hpp"
#include "ir/partition/collective_writer.hpp"
#include "ir/partition/local_types.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir {
namespace partition {
namespace {

using Kind = FactorRule::Kind;

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

class Partitioner {
  public:
    explicit Partitioner(const Program& program)
        : in_{program},
          mesh_{mesh_of(program)},
          slots_{program},
          layouts_{layouts_before(program, slots_)},
          writer_{builder_, program.language, program.meshes[mesh_.index()]},
          values_(program.values.size()),
          done_(program.computations.size(), false) {
        propagate(relations(program, slots_), slots_, layouts_);
    }

    Program result() {
        const DeviceMesh& mesh = in_.meshes[mesh_.index()];
        out_.name = in_.name;
        out_.language = in_.language;
        out_.partitions = mesh.device_count();
        out_.meshes = in_.meshes;
        out_.aliases = in_.aliases;
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

    [[nodiscard]] TypeId local(TypeId id, ValueId value, std::size_t& leaf) {
        Type type = in_.types[id];
        if (type.kind == Type::Kind::array) return out_.types.add(local_type(type, layout(value, leaf++)));
        for (TypeId& member : type.members) member = local(member, value, leaf);
        return out_.types.add(std::move(type));
    }
    [[nodiscard]] TypeId local(ValueId value) {
        std::size_t leaf = 0;
        return local(in_.type_of(value), value, leaf);
    }
    [[nodiscard]] TypeId same(TypeId id) {
        Type type = in_.types[id];
        for (TypeId& member : type.members) member = same(member);
        return out_.types.add(std::move(type));
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
        if (like == nullptr && i < computation.result_shardings.size()) {
            auto stated = stated_layouts(in_, computation.result_shardings[i], slots_, value);
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
        if (wanted == layouts_of(value) || wanted.size() != slots_.count(value)) return part;
        if (in_.types[in_.type_of(value)].kind != Type::Kind::array)
            throw ModelError(
                fmt::format("line {}: a tuple that lies in two ways is not partitioned: {}", line, advice));
        Moved& moved = moved_[{id, value}];
        for (const auto& [layout, copy] : moved)
            if (layout == wanted[0]) return copy;
        const ValueId copy =
            writer_.reshard(id, part, slots_.type(slots_.of(value)), layout(value), wanted[0], line);
        moved.emplace_back(wanted[0], copy);
        return copy;
    }

    void write(ComputationId id, const Operation& operation, const std::vector<ValueId>* like) {
        switch (operation.opcode) {
            case Opcode::terminator:
                finish(id, operation, like);
                return;
            case Opcode::sharding_constraint:
            case Opcode::reshard:
            case Opcode::propagation_barrier:
                move(id, operation);
                return;
            case Opcode::manual_computation:
                manual(id, operation);
                return;
            case Opcode::while_loop:
                loop(id, operation);
                return;
            case Opcode::call:
            case Opcode::composite:
            case Opcode::named_computation:
            case Opcode::conditional:
                enter(id, operation);
                return;
            case Opcode::tuple:
            case Opcode::get_tuple_element:
            case Opcode::optimization_barrier:
            case Opcode::parameter:
            case Opcode::after_all:
            case Opcode::sharding_group:
            case Opcode::data_flow_edge:
            case Opcode::mesh:
                copy(id, operation);
                return;
            default:
                break;
        }
        if (is_sharding_call(in_, operation)) {
            move(id, operation);
            return;
        }
        if (const auto rule = factor_rule(in_, operation))
            compute(id, operation, *rule);
        else
            whole(id, operation);
    }

    void finish(ComputationId id, const Operation& operation, const std::vector<ValueId>* like) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(fit(id, old[i], target(in_[id], i, like), operation.line));
        append(id, operation, operands, {}, kept(operation));
    }

    // Only moves: nothing is left of the operation but the collectives.
    void move(ComputationId id, const Operation& operation) {
        const auto operands = in_.operands(operation);
        if (operands.size() != 1 || operation.results.count != 1) refuse(operation);
        const ValueId result = Program::result(operation);
        values_[result.index()] = fit(id, operands[0], layouts_of(result), operation.line);
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
        append(id, operation, operands, local_results(operation), kept(operation));
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
        append(id, operation, operands, results, kept(operation));
        for (std::size_t i = 0; i < operation.results.count && i < carried.size(); ++i)
            settle(id, operation, i, layouts_of(carried[i]));
    }

    void enter(ComputationId id, const Operation& operation) {
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        const auto called = in_.called(operation);
        for (std::size_t i = 0; i < old.size(); ++i) {
            const bool is_call = operation.opcode != Opcode::conditional;
            const bool enters = is_call && !called.empty() && i < in_[called[0]].arguments.size();
            operands.push_back(enters
                                   ? fit(id, old[i], layouts_of(in_[called[0]].arguments[i]), operation.line)
                                   : values_[old[i].index()]);
        }
        std::vector<ValueId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(Program::result(operation, i));
        for (const ComputationId callee : called) write(callee, &results);
        append(id, operation, operands, local_results(operation), kept(operation));
    }

    // Its body is written for one device already.
    void manual(ComputationId id, const Operation& operation) {
        const auto* attribute = in_.attribute_if<ManualComputation>(operation);
        const auto called = in_.called(operation);
        if (attribute == nullptr || called.size() != 1) refuse(operation);
        std::vector<ValueId> operands;
        const auto old = in_.operands(operation);
        for (std::size_t i = 0; i < old.size(); ++i) {
            std::vector<Layout> wanted = layouts_of(old[i]);
            if (i < attribute->in.size()) wanted = {stated_layout(attribute->in[i])};
            operands.push_back(fit(id, old[i], wanted, operation.line));
        }
        write(called[0], nullptr);
        std::vector<TypeId> results;
        for (const ValueId result : in_[called[0]].results) results.push_back(local(result));
        append(id, operation, operands, results, kept(operation));
        for (std::size_t i = 0; i < operation.results.count && i < attribute->out.size(); ++i)
            settle(id, operation, i, {stated_layout(attribute->out[i])});
    }

    void compute(ComputationId id, const Operation& operation, const FactorRule& rule) {
        Relation relation{rule, {}, Turn::first};
        std::vector<const Layout*> now;
        const auto old = in_.operands(operation);
        for (const ValueId operand : old) relation.tensors.push_back(slots_.of(operand));
        for (std::size_t i = 0; i < operation.results.count; ++i)
            relation.tensors.push_back(slots_.of(Program::result(operation, i)));
        for (const SlotId slot : relation.tensors) now.push_back(&layouts_[slot.index()].dimensions);
        const std::vector<Axes> axes = chosen_axes(relation, slots_, now, at_hand(id, old));

        std::vector<ValueId> operands;
        for (std::size_t i = 0; i < old.size(); ++i)
            operands.push_back(fit(id, old[i], {layout_of(rule, rule.operands[i], axes)}, operation.line));
        std::vector<TypeId> results;
        std::vector<Layout> after;
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            after.push_back(layout_of(rule, rule.results[i], axes));
            results.push_back(
                out_.types.add(local_type(slots_.type(slots_.of(Program::result(operation, i))), after[i])));
        }
        for (const ComputationId callee : in_.called(operation)) write(callee, nullptr);
        append(id, operation, operands, results, attribute_of(operation, rule, axes, results));
        Axes partial;
        for (std::size_t f = 0; f < rule.factors.size(); ++f)
            if (rule.factors[f].kind == Kind::reduction)
                partial.insert(partial.end(), axes[f].begin(), axes[f].end());
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            const ValueId result = Program::result(operation, i);
            if (!partial.empty())
                values_[result.index()] =
                    writer_.all_reduce(id, values_[result.index()], partial, operation.line);
            settle(id, operation, i, {after[i]});
        }
    }

    [[nodiscard]] std::vector<std::vector<Layout>> at_hand(ComputationId id,
                                                           std::span<const ValueId> operands) const {
        std::vector<std::vector<Layout>> result(operands.size());
        for (std::size_t i = 0; i < operands.size(); ++i) {
            const auto moved = moved_.find({id, operands[i]});
            if (moved == moved_.end()) continue;
            for (const auto& copy : moved->second) result[i].push_back(copy.first);
        }
        return result;
    }

    AttributeId attribute_of(const Operation& operation, const FactorRule& rule,
                             const std::vector<Axes>& axes, const std::vector<TypeId>& results) {
        const Attribute& attribute = in_.attribute(operation);
        if (rule.operands.empty()) return copied(attribute);
        const Layout layout = layout_of(rule, rule.operands[0], axes);
        const Type& whole = slots_.type(slots_.of(in_.operands(operation)[0]));
        return copied(
            local_attribute(attribute, whole, layout, local_type(whole, layout), out_.types[results[0]]));
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
            results.push_back(same(in_.type_of(Program::result(operation, i))));
        for (const ComputationId callee : in_.called(operation)) write(callee, nullptr);
        append(id, operation, operands, results, kept(operation));
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            std::vector<Layout> after;
            for (const Layout& now : layouts_of(Program::result(operation, i)))
                after.emplace_back(now.size());
            settle(id, operation, i, after);
        }
    }

    // A result that stands in a layout of the operation's making, moved to the layout that the program gives
    // it.
    void settle(ComputationId id, const Operation& operation, std::size_t i,
                const std::vector<Layout>& after) {
        const ValueId result = Program::result(operation, i);
        if (after == layouts_of(result)) return;
        if (after.size() != 1 || slots_.count(result) != 1) refuse(operation);
        values_[result.index()] = writer_.reshard(id, values_[result.index()], slots_.type(slots_.of(result)),
                                                  after[0], layout(result), operation.line);
    }

    std::vector<TypeId> local_results(const Operation& operation) {
        std::vector<TypeId> results;
        for (std::size_t i = 0; i < operation.results.count; ++i)
            results.push_back(local(Program::result(operation, i)));
        return results;
    }

    AttributeId kept(const Operation& operation) { return copied(in_.attribute(operation)); }

    AttributeId copied(Attribute attribute) {
        if (auto* foreign = std::get_if<ForeignCall>(&attribute)) {
            foreign->target = builder_.name(in_.text(foreign->target));
            foreign->configuration = builder_.name(in_.text(foreign->configuration));
        }
        return builder_.attribute(std::move(attribute));
    }

    void append(ComputationId id, const Operation& operation, const std::vector<ValueId>& operands,
                const std::vector<TypeId>& results, AttributeId attribute) {
        const Operation& added = builder_.append(id, {.opcode = operation.opcode,
                                                      .name = builder_.name(in_.text(operation.name)),
                                                      .label = builder_.name(in_.text(operation.label)),
                                                      .operands = operands,
                                                      .results = results,
                                                      .called = in_.called(operation),
                                                      .attribute = attribute,
                                                      .line = operation.line});
        for (std::size_t i = 0; i < results.size() && i < operation.results.count; ++i)
            values_[Program::result(operation, i).index()] = Program::result(added, i);
    }

    [[noreturn]] void refuse(const Operation& operation) const {
        throw ModelError(fmt::format("line {}: '{}' is not partitioned: {}", operation.line,
                                     in_.text(operation.name), advice));
    }

    static constexpr std::string_view advice = "capture the program after partitioning";

    const Program& in_;
    Program out_;
    ProgramBuilder builder_{out_};
    MeshId mesh_;
    Slots slots_;
    std::vector<SlotLayout> layouts_;
    CollectiveWriter writer_;
    std::vector<ValueId> values_;  ///< by old value: its part
    std::vector<bool> done_;       ///< by computation
    /// What was moved to another layout is not moved there again by the same computation: compilers keep one
    /// of equal values.
    using Moved = std::vector<std::pair<Layout, ValueId>>;
    std::map<std::pair<ComputationId, ValueId>, Moved> moved_;
};

}  // namespace
}  // namespace partition

Program partitioned(const Program& program) {
    DSE_EXPECT(!program.partitioned);
    return partition::Partitioner{program}.result();
}

}  // namespace dse::ir
