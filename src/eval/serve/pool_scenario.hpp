#pragma once

#include "dse/study/scenario.hpp"

namespace dse::eval {

enum class Pool : std::uint8_t { prefill, decode };

/// A pool as a system of its own, with the devices that its ranks have.
/// \throws ModelError where they have several kinds
study::Scenario pool_scenario(const study::Scenario& whole, Pool pool);

}  // namespace dse::eval
