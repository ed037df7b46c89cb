#pragma once

#include <cstdint>

#include "dse/config/range.hpp"

namespace dse::eval {

/// Setting of a published recipe's decode pool. As in LaunchFacts, 0 matches any deployment.
struct DecodeLaunch {
    std::int64_t workers{0};
    std::int64_t width{0};  ///< devices per worker
    std::int64_t most_clients{0};
    std::int64_t sequences{0};  ///< running requests per attention rank
};

template <class Visitor>
void describe(Visitor& v, DecodeLaunch& launch) {
    v.optional("workers", launch.workers, config::not_negative, "number of them");
    v.optional("width", launch.width, config::not_negative, "devices per worker");
    v.optional("most_clients", launch.most_clients, config::not_negative, "up to so many");
    v.required("sequences", launch.sequences, config::at_least(1), "per attention rank");
}

}  // namespace dse::eval
