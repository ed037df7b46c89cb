#pragma once

#include <vector>

#include "dse/ir/program/program.hpp"
#include "leaf.hpp"

namespace dse::frontend {

/// What tuples of such a type hold, depth first; the type itself where it is no tuple.
std::vector<ir::TypeId> leaf_types(const ir::Program& program, ir::TypeId type);

/// The leaves of every value of a program, as far as it has been played.
class ProgramValues {
  public:
    /// \param program  must live as long as this
    explicit ProgramValues(const ir::Program& program) : program_{program}, leaves_(program.values.size()) {}

    [[nodiscard]] Leaves& operator[](ir::ValueId id) { return leaves_[id.index()]; }
    [[nodiscard]] const Leaves& operator[](ir::ValueId id) const { return leaves_[id.index()]; }

    /// Those of all operands, in their order.
    [[nodiscard]] Leaves operand_leaves(const ir::Operation& operation) const;
    /// By operand.
    [[nodiscard]] std::vector<Leaves> operand_values(const ir::Operation& operation) const;

    /// Deals leaves out to the operation's results, as many as each one's type has; results for which none
    /// are left get leaves that nothing made.
    void set_results(const ir::Operation& operation, const Leaves& leaves);

  private:
    const ir::Program& program_;
    std::vector<Leaves> leaves_;  ///< by ValueId
};

/// All of them in one list.
Leaves joined(const std::vector<Leaves>& values);

}  // namespace dse::frontend
