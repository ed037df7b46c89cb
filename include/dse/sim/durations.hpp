#pragma once

#include <cstdint>
#include <vector>

#include "dse/base/time_quantum.hpp"
#include "dse/graph/graph.hpp"
#include "dse/model/network/network_model.hpp"

namespace dse::sim {

/// The time quantum of all engines.
using dse::time_quantum;

/// Longest iteration whose sums are exact.
inline constexpr double longest_time = 0x1p13;

/// The nearest multiple of the quantum, halves to even.
/// \param seconds  >= 0 and finite
/// \throws ModelError when it is negative, infinite, NaN, or longer than `longest_time`
double quantise(double seconds);

/// When a node frees what it occupies, counted from its start. All are multiples of the quantum, >= 0.
///
/// A node starts when its stream is free and all its inputs are there (and, with hold > 0, when the compute
/// stream is free as well).
struct NodeTime {
    double duration{0};  ///< its stream is busy that long
    double visible{0};   ///< its value is there after that; <= duration. Compute: equal to duration
    double hold{0};      ///< the compute stream is kept busy that long; <= duration. Without effect on that
                         ///< stream; 0 where only two stages meet (graph::meeting_pairs)
    friend bool operator==(const NodeTime&, const NodeTime&) = default;
};

/// A message to a neighbouring stage. It starts when the value is there, the sender's send stream is free and
/// the receiver's receive stream is free; it occupies both, and then the value is there. Where the graph has
/// a message_stream, that one of the sender stands for both.
struct TransferTime {
    double duration{0};
    double hold{0};  ///< the sender's compute stream is kept busy from its start on; <= duration
};

/// What things take, for one graph. Filled by whoever owns the cost models.
struct Durations {
    std::vector<NodeTime> of_work;  ///< by WorkId; entries of transfers are not read
    // By the sender's end of a lane: with one lane, by sending stage.
    std::vector<TransferTime>
        forward;  ///< towards the loss: to the next stage; from the last to stage 0's next chunk
    std::vector<TransferTime>
        backward;       ///< towards the input: to the one before; from stage 0 to the last one
    double barrier{0};  ///< of the gradient norm, after all streams of all ranks
    /// How much longer kernels take while a collective or copy runs beside them on their device, >= 1: their
    /// speed changes as the others come and go. Only engine `event` plays other values than 1.
    double compute_slowdown{1.0};
    /// What kernels take where ranks differ: tables by WorkId, and the table of each rank, counted from 1; 0
    /// and an empty list: `of_work`. Only engine `event` plays any.
    std::vector<std::vector<double>> kernel_tables;
    std::vector<std::uint16_t> kernel_table_of;  ///< by rank
    /// Seconds that 1 of these times stands for, and 1 of what an engine answers: not 1 where a network has a
    /// clock of its own, whose ticks are then whole multiples of the quantum.
    double unit{1.0};
    /// Where what is under way shares the network: the times of collectives and messages are those of an idle
    /// one, and this one plays them. Outlives the durations; nullptr where they are fixed.
    const model::NetworkModel* shared{nullptr};
};

/// Checks sizes, signs and that everything is quantised.
/// \throws ContractViolation
void validate(const Durations& durations, const graph::Graph& graph);

/// How long a node keeps the compute stream busy: 0 on the compute stream itself, which it occupies anyway.
inline double hold_of(const NodeTime& time, graph::StreamId stream) {
    return stream == graph::compute_stream ? 0.0 : time.hold;
}

}  // namespace dse::sim
