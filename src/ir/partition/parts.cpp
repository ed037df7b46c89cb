#include "ir/partition/parts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dse/ir/program/cost/foreign_costs.hpp"
#include "dse/ir/program/program_error.hpp"
#include "ir/partition/local_types.hpp"
#include "ir/partition/plan.hpp"

namespace dse::ir::partition {
namespace {

// Per type. A program uses few layouts; a search among many would take longer than making the type.
constexpr std::size_t most_known_layouts = 16;

}  // namespace

void not_partitioned(const Program& program, const Operation& operation) {
    const std::string name{foreign_name(program, operation)};
    const char* why = name == "CustomSPMDPartitioning"
                          ? ", since its rule is a function of Python that the text does not hold"
                          : "";
    throw ProgramError(operation.line, fmt::format("'{}' is not partitioned{}: {}", name, why, advice));
}

bool are_alike(const std::vector<Layout>& a, const std::vector<Layout>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Layout& one, const Layout& other) { return one.size() == other.size(); });
}

Parts::Parts(const Program& in, const std::vector<std::optional<ValueId>>& origins, const Slots& slots,
             const std::vector<SlotLayout>& layouts, ProgramBuilder& out, CollectiveWriter& writer)
    : in_{in},
      origins_{origins},
      slots_{slots},
      layouts_{layouts},
      builder_{out},
      writer_{writer},
      values_(in.values.size()),
      local_types_(in.types.size()) {}

const Layout& Parts::layout(ValueId value, std::size_t leaf) const {
    return layouts_[slots_.of(value, leaf).index()].dimensions;
}

std::vector<Layout> Parts::layouts_of(ValueId value) const {
    std::vector<Layout> result;
    for (std::size_t leaf = 0; leaf < slots_.count(value); ++leaf) result.push_back(layout(value, leaf));
    return result;
}

TypeId Parts::local(ValueId value, const std::vector<Layout>& layouts) {
    return local_type(builder_.program().types, in_.type_of(value), layouts);
}

std::optional<ValueId> Parts::found_in(const Moved& moved, const std::vector<Layout>& layouts,
                                       const Axes& group) {
    const auto found = std::find_if(moved.begin(), moved.end(), [&](const Copy& copy) {
        return copy.layouts == layouts && copy.group == group;
    });
    return found == moved.end() ? std::nullopt : std::optional{found->part};
}

TypeId Parts::local(ValueId value, const Layout& layout) {
    const TypeId whole = in_.type_of(value);
    std::vector<std::pair<Layout, TypeId>>& known = local_types_[whole.index()];
    for (const auto& [of, local] : known)
        if (of == layout) return local;
    const TypeId local = builder_.program().types.add(local_type(in_.types[whole], layout));
    if (known.size() < most_known_layouts) known.emplace_back(layout, local);
    return local;
}

ValueId Parts::fit(ComputationId id, ValueId value, const std::vector<Layout>& wanted, std::uint32_t line) {
    const ValueId part = values_[value.index()];
    const std::vector<Layout> now = layouts_of(value);
    if (wanted == now) return part;
    if (!are_alike(now, wanted))
        throw ProgramError(line, fmt::format("an operand or a result whose shape differs from its use is not "
                                             "partitioned: {}",
                                             advice));
    Moved& copies = moved(id, value);
    if (const auto known = found_in(copies, wanted)) return *known;
    const ValueId copy = made_anywhere(in_, value)
                             ? remake(id, value, wanted[0])
                             : writer_.reshard(id, part, in_.type_of(value), now, wanted, line);
    copies.push_back({wanted, {}, copy});
    return copy;
}

ValueId Parts::fit(ComputationId id, ValueId value, const std::vector<Layout>& stops, const Layout& wanted,
                   const Axes& group, std::uint32_t line) {
    if ((stops.empty() && group.empty()) || made_anywhere(in_, value)) return fit(id, value, {wanted}, line);
    ValueId part = values_[value.index()];
    Layout now = layout(value);
    const Axes all;
    std::vector<Layout> path;
    for (std::size_t i = 0; i <= stops.size(); ++i) {
        const bool is_last = i == stops.size();
        const Layout& next = is_last ? wanted : stops[i];
        const Axes& by = is_last ? group : all;
        if (next == now) continue;
        path.push_back(next);
        Moved& copies = moved(id, value);
        if (const auto known = found_in(copies, path, by)) {
            part = *known;
        } else {
            part = writer_.reshard(id, part, in_.type_of(value), {now}, {next}, line);
            copies.push_back({path, by, part});
        }
        now = next;
    }
    return part;
}

// Computes the value's part again, in another layout, without communication.
ValueId Parts::remake(ComputationId id, ValueId value, const Layout& wanted) {
    const Operation& operation = *in_.definition(value);
    std::vector<ValueId> operands;
    for (const ValueId operand : in_.operands(operation)) operands.push_back(values_[operand.index()]);
    const std::array results{local(value, {wanted})};
    ProgramBuilder::Draft draft = ProgramBuilder::like(operation);
    draft.operands = operands;
    draft.results = results;
    return builder_.value(id, draft);
}

void Parts::settle(ComputationId id, const Operation& operation, std::size_t i,
                   const std::vector<Layout>& after) {
    const ValueId result = Program::result(operation, i);
    const std::vector<Layout> wanted = layouts_of(result);
    if (after == wanted) return;
    if (!are_alike(after, wanted)) not_partitioned(in_, operation);
    set(result,
        writer_.reshard(id, values_[result.index()], in_.type_of(result), after, wanted, operation.line));
}

void Parts::settle(ComputationId id, const Operation& operation, std::size_t i, Layout after, Axes partial,
                   std::vector<Layout> stops, Summing summing) {
    const ValueId result = Program::result(operation, i);
    stops.push_back(layout(result));
    if (stops.back().size() != after.size()) not_partitioned(in_, operation);
    for (Layout& next : stops) {
        if (next == after && partial.empty()) continue;
        set(result, writer_.reshard(id, values_[result.index()], in_.type_of(result), {after}, {next},
                                    operation.line, std::exchange(partial, {}), summing));
        after = std::move(next);
    }
}

bool Parts::is_at_hand(ComputationId id, const Operation& operation) {
    if (operation.results.count != 1) return false;
    const ValueId result = Program::result(operation);
    if (!origin(result)) return false;
    const auto known = found_in(moved(id, result), layouts_of(result));
    if (known) set(result, *known);
    return known.has_value();
}

void Parts::keep(ComputationId id, const Operation& operation) {
    if (operation.results.count != 1) return;
    const ValueId result = Program::result(operation);
    if (origin(result)) moved(id, result).push_back({layouts_of(result), {}, values_[result.index()]});
}

}  // namespace dse::ir::partition
