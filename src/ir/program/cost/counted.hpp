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
    /// \param functions  costs of the computations that it calls, once each
    Counted(const Program& program, const Operation& operation, std::span<const Cost> functions)
        : program_{program}, operation_{operation}, functions_{functions} {}

    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] const Operation& operation() const { return operation_; }
    template <class T>
    [[nodiscard]] const T* attribute() const {
        return program_.attribute_if<T>(operation_);
    }

    /// nullptr where there is no such operand.
    [[nodiscard]] const Type* operand(std::size_t i) const;
    /// \pre it has results
    [[nodiscard]] const Type& result() const;
    [[nodiscard]] bool has_results() const { return operation_.results.count > 0; }

    /// Elements of an operand; 0 where there is none such.
    [[nodiscard]] double elements(std::size_t i) const;
    [[nodiscard]] double all_elements() const;
    [[nodiscard]] double results() const;
    /// Of the first array of the results.
    [[nodiscard]] double first_result() const;
    /// Of an operand's last dimension.
    [[nodiscard]] double last_size(std::size_t i) const;

    /// So many runs of the i-th computation that it calls; sums, where the text names none.
    [[nodiscard]] Cost function(std::size_t i, double times) const;

  private:
    const Program& program_;
    const Operation& operation_;
    std::span<const Cost> functions_;
};

}  // namespace dse::ir
