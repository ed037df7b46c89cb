#pragma once

#include <map>

#include "rewriter.hpp"

namespace dse::ir {

/// Copies the operations that a value of a computation depends on, with some values replaced: the result is
/// what the value would be for other arguments.
class SliceCopier {
  public:
    /// \param of  the computation; for values of other computations the new values of the rewriter are used
    SliceCopier(Rewriter& rewriter, ComputationId of, ComputationId into)
        : rewriter_{rewriter}, of_{of}, into_{into} {}

    void set(ValueId old, ValueId now) { known_[old] = now; }
    /// \pre the value depends, through operations with one result, only on values that are set or defined
    ///      outside of the computation
    ValueId operator[](ValueId old);

  private:
    Rewriter& rewriter_;
    ComputationId of_;
    ComputationId into_;
    std::map<ValueId, ValueId> known_;
};

}  // namespace dse::ir
