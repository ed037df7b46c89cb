#include "dse/frontend/lowering/assumptions.hpp"

#include <utility>

#include <fmt/format.h>

#include "dse/ir/program/unsized_values.hpp"

namespace dse::frontend {

std::string Assumption::place(std::string_view file) const {
    return line > 0 ? fmt::format("{}:{}", file, line) : std::string{file};
}

std::vector<Assumption> assumptions(const ir::Program& program, const Lowered& lowered) {
    std::vector<Assumption> found;
    for (const auto& [name, count] : lowered.unknown)
        found.push_back({0, fmt::format("the costs of '{}' are unknown ({} call{}): its operands and results "
                                        "are counted (workload.foreign_costs can specify them)",
                                        name, count, count == 1 ? "" : "s")});
    if (lowered.loops_without_count > 0)
        found.push_back(
            {0, fmt::format("{} loop{} without a known trip count: one trip is assumed",
                            lowered.loops_without_count, lowered.loops_without_count == 1 ? "" : "s")});
    for (ir::UnsizedValues& values : ir::unsized_values(program))
        found.push_back({values.line, std::move(values.reason)});
    return found;
}

}  // namespace dse::frontend
