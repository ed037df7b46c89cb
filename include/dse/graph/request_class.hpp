#pragma once

#include <string>

#include "dse/config/range.hpp"
#include "dse/graph/request_lengths.hpp"
#include "dse/graph/service_levels.hpp"

namespace dse::graph {

/// Requests of one kind among others, with lengths and service levels of their own.
struct RequestClass : RequestLengths {
    std::string name;
    double share{1.0};     ///< of the requests, relative to the other classes
    ServiceLevels levels;  ///< over the requests of the class
    friend bool operator==(const RequestClass&, const RequestClass&) = default;
};

template <class Visitor>
void describe(Visitor& v, RequestClass& one) {
    v.required("name", one.name, "of the class");
    v.optional("share", one.share, config::positive, "of the requests, relative to the other classes");
    describe(v, static_cast<RequestLengths&>(one));
    v.optional_section("slo", one.levels, "levels over the requests of the class");
}

}  // namespace dse::graph
