#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/graph/request_class.hpp"
#include "dse/graph/service_levels.hpp"
#include "dse/serving/answered_request.hpp"
#include "dse/serving/class_meter.hpp"
#include "dse/serving/gap_histogram.hpp"
#include "dse/serving/latency_sample.hpp"
#include "dse/serving/percentiles.hpp"
#include "dse/serving/pool_use.hpp"
#include "dse/serving/request.hpp"
#include "dse/serving/time_series.hpp"

namespace dse::serving {

/// Results of a run: latencies of the requests and statistics of the replicas.
struct Outcome {
    std::array<Statistics, graph::latency_names.size()> latency{};  ///< s, by graph::latency_names
    std::int64_t answered{0};
    std::int64_t refused{0};        ///< requests that cannot fit, even alone
    std::int64_t lost{0};           ///< requests whose replicas failed too often, or whose clients gave up
    std::int64_t gave_up{0};        ///< of these: whose clients gave up
    std::int64_t retried{0};        ///< times that a request started over after a failure
    std::int64_t good{0};           ///< answered within all stated service levels
    std::int64_t prompt_tokens{0};  ///< of answered requests
    std::int64_t output_tokens{0};
    std::int64_t cached_tokens{0};    ///< of admitted prompts: found in the prefix cache or in host memory
    std::int64_t copied_tokens{0};    ///< of these: found in host memory
    std::int64_t admitted_tokens{0};  ///< of admitted prompts
    std::int64_t preemptions{0};
    std::int64_t steps{0};
    std::int64_t most_waiting{0};  ///< at one replica
    double sent_for{0};            ///< s, from the first arrival to the last
    double duration{0};            ///< s, from the first arrival to the last token
    // Means over the duration:
    double waiting{0};
    double running{0};
    double decoding{0};  ///< sequences per decode step, averaged over the time of all steps
    double context{0};   ///< tokens that a decoding sequence attends to, averaged likewise
    double cache_use{0};
    double most_cache_use{0};
    double paid_share{1};    ///< fraction of the time of all replicas in which they run or start
    double availability{1};  ///< fraction of the time of all replicas in which none of them has failed
    /// Largest ratio of a latency to its stated level, of all requests or of a class; NaN if none is stated.
    double worst_level{0};
    std::vector<ClassOutcome> classes;         ///< by class, if the traffic has any
    std::optional<PoolUse> prefill;            ///< of two pools only
    std::optional<PoolUse> decode;             ///< of two pools only
    std::vector<TimeSeries::Interval> series;  ///< course of the run, if it is recorded
    /// Every answered request by arrival, if the run is recorded and has at most Recorder::most_kept.
    std::vector<AnsweredRequest> requests;
};

/// Collects the events of replicas. It stores three numbers per request, up to LatencySample::most_exact of
/// each.
class Recorder {
  public:
    /// \param levels  service levels that requests are judged by
    /// \param tokens_a_step  as for GapHistogram
    Recorder(const graph::ServiceLevels& levels, std::size_t requests, double tokens_a_step = 1.0);

    /// Requests that a recorded run keeps; of longer runs, none are kept.
    static constexpr std::size_t most_kept = 1'000'000;

    /// Keeps the course of the run as well: the TimeSeries and the requests.
    void keep_course() { series_.emplace(); }

    /// Measures each class as well, and judges its requests by its levels, too.
    void set_classes(std::span<const graph::RequestClass> classes);

    void answered(const AnsweredRequest& answered);
    void refused(const Request& request) {
        ++outcome_.refused;
        if (!classes_.empty()) classes_[request.kind].refused();
    }
    /// Its replica has failed, and it starts over.
    void retried() { ++outcome_.retried; }
    void lost(const Request& request) {
        ++outcome_.lost;
        if (!classes_.empty()) classes_[request.kind].lost();
    }
    /// Its client has given up.
    void gave_up(const Request& request) {
        ++outcome_.gave_up;
        lost(request);
    }
    void preempted() { ++outcome_.preemptions; }
    void gap(Ticks gap, std::int64_t times) { gaps_.add(gap, times); }
    /// Consecutive steps, each `growth` longer than the one before.
    void decode_steps(Ticks first, Ticks growth, std::int64_t sequences, std::int64_t steps) {
        gaps_.add_steps(first, growth, sequences, steps);
    }
    /// A prompt is admitted.
    /// \param cached  tokens of it that were found in a cache
    /// \param copied  of these: in host memory
    void admitted(std::int64_t tokens, std::int64_t cached, std::int64_t copied = 0);

    /// \param late  time from a request's arrival until the scheduler received it, before which it was not
    ///              counted as waiting
    void arrived(Ticks late) { waiting_ += to_seconds(late); }

    /// State of a replica during an interval.
    struct State {
        std::int64_t waiting{0};
        std::int64_t running{0};
        std::int64_t decoding{0};
        double context{0};         ///< tokens that a decoding sequence attends to
        double cache_use{0};       ///< fraction of the pages
        double most_cache_use{0};  ///< fraction of the pages
        std::int64_t steps{0};
    };
    /// \param start  of the interval
    void spent(Ticks start, Ticks duration, const State& state);
    void ended(Ticks time);

    /// \param replicas  number of replicas, over which cache use is averaged
    Outcome outcome(std::int64_t replicas);

  private:
    [[nodiscard]] double worst_level();
    void keep(AnsweredRequest answered);

    graph::ServiceLevels levels_;
    RequestLimits limits_;
    std::vector<ClassMeter> classes_;
    LatencySample first_;
    LatencySample per_token_;
    LatencySample whole_;
    GapHistogram gaps_;
    std::optional<TimeSeries> series_;
    Outcome outcome_;
    Ticks end_{0};
    // Integrals over time, in s.
    double waiting_{0};
    double running_{0};
    double decoding_{0};
    double context_{0};
    double decode_time_{0};
    double cache_use_{0};
};

}  // namespace dse::serving
