#pragma once

#include <string>

#include "dse/base/units.hpp"
#include "dse/config/range.hpp"

namespace dse::eval {

/// How the client of a kind of measurement draws its requests.
struct ClientFacts {
    std::string source;
    double length_ratio{1.0};
    Seconds tokenize_time{0.0};  ///< per token of its prompts; 0: the engine's
    /// To send a request, without what the server takes; the accept_time of two pools, whose front end
    /// accepts side by side. 0: the engine's
    Seconds send_time{0.0};
};

template <class Visitor>
void describe(Visitor& v, ClientFacts& client) {
    v.required("source", client.source, "kind of measurement");
    v.optional("length_ratio", client.length_ratio, config::fraction,
               "shortest length of a request relative to the longest");
    v.optional("tokenize_time", client.tokenize_time, config::not_negative,
               "per token of its prompts; 0: the engine's");
    v.optional("send_time", client.send_time, config::between(0, 1),
               "to send a request, without what the server takes: accept_time of two pools; 0: the engine's");
}

}  // namespace dse::eval
