#include "dse/ir/program/cost/cost_analysis.hpp"

#include "dse/base/error.hpp"
#include "dse/ir/program/cost/fusion_traffic.hpp"
#include "dse/ir/program/cost/operation_traffic.hpp"
#include "ir/program/cost/operation_flops.hpp"
#include "ir/program/deepest_call.hpp"

namespace dse::ir {

Cost CostAnalysis::computation(ComputationId id) {
    auto& known = computations_[id.index()];
    if (known) return *known;
    if (depth_ == deepest_call) throw InputError("the program's calls are nested too deeply");
    ++depth_;
    Cost sum;
    for (const Operation& operation : program_[id].operations) sum = sum.plus(this->operation(operation));
    --depth_;
    computations_[id.index()] = sum;
    return sum;
}

Cost CostAnalysis::operation(const Operation& operation) {
    const OpcodeClass family = opcode_class(operation.opcode);
    if (family == OpcodeClass::control) return control(operation);
    Cost cost;
    if (family == OpcodeClass::foreign) {
        cost = foreign_.cost(program_, operation).value_or(Cost{});
    } else {
        std::vector<Cost> functions;
        for (const ComputationId called : program_.called(operation))
            functions.push_back(computation(called));
        cost = operation_flops(program_, operation, functions);
        cost.bytes = operation_traffic(program_, operation).bytes();
        if (is_complex_product(program_, operation)) cost.complex_products = cost.products();
    }
    const double asked_for = operation.repeats ? 0.0 : operation.model_share * cost.executed();
    cost.surplus = cost.executed() - asked_for;
    return cost;
}

Cost CostAnalysis::control(const Operation& operation) {
    Cost sum;
    if (operation.opcode == Opcode::conditional) {
        for (const ComputationId branch : program_.called(operation)) sum = sum.largest(computation(branch));
        return sum;
    }
    for (const ComputationId called : program_.called(operation)) sum = sum.plus(computation(called));
    sum.bytes += operation_traffic(program_, operation).bytes();
    if (operation.opcode == Opcode::fusion) sum.bytes = fusion_traffic(program_, operation).bytes();
    if (operation.opcode != Opcode::while_loop || loops_ == LoopCounting::once) return sum;
    const auto* loop = program_.attribute_if<Loop>(operation);
    const auto trips = loop == nullptr ? std::nullopt : loop->trip_count;
    return trips ? Cost{}.plus(sum, static_cast<double>(*trips)) : sum;
}

}  // namespace dse::ir
