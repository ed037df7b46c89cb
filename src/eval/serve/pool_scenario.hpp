#pragma once

#include "dse/study/scenario.hpp"

namespace dse::eval {

enum class Pool : std::uint8_t { prefill, decode };

/// A pool as a separate system with the devices of its ranks.
/// \throws ModelError if they are of several kinds
study::Scenario pool_scenario(const study::Scenario& whole, Pool pool);

}  // namespace dse::eval
