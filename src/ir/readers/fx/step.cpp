#include "step.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace dse::ir::fx {
namespace {

/// A result of an earlier graph that is an argument of a later one.
struct Tie {
    std::size_t graph;
    std::size_t result;
};
using Ties = std::vector<std::optional<Tie>>;  // by argument

bool is_gradient(const Program& program, NameId name) {
    return program.text(name).starts_with("tangents_");
}

/// The ties of graph `number`; empty if no earlier graph has all of the results that it needs.
Ties ties_of(const std::vector<Graph>& graphs, std::size_t number, const Program& program) {
    const std::vector<NameId>& arguments = graphs[number].arguments;
    const auto is_tied = [&program](NameId name) { return !is_gradient(program, name); };
    if (std::all_of(arguments.begin(), arguments.end(), is_tied)) return Ties(arguments.size());
    for (std::size_t before = number; before-- > 0;) {
        Ties ties(arguments.size());
        const std::vector<NameId>& results = graphs[before].results;
        bool has_all = true;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (!is_tied(arguments[i])) continue;
            const auto found = std::find(results.begin(), results.end(), arguments[i]);
            has_all = has_all && found != results.end();
            ties[i] = Tie{before, static_cast<std::size_t>(found - results.begin())};
        }
        if (has_all) return ties;
    }
    return Ties(arguments.size());
}

}  // namespace

ComputationId join(const std::vector<Graph>& graphs, ProgramBuilder& builder) {
    const Program& program = builder.program();
    const ComputationId entry = builder.computation("step", 1);
    std::vector<Ties> ties;
    std::vector<std::vector<ValueId>> arguments(graphs.size());
    for (std::size_t g = 0; g < graphs.size(); ++g) {
        ties.push_back(ties_of(graphs, g, program));
        for (std::size_t i = 0; i < ties[g].size(); ++i) {
            const ValueId theirs = program[graphs[g].computation].arguments[i];
            arguments[g].push_back(ties[g][i] ? ValueId{} : builder.argument(entry, program.type_of(theirs)));
        }
    }
    std::vector<Range> made;
    std::vector<std::vector<bool>> is_kept;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
        for (std::size_t i = 0; i < ties[g].size(); ++i) {
            if (!ties[g][i]) continue;
            const auto [graph, result] = *ties[g][i];
            arguments[g][i] = ValueId{made[graph].first + result};
            is_kept[graph][result] = true;
        }
        std::vector<TypeId> types;
        for (const ValueId result : program[graphs[g].computation].results)
            types.push_back(program.type_of(result));
        const std::vector<ComputationId> called{graphs[g].computation};
        const std::uint32_t line = program[graphs[g].computation].line;
        made.push_back(builder
                           .append(entry, {.opcode = Opcode::call,
                                           .operands = arguments[g],
                                           .results = types,
                                           .called = called,
                                           .line = line})
                           .results);
        is_kept.emplace_back(types.size(), false);
    }
    std::vector<ValueId> results;
    for (std::size_t g = 0; g < graphs.size(); ++g)
        for (std::size_t i = 0; i < made[g].count; ++i)
            if (!is_kept[g][i]) results.emplace_back(made[g].first + i);
    builder.results(entry, results);
    return entry;
}

}  // namespace dse::ir::fx
