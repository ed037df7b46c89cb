#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "program_copy.hpp"

namespace dse::ir {

/// Writes a program anew from its entry on: what is reached from there, each operation by `add`.
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

    /// A computation, written anew. Those of HLO see nothing of what stands around them, so that one serves
    /// all who call it.
    ComputationId clone(ComputationId old);
    std::vector<ComputationId> clones(std::span<const ComputationId> old);

  protected:
    /// Writes an operation, or what takes its place, and gives its results their new values.
    virtual void add(const Operation& operation, ComputationId into) = 0;
    /// The operations of a computation stand; its results are asked for next.
    virtual void finish(ComputationId /*old*/, ComputationId /*now*/) {}

    /// The operation as it is, with what it calls written anew.
    void copy(const Operation& operation, ComputationId into);

  private:
    const Program& program_;
    ProgramCopy copy_;
    std::unordered_map<std::size_t, ComputationId> clones_;
};

}  // namespace dse::ir
