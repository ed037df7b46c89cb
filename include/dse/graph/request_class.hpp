#pragma once

#include <cstdint>
#include <string>

#include "dse/config/range.hpp"
#include "dse/graph/service_levels.hpp"

namespace dse::graph {

/// Largest number of tokens of one request; a drawn or read length above it is an error.
inline constexpr std::int64_t most_request_tokens = 16'777'216;

/// Requests of one kind among others, with lengths and service levels of their own.
struct RequestClass {
    std::string name;
    double share{1.0};          ///< of the requests, relative to the other classes
    std::int64_t prompt{1024};  ///< prompt tokens, or their mean
    std::int64_t output{128};   ///< output tokens, or their mean
    double prompt_spread{0.0};  ///< standard deviation of the logarithm of the length; 0: all are equal
    double output_spread{0.0};  ///< likewise for outputs
    double length_ratio{1.0};   ///< lengths are uniform between this share and all of `prompt` (`output`)
    ServiceLevels levels;       ///< over the requests of the class
    friend bool operator==(const RequestClass&, const RequestClass&) = default;
};

template <class Visitor>
void describe(Visitor& v, RequestClass& one) {
    constexpr auto tokens = config::between(1, most_request_tokens);
    v.required("name", one.name, "of the class");
    v.optional("share", one.share, config::positive, "of the requests, relative to the other classes");
    v.optional("prompt", one.prompt, tokens, "prompt tokens, or their mean");
    v.optional("output", one.output, tokens, "output tokens, or their mean");
    v.optional("prompt_spread", one.prompt_spread, config::between(0, 5),
               "log-normal prompt lengths: standard deviation of the logarithm");
    v.optional("output_spread", one.output_spread, config::between(0, 5),
               "log-normal output lengths: standard deviation of the logarithm");
    v.optional("length_ratio", one.length_ratio, config::fraction,
               "uniform lengths: shortest prompt and output relative to the longest");
    v.optional_section("slo", one.levels, "levels over the requests of the class");
}

}  // namespace dse::graph
