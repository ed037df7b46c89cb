#pragma once

#include <cstdint>
#include <string>

#include "dse/config/range.hpp"
#include "dse/graph/request_lengths.hpp"
#include "dse/graph/request_patience.hpp"
#include "dse/graph/request_prefixes.hpp"
#include "dse/graph/request_turns.hpp"
#include "dse/graph/service_levels.hpp"

namespace dse::graph {

/// Requests of one kind among others, with lengths and service levels of their own.
struct RequestClass : RequestLengths, RequestPrefixes, RequestTurns, RequestPatience {
    std::string name;
    double share{1.0};         ///< of the requests, relative to the other classes
    std::int64_t priority{0};  ///< smaller numbers are served first; see ServingEngine::scheduling_policy
    ServiceLevels levels;      ///< over the requests of the class
    friend bool operator==(const RequestClass&, const RequestClass&) = default;
};

template <class Visitor>
void describe(Visitor& v, RequestClass& one) {
    v.required("name", one.name, "of the class");
    v.optional("share", one.share, config::positive, "of the requests, relative to the other classes");
    v.optional("priority", one.priority, config::between(-1e6, 1e6),
               "smaller numbers are served first, with scheduling_policy priority");
    describe(v, static_cast<RequestLengths&>(one));
    describe(v, static_cast<RequestPrefixes&>(one));
    describe(v, static_cast<RequestTurns&>(one));
    describe(v, static_cast<RequestPatience&>(one));
    v.optional_section("slo", one.levels, "levels over the requests of the class");
}

}  // namespace dse::graph
