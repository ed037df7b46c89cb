#pragma once

#include <string>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::eval {

/// How the client of a kind of measurement draws its requests.
struct ClientFacts {
    std::string source;
    double length_ratio{1.0};
    Seconds tokenize_time{0.0};  ///< per token of its prompts, one pool; 0: the engine's
};

template <class Visitor>
void describe(Visitor& v, ClientFacts& client) {
    v.required("source", client.source, "kind of measurement");
    v.optional("length_ratio", client.length_ratio, config::fraction,
               "shortest length of a request relative to the longest");
    v.optional("tokenize_time", client.tokenize_time, config::not_negative,
               "per token of its prompts, with one pool; 0: the engine's");
}

}  // namespace dse::eval
