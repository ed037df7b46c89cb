#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dse/ir/program/cost/cost.hpp"
#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// An operation whose FLOPs are counted.
class Counted {
  public:
    /// \param functions  costs of the computations that it calls, for one execution each
    Counted(const Program& program, const Operation& operation, std::span<const Cost> functions)
        : program_{program}, operation_{operation}, functions_{functions} {}

    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] const Operation& operation() const { return operation_; }
    template <class T>
    [[nodiscard]] const T* attribute() const {
        return program_.attribute_if<T>(operation_);
    }

    /// nullptr if there is no such operand.
    [[nodiscard]] const Type* operand(std::size_t i) const;
    /// \pre the operation has results
    [[nodiscard]] const Type& result() const;
    [[nodiscard]] bool has_results() const { return operation_.results.count > 0; }

    /// Elements of an operand; 0 if there is none.
    [[nodiscard]] double elements(std::size_t i) const;
    [[nodiscard]] double all_elements() const;
    [[nodiscard]] double results() const;
    /// Elements of the first array of the results.
    [[nodiscard]] double first_result() const;
    /// Size of an operand's last dimension.
    [[nodiscard]] double last_size(std::size_t i) const;

    /// Cost of `times` executions of the i-th called computation; of a sum if the text does not state one.
    [[nodiscard]] Cost function(std::size_t i, double times) const;

  private:
    const Program& program_;
    const Operation& operation_;
    std::span<const Cost> functions_;
};

}  // namespace dse::ir
