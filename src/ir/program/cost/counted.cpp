#include "ir/program/cost/counted.hpp"

namespace dse::ir {

const Type* Counted::operand(std::size_t i) const {
    const auto operands = program_.operands(operation_);
    return i < operands.size() ? &program_.types[program_.type_of(operands[i])] : nullptr;
}

const Type& Counted::result() const {
    return program_.types[program_.type_of(Program::result(operation_))];
}

double Counted::elements(std::size_t i) const {
    const auto operands = program_.operands(operation_);
    return i < operands.size() ? program_.types.elements(program_.type_of(operands[i])) : 0;
}

double Counted::all_elements() const {
    double sum = 0;
    for (std::size_t i = 0; i < operation_.operands.count; ++i) sum += elements(i);
    return sum;
}

double Counted::results() const {
    double sum = 0;
    for (std::uint32_t i = 0; i < operation_.results.count; ++i)
        sum += program_.types.elements(program_.type_of(Program::result(operation_, i)));
    return sum;
}

double Counted::first_result() const {
    if (!has_results()) return 0;
    TypeId type = program_.type_of(Program::result(operation_));
    if (program_.types[type].kind == Type::Kind::tuple && !program_.types[type].members.empty())
        type = program_.types[type].members[0];
    return program_.types.elements(type);
}

double Counted::last_size(std::size_t i) const {
    const Type* type = operand(i);
    return type == nullptr || type->sizes.empty() ? 0 : static_cast<double>(type->sizes.back());
}

Cost Counted::function(std::size_t i, double times) const {
    Cost cost;
    if (i >= functions_.size()) {
        cost.flops = times;
        return cost;
    }
    cost.flops = functions_[i].flops * times;
    cost.transcendentals = functions_[i].transcendentals * times;
    return cost;
}

}  // namespace dse::ir
