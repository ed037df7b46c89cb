#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "dse/serving/ticks.hpp"

namespace dse::serving {

/// As Deployment::next_failure.
using NextFailure = std::function<Ticks(std::size_t replica, Ticks up)>;

/// When replicas fail, and from when on they run again.
class FailureClock {
  public:
    /// \param next_failure  empty: none ever fails
    FailureClock(NextFailure next_failure, Ticks repair_time, std::size_t replicas);

    struct Failure {
        Ticks time{never};  ///< never: there is none
        std::size_t replica{0};
    };
    /// The next one; of several at the same time that of the first replica.
    [[nodiscard]] Failure next() const;
    /// The next failure has happened.
    /// \throws ModelError if there have been too many
    void pass();
    [[nodiscard]] bool runs(std::size_t replica, Ticks now) const { return up_from_[replica] <= now; }
    [[nodiscard]] Ticks up_from(std::size_t replica) const { return up_from_[replica]; }
    /// Fraction of the time of all replicas from 0 to `end` in which they have not failed.
    [[nodiscard]] double availability(Ticks end) const;

  private:
    NextFailure next_failure_;
    Ticks repair_time_;
    std::vector<Ticks> up_from_;
    std::vector<Ticks> fails_at_;
    Ticks down_{0};  ///< of all replicas, summed
    std::int64_t passed_{0};
};

}  // namespace dse::serving
