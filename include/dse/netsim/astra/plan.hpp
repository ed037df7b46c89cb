#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dse/netsim/astra/system.hpp"

namespace dse::netsim {

struct AstraSchedule;

/// Direction of the messages of rings and direct exchanges.
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
    /// The all-gather phases of an all-reduce use the opposite direction.
    AstraDirection direction{AstraDirection::clockwise};
    bool of_group{false};  ///< whether it has fewer members than all devices
    /// The schedule from trace files that replaces the algorithm, if any. Must outlive the plan.
    const AstraSchedule* schedule{nullptr};
    std::size_t tree{0};        ///< its double binary tree, if it uses one: index into AstraTurns
    std::int64_t tree_uses{0};  ///< number of earlier phases of the plan that use this tree
};

/// Number of phases of chunks that used each double binary tree of a device, which alternates with its mirror
/// image. There is one tree per kind of collective and dimension.
using AstraTurns = std::array<std::int64_t, AstraSystem::kinds * AstraSystem::most_dimensions>;

/// Execution plan of a collective: equal chunks, and the phases that each of them passes through.
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

/// Plans a collective of all devices, or of those that differ in the dimensions that take part.
/// \param bytes  the full buffer; for an all-gather, the contribution of one device ("comm_size")
/// \throws ModelError if ASTRA-sim would fail: messages of less than one byte, halving–doubling over a number
///         of devices that is not a power of two
AstraPlan plan_all(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                   AstraInvolved involved = all_involved);

/// Plans a collective of fewer devices: one ring in their order, regardless of dimensions; a system with a
/// single dimension uses its own algorithm.
/// \param members  number of members of the group, > 1
AstraPlan plan_group(const AstraSystem& system, graph::CollectiveKind kind, std::int64_t bytes,
                     std::int64_t members);

/// Plans a collective defined by a schedule, of all devices or of a group: one chunk, in the queue of the
/// innermost dimension. The sizes of messages are those of the schedule, regardless of the collective's size.
/// \param members  > 1
/// \pre the schedule has this number of members (check_schedule)
/// \throws ModelError if the system splits collectives, for which ASTRA-sim would wait forever
AstraPlan plan_scheduled(const AstraSystem& system, const AstraSchedule& schedule, graph::CollectiveKind kind,
                         std::int64_t bytes, std::int64_t members);

/// Number of messages that each member of a ring phase sends.
std::int64_t ring_messages(const AstraPhase& phase);

/// Whether arriving data is reduced with local data.
bool reduces(graph::CollectiveKind kind);

/// Size of the messages of a phase, if they are all equal (ring and direct).
std::int64_t message_bytes(const AstraPhase& phase);

}  // namespace dse::netsim
