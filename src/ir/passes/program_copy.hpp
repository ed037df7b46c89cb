#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dse/ir/program/program.hpp"
#include "dse/ir/program/program_builder.hpp"

namespace dse::ir {

/// Everything of a program except values, computations and their lists. Types, names, attributes, shardings
/// and meshes keep their numbers.
Program without_computations(const Program& from);

/// Writes a new program based on another one, operation by operation; the basis of passes. Types, names,
/// attributes, shardings and meshes keep their numbers.
class ProgramCopy {
  public:
    explicit ProgramCopy(const Program& from);

    [[nodiscard]] const Program& from() const { return from_; }
    [[nodiscard]] ProgramBuilder& builder() { return builder_; }
    [[nodiscard]] Program take();

    /// Writes all computations, which keep their numbers; `write(old, now)` appends the operations of one.
    /// \return the new program
    template <class Write>
    Program write_all(Write write) {
        for (std::size_t c = 0; c < from_.computations.size(); ++c) {
            const ComputationId old{c};
            const ComputationId now = open(old);
            write(old, now);
            close(old, now);
        }
        to_.entry = from_.entry;
        return take();
    }

    /// The new value of an old one. \pre it has been set
    [[nodiscard]] ValueId operator[](ValueId old) const;
    [[nodiscard]] bool has(ValueId old) const { return values_[old.index()].has_value(); }
    void set(ValueId old, ValueId now) { values_[old.index()] = now; }

    /// Starts a computation with the same name and copies of those arguments that are not results of
    /// operations.
    ComputationId open(ComputationId old);
    /// Sets the results of `now` to the new values of the results of `old`.
    void close(ComputationId old, ComputationId now);

    /// Appends a copy of an operation with the new operands.
    /// \param called  replaces the computations that it calls
    void copy(const Operation& operation, ComputationId into, std::span<const ComputationId> called);

  private:
    const Program& from_;
    Program to_;
    ProgramBuilder builder_;
    std::vector<std::optional<ValueId>> values_;
    // Of the operation being copied, kept for their memory.
    std::vector<ValueId> operands_;
    std::vector<TypeId> types_;
};

}  // namespace dse::ir
