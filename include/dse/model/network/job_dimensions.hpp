#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dse/hardware/network/network_spec.hpp"

namespace dse::model {

/// The dimensions that a job spans, innermost first; the product of their sizes is the number of its devices.
///
/// A job fills inner dimensions completely before it extends to the next one. The unused part of its
/// outermost dimension is cut off, which leaves an open line of a ring. If the network has no dimensions,
/// there are two: the scale-up domain and the fabric, both switches with half the level's latency per link;
/// the domain's switch reduces like that of the level.
/// \throws ModelError if the devices do not fill inner dimensions evenly, or exceed those of the network
hardware::DimensionList job_dimensions(const hardware::NetworkSpec& network, std::int64_t devices);

/// The sizes only.
struct JobSizes {
    std::array<std::int64_t, hardware::DimensionList::capacity> all{};
    std::size_t count{0};
    [[nodiscard]] std::span<const std::int64_t> get() const { return {all.data(), count}; }
};
JobSizes sizes_of(const hardware::DimensionList& dimensions);

}  // namespace dse::model
