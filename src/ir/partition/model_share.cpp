#include "ir/partition/model_share.hpp"

#include <algorithm>
#include <cstddef>

#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

ModelShares::ModelShares(const Program& program, std::int64_t devices)
    : program_{program},
      devices_{static_cast<double>(devices)},
      by_hand_(program.computations.size(), 0),
      behind_border_(program.values.size(), false) {
    walk(program.entry, 1);
}

void ModelShares::walk(ComputationId computation, double by_hand) {
    if (by_hand_[computation.index()] != 0) return;
    by_hand_[computation.index()] = by_hand;
    for (const Operation& operation : program_[computation].operations) {
        const bool is_behind = is_behind_border(operation);
        for (std::size_t i = 0; i < operation.results.count; ++i)
            behind_border_[Program::result(operation, i).index()] = is_behind;
        const auto* manual = program_.attribute_if<ManualComputation>(operation);
        for (const ComputationId called : program_.called(operation)) {
            for (const ValueId argument : program_[called].arguments)
                behind_border_[argument.index()] = is_behind;
            walk(called,
                 manual == nullptr ? by_hand : by_hand * static_cast<double>(parts_of(manual->manual_axes)));
        }
    }
}

bool ModelShares::is_behind_border(const Operation& operation) const {
    if (is_border_call(program_, operation)) return leads_inside(program_, operation);
    // In HLO parameters are operations, but also arguments.
    if (operation.opcode == Opcode::parameter) return behind_border_[Program::result(operation).index()];
    const auto operands = program_.operands(operation);
    return std::any_of(operands.begin(), operands.end(),
                       [this](ValueId operand) { return behind_border_[operand.index()]; });
}

double ModelShares::of(ComputationId computation, const Operation& operation, const FactorRule& rule,
                       const std::vector<Axes>& axes) const {
    double filled = 1;
    double parts = std::max(by_hand_[computation.index()], 1.0);
    for (std::size_t f = 0; f < axes.size(); ++f) {
        const std::int64_t size = rule.factors[f].size;
        const auto cut = static_cast<double>(parts_of(axes[f]));
        parts *= cut;
        if (size > 0)
            filled *= static_cast<double>(size) / (cut * static_cast<double>(local_size(size, axes[f])));
    }
    const bool is_behind = operation.results.count > 0 && behind_border_[Program::result(operation).index()];
    return is_behind ? filled : filled * std::min(1.0, parts / devices_);
}

}  // namespace dse::ir::partition
