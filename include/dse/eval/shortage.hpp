#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "dse/base/units.hpp"
#include "dse/graph/graph.hpp"
#include "dse/sim/memory_peak.hpp"
#include "dse/study/scenario.hpp"

namespace dse::eval {

/// Describes how a scenario exceeds the memory of its devices. A value rather than an exception because most
/// points of a sweep may not fit.
struct Shortage {
    enum class Of : std::uint8_t { device, host };

    Bytes need;      ///< of the fullest device, including the allocator's overhead
    Bytes capacity;  ///< of the device
    std::size_t stage{0};
    sim::BytesByKind by_kind{};  ///< `need` by kind, without the allocator's overhead
    /// Which memory is exceeded. For host memory, `need` and `capacity` are per device, and stage and kinds
    /// are not set.
    Of of{Of::device};
};

/// The cheapest test, done first: permanently resident buffers alone must fit.
std::optional<Shortage> shortage_of_states(const study::Scenario& scenario, const graph::Graph& graph);

/// The second cheapest test: the peak follows from the issue order and needs no times.
std::optional<Shortage> shortage_of_peak(const study::Scenario& scenario, const sim::MemoryPeak& memory);

/// The same if devices differ: each stage must fit the smallest of its own devices.
/// \param stages  memory peaks of all stages
std::optional<Shortage> shortage_of_stages(const study::Scenario& scenario, const graph::Graph& graph,
                                           std::span<const sim::MemoryPeak> stages);

/// Writes "needs 103.2 GiB of 80.0 GiB on stage 0, most of it activations (71.0 GiB)" into `text`, reusing
/// its memory.
void write_reason(const Shortage& shortage, std::string& text);

}  // namespace dse::eval
