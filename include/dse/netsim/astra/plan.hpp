#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

struct AstraSchedule;

/// Which way round messages of rings and direct exchanges go.
enum class AstraDirection : std::uint8_t { clockwise, anticlockwise };

/// One pass of a chunk over one dimension.
struct AstraPhase {
    std::size_t dimension{0};  ///< whose queue it waits in
    graph::CollectiveKind kind{graph::CollectiveKind::all_reduce};
    AstraAlgorithm algorithm{};
    std::int64_t nodes{1};   ///< that take part
    std::int64_t stride{1};  ///< ranks between neighbours
    std::int64_t bytes{0};   ///< of the chunk when it comes to the phase
    /// Ticks that every member pays before it sends and after each message it gets.
    Ticks endpoint_delay{0};
    /// The gathers of an all-reduce on its way back go the other way.
    AstraDirection direction{AstraDirection::clockwise};
    bool of_group{false};  ///< of fewer devices than all
    /// What its members do, where trace files spell it out: in place of an algorithm. Outlives the plan.
    const AstraSchedule* schedule{nullptr};
};

/// What becomes of a collective: equal chunks, and the phases that each of them passes.
struct AstraPlan {
    std::int64_t chunks{0};
    std::array<AstraPhase, 2 * AstraSystem::most_dimensions> all_phases;
    std::size_t phase_count{0};

    [[nodiscard]] std::span<const AstraPhase> phases() const { return {all_phases.data(), phase_count}; }
    void add(const AstraPhase& phase) { all_phases[phase_count++] = phase; }
};

/// Dimensions that take part in a collective: bit d for dimension d.
using AstraInvolved = std::uint32_t;
inline constexpr AstraInvolved all_involved = ~AstraInvolved{0};

/// A collective of all devices, or of those that differ in the dimensions that take part.
/// \param bytes  the full buffer; of an all-gather, what one device brings ("comm_size")
/// \throws ModelError where ASTRA-sim would fail: sizes below one byte a message, halving–doubling over a
/// number of devices that is no power of two, a tree for anything but all-reduce
AstraPlan plan_all(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                   AstraInvolved involved = all_involved);

/// A collective of fewer devices: one ring in their order, whatever the dimensions; only where the system has
/// a single dimension does its own algorithm stay.
/// \param members  of the group, > 1
AstraPlan plan_group(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                     std::int64_t members);

/// A collective that a schedule spells out, of all devices or of a group: one chunk, in the queue of the
/// innermost dimension. Its messages are as large as the schedule says, whatever the collective's size.
/// \param members  > 1 \pre the schedule is one of so many members (check_schedule)
/// \throws ModelError where the system splits collectives, which ASTRA-sim then waits for in vain
AstraPlan plan_scheduled(const AstraSystem& system, const AstraSchedule& schedule, graph::CollectiveKind kind,
                         std::int64_t bytes, std::int64_t members);

/// Messages that each member of a ring phase sends, one after the other.
std::int64_t ring_messages(const AstraPhase& phase);

/// Whether what arrives is added to what is there.
bool reduces(graph::CollectiveKind kind);

/// Bytes of a message of a phase, where all its messages are alike (ring and direct).
std::int64_t message_bytes(const AstraPhase& phase);

}  // namespace dse::netsim
