#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ir/partition/factor_rule.hpp"

namespace dse::ir::partition {

/// An operation and the types that its rule is derived from.
struct Subject {
    const Program& program;
    const Operation& operation;

    [[nodiscard]] std::size_t operands() const { return operation.operands.count; }
    [[nodiscard]] std::size_t results() const { return operation.results.count; }
    [[nodiscard]] const Type& operand(std::size_t i) const {
        return program.types[program.type_of(program.operands(operation)[i])];
    }
    [[nodiscard]] const Type& result(std::size_t i = 0) const {
        return program.types[program.type_of(Program::result(operation, i))];
    }
    /// The operation that defines an operand; nullptr for an argument.
    [[nodiscard]] const Operation* definition(std::size_t i) const {
        return program.definition(program.operands(operation)[i]);
    }
    template <class T>
    [[nodiscard]] const T* attribute() const {
        return program.attribute_if<T>(operation);
    }
};

inline bool contains(const Sizes& numbers, std::size_t dimension) {
    return std::find(numbers.begin(), numbers.end(), static_cast<std::int64_t>(dimension)) != numbers.end();
}

inline bool in_range(const Sizes& numbers, std::size_t rank) {
    return std::all_of(numbers.begin(), numbers.end(), [rank](std::int64_t number) {
        return number >= 0 && static_cast<std::size_t>(number) < rank;
    });
}

/// An array without factors: it is not partitioned.
inline FactorRule::Tensor no_factors(const Type& type) {
    return FactorRule::Tensor(type.sizes.size());
}

/// An array with one factor per dimension that no other array has.
inline FactorRule::Tensor own_factors(FactorRule& rule, const Type& type,
                                      FactorRule::Kind kind = FactorRule::Kind::parallel) {
    FactorRule::Tensor tensor;
    tensor.reserve(type.sizes.size());
    for (const std::int64_t size : type.sizes) tensor.push_back({rule.add(size, kind)});
    return tensor;
}

/// Every operand and result with the rank of `shape` has the same factors; others have none.
/// \param factor  returns the factor of a dimension
template <class Factor>
FactorRule alike_with(const Subject& subject, const Type& shape, Factor factor) {
    FactorRule rule;
    FactorRule::Tensor tensor;
    rule.factors.reserve(shape.sizes.size());
    tensor.reserve(shape.sizes.size());
    rule.operands.reserve(subject.operands());
    rule.results.reserve(subject.results());
    for (std::size_t d = 0; d < shape.sizes.size(); ++d) {
        rule.factors.push_back(factor(d));
        tensor.push_back({static_cast<FactorRule::Number>(d)});
    }
    const auto lies = [&](const Type& type) {
        return type.sizes.size() == tensor.size() ? tensor : no_factors(type);
    };
    for (std::size_t i = 0; i < subject.operands(); ++i) rule.operands.push_back(lies(subject.operand(i)));
    for (std::size_t i = 0; i < subject.results(); ++i) rule.results.push_back(lies(subject.result(i)));
    return rule;
}

}  // namespace dse::ir::partition
