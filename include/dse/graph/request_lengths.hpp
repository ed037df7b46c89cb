#pragma once

#include <cstdint>

#include "dse/config/range.hpp"

namespace dse::graph {

/// Largest number of tokens of one request; a drawn or read length above it is an error.
inline constexpr std::int64_t most_request_tokens = 16'777'216;

/// Lengths of requests that are drawn: log-normal, uniform or all equal.
struct RequestLengths {
    std::int64_t prompt{1024};  ///< prompt tokens, or their mean
    std::int64_t output{128};   ///< output tokens, or their mean
    double prompt_spread{0.0};  ///< standard deviation of the logarithm of the length; 0: all are equal
    double output_spread{0.0};  ///< likewise for outputs
    /// Lengths are uniform between this share of `prompt` (`output`) and all of it; 1: all are equal.
    double length_ratio{1.0};
    friend bool operator==(const RequestLengths&, const RequestLengths&) = default;
};

template <class Visitor>
void describe(Visitor& v, RequestLengths& lengths) {
    constexpr auto tokens = config::between(1, most_request_tokens);
    v.optional("prompt", lengths.prompt, tokens, "prompt tokens, or their mean");
    v.optional("output", lengths.output, tokens, "output tokens, or their mean");
    v.optional("prompt_spread", lengths.prompt_spread, config::between(0, 5),
               "log-normal prompt lengths: standard deviation of the logarithm");
    v.optional("output_spread", lengths.output_spread, config::between(0, 5),
               "log-normal output lengths: standard deviation of the logarithm");
    v.optional("length_ratio", lengths.length_ratio, config::fraction,
               "uniform lengths: shortest prompt and output relative to the longest");
}

}  // namespace dse::graph
