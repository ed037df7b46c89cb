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

/// How a scenario does not fit its devices. A value and no exception: in a sweep it is what most points are.
struct Shortage {
    enum class Of : std::uint8_t { device, host };

    Bytes need;      ///< of the fullest device, with what the allocator adds
    Bytes capacity;  ///< of the device
    std::size_t stage{0};
    sim::BytesByKind by_kind{};  ///< of `need`, without what the allocator adds
    /// Whose memory; of the host's, `need` is what one device takes of its share, whatever the stage and
    /// kind.
    Of of{Of::device};
};

/// The cheapest test first: what is resident throughout must fit before anything else is looked at.
std::optional<Shortage> shortage_of_states(const study::Scenario& scenario, const graph::Graph& graph);

/// The second cheapest: memory follows from the order of issue, without any time.
std::optional<Shortage> shortage_of_peak(const study::Scenario& scenario, const sim::MemoryPeak& memory);

/// The same where devices differ: each stage has its own, and must fit the smallest of them.
/// \param stages  peaks of all of them
std::optional<Shortage> shortage_of_stages(const study::Scenario& scenario, const graph::Graph& graph,
                                           std::span<const sim::MemoryPeak> stages);

/// Writes "needs 103.2 GiB of 80.0 GiB on stage 0, most of it activations (71.0 GiB)" into `text`, whose
/// memory is reused.
void write_reason(const Shortage& shortage, std::string& text);

}  // namespace dse::eval
