#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/base/units.hpp"
#include "dse/config/choices.hpp"
#include "dse/config/described_once.hpp"
#include "dse/config/range.hpp"
#include "dse/graph/request_class.hpp"
#include "dse/graph/request_lengths.hpp"
#include "dse/graph/request_patience.hpp"
#include "dse/graph/request_prefixes.hpp"
#include "dse/graph/request_turns.hpp"

namespace dse::graph {

/// Events per second.
using Frequency = Quantity<-1, 0, 0, 0, 0>;

/// Distribution of the gaps between requests.
enum class Arrivals : std::uint8_t {
    poisson,  ///< independent arrivals: exponentially distributed gaps
    gamma,    ///< bursty arrivals: gamma-distributed gaps with a given coefficient of variation
    fixed,    ///< equal gaps
};
DSE_CHOICES(Arrivals, poisson, gamma, fixed);

/// Largest number of classes of requests.
inline constexpr std::size_t most_classes = 64;

/// The requests of a run: drawn, or read from a trace. Without classes, its lengths, prefixes, turns
/// and patience are those of all.
struct Traffic : RequestLengths, RequestPrefixes, RequestTurns, RequestPatience {
    Arrivals arrivals{Arrivals::poisson};
    Frequency rate{0.0};            ///< requests of all replicas together; 0: clients or trace is set instead
    double burstiness{2.0};         ///< coefficient of variation of gamma-distributed gaps
    std::int64_t clients{0};        ///< closed loop: each sends its next request when the last is answered
    std::int64_t requests{1000};    ///< number of requests drawn
    std::string trace;              ///< file whose requests are sent instead
    double speed{1.0};              ///< the gaps of a trace are divided by this
    std::int64_t most_requests{0};  ///< number of requests used from the start of a trace; 0: all
    std::int64_t seed{0};           ///< of the draw; 0: the sweep's
    Frequency ramp_to{0.0};         ///< rate that `rate` changes to linearly, and then keeps; 0: no ramp
    Seconds ramp_time{0.0};         ///< from the first request until `ramp_to` is reached
    /// Period over which the rate swings around `rate`, lowest at its start (a day); 0: it does not.
    Seconds day{0.0};
    double day_swing{0.5};              ///< amplitude of the swing, relative to `rate`
    std::vector<RequestClass> classes;  ///< of drawn requests; none: all are of the lengths above
    std::int64_t adapters{0};           ///< low-rank adapters that requests name, one each; 0: none
    double adapter_skew{0.0};           ///< the nth adapter is named in proportion to n^-skew (Zipf)
    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Largest number of requests of one run.
inline constexpr std::int64_t most_run_requests = 20'000'000;

template <class Visitor>
void describe(Visitor& v, Traffic& traffic) {
    v.optional("arrivals", traffic.arrivals, "distribution of the gaps between requests");
    v.optional("rate", traffic.rate, config::not_negative, "requests per second, all replicas together");
    v.optional("burstiness", traffic.burstiness, config::positive,
               "gamma arrivals: coefficient of variation of the gaps (1 is Poisson)");
    v.optional("clients", traffic.clients, config::between(0, 1e6),
               "closed loop: clients that send their next request when the last is answered");
    v.optional("requests", traffic.requests, config::between(1, most_run_requests),
               "number of requests drawn");
    describe(v, static_cast<RequestLengths&>(traffic));
    describe(v, static_cast<RequestPrefixes&>(traffic));
    describe(v, static_cast<RequestTurns&>(traffic));
    describe(v, static_cast<RequestPatience&>(traffic));
    v.optional("trace", traffic.trace,
               "file of requests (Azure, BurstGPT, Mooncake), instead of the fields above");
    v.optional("speed", traffic.speed, config::positive, "the gaps of a trace are divided by this");
    v.optional("most_requests", traffic.most_requests, config::between(0, most_run_requests),
               "number of requests used from the start of a trace; 0: all");
    v.optional("seed", traffic.seed, config::not_negative,
               "serving: seed of the requests that are drawn; 0: the sweep's");
    v.optional("ramp_to", traffic.ramp_to, config::not_negative,
               "rate that the rate changes to linearly, and then keeps; 0: no ramp");
    v.optional("ramp_time", traffic.ramp_time, config::not_negative,
               "from the first request until ramp_to is reached");
    v.optional("day", traffic.day, config::not_negative,
               "period over which the rate swings, lowest at its start; 0: it does not");
    v.optional("day_swing", traffic.day_swing, config::share,
               "amplitude of the swing over a day, relative to the rate");
    v.optional("adapters", traffic.adapters, config::between(0, 1e6),
               "low-rank adapters (LoRA) that requests name, one each; 0: none");
    v.optional("adapter_skew", traffic.adapter_skew, config::between(0, 10),
               "adapters are named in proportion to n^-skew (Zipf's law); 0: equally often");
    v.records("classes", traffic.classes, "kinds of requests, with lengths and levels of their own");
}
DSE_DESCRIBED_ONCE(Traffic);

}  // namespace dse::graph
