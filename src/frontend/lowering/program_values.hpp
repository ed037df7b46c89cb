#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "leaf.hpp"

namespace dse::frontend {

/// Types of the elements of a tuple type, flattened depth first; the type itself if it is not a tuple.
std::vector<ir::TypeId> leaf_types(const ir::Program& program, ir::TypeId type);

/// The leaves of all values of a program that have been lowered so far.
class ProgramValues {
  public:
    /// \param program  must outlive this object
    explicit ProgramValues(const ir::Program& program) : program_{program}, leaves_(program.values.size()) {}

    [[nodiscard]] Leaves& operator[](ir::ValueId id) { return leaves_[id.index()]; }
    [[nodiscard]] const Leaves& operator[](ir::ValueId id) const { return leaves_[id.index()]; }

    /// The leaves of all operands in order.
    [[nodiscard]] Leaves operand_leaves(const ir::Operation& operation) const;
    /// The leaves of each operand.
    [[nodiscard]] std::vector<Leaves> operand_values(const ir::Operation& operation) const;

    /// Distributes leaves to the operation's results according to their types; if there are too few, the
    /// remaining results get empty leaves.
    void set_results(const ir::Operation& operation, const Leaves& leaves);

  private:
    const ir::Program& program_;
    std::vector<Leaves> leaves_;  ///< by ValueId
};

/// The leaves of all values in one list.
Leaves joined(const std::vector<Leaves>& values);

}  // namespace dse::frontend
