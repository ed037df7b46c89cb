#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::graph {

/// Events a second.
using Frequency = Quantity<-1, 0, 0, 0, 0>;

/// How requests follow one another.
enum class Arrivals : std::uint8_t {
    poisson,  ///< independent of each other
    gamma,    ///< in bursts: gaps with a coefficient of variation of their own
    fixed,    ///< at equal distances
};
std::span<const std::string_view> choice_names(Arrivals);

/// The requests of a run: drawn, or read from a trace.
struct Traffic {
    Arrivals arrivals{Arrivals::poisson};
    Frequency rate{0.0};          ///< of all replicas together; 0: see clients and trace
    double burstiness{2.0};       ///< coefficient of variation of gaps that are gamma distributed
    std::int64_t clients{0};      ///< closed loop: each sends its next request when the last is answered
    std::int64_t requests{1000};  ///< how many are drawn
    std::int64_t prompt{1024};    ///< tokens, or their mean
    std::int64_t output{128};     ///< tokens, or their mean
    double prompt_spread{0.0};    ///< standard deviation of the logarithm of the tokens; 0: all are equal
    double output_spread{0.0};    ///< the same of the output's
    /// Lengths are drawn between this share of prompt and output and all of them, each as likely; 1: all
    /// equal.
    double length_ratio{1.0};
    std::string trace;              ///< file whose requests are sent instead
    double speed{1.0};              ///< of a trace: its gaps are divided by this
    std::int64_t most_requests{0};  ///< of a trace: only so many from its beginning; 0: all
    friend bool operator==(const Traffic&, const Traffic&) = default;
};

/// Tokens of one request; a drawn or read one above it is an error.
inline constexpr std::int64_t most_request_tokens = 16'777'216;
/// Requests of one run.
inline constexpr std::int64_t most_run_requests = 20'000'000;

template <class Visitor>
void describe(Visitor& v, Traffic& traffic) {
    constexpr auto tokens = config::between(1, most_request_tokens);
    v.optional("arrivals", traffic.arrivals, "how requests follow one another");
    v.optional("rate", traffic.rate, config::not_negative, "requests a second, all replicas together");
    v.optional("burstiness", traffic.burstiness, config::positive,
               "of gamma arrivals: coefficient of variation of the gaps (1 is Poisson)");
    v.optional("clients", traffic.clients, config::between(0, 1e6),
               "closed loop: clients that send their next request when the last is answered");
    v.optional("requests", traffic.requests, config::between(1, most_run_requests), "that are drawn");
    v.optional("prompt", traffic.prompt, tokens, "tokens of a prompt, or their mean");
    v.optional("output", traffic.output, tokens, "tokens of an answer, or their mean");
    v.optional("prompt_spread", traffic.prompt_spread, config::between(0, 5),
               "log-normal prompts: standard deviation of the logarithm");
    v.optional("output_spread", traffic.output_spread, config::between(0, 5),
               "log-normal answers: standard deviation of the logarithm");
    v.optional("length_ratio", traffic.length_ratio, config::fraction,
               "shortest prompts and answers over the longest, all lengths between them as likely");
    v.optional("trace", traffic.trace, "file of requests (Azure, BurstGPT, Mooncake), in place of all that");
    v.optional("speed", traffic.speed, config::positive, "of a trace: its gaps are divided by this");
    v.optional("most_requests", traffic.most_requests, config::between(0, most_run_requests),
               "of a trace: only so many from its beginning; 0: all");
}

}  // namespace dse::graph
