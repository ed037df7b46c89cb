#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "ir/program/operation_fault.hpp"

namespace dse::ir::faults {

/// Whether every size of an array is stated: nothing that a run decides, not even below a bound.
inline bool is_sized(const Type& type) {
    return type.kind == Type::Kind::array && type.ranked && !type.dynamic;
}

/// Whether its dimensions are counted, whatever their sizes.
inline bool is_ranked(const Type& type) {
    return type.kind == Type::Kind::array && type.ranked;
}

/// Whether dimension i of one may be as large as j of the other. \pre both are ranked, and have them
inline bool same_size(const Type& a, std::size_t i, const Type& b, std::size_t j) {
    return a.dynamic || b.dynamic || a.sizes[i] == b.sizes[j];
}

inline bool is_scalar(const Type& type) {
    return is_ranked(type) && type.sizes.empty();
}

/// Whether two values may have one shape. A size that a run decides agrees with all, and so does a type that
/// nobody knows; element types and layouts are not looked at.
bool same_shape(const Type& a, const Type& b);

/// The same of two whole types, member by member, with their element types.
bool same_type(const TypeTable& types, TypeId a, TypeId b);

/// Two types that differ, as messages write them; of tuples of as many members, the first member that does:
/// "f32[2] (element 3)".
std::pair<std::string, std::string> unlike_texts(const TypeTable& types, TypeId a, TypeId b);

/// Whether a dimension is one of these.
bool contains(std::span<const std::int64_t> numbers, std::size_t dimension);

/// Whether these are dimensions of an array of that rank, none of them twice.
bool are_dimensions(std::span<const std::int64_t> numbers, std::size_t rank);

/// Of these dimensions and sizes in a message: "{0,2}".
std::string listed(std::span<const std::int64_t> numbers);

/// An operation and the types that are held against each other.
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

    /// Results, or where the one result is a tuple, as HLO writes several, its members; 0: not stated.
    [[nodiscard]] std::size_t results() const { return results_.size(); }
    [[nodiscard]] TypeId result_id(std::size_t i = 0) const { return results_[i]; }
    [[nodiscard]] const Type& result(std::size_t i = 0) const { return types()[results_[i]]; }

    /// The i-th operand's or result's type where it is stated and is_ranked; else nullptr.
    [[nodiscard]] const Type* ranked_operand(std::size_t i) const;
    [[nodiscard]] const Type* ranked_result(std::size_t i = 0) const;
    /// The i-th operand's or result's type where it is stated and is_sized; else nullptr.
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

/// Whether the first result may have these sizes, or is not stated. \return why not
Fault unlike_result(const ShapeSubject& subject, const Sizes& sizes);

/// Whether the i-th result, where it is stated, may have the shape of the operand. \return why not
Fault unlike_operand(const ShapeSubject& subject, std::size_t operand, std::size_t result);

}  // namespace dse::ir::faults
