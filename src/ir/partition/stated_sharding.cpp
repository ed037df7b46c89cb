#include "ir/partition/stated_sharding.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/ir/program/program_error.hpp"
#include "ir/partition/common_mesh.hpp"
#include "ir/partition/manual_border.hpp"

namespace dse::ir::partition {
namespace {

SlotLayout everything_open(const Type& type) {
    SlotLayout layout;
    layout.dimensions.resize(type.sizes.size());
    layout.open.assign(type.sizes.size(), true);
    return layout;
}

SlotLayout as_stated(const Type& type, const Sharding& sharding, std::uint32_t line) {
    SlotLayout layout = everything_open(type);
    if (type.kind != Type::Kind::array) return layout;
    // On one device only, or inside a manual computation: not partitioned here.
    if (sharding.kind == Sharding::Kind::maximal)
        throw ProgramError(
            line, "a value on one device only is not partitioned: capture the program after partitioning");
    if (sharding.kind != Sharding::Kind::tiled) return layout;
    if (!sharding.unreduced.empty())
        throw ProgramError(line,
                           "unreduced axes are not partitioned: capture the program after partitioning");
    require_rank(sharding, type.sizes.size(), line);
    layout.stated = true;
    for (std::size_t d = 0; d < type.sizes.size(); ++d) {
        const bool is_said = d < sharding.dimensions.size();
        if (is_said) layout.dimensions[d] = normalized(axes_of(sharding.dimensions[d].axes));
        layout.open[d] = is_said && sharding.dimensions[d].open;
    }
    layout.replicated = axes_of(sharding.replicated);
    for (const Sharding::Dimension& dimension : sharding.dimensions)
        layout.priorities.push_back(std::max(dimension.priority, 0));
    return layout;
}

bool leaves_open(const Sharding& sharding) {
    return std::any_of(sharding.dimensions.begin(), sharding.dimensions.end(),
                       [](const Sharding::Dimension& dimension) { return dimension.open; });
}

constexpr std::string_view into_border = "SPMDFullToShardShape";

// Empty if it is not a custom call.
std::string_view target_of(const Program& program, const Operation& operation) {
    if (operation.opcode != Opcode::custom_call) return {};
    const auto* call = program.attribute_if<ForeignCall>(operation);
    return call != nullptr ? program.text(call->target) : std::string_view{};
}

std::uint32_t line_of(const Program& program, ValueId value) {
    const Operation* definition = program.definition(value);
    return definition != nullptr ? definition->line : program[program[value].owner].line;
}

class Statements {
  public:
    Statements(const Program& program, const Slots& slots) : program_{program}, slots_{slots} {
        layouts_.reserve(slots.size());
        for (std::size_t s = 0; s < slots.size(); ++s)
            layouts_.push_back(everything_open(slots.type(SlotId{s})));
    }

    std::vector<SlotLayout> all() {
        for (std::size_t v = 0; v < program_.values.size(); ++v)
            state(ValueId{v}, program_.shardings[program_.values[v].sharding.index()]);
        for (const Computation& computation : program_.computations)
            for (const Operation& operation : computation.operations) add(operation);
        constrain_operands();
        const Computation& entry = program_[program_.entry];
        for (std::size_t i = 0; i < entry.results.size() && i < entry.result_shardings.size(); ++i)
            for (std::size_t leaf = 0; leaf < slots_.count(entry.results[i]); ++leaf)
                state(slots_.returned(i, leaf), program_.shardings[entry.result_shardings[i].index()], leaf,
                      slots_.count(entry.results[i]), entry.line);
        return std::move(layouts_);
    }

  private:
    void add(const Operation& operation) {
        if (const auto* resharding = program_.attribute_if<Resharding>(operation))
            if (operation.results.count == 1) state(Program::result(operation), {resharding->sharding});
        const auto* manual = program_.attribute_if<ManualComputation>(operation);
        if (manual == nullptr) return;
        const auto operands = program_.operands(operation);
        for (std::size_t i = 0; i < operands.size() && i < manual->in.size(); ++i)
            state(operands[i], {manual->in[i]});
        for (const ComputationId id : program_.called(operation))
            for (std::size_t i = 0; i < program_[id].arguments.size() && i < manual->in.size(); ++i)
                state(program_[id].arguments[i], {inside(manual->in[i], manual->manual_axes)});
        for (std::size_t i = 0; i < operation.results.count && i < manual->out.size(); ++i)
            state(Program::result(operation, i), {manual->out[i]});
    }

    void state(ValueId value, const std::vector<Sharding>& leaves) {
        const std::size_t count = slots_.count(value);
        for (std::size_t leaf = 0; leaf < count; ++leaf)
            state(slots_.of(value, leaf), leaves, leaf, count, line_of(program_, value));
    }

    // The first statement about a value holds; later ones are satisfied by moving it.
    void state(SlotId slot, const std::vector<Sharding>& leaves, std::size_t leaf, std::size_t count,
               std::uint32_t line) {
        if (leaves.empty() || layouts_[slot.index()].stated) return;
        // A single sharding may apply to all leaves.
        layouts_[slot.index()] =
            as_stated(slots_.type(slot), leaves[leaves.size() == count ? leaf : 0], line);
    }

    void constrain_operands() {
        std::map<ValueId, const Sharding*> wanted;  // nullptr: several different ones
        for (const Computation& computation : program_.computations) {
            for (const Operation& operation : computation.operations) {
                const auto* resharding = program_.attribute_if<Resharding>(operation);
                if (resharding == nullptr || operation.opcode != Opcode::sharding_constraint) continue;
                const auto operands = program_.operands(operation);
                if (operands.size() != 1) continue;
                const auto [met, first] = wanted.emplace(operands[0], &resharding->sharding);
                if (!first && met->second != nullptr && *met->second != resharding->sharding)
                    met->second = nullptr;
            }
        }
        const std::set<ValueId> carried = carried_values();
        for (const auto& [value, sharding] : wanted)
            if (sharding != nullptr && !leaves_open(*sharding) && !carried.contains(value))
                state(value, {*sharding});
    }

    // Results of loops, branches and calls, and arguments of their bodies, must not be constrained by a
    // single reader.
    [[nodiscard]] std::set<ValueId> carried_values() const {
        std::set<ValueId> values;
        for (const Computation& computation : program_.computations) {
            for (const Operation& operation : computation.operations) {
                const bool barrier = operation.opcode == Opcode::optimization_barrier;
                if (opcode_class(operation.opcode) != OpcodeClass::control && !barrier) continue;
                for (std::size_t i = 0; i < operation.results.count; ++i)
                    values.insert(Program::result(operation, i));
                for (const ComputationId id : program_.called(operation))
                    values.insert(program_[id].arguments.begin(), program_[id].arguments.end());
            }
        }
        return values;
    }

    const Program& program_;
    const Slots& slots_;
    std::vector<SlotLayout> layouts_;
};

}  // namespace

void require_rank(const Sharding& sharding, std::size_t rank, std::uint32_t line) {
    if (!sharding.dimensions.empty() && sharding.dimensions.size() != rank)
        throw ProgramError(line,
                           fmt::format("a sharding of {} dimensions belongs to an array of {} dimensions",
                                       sharding.dimensions.size(), rank));
}

std::vector<SlotLayout> layouts_before(const Program& program, const Slots& slots) {
    return Statements{program, slots}.all();
}

Layout stated_layout(const Type& type, const Sharding& sharding, std::uint32_t line) {
    return as_stated(type, sharding, line).dimensions;
}

std::vector<Layout> stated_layouts(const Program& program, ShardingId sharding, const Slots& slots,
                                   ValueId value, std::uint32_t line) {
    std::vector<Layout> result;
    const auto& leaves = program.shardings[sharding.index()];
    const std::size_t count = slots.count(value);
    for (std::size_t leaf = 0; leaf < count && !leaves.empty(); ++leaf)
        result.push_back(stated_layout(slots.type(slots.of(value, leaf)),
                                       leaves[leaves.size() == count ? leaf : 0], line));
    return result;
}

bool is_sharding_call(const Program& program, const Operation& operation) {
    const std::string_view target = target_of(program, operation);
    return target == "Sharding" || target == "xla.sdy.FuncResultSharding";
}

bool is_border_call(const Program& program, const Operation& operation) {
    const std::string_view target = target_of(program, operation);
    return target == into_border || target == "SPMDShardToFullShape";
}

bool leads_inside(const Program& program, const Operation& operation) {
    return target_of(program, operation) == into_border;
}

}  // namespace dse::ir::partition
