#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dse/hardware/network/network_spec.hpp"

namespace dse::model {

/// The dimensions that a job of so many devices spans, innermost first: their sizes multiply to its devices.
///
/// A job takes whole inner dimensions before it goes on to the next; what it does not fill of its outermost
/// one is left out: of a ring, an open line stays. Where the network names no dimensions they are two: the
/// scale-up domain and the fabric, each a switch with half the level's latency to either side; the domain's
/// reduces as its own does. \throws ModelError when the devices do not fill inner dimensions evenly, or are
/// more than there are
hardware::DimensionList job_dimensions(const hardware::NetworkSpec& network, std::int64_t devices);

/// Their sizes alone.
struct JobSizes {
    std::array<std::int64_t, hardware::DimensionList::capacity> all{};
    std::size_t count{0};
    [[nodiscard]] std::span<const std::int64_t> get() const { return {all.data(), count}; }
};
JobSizes sizes_of(const hardware::DimensionList& dimensions);

}  // namespace dse::model
