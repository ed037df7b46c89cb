#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dse/serving/request.hpp"

namespace dse::serving {

/// The course of a run: queue, running requests and cache use over time, all replicas together, as means of
/// equal intervals. An interval is a power of two of a tick and doubles when the run outgrows it, so that
/// memory does not grow with the run.
class TimeSeries {
  public:
    /// Largest number of intervals; a run has more than half as many, unless it is shorter than a tick each.
    static constexpr std::size_t most_intervals = 1024;

    struct Interval {
        double start{0};           ///< s, since the first arrival
        double duration{0};        ///< s
        double waiting{0};         ///< requests at the schedulers that do not run
        double running{0};         ///< requests
        double cache_use{0};       ///< fraction of the pages
        std::int64_t arrived{0};   ///< answered requests, by arrival
        std::int64_t answered{0};  ///< by their last token
        double first_token{0};     ///< s, mean time to the first token of those that arrived; NaN if none
    };

    TimeSeries() : bins_(most_intervals) {}

    /// State of a replica during a step.
    struct State {
        std::int64_t waiting{0};
        std::int64_t running{0};
        double cache_use{0};  ///< fraction of the pages
    };
    void spent(Ticks start, Ticks duration, const State& state);
    void answered(Ticks arrival, Ticks first_token, Ticks last_token);

    /// \param end       of the run
    /// \param replicas  number over which cache use is averaged
    [[nodiscard]] std::vector<Interval> intervals(Ticks end, std::int64_t replicas) const;

  private:
    /// Integrals over time, in s, and sums over requests.
    struct Bin {
        double waiting{0};
        double running{0};
        double cache_use{0};
        double first_token{0};
        std::int64_t arrived{0};
        std::int64_t answered{0};
        Bin& operator+=(const Bin& other);
    };
    void make_room(Ticks time);
    Bin& bin_at(Ticks time) { return bins_[static_cast<std::size_t>(time >> width_bits_)]; }

    std::vector<Bin> bins_;
    int width_bits_{20};  ///< an interval has 2^width_bits_ ticks; at first 1 us
};

}  // namespace dse::serving
