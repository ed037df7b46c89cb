#pragma once

#include <optional>

#include "dse/dist/trial.hpp"
#include "dse/space/record.hpp"

namespace dse::dist {

/// Source of points for rank 0 that are generated while the farm runs, from the records of earlier points.
/// Used by one thread.
class TrialSource {
  public:
    TrialSource() = default;
    TrialSource(const TrialSource&) = delete;
    TrialSource& operator=(const TrialSource&) = delete;
    virtual ~TrialSource() = default;

    /// The next trial; ids ascend, possibly with gaps. Nothing if more records are needed first, or none are
    /// left.
    virtual std::optional<Trial> next() = 0;

    /// Passes the record of a trial. Records come in any order, and repeatedly if a worker that was
    /// considered lost was only slow.
    virtual void answer(const space::Record& record) = 0;

    /// Whether no further trial will follow, regardless of the outstanding records.
    [[nodiscard]] virtual bool exhausted() const = 0;
};

}  // namespace dse::dist
