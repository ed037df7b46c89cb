#pragma once

#include <optional>

#include "dse/dist/trial.hpp"
#include "dse/space/record.hpp"

namespace dse::dist {

/// Where rank 0 takes points from that are made while the farm runs, from the records of earlier ones. Used
/// by one thread.
class TrialSource {
  public:
    TrialSource() = default;
    TrialSource(const TrialSource&) = delete;
    TrialSource& operator=(const TrialSource&) = delete;
    virtual ~TrialSource() = default;

    /// The next trial; ids ascend, and may skip some. None where more records must come first, or nothing is
    /// left.
    virtual std::optional<Trial> next() = 0;

    /// The record of a trial. Records come in any order, and once more where a worker that was taken for lost
    /// was only slow.
    virtual void answer(const space::Record& record) = 0;

    /// No further trial comes, whatever is answered.
    [[nodiscard]] virtual bool exhausted() const = 0;
};

}  // namespace dse::dist
