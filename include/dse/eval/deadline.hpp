#pragma once

#include <chrono>
#include <stdexcept>

#include "dse/base/units.hpp"

namespace dse::eval {

/// A point took longer than it may: a row `timed_out`, and the sweep goes on.
class OutOfTime : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The moment by which a point must be answered.
class Deadline {
  public:
    /// There is none.
    Deadline() = default;
    /// \param limit  from now on; 0 for no limit
    explicit Deadline(Seconds limit);

    /// \throws OutOfTime when it is over; the message names the limit and nothing that differs from run to
    /// run
    void check() const;

  private:
    using Clock = std::chrono::steady_clock;

    Seconds limit_{0.0};
    Clock::time_point begin_;
};

}  // namespace dse::eval
