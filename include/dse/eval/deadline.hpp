#pragma once

#include <chrono>
#include <stdexcept>

#include "dse/base/units.hpp"

namespace dse::eval {

/// Thrown when a point exceeds its time limit. Its row gets status `timed_out`, and the sweep continues.
class OutOfTime : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Time limit for the evaluation of a point.
class Deadline {
  public:
    /// No limit.
    Deadline() = default;
    /// \param limit  counted from now; 0: no limit
    explicit Deadline(Seconds limit);

    /// \throws OutOfTime if the limit is exceeded; the message contains the limit, but nothing that varies
    /// between runs
    void check() const;

  private:
    using Clock = std::chrono::steady_clock;

    Seconds limit_{0.0};
    Clock::time_point begin_;
};

}  // namespace dse::eval
