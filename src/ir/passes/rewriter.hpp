#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "program_copy.hpp"

namespace dse::ir {

/// Rewrites a program starting from its entry: everything reachable, with each operation written by `add`.
class Rewriter {
  public:
    explicit Rewriter(const Program& program) : program_{program}, copy_{program} {}
    Rewriter(const Rewriter&) = delete;
    Rewriter& operator=(const Rewriter&) = delete;
    virtual ~Rewriter() = default;

    Program run();

    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] ProgramCopy& values() { return copy_; }
    [[nodiscard]] ProgramBuilder& builder() { return copy_.builder(); }

    /// Rewrites a computation. Computations of HLO do not refer to enclosing ones, so that all callers share
    /// one copy.
    ComputationId clone(ComputationId old);
    std::vector<ComputationId> clones(std::span<const ComputationId> old);

  protected:
    /// Writes an operation, or its replacement, and sets the new values of its results.
    virtual void add(const Operation& operation, ComputationId into) = 0;
    /// Called after the operations of a computation have been written, before its results are looked up.
    virtual void finish(ComputationId /*old*/, ComputationId /*now*/) {}

    /// Copies an operation, rewriting the computations that it calls.
    void copy(const Operation& operation, ComputationId into);

  private:
    const Program& program_;
    ProgramCopy copy_;
    std::unordered_map<std::size_t, ComputationId> clones_;
};

}  // namespace dse::ir
