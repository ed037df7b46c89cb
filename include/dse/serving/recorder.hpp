#pragma once

#include <array>
#include <cstdint>

#include "dse/graph/service_levels.hpp"
#include "dse/serving/gap_histogram.hpp"
#include "dse/serving/latency_sample.hpp"
#include "dse/serving/percentiles.hpp"
#include "dse/serving/request.hpp"

namespace dse::serving {

/// What a run says of the requests and of the replicas that answered them.
struct Outcome {
    std::array<Statistics, graph::latency_names.size()> latency{};  ///< s, by graph::latency_names
    std::int64_t answered{0};
    std::int64_t refused{0};        ///< cannot fit, even alone
    std::int64_t good{0};           ///< answered within every stated level
    std::int64_t prompt_tokens{0};  ///< of those answered
    std::int64_t output_tokens{0};
    std::int64_t cached_tokens{0};    ///< of the prompts let in: found in the prefix cache
    std::int64_t admitted_tokens{0};  ///< of the prompts let in
    std::int64_t preemptions{0};
    std::int64_t steps{0};
    std::int64_t most_waiting{0};  ///< at one replica
    double sent_for{0};            ///< s, from the first arrival to the last
    double duration{0};            ///< s, from the first arrival to the last token
    // Means over the duration.
    double waiting{0};
    double running{0};
    double decoding{0};  ///< sequences of a decode step, mean over the time of all steps
    double context{0};   ///< tokens that one of them attends to, mean alike
    double cache_use{0};
    double most_cache_use{0};
    double paid_share{1};   ///< of the time of all replicas: that those which start and stop are there
    double worst_level{0};  ///< largest of the stated latencies over its level; NaN where none is stated
};

/// Gathers what replicas do. Memory: three numbers a request, up to LatencySample::most_exact of each.
class Recorder {
  public:
    /// \param levels  that requests are held against
    /// \param tokens_a_step  as GapHistogram's
    Recorder(const graph::ServiceLevels& levels, std::size_t requests, double tokens_a_step = 1.0);

    void answered(const Request& request, Ticks first_token, Ticks last_token);
    void refused() { ++outcome_.refused; }
    void preempted() { ++outcome_.preemptions; }
    void gap(Ticks gap, std::int64_t times) { gaps_.add(gap, times); }
    void decode_steps(const DecodeLine& line, const Decodes& first, std::int64_t steps) {
        gaps_.add_steps(line, first, steps);
    }
    void admitted(std::int64_t tokens, std::int64_t cached);

    /// \param late  from a request's arrival until the replica looked, while it could not wait in line
    void arrived(Ticks late) { waiting_ += to_seconds(late); }

    /// What stood so for a while.
    struct State {
        std::int64_t waiting{0};
        std::int64_t running{0};
        std::int64_t decoding{0};
        double context{0};         ///< tokens that one of them attends to
        double cache_use{0};       ///< share
        double most_cache_use{0};  ///< share
        std::int64_t steps{0};
    };
    void spent(Ticks duration, const State& state);
    void ended(Ticks time);

    /// \param replicas  over which the use of caches is a mean
    Outcome outcome(std::int64_t replicas);

  private:
    [[nodiscard]] double worst_level() const;

    graph::ServiceLevels levels_;
    std::array<double, graph::latency_names.size()> most_{};  ///< s a request may take; infinite: any
    LatencySample first_;
    LatencySample per_token_;
    LatencySample whole_;
    GapHistogram gaps_;
    Outcome outcome_;
    Ticks end_{0};
    // s times what stood so long.
    double waiting_{0};
    double running_{0};
    double decoding_{0};
    double context_{0};
    double decode_time_{0};
    double cache_use_{0};
};

}  // namespace dse::serving
