#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "ir/program/operation_fault.hpp"

namespace dse::ir::faults {

/// Whether all sizes of an array are static; bounded dynamic sizes are not.
inline bool is_sized(const Type& type) {
    return type.kind == Type::Kind::array && type.ranked && !type.dynamic;
}

/// Whether the number of dimensions is known, whatever their sizes.
inline bool is_ranked(const Type& type) {
    return type.kind == Type::Kind::array && type.ranked;
}

/// Whether dimension i of a and dimension j of b may have the same size.
/// \pre both are ranked and have these dimensions
inline bool same_size(const Type& a, std::size_t i, const Type& b, std::size_t j) {
    return a.dynamic || b.dynamic || a.sizes[i] == b.sizes[j];
}

inline bool is_scalar(const Type& type) {
    return is_ranked(type) && type.sizes.empty();
}

/// Whether two values may have the same shape. Dynamic sizes and unknown types match everything; element
/// types and layouts are ignored.
bool same_shape(const Type& a, const Type& b);

/// Whether two whole types may be the same, member by member, including element types.
bool same_type(const TypeTable& types, TypeId a, TypeId b);

/// Texts of two different types for messages; for tuples with equal numbers of members, of the first member
/// that differs: "f32[2] (element 3)".
std::pair<std::string, std::string> unlike_texts(const TypeTable& types, TypeId a, TypeId b);

/// Whether the list contains a dimension.
bool contains(std::span<const std::int64_t> numbers, std::size_t dimension);

/// Whether these are distinct dimensions of an array with this rank.
bool are_dimensions(std::span<const std::int64_t> numbers, std::size_t rank);

/// Dimensions or sizes for messages: "{0,2}".
std::string listed(std::span<const std::int64_t> numbers);

/// An operation and the types to be compared.
class ShapeSubject {
  public:
    ShapeSubject(const StatedOperation& operation, const Program& program);

    [[nodiscard]] const StatedOperation& operation() const { return operation_; }
    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] const TypeTable& types() const { return program_.types; }
    [[nodiscard]] bool is_hlo() const { return program_.language == Language::hlo; }

    [[nodiscard]] std::size_t operands() const { return operation_.operands.size(); }
    [[nodiscard]] TypeId operand_id(std::size_t i) const { return program_.type_of(operation_.operands[i]); }
    [[nodiscard]] const Type& operand(std::size_t i) const { return types()[operand_id(i)]; }

    /// Number of results or, if the only result is a tuple (HLO's form of several results), of its members;
    /// 0: not stated.
    [[nodiscard]] std::size_t results() const { return results_.size(); }
    [[nodiscard]] TypeId result_id(std::size_t i = 0) const { return results_[i]; }
    [[nodiscard]] const Type& result(std::size_t i = 0) const { return types()[results_[i]]; }

    /// Type of the i-th operand or result if it is stated and is_ranked; else nullptr.
    [[nodiscard]] const Type* ranked_operand(std::size_t i) const;
    [[nodiscard]] const Type* ranked_result(std::size_t i = 0) const;
    /// Type of the i-th operand or result if it is stated and is_sized; else nullptr.
    [[nodiscard]] const Type* sized_operand(std::size_t i) const;
    [[nodiscard]] const Type* sized_result(std::size_t i = 0) const;

    [[nodiscard]] std::string operand_text(std::size_t i) const { return types().text(operand_id(i)); }
    [[nodiscard]] std::string result_text(std::size_t i = 0) const { return types().text(results_[i]); }

    template <class T>
    [[nodiscard]] const T* attribute() const {
        return std::get_if<T>(&operation_.attribute);
    }

  private:
    const StatedOperation& operation_;
    const Program& program_;
    std::span<const TypeId> results_;
};

/// Why the first result cannot have these sizes; nothing if it can or is not stated.
Fault unlike_result(const ShapeSubject& subject, const Sizes& sizes);

/// Why the i-th result cannot have the shape of the operand; nothing if it can or is not stated.
Fault unlike_operand(const ShapeSubject& subject, std::size_t operand, std::size_t result);

}  // namespace dse::ir::faults
