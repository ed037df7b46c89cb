#pragma once

#include <map>

#include "rewriter.hpp"

namespace dse::ir {

/// Writes what a value of a computation follows from, with other values in the place of some: what it would
/// be for other arguments.
class SliceCopier {
  public:
    /// \param of  the computation; values of others are those of the copy
    SliceCopier(Rewriter& rewriter, ComputationId of, ComputationId into)
        : rewriter_{rewriter}, of_{of}, into_{into} {}

    void set(ValueId old, ValueId now) { known_[old] = now; }
    /// \pre it follows from values that are set, or that stand outside of the computation, by operations with
    /// one result
    ValueId operator[](ValueId old);

  private:
    Rewriter& rewriter_;
    ComputationId of_;
    ComputationId into_;
    std::map<ValueId, ValueId> known_;
};

}  // namespace dse::ir
